"""Example 01, exported and run as a closed loop by hosts of other makers, which exchange values in their own ways."""

import functools
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from couplant.cosim import simulate
from couplant.cosim.metrics import growth
from couplant.export import export
from couplant.pack import build_model_fmu
from tests.importers.closed_loop import HOSTS, SENT, WATCHED
from tests.importers.conftest import require
from tests.importers.stepped import stepped
from tests.isolated import isolated

OSCILLATOR = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
MACRO_STEP = 0.02
NEEDED = {
    "libcosim": ("libcosimpy", "libcosimpy.CosimExecution", (3, 11)),
    "ecos": ("ecospy", "ecospy.lib"),
    "fmucontainer": ("fmu_manipulation_toolbox", "fmu_manipulation_toolbox.assembly"),
}
ORDER = {"fmucontainer -sequential": "sequential", "fmpy": "zeros"}
"""How the hosts exchange that do not follow Jacobi from the first step on."""
JACOBI = [host for host in HOSTS if host not in ORDER]
STARTS = "components.mass_1.parameters.x1.start=0.5", "components.mass_2.parameters.v2.start=0.2"
CASES = {
    "moving": STARTS,
    "jitter": (*STARTS, "network.jitter_steps=2", "network.loss=0.05"),
}


def led(**leads):
    """Return changes that give x1 and v1 leads: f depends on them at once, so that it is passed on one step late."""
    table = ",".join(f"{name}={value}" for name, value in leads.items())
    return [f"signals.{signal}.coupling={{latency={{{table}}}}}" for signal in ("x1", "v1")]


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Return a function that exports example 01 with changes, once."""

    @functools.cache
    def once(algorithm, *changes):
        folder = tmp_path_factory.mktemp("exported")
        export(OSCILLATOR, folder, changes, algorithm=algorithm)
        return folder

    return once


@pytest.fixture
def run(tmp_path):
    """Return a function that runs an exported system in a host and returns arrays by signal, from the first step on."""

    def in_host(host, folder, steps=1250, h=MACRO_STEP):
        if host != "fmpy":
            require(*NEEDED[host.split()[0]])
        copy = tmp_path / f"{folder.name}_{host}".replace(" ", "_")
        shutil.copytree(folder, copy)
        report = json.loads(isolated("tests.importers.closed_loop", host, copy, str(steps), str(h))[-1])
        return {name: np.array(report[name]) for name in WATCHED}

    return in_host


@functools.cache
def undelayed():
    """Return the delay-free run by signal, from the first macro point on."""
    (found,) = simulate(OSCILLATOR, ('timing=["step"]', 'algorithms=["zoh"]')).runs
    return {name: trace.reference[1:] for name, trace in found.traces.items()}


def figures(found, micro_steps=1):
    """Return the error (MAE) and the growth of a run, as couplant simulate does."""
    at = slice(micro_steps - 1, None, micro_steps)
    error = sum(np.abs(found[f"estimated.{name}"][at] - undelayed()[name]).mean() for name in SENT)
    sent = np.column_stack([found[f"sent.{name}"][at] for name in SENT])
    return error, growth(MACRO_STEP * np.arange(1, len(sent) + 1), sent)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("host", HOSTS)
def test_the_host_exchanges_as_it_is_known_to(exported, run, host, case):
    folder, steps = exported("eros3", *CASES[case]), 400
    expected = np.array([*stepped(folder, steps, MACRO_STEP, ORDER.get(host, "jacobi"))])
    found = np.column_stack([*run(host, folder, steps).values()])
    assert np.abs(expected).max(axis=0).min() > 0.01
    assert np.abs(found - expected).max() < 1e-9


@pytest.mark.parametrize("host", [*JACOBI, "fmpy"])
def test_the_loop_is_stable_and_near_once_the_estimates_know_the_host(exported, run, host):
    error, grown = figures(run(host, exported("eros3", *led(host_lead=1.0))))
    assert error <= 0.042 and grown < 1.0


@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("host", ["libcosim", "ecos", "fmucontainer"])
def test_a_quarter_step_for_what_the_receiver_holds_brings_it_nearer(exported, run, host, steps):
    folder = exported("eros3", f"network.latency_steps={steps}", *led(host_lead=1.0, hold_lead=0.25))
    error, grown = figures(run(host, folder))
    assert error <= 0.030 and grown < 1.0


@pytest.mark.parametrize("host", JACOBI)
def test_fmus_from_elsewhere_get_their_parameters(exported, run, tmp_path, host):
    file = build_model_fmu("mass_1", tmp_path, file_name="elsewhere")
    foreign = f'components.mass_1={{fmu="{file}",parameters={{x1={{start=0.5}},m1=2.0}}}}'
    known = "components.mass_1.parameters={x1={start=0.5},m1=2.0}"
    found, expected = (run(host, exported("zoh", "duration=1.0", change), 50) for change in (foreign, known))
    assert expected["sent.x1"][0] == pytest.approx(0.5, abs=1e-3)
    for name in WATCHED:
        assert np.array_equal(found[name], expected[name]), name


@pytest.mark.parametrize(("leads", "largest"), [({}, 0.026), ({"host_lead": 0.25}, 0.007)], ids=["without", "with"])
@pytest.mark.parametrize("host", ["libcosim", "fmucontainer"])
def test_smaller_communication_steps_make_the_loop_stable_too(exported, run, host, leads, largest):
    """What the host adds is a communication step, and so is what the receiver holds: figures of docs/importing.md."""
    folder = exported("eros3", *(led(**leads) if leads else ()))
    error, grown = figures(run(host, folder, 5000, MACRO_STEP / 4), 4)
    assert error < largest and grown < 0.985
