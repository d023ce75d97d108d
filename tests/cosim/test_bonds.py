"""Power bonds in runs through coupling FMUs: wiring, books, figures; the kernel in a loop of its own as oracle."""

import csv
import functools
import json

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.config.scenario import load_scenario
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.judgement.output import write_run
from couplant.cosim.judgement.verdict import UNSTABLE
from couplant.cosim.run import master
from couplant.cosim.wiring.components import Workshop
from couplant.pack import build_coupling_fmu
from tests.cosim.conftest import EXAMPLES
from tests.kernel.library import needs_compiler
from tests.networks.bonds import BUDGET, Run
from tests.networks.bonds import simulate as kernel
from tests.unwired import simulate

TAKE_BACK = {"take_back": 0.02, "source": "bond"}
GUARD = {**TAKE_BACK, "budget": BUDGET}
SHORT = "duration=4.0"


def bond(**keys):
    """Return the assignment of the bond of example 01."""
    pairs = {"effort": "f", "flow": "x1"} | keys
    return "bonds.shaft={" + ", ".join(f"{key}={json.dumps(value)}" for key, value in pairs.items()) + "}"


@functools.cache
def of(*changes):
    """Return the runs of example 01 with changes."""
    return simulate(EXAMPLES / "01_two_mass_oscillator" / "scenario.toml", changes).runs


@pytest.mark.sample(1)
@needs_compiler
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("keys", [TAKE_BACK, GUARD], ids=["take_back", "guard"])
def test_the_figures_are_those_of_the_kernel_in_a_loop_of_its_own(keys, timing):
    runs = of(bond(**keys), f'timing=["{timing}"]', 'algorithms=["zoh", "eros3"]')
    for run in runs:
        wanted, found = kernel(Run(run.algorithm, 3, timing, bond=tuple(keys.items()))), run.bonds["shaft"]
        assert run.metrics["mae"] == pytest.approx(wanted.mae, rel=1e-5)
        assert found.residual.max() == pytest.approx(wanted.created, rel=1e-3)
        ends = (found.given_flow.sum(), found.given_effort.sum())
        shown = [end.known[1249 % len(end.known)] for end in wanted.ends]
        assert ends == pytest.approx(shown, rel=1e-3)


@pytest.mark.landing("long runs: 2 s of CPU")
@pytest.mark.sample(1)
@needs_compiler
@pytest.mark.parametrize(("algorithm", "k"), [("zoh", 3), ("foh", 8), ("eros3", 20)])
def test_in_a_jacobi_host_too(algorithm, k):
    words = ('timing=["step"]', f'algorithms=["{algorithm}"]', f"network.latency_steps={k}", 'host="jacobi"')
    (run,) = of(bond(**GUARD), *words)
    wanted = kernel(Run(algorithm, k, bond=tuple(GUARD.items()), host="jacobi"))
    assert run.metrics["mae"] == pytest.approx(wanted.mae, rel=1e-6)
    assert run.bonds["shaft"].residual.max() == pytest.approx(wanted.created, rel=1e-6)


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["step", "event"])
def test_watching_changes_no_digit(timing):
    words = (f'timing=["{timing}"]', 'algorithms=["zoh", "eros3"]', "duration=12.0")
    for watched, without in zip(of(bond(), *words), of(*words), strict=True):
        assert watched.metrics == pytest.approx(without.metrics, rel=1e-9)
        assert (watched.stable, watched.verdict) == (without.stable, without.verdict)
        assert watched.energy["taken"] == watched.energy["limited_share"] == 0.0
        assert not without.bonds and not without.energy


def test_what_creates_energy_is_what_is_unstable():
    zoh, eros3 = of(bond(), 'timing=["event"]', 'algorithms=["zoh", "eros3"]')
    assert zoh.verdict == UNSTABLE and zoh.energy["created_share"] > 0.1
    assert eros3.verdict != UNSTABLE and eros3.energy["created_share"] < 0.0


