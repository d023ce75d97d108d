"""A federation gives what `simulate` gives with the step that the federation adds: value by value."""

import json
import subprocess
import sys

import numpy as np
import pytest

from couplant.base.errors import CouplantError, UsageError
from couplant.elsewhere.helics import session
from couplant.elsewhere.helics.course import Place, free_port
from couplant.elsewhere.helics.link import Address
from couplant.elsewhere.helics.plan import load_federation
from couplant.elsewhere.helics.record import read_part
from couplant.elsewhere.helics.session import run_federation
from tests import commands
from tests.elsewhere.helics.conftest import EXAMPLE, FOREIGN, ROOT, loaded, settings
from tests.unwired import simulate

PARTS = ("reference", "sent", "received", "estimate", "active", "state", "detected", "limited")


def assert_equal(federated, simulated):
    """Hold runs against each other; what is NaN in one is NaN in the other."""
    assert len(federated.runs) == len(simulated.runs)
    for ours, theirs in zip(federated.runs, simulated.runs, strict=True):
        assert (ours.algorithm, ours.timing) == (theirs.algorithm, theirs.timing)
        assert ours.traces.keys() == theirs.traces.keys()
        for name, trace in ours.traces.items():
            for part in PARTS:
                one, other = (np.asarray(getattr(t, part), float) for t in (trace, theirs.traces[name]))
                np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-12, err_msg=f"{name}.{part}")
        assert ours.metrics == pytest.approx(theirs.metrics, abs=1e-9, nan_ok=True)
        assert ours.messages == theirs.messages and ours.radius == theirs.radius


def largest(result, index=0):
    return float(np.abs(result.runs[index].traces["x1"].sent).max())


@pytest.mark.landing("all federates of the example, step by step")
def test_the_foot_of_example_1():
    """Without compensation the masses swing up to .3228 m; the truth is .1504 m, and eros3 keeps within .156 m."""
    chosen = {"duration": 25.0, "algorithms": ("zoh", "eros3"), "timing": "event"}
    federated = run_federation(loaded(**chosen))
    assert_equal(federated, simulate(EXAMPLE, settings(**chosen | {"steps": 1})))
    assert largest(federated) == pytest.approx(0.3228, abs=5e-5)
    assert largest(federated, 1) <= 0.156
    assert np.abs(federated.runs[0].traces["x1"].reference).max() == pytest.approx(0.1504, abs=5e-5)


@pytest.mark.landing("a federation of processes")
def test_a_delay_filter_of_two_steps_in_step_timing_with_micro_steps():
    """A message that is delayed by k steps reaches the first step behind: k + 1, of which one is the federation's."""
    federated = run_federation(loaded("micro_step=0.01", steps=2))
    assert_equal(federated, simulate(EXAMPLE, settings("micro_step=0.01", steps=3)))
    trace = federated.runs[0].traces["f"]
    assert np.isnan(trace.received[:3]).all() and trace.received[3] == trace.sent[0]
    np.testing.assert_array_equal(trace.received[3:], trace.sent[:-3])


@pytest.mark.landing("a federation of processes")
def test_a_run_that_diverges_ends_early_for_all():
    """A mass of a gram under a force of 10^90 N: all stop where `simulate` does, nothing is shown behind."""
    changes = ("components.mass_1.parameters.m1=1e-3", "force_on_mass_1=1e90")
    chosen = {"duration": 4.0, "algorithms": ("zoh",)}
    federated = run_federation(loaded(*changes, **chosen))
    assert_equal(federated, simulate(EXAMPLE, settings(*changes, **chosen, steps=1)))
    assert 10 < np.isnan(federated.runs[0].traces["x1"].sent).sum() < 190


@pytest.mark.landing("a federation of processes")
def test_messages_carry_what_a_model_needs():
    model = EXAMPLE.parents[1] / "14_long_latency" / "scenario.toml"
    chosen = settings(algorithms=("model",), steps=1)
    federated = run_federation(load_federation(model, chosen))
    assert_equal(federated, simulate(model, settings(algorithms=("model",), steps=2)))


