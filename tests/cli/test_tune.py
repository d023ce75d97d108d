"""``couplant tune``: dry runs and real ones write all files or none, and Ctrl-C leaves nothing behind."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from couplant.bench import load_bench
from couplant.config import load_interface
from couplant.config.bench import SIDES
from couplant.config.scenario import load_scenario
from couplant.pack import build_model_fmu
from couplant.sweep.for_bench import known_loop
from tests.bench.tune.benches import hide, write_bench
from tests.commands import Started
from tests.cosim.conftest import EXAMPLES

FILES = {"report.html", "metrics.json", "tuned.toml"}


@pytest.fixture(scope="module")
def cart(tmp_path_factory):
    return write_bench("cart", tmp_path_factory.mktemp("cart"), jitter=0.3)


@pytest.mark.landing("every candidate in a loop, and a minute of a bench on a clock that waits: 10 s of CPU")
def test_a_dry_run_writes_settings_that_bench_and_build_read(cart, tmp_path, couplant):
    out = tmp_path / "far" / "out"
    done = couplant("tune", cart, "--dry-run", "-o", out, "--no-open", "--json")
    assert done.status == 0, done.err
    figures = json.loads(done.out)
    assert {one.name for one in out.iterdir()} == FILES | {"interface.toml"}
    assert figures["dry_run"]
    assert figures["time"] <= 60.0
    assert figures["chosen"].startswith("model")
    tuned = load_bench(out / "tuned.toml")
    assert tuned.scenario.algorithms == ["model"]
    assert set(tuned.scenario.models) == {"left", "right"}
    assert tuned.file(tuned.scenario.components["left"].system).resolve() == (cart.parent / "system.toml").resolve()
    assert set(load_interface(out / "interface.toml").signals) == {"s", "v", "F"}
    assert json.loads((out / "metrics.json").read_text(encoding="utf-8"))["chosen"] == figures["chosen"]
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Taken back" in page or not any(figures["taken_back"].values())


@pytest.mark.landing("every candidate in a loop, twice")
def test_a_dry_run_with_an_fmu_of_somebody_else_finds_the_same(tmp_path, couplant):
    text = (EXAMPLES / "05_udp_bench" / "scenario.toml").read_text(encoding="utf-8")
    found = []
    for foreign in (False, True):
        folder = tmp_path / f"{foreign}"
        fmu = build_model_fmu("mass_2", folder)
        if foreign:
            fmu.write_bytes(fmu.read_bytes() + b"\n")  # not what this process built
        path = folder / "bench.toml"
        path.write_text(text.replace('model = "mass_2"', f'fmu = "{fmu.name}"'), "utf-8")
        done = couplant("tune", path, "--dry-run", "-o", folder / "out", "--no-open", "--json")
        assert done.status == 0, done.err
        figures = json.loads(done.out)
        found.append((figures["chosen"], figures["time"]))
    assert found[0] == found[1]


@pytest.mark.landing("both sides are identified, and a minute of a bench: a minute of CPU")
def test_the_command_identifies_what_the_file_does_not_know(tmp_path, couplant):
    path = hide(write_bench("dcmotor", tmp_path))
    assert known_loop(load_bench(path)) is None
    done = couplant("tune", path, "--dry-run", "-o", tmp_path / "out", "--no-open")
    assert done.status == 0, done.err
    tables = load_bench(tmp_path / "out" / "tuned.toml").scenario
    assert tables.algorithms == ["model"]
    assert set(tables.models) == set(SIDES)


@pytest.mark.landing("a scenario of 12 s, run several times")
def test_a_scenario_that_is_no_bench_is_repeated(tmp_path, couplant):
    path = EXAMPLES / "12_hybrid_vehicle" / "scenario.toml"
    out = tmp_path / "out"
    done = couplant("tune", path, "--dry-run", "-o", out, "--no-open", "--json", "--set", 'algorithms=["wire"]')
    assert done.status == 0, done.err
    figures = json.loads(done.out)
    assert figures["chosen"] == "auto"
    assert 23.0 < figures["time"] <= 60.0
    assert load_scenario(out / "tuned.toml").scenario.algorithms == ["auto"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--dry-run", "--side", "left"], "--side = left: allowed without --dry-run"),
        (["--side", "middle"], "side = middle, allowed left, right"),
        (["--side", "left", "--peer", "10.0.0.1:1"], "allowed"),
    ],
)
def test_wrong_use_is_one_sentence(cart, tmp_path, couplant, words, sentence):
    done = couplant("tune", cart, "-o", tmp_path / "out", *words)
    assert done.status == 2
    assert sentence in done.err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_files_is_left_alone(cart, tmp_path, couplant):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    done = couplant("tune", cart, "--dry-run", "-o", tmp_path)
    assert done.status == 2
    assert "--force" in done.err
    assert [one.name for one in tmp_path.iterdir()] == ["mine.txt"]


def command(*words):
    """Return a process of the command that hears signals, in a group of its own."""
    begin = "import couplant.__main__ as command; print('begun', flush=True); command.entry()"
    line = [sys.executable, "-c", begin, "tune", *map(str, words)]
    process = Started(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    assert process.stdout.readline() == "begun\n"
    return process


def members(group):
    """Return the processes of a group that still do something."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, rest = entry.read_text(encoding="utf-8").rpartition(")")
            state, _, of = rest.split()[:3]
            found += [name] if int(of) == group and state not in "ZX" else []
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processes where Linux shows them")
@pytest.mark.landing("processes that are stopped: a quarter of a minute for each")
@pytest.mark.parametrize("words", [["--dry-run"], []])
@pytest.mark.parametrize("after", [0.5, 2.0, 5.0, 12.0])
def test_ctrl_c_leaves_no_file_and_no_process(cart, tmp_path, words, after):
    process = command(cart, *words, "-o", tmp_path / "out", "--no-open")
    try:
        time.sleep(after)
        if process.poll() is not None:  # a dry run that was quicker
            assert process.returncode == 0
            return
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate()
    finally:
        process.end()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert not (tmp_path / "out").exists()
    last = time.monotonic() + 10.0
    while (left := members(process.pid)) and time.monotonic() < last:
        time.sleep(0.1)
    assert left == []


@pytest.mark.landing("half a minute in real time")
def test_in_real_time_the_same_files_are_written(cart, tmp_path):
    process = command(cart, "-o", tmp_path / "out", "--no-open", "--json")
    said, _ = process.communicate()
    assert process.returncode == 0, said
    figures = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert not figures["dry_run"]
    assert {one["from"] for one in figures["ways"]} == {"left", "right"}
    assert all(one["age_steps"]["median"] == pytest.approx(2.4, abs=1.0) for one in figures["ways"])
    load_bench(tmp_path / "out" / "tuned.toml")


@pytest.mark.landing("half a minute in real time")
def test_each_side_by_itself(cart, tmp_path):
    free = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in SIDES]
    for one in free:
        one.bind(("127.0.0.1", 0))
    left, right = (f"127.0.0.1:{one.getsockname()[1]}" for one in free)
    for one in free:
        one.close()
    ends = {"left": (left, right), "right": (right, left)}
    sides = {
        side: command(cart, "--side", side, "--listen", listen, "--peer", peer, "-o", tmp_path / side, "--no-open")
        for side, (listen, peer) in ends.items()
    }
    said = {side: process.communicate()[0] for side, process in sides.items()}
    assert [process.returncode for process in sides.values()] == [0, 0], said
    assert FILES <= {one.name for one in (tmp_path / "left").iterdir()}
    assert not (tmp_path / "right").exists()
