"""Names of variables: the same verdict as the grammar that FMPy parses them with."""

import random
from types import SimpleNamespace

from fmpy.model_description import ModelDescription
from fmpy.validation import _validate_variable_names

from couplant.pack.check.description import wrong_names

GOOD = ("a", "_1", "der(a.b[1,2].c)", "der(x,2)", "'any name, [] {} ~'.b", "a[1][2]"[:4], r"'\''", r"'\n\\'")
BAD = ("", "1a", "a b", "a.", ".a", "a[", "a[]", "a[1,]", "a[x]", "der(a", "der a", "a\n", "'a", "''", "'a'b", "ä")


def description(names, convention="structured"):
    variables = [SimpleNamespace(name=name, sourceline=1) for name in names]
    return SimpleNamespace(variableNamingConvention=convention, modelVariables=variables)


def is_good(name, convention="structured"):
    return not list(wrong_names(description([name], convention)))


def test_by_hand():
    assert [name for name in GOOD if not is_good(name)] == []
    assert [name for name in BAD if is_good(name)] == []


def test_as_the_grammar_says():
    chance = random.Random(4)
    parts = ("a", "B2_", "_x1", "'any [1], {2}'", "y[3]", "z[1,20]", "'q'[7]")
    names = []
    for _ in range(250):
        name = ".".join(chance.choices(parts, k=chance.randrange(1, 4)))
        name = chance.choice((name, name, f"der({name})", f"der({name},2)"))
        i = chance.randrange(len(name))
        names += [name, name[:i] + chance.choice(("", "", ".", "[", "1", ",", "'", "(", ")", "-", " ")) + name[i + 1 :]]
    wrong = {line.split('"')[1] for line in _validate_variable_names(description(names))}
    assert {name for name in names if not is_good(name)} == wrong
    assert 100 < len(wrong) < 250, "both verdicts"


def test_flat_names_are_any_text_in_one_line():
    assert is_good("a b\u00e4 .", "flat")
    for sign in "\r\n\t":
        assert not is_good(f"a{sign}b", "flat")
    assert ModelDescription().variableNamingConvention == "flat"


def test_a_long_name_takes_no_more_than_its_length():
    """A million characters; the grammar takes seconds for thousands."""
    assert not is_good("'" + "a]" * 500_000)
    assert not is_good("a." * 500_000)
    assert not is_good("a[1," + "1," * 500_000)
