"""How importers exchange values: by hand on two gains, and on the oscillator."""

import json
import zipfile

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import LocalComponent, Port
from couplant.cosim.run.master import Grid, Wiring, run
from couplant.cosim.wiring.order import Link, Value
from couplant.pack import build_coupling_fmu
from tests.unwired import simulate


class Counter(LocalComponent):
    """Gives out 1, 2, 3, ..: the number of its steps plus one."""

    def __init__(self, name):
        super().__init__(name, [Port("y")])

    def start(self, t_0, parameters):
        self.values["y"] = 1.0

    def step(self, t, h):
        self.values["y"] += 1.0


class Gain(LocalComponent):
    """Gives out ten times its input at once."""

    def __init__(self, name):
        super().__init__(name, [Port("u", causality="input"), Port("y", dependencies=("u",))])

    def reader(self, names):
        return lambda: [10.0 * self.values["u"] if name == "y" else self.values[name] for name in names]


class Silent(Gain):
    """A gain that does not say so, as coupling FMUs of step timing pass a value on while they begin."""

    def __init__(self, name):
        super().__init__(name)
        self.ports["y"] = Port("y")


class Store(LocalComponent):
    """Keeps what it was given for each step."""

    def __init__(self, name):
        super().__init__(name, [Port("u", causality="input")])
        self.given = []

    def step(self, t, h):
        self.given.append(self.values["u"])


def given(host, names):
    """Run counter -> gain -> store for four steps, in the order `names`; return what the store was given, and shown."""
    made = {"counter": Counter("counter"), "gain": Gain("gain"), "store": Store("store")}
    links = [
        Link(Value(Ref("counter", "y")), Ref("gain", "u")),
        Link(Value(Ref("gain", "y")), Ref("store", "u")),
    ]
    components = {name: made[name] for name in names.split()}
    wiring = Wiring(components, links, watched=[Ref("gain", "y"), Ref("counter", "y")], host=host)
    recording = run(wiring, Grid(0.1, 4))
    shown = [recording.watched[Ref(name, "y")].tolist() for name in ("gain", "counter")]
    return made["store"].given[:4], shown


def test_a_host_that_reads_again_passes_everything_on_at_once():
    assert given("reads_again", "store gain counter") == ([10, 20, 30, 40], [[10, 20, 30, 40, 50], [1, 2, 3, 4, 5]])


@pytest.mark.parametrize("order", ["counter gain store", "store gain counter"])
def test_jacobi_reads_feedthrough_a_step_late_and_starts_with_values_that_fit(order):
    assert given("jacobi", order) == ([10, 10, 20, 30], [[10, 10, 20, 30, 40], [1, 2, 3, 4, 5]])


def test_in_turn_a_component_gets_what_those_before_it_have_just_made():
    assert given("sequential", "counter gain store") == ([20, 30, 40, 50], [[20, 30, 40, 50, 60], [2, 3, 4, 5, 6]])
    assert given("sequential", "store gain counter") == ([10, 10, 20, 30], [[10, 10, 20, 30, 40], [1, 2, 3, 4, 5]])
    assert given("sequential", "gain counter store")[0] == [10, 20, 30, 40]


LOOP = ("timing=['step']", "algorithms=['eros3']")


def figures(path, *changes):
    (found,) = simulate(path, [*LOOP, *changes]).runs
    return found


@pytest.mark.landing("long closed loops: 8 s of CPU")
def test_what_the_loop_does_in_each_host(oscillator):
    """The figures that libcosim, Ecos and fmucontainer give for these FMUs (tests/importers)."""
    bare = [f"signals.{name}.coupling.latency.host_lead=0.0" for name in ("x1", "v1")]
    plain, unled, led = (figures(oscillator, *c) for c in ([], ['host="jacobi"', *bare], ['host="jacobi"']))
    assert plain.metrics["mae"] == pytest.approx(0.0244, abs=5e-5)
    assert unled.metrics["mae"] == pytest.approx(0.1334, abs=5e-5) and unled.metrics["growth"] > 1.08
    assert led.metrics["mae"] == pytest.approx(0.0408, abs=5e-5) and led.metrics["growth"] < 1.0
    held = [f"signals.{name}.coupling.latency.hold_lead=0.25" for name in ("x1", "v1")]
    assert figures(oscillator, 'host="jacobi"', *held).metrics["mae"] <= 0.03


@pytest.mark.night("long closed loops: 6 s of CPU each")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_components_in_turn_are_as_good_as_all_at_once_with_what_the_rule_gives(oscillator, k):
    """Any order: each estimate is for the step in which it is used."""
    steps = f"network.latency_steps={k}"
    jacobi = figures(oscillator, steps, 'host="jacobi"').metrics["mae"]
    parts = [f"{name}.{part}" for name in ("x1", "v1", "f") for part in ("network", "coupling")]
    for order in (["mass_1", "mass_2", *parts], [*parts, "mass_2", "mass_1"], ["f.coupling", "mass_1", *parts[:4]]):
        found = figures(oscillator, steps, 'host="sequential"', f"order={order}")
        assert found.metrics["growth"] < 1.01
        assert found.metrics["mae"] == pytest.approx(jacobi, rel=0.25)


@pytest.mark.landing("many loops in many hosts")
@pytest.mark.sample(1)
@pytest.mark.parametrize("micro_steps", [2, 4])
def test_a_host_adds_a_communication_step_not_a_macro_step(oscillator, micro_steps):
    changes = [f"micro_step={0.02 / micro_steps}", 'host="jacobi"']
    led = figures(oscillator, *changes).metrics["mae"]
    whole = [f"signals.{name}.coupling.latency.host_lead=1.0" for name in ("x1", "v1")]
    none = [f"signals.{name}.coupling.latency.host_lead=0.0" for name in ("x1", "v1")]
    assert led < 0.75 * figures(oscillator, *changes, *none).metrics["mae"]
    assert led < 0.75 * figures(oscillator, *changes, *whole).metrics["mae"]


