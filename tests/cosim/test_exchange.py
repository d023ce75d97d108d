"""One exchange carries fresh values through any number of components with direct feedthrough."""

import pytest

from couplant.config.ref import Ref
from couplant.cosim.fmu.component import LocalComponent, Port
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.wiring.order import Link, Value


def link(source, target, slope=False):
    return Link(Value(Ref.parse(source), slope), Ref.parse(target))


def test_values_go_through_a_chain_at_one_instant(components):
    gain, integrator = components["Gain"], components["Integrator"]
    parts = {"b": gain("b", 3.0), "a": gain("a", 2.0), "i": integrator("i", start=5.0)}
    exchange = Exchange(parts, [link("a.y", "b.u"), link("i.x", "a.u"), link("b.y", "i.u")])
    exchange.run(0.0, 0.1)
    assert parts["i"].values["u"] == 30.0
    assert exchange.values[exchange.slot(Value(Ref("a", "y")))] == 10.0


def test_one_output_reaches_several_inputs_and_is_read_once(components):
    reads = []

    class Counted(components["Integrator"]):
        def reader(self, names):
            read = super().reader(names)
            return lambda: reads.append(tuple(names)) or read()

    parts = {"i": Counted("i", start=2.0), "a": components["Gain"]("a"), "b": components["Gain"]("b")}
    exchange = Exchange(parts, [link("i.x", "a.u"), link("i.x", "b.u")], watched=[Ref("i", "x")])
    exchange.run(0.0, 0.1)
    assert parts["a"].values["u"] == parts["b"].values["u"] == 2.0
    assert reads == [("x",)]


class Ramp(LocalComponent):
    """Gives 3 t as an estimator does: fresh after a set, later values after a step."""

    def __init__(self, name, calls):
        super().__init__(name, [Port("u", causality="input"), Port("y", dependencies=("u",))])
        self.t, self.calls = 0.0, calls

    def reader(self, names):
        return lambda: [3.0 * self.t for _ in names]

    def step(self, t, h):
        self.calls.append(self.name)
        self.t = t + h


def test_a_receiver_gets_value_and_slope_of_the_coming_step(components):
    calls = []
    parts = {
        "p": components["Integrator"]("p", calls=[]),
        "e": Ramp("e", calls),
        "s": components["Integrator"]("s", start=1.0, calls=[]),
    }
    links = [link("s.x", "e.u"), link("e.y", "p.u"), link("e.y", "p.u.slope", slope=True)]
    exchange = Exchange(parts, links)
    for n in range(3):
        exchange.run(n * 0.5, 0.5)
        assert calls == ["e", "e"] * (n + 1), "stepped in the exchange, to read half-way"
        assert parts["p"].values["u"] == pytest.approx(1.5 * n)
        assert parts["p"].values["u.slope"] == pytest.approx(3.0)
        exchange.step(n * 0.5, 0.5)
    assert calls == ["e", "e"] * 3, "and not once more"
    assert parts["p"].values["x"] == pytest.approx(1.5 * 1.5**2)


def test_nothing_steps_when_the_step_is_zero(components):
    calls = []
    parts = {"p": components["Integrator"]("p"), "e": Ramp("e", calls)}
    exchange = Exchange(parts, [link("e.y", "p.u"), link("e.y", "p.u.slope", slope=True)])
    exchange.run(0.0, 0.0)
    assert calls == []
    assert parts["p"].values["u.slope"] == 0.0
