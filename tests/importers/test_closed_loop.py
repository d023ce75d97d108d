"""Example 01, exported and run as a closed loop by hosts of other makers, which exchange values in their own ways."""

import functools
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis.system_file import read_system
from couplant.cosim.judgement.metrics import growth
from couplant.design.request import Request, answer
from couplant.design.settings import write_settings
from couplant.elsewhere.export import export
from couplant.pack import build_model_fmu
from tests.analysis.conftest import OSCILLATOR as SYSTEM
from tests.importers.closed_loop import HOSTS, SENT, TARGETS, WATCHED
from tests.importers.conftest import NEEDED, require
from tests.isolated import isolated
from tests.unwired import simulate

OSCILLATOR = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
MACRO_STEP = 0.02
SEQUENTIAL = "fmucontainer -sequential"
JACOBI = [host for host in HOSTS if host not in (SEQUENTIAL, "fmpy")]
STARTS = "components.mass_1.parameters.x1.start=0.5", "components.mass_2.parameters.v2.start=0.2"
SPRING = 'bonds.spring={effort="f", flow="x1", take_back=0.02, source="bond", budget=0.0091}'
CASES = {
    "moving": STARTS,
    "jitter": (*STARTS, "network.jitter_steps=2", "network.loss=0.05"),
    "both forces": ("force_on_mass_2=1.0", "network.latency_steps=1"),
    "without network": (*STARTS, "network.latency_steps=0"),
    "bond": (*STARTS, SPRING, "network.latency_steps=8"),
    "bond, jitter": (SPRING, "network.jitter_steps=2", "network.loss=0.05"),
    "bond without network": (SPRING, "network.latency_steps=0"),
}
ORDERS = {
    "prototypes first": (),
    "along f": ('order=["mass_2","f.network","f.coupling","mass_1"]',),
    "couplings first": (
        'order=["x1.coupling","x1.network","v1.coupling","v1.network","mass_1"]',
        *(f"signals.{signal}.coupling.start=0.0" for signal in ("x1", "v1")),
    ),
}
"""Orders of a sequential host. In fmucontainer what steps before its sender gets 0 in the first step."""
HOLD_LEAD = [f"signals.{signal}.coupling={{latency={{hold_lead=0.25}}}}" for signal in ("x1", "v1")]
"""What is proposed for signals that an output of their receiver depends on at once."""


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Return a function that exports example 01 for a kind of host with changes, once."""

    @functools.cache
    def once(kind, *changes):
        folder = tmp_path_factory.mktemp("exported")
        export(OSCILLATOR, folder, of(kind, *changes))
        return folder

    return once


def of(kind, *changes):
    """Return the changes for a kind of host."""
    return ('timing=["step"]', 'algorithms=["eros3"]', f'host="{kind}"', *changes)


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


def simulated(kind, *changes):
    """Return what couplant simulates for a kind of host: its traces by signal."""
    (found,) = simulate(OSCILLATOR, of(kind, *changes)).runs
    return found.traces


@functools.cache
def undelayed():
    """Return the delay-free run by signal, from the first macro point on."""
    return {name: trace.reference[1:] for name, trace in simulated("jacobi").items()}


def figures(found, micro_steps=1):
    """Return the error (MAE) and the growth of a run, as couplant simulate does."""
    at = slice(micro_steps - 1, None, micro_steps)
    error = sum(np.abs(found[f"estimated.{name}"][at] - undelayed()[name]).mean() for name in SENT)
    sent = np.column_stack([found[f"sent.{name}"][at] for name in SENT])
    return error, growth(MACRO_STEP * np.arange(1, len(sent) + 1), sent)


def same(found, expected):
    """Tell whether two trajectories agree, and were worth comparing."""
    return bool(np.abs(expected).max() > 0.01 and np.abs(found - expected).max() < 1e-9)


@pytest.mark.sample(1)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("host", JACOBI)
def test_trajectories_are_those_of_couplant_simulate(exported, run, host, case):
    changes = ("duration=8.0", *CASES[case])
    found = run(host, exported("jacobi", *changes), 400)
    for name, trace in simulated("jacobi", *changes).items():
        assert same(found[f"sent.{name}"], trace.sent[1:]), name
        assert same(found[f"estimated.{name}"], trace.estimate[1:]), name


@pytest.mark.sample(1)
@pytest.mark.parametrize("case", ORDERS)
def test_in_a_sequential_host_too(exported, run, case):
    """What couplant shows is what receivers were given: by senders that had their turn before, what the step gave."""
    changes = ("duration=8.0", *STARTS, *ORDERS[case])
    folder = exported("sequential", *changes)
    order = [Path(file).stem for file in json.loads((folder / "container.json").read_text(encoding="utf-8"))["fmu"]]
    found = run(SEQUENTIAL, folder, 400)
    for name, trace in simulated("sequential", *changes).items():
        for kind, shown in (("sent", trace.sent), ("estimated", trace.estimate)):
            (source, _), (target, _) = WATCHED[f"{kind}.{name}"], TARGETS[f"{kind}.{name}"]
            given = shown[:-1] if order.index(source) < order.index(target) else shown[1:]
            assert same(found[f"{kind}.{name}"], given), name


@pytest.mark.landing("four long runs in two hosts: 3 s of CPU")
def test_fmpy_does_the_same_but_for_its_first_step(exported, run):
    """Connected inputs are 0 in it: nothing happens in a system at rest, another one gets a jolt."""
    rest, moving = (("duration=8.0", *changes) for changes in ((), STARTS))
    for changes, alike in ((rest, True), (moving, False)):
        found = run("fmpy", exported("jacobi", *changes), 400)
        for name, trace in simulated("jacobi", *changes).items():
            assert same(found[f"sent.{name}"], trace.sent[1:]) is alike


@pytest.mark.landing("long loops in importers: 5 s of CPU")
@pytest.mark.sample(1)
@pytest.mark.parametrize("host", [*JACOBI, "fmpy"])
def test_the_loop_is_stable_and_near_with_what_the_host_adds(exported, run, host):
    error, grown = figures(run(host, exported("jacobi")))
    assert error <= 0.042 and grown < 1.0
    error, grown = figures(run(host, exported("reads_again")))
    assert error > 0.13 and grown > 1.08


@pytest.mark.sample(1)
@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("host", ["libcosim", "ecos", "fmucontainer"])
def test_the_lead_that_is_proposed_brings_it_nearer(exported, run, host, steps):
    error, grown = figures(run(host, exported("jacobi", f"network.latency_steps={steps}", *HOLD_LEAD)))
    assert error <= 0.030 and grown < 1.0


@pytest.fixture(scope="module")
def designed(tmp_path_factory):
    """Return the change that gives all signals the weights of a design for the loop as a Jacobi host runs it."""
    path = tmp_path_factory.mktemp("design") / "bench.toml"
    path.write_text('[interface]\nname = "b"\nmacro_step = 0.02\n[signals.s]\nlatency = { constant_steps = 3 }\n')
    plant = read_system(SYSTEM, ['timing="step"', 'host="jacobi"'])
    found = answer(Request(MACRO_STEP, [3], "step", (0.5, 12.0), system=plant))
    write_settings(path, "s", {k: one.design for k, one in found.items()})
    return f'coupling={{configuration="{path}",signal="s"}}'


@pytest.mark.landing("another loop in another host: 3 s of CPU")
@pytest.mark.sample(2)
@pytest.mark.parametrize("host", ["libcosim", "ecos", "fmucontainer"])
def test_a_design_for_the_host_is_better_still(exported, run, designed, host):
    error, grown = figures(run(host, exported("jacobi", designed, 'algorithms=["configured"]')))
    assert error <= 0.015 and grown < 1.0


@pytest.mark.sample(1)
@pytest.mark.parametrize("host", JACOBI)
def test_fmus_from_elsewhere_get_their_parameters(exported, run, tmp_path, host):
    file = build_model_fmu("mass_1", tmp_path, file_name="elsewhere")
    foreign = f'components.mass_1={{fmu="{file}",parameters={{x1={{start=0.5}},m1=2.0}}}}'
    known = "components.mass_1.parameters={x1={start=0.5},m1=2.0}"
    found, expected = (run(host, exported("jacobi", "duration=1.0", change), 50) for change in (foreign, known))
    assert expected["sent.x1"][0] == pytest.approx(0.5, abs=1e-3)
    for name in WATCHED:
        assert np.array_equal(found[name], expected[name]), name


@pytest.mark.landing("another loop in another host: 2 s of CPU")
@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "largest"), [("reads_again", 0.026), ("jacobi", 0.007)])
@pytest.mark.parametrize("host", ["libcosim", "fmucontainer"])
def test_smaller_communication_steps_make_the_loop_stable_too(exported, run, host, kind, largest):
    """What the host adds is a communication step, and so is what the receiver holds: figures of docs/importing.md."""
    quarter = f"micro_step={MACRO_STEP / 4}"
    found = run(host, exported(kind, quarter), 5000, MACRO_STEP / 4)
    error, grown = figures(found, 4)
    assert error < largest and grown < 0.985
    if kind == "jacobi":
        assert same(found["estimated.f"][3::4], simulated("jacobi", quarter)["f"].estimate[1:])
