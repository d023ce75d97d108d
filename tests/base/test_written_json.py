"""Canonical JSON: others read what was meant, and what is equal has equal bytes."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant.base.written_json import canonical, quote_text

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.characters(max_codepoint=160))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
)


@given(value=VALUES)
@settings(deadline=None, max_examples=60)
def test_others_read_what_was_meant(value):
    assert json.loads(canonical(value)) == value


@given(value=VALUES)
@settings(deadline=None, max_examples=60)
def test_it_is_compact_sorted_json(value):
    expected = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).replace("\x7f", "\\u007f")
    assert canonical(value) == expected


@given(members=st.dictionaries(TEXT, VALUES), seed=st.integers())
@settings(deadline=None, max_examples=60)
def test_the_order_of_keys_does_not_matter(members, seed):
    other = list(members.items())
    random.Random(seed).shuffle(other)
    assert canonical(members) == canonical(dict(other))


def test_keys_stand_in_the_order_of_their_code_points():
    """In UTF-16 the sign above 65535 would come first."""
    value = {"\U0001f600": 1, "\uff5e": 2, "b": 3, "B": (True, None)}
    assert canonical(value) == '{"B":[true,null],"b":3,"\uff5e":2,"\U0001f600":1}'


def test_signs_that_need_it_are_escaped():
    assert quote_text('a"\\/\b\t\n\f\r\x00\x1f\x7f\x80ü') == '"a\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\\u007f\x80ü"'


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([0.1], "real numbers are written as texts"),
        (float("nan"), "real numbers are written as texts"),
        ({"a": {1}}, "booleans, numbers, texts"),
        ({"a": b""}, "booleans, numbers, texts"),
        ({1: "a"}, "keys of canonical JSON are texts"),
    ],
)
def test_what_has_no_one_form_is_refused(value, words):
    with pytest.raises(TypeError, match=words):
        canonical(value)
