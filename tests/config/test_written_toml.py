"""Settings files as text: readers of TOML find in them what was written, with the same kinds of numbers."""

import math
import random
import sys
from pathlib import Path

import pytest
import tomlkit

from couplant.config.frame.written_toml import Real, toml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    path for folder in ("examples", "tests", "fmu_src", "resources") for path in sorted((ROOT / folder).rglob("*.toml"))
    if path.name != "published.toml"  # figures, not settings: unknown ones are nan
]
SIGNS = "abzAZ019_-. \"'\\\n\t\r\x00\x1f\x7f#=[]{}äΔ€😀"
DOCUMENTS = 200


def marked(value):
    """Return values with their real numbers marked."""
    if isinstance(value, dict):
        return {key: marked(one) for key, one in value.items()}
    if isinstance(value, list):
        return [marked(one) for one in value]
    return Real(value) if isinstance(value, float) else value


def read_by_both(text):
    """Return what two readers find in a text, as one text each that tells 1 from 1.0, with tables in one order."""
    return [ordered(tomllib.loads(text)), ordered(tomlkit.parse(text).unwrap())]


def ordered(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {ordered(value[key])}" for key in sorted(value)) + "}"
    return f"[{', '.join(map(ordered, value))}]" if isinstance(value, list) else repr(value)


def word(draw):
    return "".join(draw.choices(SIGNS, k=draw.randrange(6)))


def number(draw):
    return draw.choice([draw.uniform(-9, 9), 10.0 ** draw.randint(-300, 300), float(draw.randint(-5, 5)), -0.0])


def some(draw, depth):
    """Return a value, or a table or a list of values with no more than `depth` others inside."""
    kind = draw.randrange(8 if depth else 4)
    if kind in (4, 5):
        return table(draw, depth - 1)
    if kind > 5:
        return [some(draw, depth - 1) if kind == 6 else table(draw, depth - 1) for _ in range(draw.randrange(4))]
    return (draw.randint(-(2**53), 2**53), number(draw), word(draw), draw.random() < 0.5)[kind]


def table(draw, depth):
    return {word(draw): some(draw, depth) for _ in range(draw.randrange(5))}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_settings_files_read_back(path):
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    text = toml(marked(document), ["a comment"])
    assert read_by_both(text) == [ordered(document)] * 2


def test_there_are_settings_files():
    assert len(FILES) > 20


@pytest.mark.parametrize("seed", range(DOCUMENTS))
def test_random_documents_read_back(seed):
    document = table(random.Random(seed), 4)
    assert read_by_both(toml(marked(document), [])) == [ordered(document)] * 2


def test_it_looks_as_written_by_hand():
    document = {
        "name": "a",
        "signals": {
            "torque": {"unit": "N.m", "latency": {"offset": Real(1e-5)}, "on": True},
            "no name": {"model": {}},
        },
        "rows": [{"a": [Real(1.0), Real(-0.5)], "b": [{"k": 1}, 2]}, {}],
    }
    assert toml(document, ["first", "second"]) == (
        '# first\n# second\n\nname = "a"\n\n'
        '[signals.torque]\nunit = "N.m"\non = true\n\n[signals.torque.latency]\noffset = 1e-05\n\n'
        '[signals."no name".model]\n\n'
        "[[rows]]\na = [1.0, -0.5]\nb = [{k = 1}, 2]\n\n[[rows]]\n"
    )
    assert toml({}, []) == ""


@pytest.mark.parametrize(
    ("document", "error"),
    [
        ({"a": 1.5}, TypeError),
        ({"a": [None]}, TypeError),
        ({1: 2}, TypeError),
        ({"a": Real(math.inf)}, ValueError),
        ({"a": Real(math.nan)}, ValueError),
    ],
)
def test_what_a_settings_file_cannot_hold_is_refused(document, error):
    with pytest.raises(error):
        toml(document, [])
