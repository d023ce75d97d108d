"""The order of reading and setting follows direct feedthrough; loops are refused."""

import pytest

from couplant.base.errors import UsageError
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import LocalComponent, Port
from couplant.cosim.wiring.order import Link, Order, Value


def link(source, target, slope=False):
    return Link(Value(Ref.parse(source), slope), Ref.parse(target))


def depth(order, text, slope=False):
    return order.depth(Value(Ref.parse(text), slope))


def test_a_reference_splits_at_the_first_dot():
    assert Ref.parse("mass_1.force.amplitude") == Ref("mass_1", "force.amplitude")
    assert str(Ref("a", "b.c")) == "a.b.c"


def test_depth_counts_the_settings_before_a_value_is_known(components):
    gain, integrator = components["Gain"], components["Integrator"]
    chain = {"i": integrator("i"), "a": gain("a"), "b": gain("b")}
    order = Order(chain, [link("i.x", "a.u"), link("a.y", "b.u"), link("b.y", "i.u")])
    assert [depth(order, text) for text in ("i.x", "a.y", "b.y")] == [0, 1, 2]
    assert depth(order, "i.x", slope=True) == 3, "a slope needs all inputs, feedthrough or not"


def test_inputs_that_are_not_connected_do_not_count(components):
    assert depth(Order({"a": components["Gain"]("a")}, []), "a.y") == 0


def test_an_algebraic_loop_is_refused_with_its_path(components):
    gain = components["Gain"]
    order = Order({"a": gain("a"), "b": gain("b")}, [link("a.y", "b.u"), link("b.y", "a.u")])
    with pytest.raises(UsageError, match=r"Algebraic loop: a\.y <- b\.y <- a\.y"):
        depth(order, "a.y")


def test_unknown_feedthrough_means_all_inputs_and_can_be_declared(components):
    silent = LocalComponent("s", [Port("u", causality="input"), Port("y", dependencies=None)])
    both = {"s": silent, "a": components["Gain"]("a")}
    links = [link("s.y", "a.u"), link("a.y", "s.u")]
    with pytest.raises(UsageError, match="feedthrough ="):
        depth(Order(both, links), "s.y")
    silent.declare_feedthrough({"y": []})
    assert depth(Order(both, links), "a.y") == 1


@pytest.mark.parametrize("outputs", [{"z": []}, {"y": ["v"]}])
def test_declared_feedthrough_must_exist(components, outputs):
    with pytest.raises(UsageError, match="no variable"):
        components["Gain"]("a").declare_feedthrough(outputs)


def test_wrong_connections_are_told_all_at_once(components):
    parts = {"a": components["Gain"]("a"), "b": components["Gain"]("b")}
    links = [link("a.z", "b.u"), link("a.y", "b.w"), link("a.y", "b.u"), link("b.u", "a.u")]
    with pytest.raises(UsageError) as error:
        Order(parts, links)
    lines = str(error.value).splitlines()
    assert lines[0] == "a has no output z; allowed are: y."
    assert "b has no output u; allowed are: y." in lines
    assert "b has no input w; allowed are: u." in lines
    assert "b.u is connected twice: to a.z and to a.y." in lines
