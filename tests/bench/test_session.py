"""Processes: they start, agree, end with their runs, and none is left whatever happens."""

import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

from couplant.base.errors import CouplantError
from couplant.base.style import WIRE
from couplant.bench import load_bench, run_bench, session
from couplant.bench.record import read_records
from couplant.bench.result import judge_bench
from couplant.bench.session import solve_reference
from couplant.cli import main
from tests import attacker, commands
from tests.bench.carriers import Dying, Failing, Lasting, UnixTransport
from tests.bench.virtual import SCENARIO

SHORT = ("duration=1.5", "algorithms=['eros3']")
ALONE = "wire=false"
HALF = 75
"""Messages of half a short run: a side that the machine holds up at the end of its run misses no more than the rest."""


def short(*more):
    return load_bench(SCENARIO, [*SHORT, ALONE, *more])


@pytest.mark.landing("a bench in real time: 5 s of CPU")
def test_the_plain_wire_and_an_algorithm_one_after_another():
    shares = []
    loaded = load_bench(SCENARIO, [*SHORT, "relay.duplicate=0.2", "relay.reorder=0.2"])
    result = run_bench(loaded, progress=lambda share, text: shares.append(share))
    assert [run.algorithm for run in result.result.runs] == [WIRE, "eros3"]
    assert np.isfinite(estimates(result.result.runs[0])).all()
    assert shares == sorted(shares)
    for directions in result.directions:
        for direction in directions:
            assert direction.told["taken"] == direction.counts["sent"] == 151
            assert HALF < direction.counts["arrived"] <= 151 - direction.told["lost"]
            assert 0 < direction.counts["doubled"] <= direction.told["duplicated"]
            assert direction.measured.min() >= 0.01
            assert np.median(direction.measured) >= np.median(direction.set)
    assert multiprocessing.active_children() == []


@pytest.mark.landing("two sides in real time")
def test_a_side_that_starts_when_the_first_message_arrives():
    result = run_bench(short("bench.start='on_arrival'", "relay.jitter=0.0"))
    there, back = result.directions[0]
    assert there.shift >= 0.022 and there.shift == -back.shift
    assert min(there.measured.min(), back.measured.min()) >= 0.02, "by one clock, whenever the runs began"
    assert HALF < there.counts["arrived"] <= there.counts["sent"] == 151


@pytest.mark.landing("two sides in real time")
def test_a_transport_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.setenv("COUPLANT_TEST_FOLDER", str(tmp_path))
    result = run_bench(short(), transport=UnixTransport)
    for direction in result.directions[0]:
        assert HALF < direction.counts["arrived"] <= direction.counts["sent"] == 151
        assert direction.set is None and direction.told == {}, "nothing passes the relay"


@pytest.mark.landing("two sides in real time")
def test_a_side_ends_long_before_the_other():
    assert len(run_bench(short(), transport=Lasting).result.runs) == 1


@pytest.mark.landing("a bench in real time: 7 s of CPU")
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("transport", "sentence"),
    [(Failing, "right: RuntimeError: the cable was cut"), (Dying, "right: its process ended with status 9.")],
)
def test_a_side_that_fails_ends_the_bench_with_a_sentence(transport, sentence):
    with pytest.raises(CouplantError) as error:
        run_bench(short("duration=6.0"), transport=transport)
    assert str(error.value) == sentence
    assert multiprocessing.active_children() == []


def estimates(run):
    return np.array([trace.estimate for trace in run.traces.values()])


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command(*words, **more):
    """Start the command."""
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", **more}
    return commands.Started(
        [sys.executable, "-m", "couplant", "bench", str(SCENARIO), *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def two_sides(folder, *words):
    """Start both sides without a relay, as on two machines."""
    addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    ends = (("left", *addresses), ("right", *addresses[::-1]))
    common = ("--set", "algorithms=['eros3']", "-o", str(folder), *words)
    return [command("--side", side, "--listen", here, "--peer", there, *common) for side, here, there in ends]


@pytest.mark.landing("two sides in real time")
def test_two_machines_and_the_report_on_both(tmp_path):
    sides = two_sides(tmp_path, "--duration", "1.5")
    for side in sides:
        _, errors = side.communicate(timeout=120)
        assert (side.returncode, errors) == (0, "")
    loaded = load_bench(SCENARIO, SHORT)
    fingerprint = loaded.scenario.fingerprint()
    left, right = (read_records(tmp_path / f"{side}.npz", fingerprint) for side in ("left", "right"))
    assert [one.run for one in left] == [one.run for one in right]
    assert [(one.algorithm, one.timing) for one in left] == [(WIRE, "event"), ("eros3", "event")]
    for one in (left[0], right[0]):
        first = np.isfinite(one.received).argmax()
        assert np.array_equal(one.estimate[first:], one.received[first:]) and not one.status.any()
    result = judge_bench(loaded, solve_reference(loaded), left, right)
    for direction in (*result.directions[0], *result.directions[1]):
        assert HALF < direction.counts["arrived"] <= direction.counts["sent"] == 151
        assert abs(direction.measured.min()) < 0.02, "two clocks, the offset is known to half a round trip"


@pytest.mark.landing("a bench in real time: 4 s of CPU")
def test_a_side_whose_peer_is_killed_ends_by_itself(tmp_path):
    left, right = two_sides(tmp_path, "--duration", "4", "--set", ALONE)
    assert right.stdout.readline().startswith("right: eros3, event begins, a step takes ")
    time.sleep(1.5)
    right.kill()
    right.communicate()
    _, errors = left.communicate(timeout=120)
    assert (left.returncode, errors) == (0, "")
    (record,) = read_records(tmp_path / "left.npz", short("duration=4.0").scenario.fingerprint())
    assert np.isfinite(record.done).all()
    assert record.status[-1, 0, 1] == 4, "lost"
    assert 50 < len(record.messages) < 350


FOREIGN = """
name = "attacked"
macro_step = 0.02
duration = 1.0
algorithms = ["zoh"]
wire = false
components.left.fmu = "attacker.fmu"
components.right.fmu = "attacker.fmu"
relay.latency = 0.05
[signals.x]
from = "left.y"
to = ["right.u"]
[signals.v]
from = "right.y"
to = ["left.u"]
"""
ENDED = r"\1 \(FMU attacker\) ended its process in fmi2DoStep at t = 0\.04 s: exit\(0\); printed last: at work\.\n"


@pytest.mark.landing("two sides in real time")
@attacker.POSIX
def test_an_fmu_that_ends_its_process_is_named(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(session, "solve_reference", lambda *_: None)
    attacker.build(tmp_path, late="exit0")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "bench.toml"
    path.write_text(FOREIGN, encoding="utf-8")
    assert main(["bench", str(path)]) == 1
    said, errors = capfd.readouterr()
    assert said == ""
    assert re.fullmatch(rf"couplant: (left|right): {ENDED}", errors)
    assert list(tmp_path.glob("couplant-*")) == []


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_control_c_ends_everything(tmp_path):
    port, scratch = free_port(), tmp_path / "scratch"
    scratch.mkdir()
    running = command("--duration", "10", "--set", f"bench.port={port}", TMPDIR=str(scratch))
    deadline = time.monotonic() + 60.0
    while not bound(port):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(2.0)
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=60)
    assert (running.returncode, output, errors) == (130, "", "couplant: stopped by the user.\n")
    assert not bound(port), "the relay has gone too"
    assert list(scratch.iterdir()) == []


def bound(port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
        return False
