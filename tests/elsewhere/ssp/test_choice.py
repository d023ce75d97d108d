"""Which connection a user means by its two ends, in descriptions alone."""

import pytest

from couplant.base.errors import UsageError
from couplant.elsewhere.ssp.choice import choose, parse_signals, unfit
from couplant.elsewhere.ssp.description import Connector, Description
from tests.elsewhere.ssp import systems
from tests.elsewhere.ssp.systems import MASS_1, MASS_2, Way, component, connectors, description

X1, F = Way(("mass_1", "x1"), ("mass_2", "x1")), Way(("mass_2", "f"), ("mass_1", "f"))


def read(parts, ways, own=None):
    """Return a description; `own` are the variables of all FMUs."""
    text = description(systems.system(parts, ways)).encode()
    return Description("SystemStructure.ssd", text, lambda part: own or {})


def chosen(found, *signals, unread=None):
    return choose(found, parse_signals(signals), lambda part: False, unread)


def test_commas_in_brackets_belong_to_names():
    texts = ["a.x[1,2]->b.u[1,2], a.y[3]->b.v", "c.z->b.w[1]"]
    ends = [(one.source, one.target) for one in parse_signals(texts)]
    assert ends == [("a.x[1,2]", "b.u[1,2]"), ("a.y[3]", "b.v"), ("c.z", "b.w[1]")]


def test_an_input_with_two_connections_is_refused_where_it_is_asked_for_only():
    found = read([MASS_1, MASS_2], [X1, X1, F])
    (one,) = chosen(found, "mass_2.f->mass_1.f")
    assert one.flow.name == "mass_2.f->mass_1.f"
    with pytest.raises(UsageError, match=r"mass_2.x1 gets more than one signal, allowed is one"):
        chosen(found, "mass_1.x1->mass_2.x1")


def test_two_inputs_of_one_name_are_told_apart_by_their_sources():
    """A component `inner.mass_2` beside a system `inner` with `mass_2`."""
    other = component("inner.mass_2", ["x1"], ["f"])
    inner = systems.system([MASS_2], [Way(("", "place"), ("mass_2", "x1"))], "inner", connectors(["place"], []))
    ways = [Way(("mass_1", "x1"), ("inner", "place")), Way(("mass_1", "v1"), ("inner.mass_2", "x1"))]
    found = read([MASS_1, other, inner], [*ways, Way(("inner.mass_2", "f"), ("mass_1", "f"))])
    signals = ("mass_1.x1->inner.mass_2.x1", "mass_1.v1->inner.mass_2.x1", "inner.mass_2.f->mass_1.f")
    assert [one.flow.target.part.path for one in chosen(found, *signals)] == [
        ("inner", "mass_2"),
        ("inner.mass_2",),
        ("mass_1",),
    ]
    ways[1] = Way(("mass_1", "x1"), ("inner.mass_2", "x1"))
    with pytest.raises(UsageError, match=r"SystemStructure.ssd has 2 connections of this name, allowed is one"):
        chosen(read([MASS_1, other, inner], ways), signals[0])


def test_why_an_input_gets_no_signal_is_told():
    bare = '<ssd:Component name="a" source="resources/a.fmu"/>'
    found = read([bare, MASS_2], [Way(("a", "y"), ("mass_2", "x1"))])
    sentence = r"gets no signal: its connection with a.y has no direction: resources/a.fmu: not an FMU; allowed"
    with pytest.raises(UsageError, match=sentence):
        chosen(found, "a.y->mass_2.x1", unread={"resources/a.fmu": "not an FMU"})


def test_a_signal_dictionary_is_told():
    own = '<ssd:Connectors><ssd:Connector name="s" kind="inout"><ssc:Real/></ssd:Connector></ssd:Connectors>'
    book = f'<ssd:SignalDictionaryReference dictionary="d" name="book">{own}</ssd:SignalDictionaryReference>'
    ways = [Way(("mass_1", "x1"), ("book", "s")), Way(("book", "s"), ("mass_2", "x1"))]
    with pytest.raises(UsageError, match=r"book is a signal dictionary, through which signals are not followed"):
        chosen(read([MASS_1, MASS_2, book], ways), "mass_1.x1->mass_2.x1")


@pytest.mark.parametrize("sign", ["&#10;", "&#x9b;", "&#x85;", "&#x202e;", "&#x2028;"])
def test_names_are_printed_in_one_line_without_signs_for_the_terminal(sign):
    """As they are printed they can be asked for."""
    found = read([MASS_1, MASS_2.replace('"mass_2"', f'"a{sign}b"')], [Way(("mass_1", "x1"), (f"a{sign}b", "x1"))])
    (flow,) = found.flows()
    assert flow.name == "mass_1.x1->a?b.x1"
    assert chosen(found, flow.name)[0].flow.target == flow.target


@pytest.mark.parametrize("kind", ["Boolean", "String", "Int32", "Clock"])
def test_the_type_in_the_fmu_counts_too(kind):
    named = dict.fromkeys(("x1", "v1", "f"), Connector("", kind, None))
    found = read([MASS_1, MASS_2], [X1], named)
    assert unfit(found, found.flows()[0]) == f"is {kind} in the FMU at mass_1.x1, allowed Real, Float64, Float32"


def test_an_array_that_is_listed_as_a_scalar_is_one():
    sized = {"x1": Connector("", "Float64", "m", True)}
    parts = [part.replace("<ssc:Real/>", '<ssc:Real unit="m"/>') for part in (MASS_1, MASS_2)]
    found = read(parts, [X1], sized)
    assert unfit(found, found.flows()[0]).startswith("is an array in the FMU at mass_1.x1")
