"""The page reads and checks the settings of an interface as `couplant build` does: the same sentences and values."""

import base64
import copy
import json
import random
import shutil
import struct

import pytest

from couplant.base.errors import UsageError
from couplant.base.inline import join
from couplant.config import advice, load_interface
from couplant.config.frame.likeness import closest
from couplant.config.frame.read import Table, table_name
from couplant.config.interface import Output
from couplant.config.ref import Ref
from tests.workbench.node import WORKBENCH, run
from tests.workbench.settings_documents import texts
from workbench.build.settings import interface_settings, settings_modules

NAME = "bench.toml"
EMPTY = {"table": "", "entries": ""}
CHECK = """
import { Settings } from "./settings/settings.js";

const bits = new DataView(new ArrayBuffer(8));

function written(value) {
  if (typeof value === "number") {
    bits.setFloat64(0, value);
    return bits.getBigUint64(0).toString(16).padStart(16, "0");
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  if (Array.isArray(value)) {
    return value.constructor.name === "Ref" ? value.__str__() : value.map(written);
  }
  if (value instanceof Map) {
    return [...value].map(([key, inner]) => [key, written(inner)]);
  }
  const { model_fields_set, ...fields } = value;
  const given = model_fields_set === undefined ? [] : [...model_fields_set].sort();
  return { given, fields: Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, written(inner)])) };
}

const settings = new Settings(given.data);
answer(given.texts.map((text) => {
  const found = settings.check(text, given.name);
  return found.errors ?? { interface: written(found.interface).fields, warnings: found.warnings };
}));
"""