def test_theory_does_not_judge_what_a_bond_changes():
    """Without take-back ZOH has a radius above 1; with it the run is stable, and never called so by that radius."""
    (run,) = of(bond(**TAKE_BACK), 'timing=["step"]', 'algorithms=["zoh"]')
    assert run.radius is None and run.stable is None and run.verdict != UNSTABLE


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("build", ['coupling.fmi="3"', 'coupling.backend="python"'])
def test_all_kinds_of_fmus_give_the_same(build, timing):
    words = (bond(**GUARD), SHORT, f'timing=["{timing}"]', 'algorithms=["eros3"]', "network.latency_steps=8")
    (one,), (other,) = of(*words), of(*words, build)
    assert np.allclose(one.bonds["shaft"].residual, other.bonds["shaft"].residual, rtol=0.0, atol=1e-9)
    for name, trace in one.traces.items():
        assert np.allclose(trace.estimate, other.traces[name].estimate, rtol=0.0, atol=1e-9)
    assert one.energy["limited_share"] == other.energy["limited_share"] > 0.0


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "changes",
    [
        ('timing=["step", "event"]', "network.loss=0.1", "network.jitter_steps=2"),
        ('timing=["step"]', 'host="jacobi"', "network.loss=0.1"),
        ('timing=["step"]', 'host="sequential"'),
        ('timing=["step"]', 'host="sequential"', "network.latency_steps=14", f"order={['x1.coupling', 'f.coupling']}"),
        ('timing=["event"]', "network.latency_steps=2", "micro_step=0.005", "network.jitter_steps=9"),
        ('timing=["step", "event"]', "network.jitter_steps=1", "network.clock_offset=7.3", "network.clock_drift=4e-5"),
        ('timing=["step", "event"]', "network.latency_steps=0"),
    ],
    ids=["loss", "jacobi", "sequential", "turns", "micro", "clocks", "none"],
)
def test_the_energy_created_is_at_most_two_budgets(changes):
    for run in of(
        bond(budget=BUDGET, source="bond"), "network.latency_steps=8", 'algorithms=["zoh", "eros3"]', *changes
    ):
        found = run.bonds["shaft"]
        assert found.residual.max() <= 2.2 * BUDGET, (run.algorithm, run.timing)
        assert np.nanmin(found.left_effort) > -0.2 * BUDGET


class Noted:
    """A component that notes its inputs and an output before and after each step."""

    def __init__(self, component, output):
        self.component, self.read, self.output = component, None, output
        self.given, self.steps = {}, []

    def __getattr__(self, name):
        return getattr(self.component, name)

    def writer(self, names):
        write = self.component.writer(names)
        return lambda values: (self.given.update(zip(names, values, strict=True)), write(values))

    def step(self, t, h):
        read = self.component.reader([self.output])
        before = self.steps[-1][2] if self.steps else read()[0]
        self.component.step(t, h)
        self.steps.append((dict(self.given), before, read()[0]))


@pytest.mark.parametrize(
    "order",
    [[], ["x1.network", "x1.coupling", "f.network", "f.coupling"], ["mass_1", "x1.network", "x1.coupling", "mass_2"]],
    ids=["prototypes", "couplings", "mixed"],
)
def test_the_books_are_right_whoever_has_its_turn_first(oscillator, tmp_path, order):
    """Energy of the efforts that mass 1 had over its ways, and of the ways that mass 2 had against its efforts."""
    words = (
        bond(),
        'timing=["step"]',
        'algorithms=["eros3"]',
        'host="sequential"',
        f"order={json.dumps(order)}",
        SHORT,
    )
    with FmuLibrary() as library:
        workshop = Workshop(load_scenario(oscillator, words), library, Builder(tmp_path))
        coupled = workshop.couple("eros3", "step")
        for name, output in (("mass_1", "x1"), ("mass_2", "f")):
            coupled.components[name] = Noted(coupled.components[name], output)
        shown = master.run(coupled, workshop.grid()).watched
    one, two = (coupled.components[name].steps for name in ("mass_1", "mass_2"))
    way = np.diff([given["x1"] for given, _, _ in two], prepend=0.0)
    wanted = {
        "f": np.cumsum([given["f"] * (after - before) for given, before, after in one]),
        "x1": -np.cumsum([0.5 * (before + after) for _, before, after in two] * way),
    }
    for name, energy in wanted.items():
        (booked,) = (v for ref, v in shown.items() if str(ref) == f"{name}.coupling.energy.given")
        late = int(np.argmax(np.abs(booked) > 1e-9)) - int(np.argmax(np.abs(energy) > 1e-9))
        assert 1 <= late <= 3
        assert np.allclose(booked[late:], energy[: booked.size - late], rtol=0.0, atol=1e-12)


