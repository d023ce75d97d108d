"""The table of variables in C is that of the Python runtime."""

import ctypes

import pytest

from couplant_runtime.generated.variables import ALL
from couplant_runtime.variables import choose
from tests.kernel.library import RECORD_WITH_NEURAL, Kernel, Refused, library, needs_compiler
from tests.twin.scenario import plain_settings, with_neural

pytestmark = needs_compiler

NATIVE = [variable for variable in ALL if variable.record != "model"]

KINDS = ("real", "integer", "boolean", "enumeration")
ROLES = ("input", "output", "fixed", "tunable", "independent")


class Variable(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char * 32),
        ("unit", ctypes.c_char * 16),
        ("kind", ctypes.c_uint8),
        ("role", ctypes.c_uint8),
        ("flags", ctypes.c_uint16),
        ("offset", ctypes.c_uint32),
        ("start", ctypes.c_double),
        ("minimum", ctypes.c_double),
        ("maximum", ctypes.c_double),
    ]


class Event(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("category", ctypes.c_char_p), ("text", ctypes.c_char_p)]


def offset_of(variable):
    """Return where the C structure has the field that holds a variable [bytes]."""
    return place_of(variable.record, variable.field)


def place_of(record, field):
    """Return where the C structure has a field of a record [bytes]."""
    kind = dict(RECORD_WITH_NEURAL._fields_)[record]
    return getattr(RECORD_WITH_NEURAL, record).offset + getattr(kind, field).offset


def row(kernel, reference):
    place = library().cp_coupling_find(kernel.settings, reference)
    return Variable.from_address(place) if place else None


@pytest.mark.sample(251)
@pytest.mark.parametrize("position", range(1, len(NATIVE) + 1))
def test_every_variable_is_the_same_in_both_runtimes(position):
    ours = ALL[position - 1]
    theirs = row(Kernel(with_neural(plain_settings(positions=(position,)))), 1)
    width = 8 if ours.kind == "real" else 4
    offset = offset_of(ours) + width * max(ours.index, 0)
    assert theirs.name.decode() == ours.name
    assert KINDS[theirs.kind] == ours.kind
    assert ROLES[theirs.role] == (ours.variability if ours.causality == "parameter" else ours.causality)
    assert theirs.offset == offset
    assert theirs.start == (ours.start or 0.0)
    if ours.causality == "parameter":
        assert (theirs.minimum, theirs.maximum) == (ours.minimum, ours.maximum)


@pytest.mark.parametrize("position", range(len(NATIVE) + 1, len(ALL) + 2))
def test_variables_of_the_python_backend_are_unknown_to_the_kernel(position):
    lists = {**plain_settings().lists(), "variables": (float(position),), "start": (0.0,)}
    with pytest.raises(Refused, match="not a variable of this version"):
        Kernel(plain_settings()).settle(lists, 1)


def test_references_follow_the_settings():
    positions = choose({"weights": 3, "debug": 1})
    kernel = Kernel(plain_settings(positions=positions))
    names = [row(kernel, reference).name.decode() for reference in range(1, len(positions) + 1)]
    assert names == [ALL[position - 1].name for position in positions]


def test_there_is_nothing_outside_the_references(kernel, settings):
    assert row(kernel, 0) is None
    assert row(kernel, len(settings.chosen) + 1) is None
    assert row(kernel, 2**32 - 1) is None


def test_the_texts_of_events_are_the_same():
    from couplant_runtime.generated.events import MESSAGES, NUMBERS

    for event, words in MESSAGES.items():
        bit = event.bit_length() - 1
        found = Event.from_address(library().cp_coupling_event_of_bit(bit))
        assert (found.category.decode(), found.text.decode()) == words
        places = [place_of(*name.split(".")) for name in NUMBERS.get(event, ())]
        assert words[1].count("%") == len(places)
        numbers = (ctypes.c_uint32 * 3).from_address(library().cp_coupling_numbers_of_bit(bit))
        assert list(numbers) == places + [0] * (3 - len(places))
    assert library().cp_coupling_event_of_bit(len(MESSAGES)) is None
    assert library().cp_coupling_event_of_bit(-1) is None
