"""The page reads TOML as Python's tomllib does: the same values, the same messages."""

import json
import random
import struct
from datetime import date, datetime, time
from pathlib import Path

import pytest

from couplant.config.frame.read import read_text
from tests.workbench.node import run

ROOT = Path(__file__).resolve().parents[2]
SEED = 20261123
WRITTEN = """
import { parseToml } from "./settings/toml.js";

function written(value) {
  if (value instanceof Map) {
    return { table: [...value].map(([key, inner]) => [key, written(inner)]) };
  }
  if (Array.isArray(value)) {
    return value.map(written);
  }
  if (typeof value === "bigint") {
    return { whole: `0x${(value < 0n ? -value : value).toString(16)}${value < 0n ? "-" : ""}` };
  }
  if (typeof value === "number") {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    return { real: Number.isNaN(value) ? "nan" : view.getBigUint64(0).toString(16).padStart(16, "0") };
  }
  return typeof value === "object" ? { moment: String(value) } : value;
}

function read(text) {
  try {
    return written(parseToml(text));
  } catch (error) {
    return { error: error.message };
  }
}

answer(given.map(read));
"""
SNIPPETS = [
    "a = 1\nb = 1.0\nc = -0.0\nd = +1e3\ne = 1_000\nf = 0xDEAD_beef\ng = 0o17\nh = 0b1_0\ni = -0",
    "j = inf\nk = -inf\nl = nan\nm = -nan\nn = +inf\no = 1e400\np = 5e-324\nq = 0.1\nr = 1_0.0_1e+0_2",
    "a = 9007199254740993\nb = -170141183460469231731687303715884105728",
    'a = "x\\t\\u00e9\\U0001F600\\"\\\\"\nb = \'c:\\d\'\nc = """\nfirst \\\n   second "" quote"""',
    "d = \'\'\'\n\'\'\'\'\'",
    'a = """x"""""\nb = """\\\n\n  x"""\nc = \'\'\'\'\'\'\nd = ""\n"quoted key" = 1\n\'lit.key\' = 2\na1.b."c d" = 3',
    "a = 1979-05-27T07:32:00Z\nb = 1979-05-27 07:32:00.5-07:30\nc = 1979-05-27\nd = 07:32:00.999999\ne = 2000-02-29",
    "a = 2001-02-29\n",
    "[a]\nb.c = 1\n[a.d]\n[[e]]\nf = 1\n[[e]]\n[e.g]\nh = { i = 1, j.k = [1, [2, 3.5], { l = 'm' }], }",
    "[a]\nb.c = 1\n[a.b]\nd = 2",
    "a = []\n[[a]]",
    "a = [1]\na.b = 2",
    "a.b = 1\na.b.c = 2",
    "[x]\n[x]\n",
    "[[x]]\n[x]\n",
    "[x.y]\n[x]\nz = 1\n[x.y.z]\n",
    "a = {b = 1}\n[a.c]",
    "a = {b = {c = 1}, b.d = 2}",
    "a = {b = 1, b = 2}\n",
    "a = {b.c = 1, b = 2}\n",
    "a = [ # comment\n 1, # another\n\n 2,\n]\n# end",
    "a = 1 # \x01",
    "a = 'x\x00'",
    "a = \"\x7f\"",
    'a = "\u2028\u00a0\U0001f600"\n\u00e4 = 1',
    "'\u200b\u00e9\\\"' = 1\n['\u200b\u00e9\\\"']",
    "[\"it's\"]\n[\"it's\"]",
    "a = 1\r\nb = 'x'\r\n\r\n# c\r\n",
    "a = 1\rb = 2",
    "a = \"\"\"x\r\ny\"\"\"",
    "\t a \t=\t1\t# x\n",
    "a = 1 b = 2",
    "a = truex",
    "= 1",
    "a = ",
    "[",
    "[]",
    "[a",
    "[[a]",
    "a",
    "a.",
    "a = 0_1",
    "a = 01",
    "a = 1.",
    "a = .5",
    "a = +0x1",
    'a = "\\x"',
    'a = "\\',
    'a = "\\\U0001f600"',
    'a = "\\ud800"',
    'a = "\\u12"',
    'a = "\\U00110000"',
    'a = """\\ x"""',
    'a = """\\  ',
    "a = 24:00:00",
    "a = 1979-05-27T25:00:00",
    "a = 0000-01-01",
    "__proto__ = 1\nconstructor.x = 2\n1 = 3\n0 = 4",
    "a = " + "[" * 60 + "]" * 60,
    "a = " + "[" * 101 + "]" * 101,
    "a = " + "[" * 100 + "]" * 100,
    "a = " + "[" * 20000,
    ".".join("a" * 150) + " = 1",
    "a = " + "1" * 4300,
    "a = -" + "1" * 4301,
    "",
    "\ufeff",
    "PK\x03\x04 zip",
]  # fmt: skip
PIECES = [*"\"'[]{}=.,#\\\n \t+-_0123456789abefintx:TZ", *('"""', "'''", "\\u", "\r\n", "[[", "]]", "1e5")]


def given_texts():
    files = [*ROOT.glob("examples/**/interface*.toml"), *ROOT.glob("fmu_src/**/*.toml")]
    files += ROOT.glob("examples/published/models/*/*.toml")
    whole = [path.read_text(encoding="utf-8")[:4000] for path in sorted(files)]
    dice = random.Random(SEED)
    return [*whole, *SNIPPETS, *(changed(dice, dice.choice([*whole, *SNIPPETS[:20] * 3])) for _ in range(600))]


def changed(dice, text):
    """Return a text in which one or two places are others: a piece is put in, taken out, or doubled."""
    for _ in range(dice.randint(1, 2)):
        at = dice.randrange(len(text) + 1)
        length = dice.choice([0, 0, 1, 1, 2, 5])
        piece = dice.choice([dice.choice(PIECES), "", text[at : at + dice.choice([3, 20, 60])] * 2])
        text = text[:at] + piece + text[at + length :]
    return text


def written(value):
    if isinstance(value, dict):
        return {"table": [[key, written(inner)] for key, inner in value.items()]}
    if isinstance(value, list):
        return [written(inner) for inner in value]
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return {"whole": hex(abs(value)) + "-" * (value < 0)}
    if isinstance(value, float):
        return {"real": "nan" if value != value else struct.pack(">d", value).hex()}
    assert isinstance(value, date | datetime | time)
    return {"moment": str(value)}


def read(text):
    try:
        return written(read_text(text))
    except ValueError as error:
        return {"error": str(error)}


def test_values_and_messages_are_those_of_python():
    texts = given_texts()
    found = run(WRITTEN, texts)
    expected = [read(text) for text in texts]
    wrong = sum("error" in one for one in expected)
    assert wrong > 200 and len(texts) - wrong > 60
    for text, here, there in zip(texts, found, expected, strict=True):
        assert here == there, json.dumps(text)


@pytest.mark.parametrize("text", ["a = 1\n[b", "a = '\x01'"])
def test_a_message_names_the_place(text):
    (found,) = run(WRITTEN, [text])
    assert "(at " in found["error"]