@pytest.fixture(scope="module")
def workbench(tmp_path_factory):
    """Return the modules of the workbench with those that are translated."""
    folder = tmp_path_factory.mktemp("page") / "workbench"
    shutil.copytree(WORKBENCH, folder)
    for name, text in settings_modules().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def written(value):
    if isinstance(value, Table):
        fields = {name: written(getattr(value, name)) for name in type(value).model_fields}
        return {"given": sorted(value.model_fields_set), "fields": fields}
    if isinstance(value, Ref):
        return str(value)
    if isinstance(value, dict):
        return [[key, written(inner)] for key, inner in value.items()]
    if isinstance(value, tuple | list):
        return [written(inner) for inner in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return struct.pack(">d", value).hex()


def checked(path):
    try:
        found = load_interface(path)
    except UsageError as error:
        return [line.replace(str(path), NAME, 1) for line in str(error).split("\n")]
    return {"interface": written(found)["fields"], "warnings": advice(found)}


def test_sentences_values_and_warnings_are_those_of_python(workbench, tmp_path):
    given = texts()
    found = run(CHECK, {"data": interface_settings(), "name": NAME, "texts": given}, folder=workbench)
    path = tmp_path / NAME
    refused = 0
    for text, here in zip(given, found, strict=True):
        path.write_text(text, encoding="utf-8")
        there = checked(path)
        refused += isinstance(there, list)
        assert here == there, text
    assert refused > 250 and len(given) - refused > 30


def test_a_key_that_is_added_is_checked_without_a_change_in_javascript(workbench):
    data = copy.deepcopy(interface_settings())
    name = table_name(Output)
    data["tables"][name]["further"] = {"written": "more", "check": {"kind": "int", "ge": 1, "le": 9}, "default": 3}
    data["keys"][name]["more"] = {"description": "a key that was added [s]", "range": "1 to 9 s"} | EMPTY
    start = '[interface]\nname = "i"\nmacro_step = 1\n[signals.f.output]\n'
    given = {"data": data, "name": NAME, "texts": [start + line for line in ("more = 10", "mor = 1", "more = 4", "")]}
    large, misspelt, right, without = run(CHECK, given, folder=workbench)
    assert large == ["bench.toml: signals.f.output.more = 10, allowed 1 to 9 s"]
    assert misspelt == ["bench.toml: signals.f.output.mor is unknown: did you mean more?"]
    for found, value in ((right, 4.0), (without, 3.0)):
        ((_, signal),) = found["interface"]["signals"]
        assert signal["fields"]["output"]["fields"]["further"] == written(value)


@pytest.mark.parametrize(
    ("text", "line"),
    [  # the first line without the name of the file
        ("[interface\n",
         "not a TOML file: illegal character in key (at line 1, column 11)."),
        ("", "interface is missing: what all signals share"),
        ("[components.a]\n",
         "is a scenario, which couplant simulate takes; interfaces have a table interface, it has none."),
        ('[interface]\nname = "i"\nmacro_step = 1\n[signals.f.network]\nlearnt = "w.toml"\n',
         'signals.f.network.learnt = "w.toml" names a file, which this page does not read: give it to couplant build'),
        ('[interface]\nname = "i"\nmacro_step = 1\n[components.a]\nfmu = "a.fmu"\n[signals.f]\n',
         'components: fmu = "a.fmu" names a file, which this page does not read: give it to couplant build'),
    ],
)  # fmt: skip
def test_what_is_wrong_as_a_whole_is_one_sentence(workbench, text, line):
    (found,) = run(CHECK, {"data": interface_settings(), "name": NAME, "texts": [text]}, folder=workbench)
    assert found[0].removeprefix(NAME).lstrip(": ") == line


def test_misspelt_words_stand_for_the_same_ones():
    dice = random.Random(7)
    words = ["constant_steps", "coast_steps", "offset", "offset_min", "offset_max", "min", "max", "a", "A", "é😀x"]
    words += ["xx", "xxx"]
    cases = []
    for _ in range(2000):
        word = list(dice.choice(words) * dice.choice([1, 1, 1, 40]))
        for _ in range(dice.randint(0, 4)):
            word[dice.randrange(len(word)) : dice.randrange(len(word) + 1)] = dice.choice(["", "s", "_", "xx", "é"])
            word = word or ["x"]
        some = dice.sample(words, dice.randint(1, len(words)))
        cases.append(("".join(word), some, dice.choice([0.6, 0.8, 0.3])))
    script = 'import { closest } from "./settings/likeness.js";\nanswer(given.map((one) => closest(...one)));'
    found = run(script, cases)
    assert found == [closest(*case) for case in cases]
    assert 100 < found.count(None) < 1500


BYTES = """
import { Settings } from "./settings/settings.js";

const settings = new Settings(given.data);
answer(given.files.map((one) => settings.check(Uint8Array.from(Buffer.from(one, "base64")), given.name).errors ?? []));
"""


def test_files_that_are_not_utf_8_are_refused_at_the_same_byte(workbench, tmp_path):
    dice = random.Random(3)
    signs = ["a", "\u00e9", "\u20ac", "\U0001f600", "\ud7ff", "\ue000", "\ufeff"]
    files = [b"\xef\xbb\xbf# \xff", b"\xef\xbb\xbf", b"# \xed\xa0\x80", b"# \xf4\x90\x80\x80", b"\xe0\x80\x80", b"\xc0"]
    for _ in range(300):
        content = bytearray(f"# {''.join(dice.choices(signs, k=8))}".encode())
        begin, end = dice.randrange(2, len(content)), len(content) - dice.randint(0, 4)
        content[begin:end] = bytes(dice.choices(range(128, 256), k=2))
        files.append(bytes(content))
    given = {"data": interface_settings(), "name": NAME, "files": [base64.b64encode(one).decode() for one in files]}
    found = run(BYTES, given, folder=workbench)
    path = tmp_path / NAME
    for content, here in zip(files, found, strict=True):
        path.write_bytes(content)
        assert here == checked(path), content
    assert sum("not UTF-8" in one[0] for one in found) > 200


JOINED = """
import { runInThisContext } from "node:vm";
runInThisContext(given.script);
answer(globalThis.found);
"""
ENTRY = """\
import { Settings } from "./settings/settings.js";

export function start() {
  globalThis.found = new Settings(globalThis.settings).check("", "bench.toml").errors;
}
"""


def test_all_modules_can_be_joined_into_one_script():
    own = {f"settings/{path.name}": path for path in (WORKBENCH / "settings").glob("*.js")}
    own |= {f"python/{path.name}": path for path in (WORKBENCH / "python").glob("*.js")}
    modules = {name: path.read_text(encoding="utf-8") for name, path in own.items()} | settings_modules()
    script = join({**modules, "entry.js": ENTRY}, "entry.js")
    data = f"globalThis.settings = {json.dumps(interface_settings())};\n"
    found = run(JOINED, {"script": data + script})
    assert found[0] == "bench.toml: interface is missing: what all signals share"