@pytest.fixture
def links(oscillator, tmp_path):
    """Return a function that wires example 01 with changes; it returns sources by input."""

    def wired(timing, *changes):
        with FmuLibrary() as library:
            workshop = Workshop(load_scenario(oscillator, changes), library, Builder(tmp_path))
            found = workshop.couple("foh", timing).links
        return {str(link.target): str(link.source.ref) for link in found}

    return wired


def test_messages_of_energy_go_with_the_signal_that_leaves_from_the_same_place(links):
    found = links("step", bond())
    assert found["f.coupling.conjugate"] == "mass_1.x1"
    assert found["x1.coupling.conjugate"] == "mass_2.f"
    for word in ("given", "passed", "time"):
        assert found[f"x1.network.energy.{word}"] == f"f.coupling.energy.{word}"
        assert found[f"x1.coupling.energy.far_{word}"] == f"x1.network.energy.far_{word}"
        assert found[f"f.network.energy.{word}"] == f"x1.coupling.energy.{word}"


def test_without_network_they_are_plain_connections(links):
    found = links("step", bond(), "signals.x1.network.latency_steps=0")
    assert found["x1.coupling.energy.far_given"] == "f.coupling.energy.given"
    assert found["f.coupling.energy.far_given"] == "f.network.energy.far_given"


def test_without_a_bond_there_are_none(links):
    assert not [name for end in links("event").items() for name in end if "energy" in name or "conjugate" in name]


def test_a_bond_of_velocity_is_booked_as_the_signals_show_it():
    """The estimates are held, so velocity times force held, and the other way round, is all that is given."""
    changes = ("bonds.damper={effort='f', flow='v1', flow_is='velocity'}", 'timing=["step"]', 'algorithms=["zoh"]')
    (run,) = of(*changes)
    one, f, v = run.bonds["damper"], run.traces["f"], run.traces["v1"]
    mean = 0.5 * (v.sent[1:] + v.sent[:-1])
    given = np.cumsum(0.02 * f.estimate[:-1] * mean)[: one.time.size]
    assert np.allclose(np.cumsum(one.given_effort), given, rtol=0.0, atol=1e-9)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("host", "sign"), [("reads_again", -1), ("jacobi", 1)])
def test_an_fmu_without_books_is_booked_by_its_signals(oscillator, tmp_path, host, sign):
    """FMUs that were built without a bond: the same energies as with one that only watches."""
    common = {"name": "plain", "macro_step": 0.02, "timing": "step"}
    one = {"algorithm": "foh", "latency": {"constant_steps": 3}}
    interface = parse_interface({"interface": common, "signals": {"x1": one, "f": one}}, "test")
    built = {name: build_coupling_fmu(interface, name, tmp_path) for name in ("x1", "f")}
    words = (bond(sign=sign), 'timing=["step"]', 'algorithms=["foh"]', f'host="{host}"', SHORT)
    fmus = [f'signals.{name}.coupling={{fmu="{path}"}}' for name, path in built.items()]
    bare = [f"signals.{name}.coupling.latency.host_lead=0.0" for name in built]
    (plain,), (watched,) = of(*words, *fmus), of(*words, *bare)
    count = watched.bonds["shaft"].time.size
    assert plain.bonds["shaft"].left_effort is None and np.isnan(plain.energy["taken"])
    for part in ("given_effort", "given_flow"):
        seen, told = (getattr(run.bonds["shaft"], part)[:count] for run in (plain, watched))
        assert np.allclose(np.cumsum(seen), np.cumsum(told), rtol=0.0, atol=1e-8)
    with pytest.raises(UsageError, match="was built without a power bond"):
        simulate(oscillator, [bond(budget=1.0), *words[1:], *fmus])


