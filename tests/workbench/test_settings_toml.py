"""The page reads TOML as Python's tomllib does: the same values, and what Python refuses is refused."""

import json
import random
import re
import shutil
import struct
from datetime import date, datetime, time

import pytest

from couplant.base.paths import resource
from couplant.config.frame.read import read_text
from tests.workbench.node import ROOT, WORKBENCH, run
from workbench.build.settings import toml_module

SEED = 20261123
WRITTEN = """
import { NotToml, readToml } from "./settings/toml.js";
import { Written } from "./settings/raw.js";

const view = new DataView(new ArrayBuffer(8));

function written(value) {
  if (value instanceof Map) {
    return { table: [...value].map(([key, inner]) => [key, written(inner)]) };
  }
  if (Array.isArray(value)) {
    return value.map(written);
  }
  if (!(value instanceof Written)) {
    return typeof value === "object" ? { moment: value.__str__() } : value;
  }
  view.setFloat64(0, value.isWhole ? 0 : value.value);
  const bits = Number.isNaN(value.value) ? "nan" : view.getBigUint64(0).toString(16).padStart(16, "0");
  return value.isWhole ? { whole: String(value.value) } : { real: bits };
}

answer(given.map((text) => {
  try {
    return written(readToml(text));
  } catch (error) {
    return error instanceof NotToml ? { error: error.message } : String(error);
  }
}));
"""
SNIPPETS = [
    "a = 1\nb = 1.0\nc = -0.0\nd = +1e3\ne = 1_000\nf = 0xDEAD_beef\ng = 0o17\nh = 0b1_0\ni = -0",
    "j = inf\nk = -inf\nl = nan\nm = -nan\nn = +inf\no = 1e400\np = 5e-324\nq = 0.1\nr = 1_0.0_1e+0_2",
    "a = 9007199254740993\nb = -170141183460469231731687303715884105728",
    'a = "x\\t\\u00e9\\U0001F600\\"\\\\"\nb = \'c:\\d\'\nc = """\nfirst \\\n   second "" quote"""',
    "d = \'\'\'\n\'\'\'\'\'",
    'a = """x"""""\nb = """\\\n\n  x"""\nc = \'\'\'\'\'\'\nd = ""\n"quoted key" = 1\n\'lit.key\' = 2\na1.b."c d" = 3',
    "a = 1979-05-27T07:32:00Z\nb = 1979-05-27 07:32:00.5-07:30\nc = 1979-05-27\nd = 07:32:00.25\ne = 2000-02-29",
    "[a]\nb.c = 1\n[a.d]\n[[e]]\nf = 1\n[[e]]\n[e.g]\nh = { i = 1, j.k = [1, [2, 3.5], { l = 'm' }] }",
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
    "a = 1\r\r\nb = 2",
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
    "__proto__ = 1\nconstructor.x = 2\n1 = 3\n0 = 4",
    "a = " + "[" * 60 + "]" * 60,
    "a = " + "[" * 101 + "]" * 101,
    "a = " + "[" * 100 + "]" * 100,
    "a = " + "[" * 20000,
    ".".join("a" * 150) + " = 1",
    "a = " + "1" * 4300,
    "a = -" + "1" * 4301,
    "",
    "PK\x03\x04 zip",
]  # fmt: skip
PIECES = [*"\"'[]{}=.,#\\\n \t+-_0123456789abefintx:TZ", *('"""', "'''", "\\u", "\r\n", "[[", "]]", "1e5")]
LAX = {
    "a = { b = 1, }": "TOML 1.1, which later Pythons read too",
    "a = {\n b = 1 # why\n}": "TOML 1.1",
    'a = "\\x41\\e"': "TOML 1.1",
    "a = 07:32": "TOML 1.1",
    "a = 2001-02-29": "no key takes a date, so any is refused",
    "a = 0000-01-01": "no key takes a date",
}
"""What the page takes and this Python may refuse, and why nothing comes of it."""


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """A function that returns what the page reads in texts."""
    folder = tmp_path_factory.mktemp("page") / "workbench"
    shutil.copytree(WORKBENCH, folder)
    (folder / "settings" / "smol_toml.js").write_text(toml_module(), encoding="utf-8")
    return lambda texts: run(WRITTEN, list(texts), folder=folder)


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
        return {"table": [[key, written(inner)] for key, inner in sorted(value.items(), key=place)]}
    if isinstance(value, list):
        return [written(inner) for inner in value]
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return {"whole": str(value)}
    if isinstance(value, float):
        return {"real": "nan" if value != value else struct.pack(">d", value).hex()}
    assert isinstance(value, date | datetime | time)
    return {"moment": str(value)}


def place(entry):
    """Return where a key stands in JavaScript: whole numbers come first. No settings file may have one as a name."""
    return int(entry[0]) if re.fullmatch("0|[1-9][0-9]{0,8}", entry[0]) else 10**9


def test_values_are_those_of_python_and_what_it_refuses_is_refused(read):
    texts = given_texts()
    wrong = 0
    for text, here in zip(texts, read(texts), strict=True):
        try:
            assert here == written(read_text(text)), json.dumps(text)
        except ValueError:
            assert list(here) == ["error"], json.dumps(text)
            wrong += 1
    assert wrong > 200 and len(texts) - wrong > 60


def test_what_the_page_takes_besides_is_listed(read):
    assert all("table" in here for here in read(LAX))
    (found,) = read(["a = 07:32:00.123456"])
    assert found["table"] == [["a", {"moment": "07:32:00.123000"}]], "milliseconds of a value that no key takes"


@pytest.mark.parametrize(
    ("text", "place"),
    [("a = 1\n[b", "line 2"), ("a = '\x01'", "line 1"), ("a = " + "[" * 300, "line 1"), ('\r\na = "\\q"', "line 2")],
)
def test_a_message_is_one_sentence_with_the_line(read, text, place):
    (found,) = read([text])
    assert re.fullmatch(rf"[^.\n]+ \(at {place}, column \d+\)", found["error"])


def test_the_library_comes_with_its_version_and_licence():
    licence, code, about = (
        resource(f"smol-toml/{name}").read_text(encoding="utf-8") for name in ("LICENSE", "index.cjs", "README.md")
    )
    assert "Redistribution and use" in licence and "SPDX-License-Identifier: BSD-3-Clause" in code
    assert re.match(r"# smol-toml \d+\.\d+\.\d+\n", about)