@pytest.mark.landing("long closed loops: 7 s of CPU")
def test_theory_knows_the_host(oscillator):
    """A declaration that keeps the master from reading again counts too: it is the same loop."""
    late = figures(oscillator, "components.mass_2.feedthrough={f=[]}")
    bare = [f"signals.{name}.coupling.latency.host_lead=0.0" for name in ("x1", "v1")]
    jacobi = figures(oscillator, 'host="jacobi"', *bare)
    assert late.radius == jacobi.radius > 1.0 and late.stable is jacobi.stable is False
    assert np.allclose(late.traces["f"].sent, jacobi.traces["f"].sent, rtol=0.0, atol=1e-9)
    assert figures(oscillator, "components.mass_2.feedthrough={f=['x1']}").radius is None
    assert figures(oscillator, 'host="sequential"').radius is None


def test_all_is_settled_when_the_first_step_begins():
    components = {name: Silent(name) for name in ("last", "second", "first")} | {"counter": Counter("counter")}
    chain = [("counter", "first"), ("first", "second"), ("second", "last")]
    links = [Link(Value(Ref(source, "y")), Ref(target, "u")) for source, target in chain]
    recording = run(Wiring(components, links, watched=[Ref("last", "y")], host="jacobi"), Grid(0.1, 3))
    assert recording.watched[Ref("last", "y")].tolist() == [1000.0, 1000.0, 1000.0, 1000.0]


@pytest.mark.sample(1)
@pytest.mark.parametrize("k", [0, 2])
def test_stamps_are_not_late_twice_in_turn(oscillator, k):
    """Stamps tell by themselves when a network has had its turn before a coupling FMU: the rule leaves that out."""
    changes = ['host="sequential"', f"network.latency_steps={k}", "duration=10.0"]
    known, stamped = (figures(oscillator, *changes, f'coupling.latency.mode="{m}"') for m in ("constant", "stamps"))
    assert stamped.metrics["mae"] == pytest.approx(known.metrics["mae"], rel=0.02)


@pytest.mark.landing("many loops in many hosts")
def test_what_nothing_makes_up_for_is_told(oscillator, caplog):
    """v1 and f go directly: x1 is led, and that f follows v1 late is said."""
    signals = 'signals={x1={from="mass_1.x1", to=["mass_2.x1"]}}'
    direct = 'connections={"mass_2.v1"="mass_1.v1", "mass_1.f"="mass_2.f"}'
    mae = [
        figures(oscillator, signals, direct, 'host="jacobi"', *more).metrics["mae"]
        for more in ([], ["coupling.latency.host_lead=0.0"])
    ]
    assert mae[0] < 0.5 * mae[1]
    assert "mass_2.f goes on by a direct connection and follows mass_2.v1 one communication step late" in caplog.text


@pytest.mark.landing("builds of an older FMU: 3 s of CPU")
def test_an_fmu_of_before_that_cannot_be_told_the_host_is_named(oscillator, caplog, tmp_path):
    table = {"name": "old", "macro_step": 0.02}
    interface = parse_interface({"interface": table, "signals": {"x1": {"output": {"min": -9.0, "max": 9.0}}}}, "old")
    built, old = build_coupling_fmu(interface, "x1", tmp_path), tmp_path / "without.fmu"
    with zipfile.ZipFile(built) as source, zipfile.ZipFile(old, "w") as target:
        for name in source.namelist():
            text = source.read(name)
            target.writestr(name, text.replace(b"latency.host_lead", b"another") if name.endswith(".xml") else text)
    settings = ['host="jacobi"', "duration=1.0", f"signals.x1.coupling.fmu={json.dumps(str(old))}"]
    figures(oscillator, *settings)
    assert "signals.x1: without.fmu has no latency.host_lead: nothing makes up for the +1 communication" in caplog.text
    with pytest.raises(UsageError, match=r"has no parameter latency.host_lead"):
        figures(oscillator, *settings, "signals.x1.coupling.latency.host_lead=0.5")


def test_a_loop_of_the_reference_is_told_as_that(oscillator):
    """Coupled, every signal has its delay; only the delay-free reference cannot be read in any order."""
    ring = 'signals={a={from="mass_2.f", to=["mass_1.x1"]}, b={from="mass_1.f", to=["mass_2.x1"]}}'
    with pytest.raises(UsageError, match=r"the delay-free reference: Algebraic loop: mass_2.f <- mass_1.f <- mass_2.f"):
        figures(oscillator, 'components.mass_1={model="mass_2"}', ring, 'host="jacobi"')


@pytest.mark.landing("long runs: 3 s of CPU")
@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["eros4", "irregular", "auto"])
def test_a_lead_for_the_hold_is_told_where_it_comes_by_default(oscillator, name):
    run = figures(oscillator, 'host="jacobi"', f"algorithms=['{name}']")
    assert run.held == ("x1", "v1") and run.proposed == ()
    assert run.metrics["mae"] <= 0.04 and run.metrics["growth"] < 1.0
    without = [f"signals.{signal}.coupling.latency.hold_lead=0.0" for signal in ("x1", "v1")]
    bare = figures(oscillator, 'host="jacobi"', f"algorithms=['{name}']", *without)
    assert bare.held == () and bare.metrics["mae"] > run.metrics["mae"]