def test_an_fmu_that_has_books_is_told_what_the_scenario_wants(tmp_path):
    common = {"name": "known", "macro_step": 0.02, "timing": "step"}
    one = {"algorithm": "eros3", "latency": {"constant_steps": 3}}
    document = {"interface": common, "signals": {"x1": one, "f": one}, "bonds": {"b": {"effort": "f", "flow": "x1"}}}
    interface = parse_interface(document, "test")
    fmus = [f'signals.{n}.coupling={{fmu="{build_coupling_fmu(interface, n, tmp_path)}"}}' for n in ("x1", "f")]
    words = (bond(**GUARD), SHORT, 'timing=["step"]', 'algorithms=["eros3"]')
    (given,), (made,) = of(*words, *fmus), of(*words)
    assert given.energy == pytest.approx(made.energy, rel=1e-6)


def test_the_files_of_a_run(tmp_path):
    (run,) = of(bond(**GUARD), SHORT, 'algorithms=["zoh"]', 'timing=["event"]')
    write_run(run, tmp_path)
    with (tmp_path / "event_zoh_bonds.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    parts = ("power", "given_e", "given_f", "residual", "left_e", "left_f")
    assert list(rows[0]) == ["time", "step", *(f"shaft.{part}" for part in parts)]
    last = {key: float(value) for key, value in rows[-1].items()}
    assert last["shaft.residual"] == pytest.approx(last["shaft.given_e"] + last["shaft.given_f"])
    assert last["shaft.residual"] == pytest.approx(run.energy["created"])
    assert last["step"] == 0.02


def test_a_run_that_blows_up_is_told_as_far_as_it_went(oscillator, tmp_path):
    words = [bond(), "network.latency_steps=20", 'algorithms=["eros4"]', 'timing=["step"]', "duration=15.0"]
    result = simulate(oscillator, words, output=tmp_path)
    (run,) = result.runs
    assert run.verdict == UNSTABLE
    assert json.loads(result.to_json())["runs"][0]["created"] > 1e3
    assert (tmp_path / "runs" / "step_eros4_bonds.csv").is_file()


def test_figures_in_json_where_there_are_bonds_only(oscillator):
    keys = {"created", "created_share", "taken", "limited_share"}
    words = [SHORT, 'algorithms=["foh"]', 'timing=["step"]']
    (with_bond,) = simulate(oscillator, [bond(**GUARD), *words]).to_dict()["runs"]
    (without,) = simulate(oscillator, words).to_dict()["runs"]
    assert keys <= set(with_bond) and keys <= set(with_bond["bonds"]["shaft"])
    assert set(with_bond) - set(without) == keys | {"bonds"}


def test_the_energy_of_a_direct_run_with_a_displacement(oscillator):
    """The force is held along the way of mass 1: an exact balance of what both masses got."""
    words = ['algorithms=["direct"]', 'timing=["step"]', 'host="jacobi"', "network.latency_steps=0", bond()]
    (run,) = simulate(oscillator, words).runs
    one, f, x = run.bonds["shaft"], run.traces["f"].sent, run.traces["x1"].sent
    assert np.allclose(one.given_effort, f[:-1] * np.diff(x), rtol=0.0, atol=1e-15)
    way = np.concatenate([[0.0], np.diff(x)])[:-1]
    assert np.allclose(one.given_flow, -0.5 * (f[1:] + f[:-1]) * way, rtol=0.0, atol=1e-15)
    assert one.figures()["created_share"] > 0.01


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ([bond(effort="g")], 'bonds.shaft.effort = "g", allowed x1, v1, f'),
        ([bond(flow="v1"), "bonds.other={effort='f', flow='x1'}"], "is in bonds.shaft too, allowed in one"),
        ([bond(budget=-1.0)], "bonds.shaft.budget = -1.0, allowed a finite number of at least 0"),
        ([bond(flow="f")], "must lead from one component to another and back"),
    ],
)
def test_what_is_refused(oscillator, changes, text):
    with pytest.raises(UsageError) as error:
        simulate(oscillator, [SHORT, 'algorithms=["foh"]', 'timing=["step"]', *changes])
    assert text in str(error.value)