def test_a_federate_that_only_knows_helics(address, tmp_path):
    """What it sends is judged; it gets what mass 1 sent a step before, bit for bit."""
    heard, processes = [], []

    def say(text):
        if not processes:
            command = [sys.executable, FOREIGN, address.host, str(address.port), "0.5"]
            processes.append(commands.Started(command, stdout=subprocess.PIPE, text=True))
        heard.append(text)

    scenario = loaded()
    result = run_federation(scenario, Place(("mass_2",), address), tmp_path, say=say)
    rows = [json.loads(line) for line in processes[0].communicate(timeout=30.0)[0].splitlines()]
    assert processes[0].returncode == 0 and len(rows) == 25
    assert heard[0].startswith(f"the broker at {address} waits for mass_2, 60 s at most")
    (run,) = result.runs
    assert list(run.traces) == ["f"], "what goes to the federate of others is not judged here"
    assert run.traces["f"].sent.tolist() == [row[1] for row in rows]
    own = read_part(tmp_path / "mass_1.npz", scenario).recording.watched
    for place, key in ((2, "x1"), (3, "v1")):
        (sent,) = (values for ref, values in own.items() if str(ref) == f"mass_1.{key}")
        assert [row[place] for row in rows[1:]] == sent[:24].tolist()


@pytest.mark.landing("federates of their own: 7 s of CPU")
def test_two_commands_and_their_records_joined(address, tmp_path):
    """The second machine is a process with --federate; both records together give what simulate gives."""
    processes = []

    def say(text):
        if not processes:
            chosen = [word for change in settings() for word in ("--set", change)]
            run = [sys.executable, "-m", "couplant", "helics", EXAMPLE, *chosen, "-o", tmp_path]
            run += ["--federate", "mass_2", "--broker", str(address)]
            processes.append(commands.Started(run, cwd=ROOT, stdout=subprocess.PIPE, text=True))

    first = run_federation(loaded(), Place(("mass_2",), address), tmp_path, say=say)
    said = processes[0].communicate(timeout=60.0)[0]
    assert processes[0].returncode == 0 and said.startswith("mass_2: 26 macro points; wrote")
    assert list(first.runs[0].traces) == ["f"] and first.runs[0].traces["f"].time.size == 25
    joined, missing = session.join_parts(loaded(), tmp_path)
    assert missing == []
    assert_equal(joined, simulate(EXAMPLE, settings(steps=1)))
    with pytest.raises(UsageError, match=r"mass_1\.npz belongs to another scenario"):
        session.join_parts(loaded(duration=0.4), tmp_path)
    (tmp_path / "mass_1.npz").write_bytes(b"PK")
    with pytest.raises(UsageError, match=r"mass_1\.npz: not a record of a federate"):
        session.join_parts(loaded(), tmp_path)


def test_ports_are_free():
    port = free_port()
    assert 1024 <= port < 65536


def test_a_component_that_is_none(address):
    with pytest.raises(UsageError, match=r"elsewhere = mass_3, allowed mass_1, mass_2"):
        run_federation(loaded(), Place(("mass_3",), address))
    with pytest.raises(UsageError, match=r"elsewhere = all components"):
        run_federation(loaded(), Place(("mass_1", "mass_2"), address))
    with pytest.raises(UsageError, match=r"elsewhere: a federation of several machines has one run"):
        run_federation(loaded(algorithms=("zoh", "foh")), Place(("mass_2",), address))


def test_an_address_that_is_not_of_this_machine():
    with pytest.raises(CouplantError, match=r"192\.0\.2\.1"):
        run_federation(loaded(), Place(("mass_2",), Address("192.0.2.1", 23404), 5.0))


@pytest.mark.landing("a federation of processes")
def test_a_power_bond_that_takes_energy_back():
    """What both ends know of the energy goes with the messages."""
    bond, chosen = EXAMPLE.parents[1] / "08_oscillators" / "scenario.toml", ["duration=0.03"]
    federated = run_federation(load_federation(bond, chosen))
    assert_equal(federated, simulate(bond, [*chosen, "network.latency_steps=1"]))
    assert federated.runs[0].traces["f"].time.size > 20


@pytest.mark.landing("a federation of processes")
def test_components_with_the_names_of_our_own_parts(tmp_path):
    text = EXAMPLE.read_text(encoding="utf-8").replace("mass_1.", "broker.").replace("mass_2.", "fmus.")
    for old, new in (("[components.mass_1]", "[components.broker]"), ("[components.mass_2]", "[components.fmus]")):
        text = text.replace(old, new)
    path = tmp_path / "scenario.toml"
    path.write_text(text, encoding="utf-8")
    federated = run_federation(load_federation(path, settings(duration=0.1)))
    assert list(federated.runs[0].traces) == ["x1", "v1", "f"]
