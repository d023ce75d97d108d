"""What is translated does in node what it does in CPython: constructs in small modules, all of them in one run."""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from tests.workbench.node import WORKBENCH, run
from workbench.build.translator import Untranslatable, translate

FOLDER = Path(__file__).parent / "snippets"
SNIPPETS = {f"snippet_{path.stem}": path for path in sorted(FOLDER.glob("*.py"))}


@cache
def loaded(name):
    spec = spec_from_file_location(name, SNIPPETS[name])
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain(value):
    """Return a value as JSON may hold it: what it lacks are numbers without digits, -0, sets and bytes."""
    if isinstance(value, float) and (not math.isfinite(value) or (value == 0 and math.copysign(1, value) < 0)):
        return {"number": "nan" if math.isnan(value) else f"{value:g}"}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, bytes, bytearray)):
        return [plain(one) for one in value]
    return value


def write(folder, modules, sources=None):
    """Write translated modules beside the run-time library."""
    shutil.copytree(WORKBENCH / "python", folder / "python")
    for path, text in translate(modules, sources=sources).items():
        (folder / path).write_text(text, encoding="utf-8")
    return folder


PLAIN = """
function plain(value) {
  if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))) {
    return { number: Number.isNaN(value) ? "nan" : Object.is(value, -0) ? "-0" : value < 0 ? "-inf" : "inf" };
  }
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, one]) => [key, plain(one)]));
  return typeof value === "object" && value !== null ? Array.from(value, plain) : value;
}
"""


@pytest.fixture(scope="module")
def in_node(tmp_path_factory):
    """Return what all cases of all snippets give in node, by module and function."""
    folder = write(tmp_path_factory.mktemp("page"), SNIPPETS, SNIPPETS)
    own = "".join(f'import * as {name} from "./python/{name}.js";\n' for name in SNIPPETS)
    body = f"const all = {{ {', '.join(SNIPPETS)} }};\n" + PLAIN + """
    const found = {};
    for (const [name, module] of Object.entries(all)) {
      for (const [key, make] of Object.entries(module).filter(([key]) => key.startsWith("case_"))) {
        try {
          found[`${name}.${key}`] = plain(make());
        } catch (error) {
          found[`${name}.${key}`] = String(error.stack);
        }
      }
    }
    answer(found);
    """
    return run(own + body, folder=folder)


CASES = [f"{name}.{key}" for name in SNIPPETS for key in vars(loaded(name)) if key.startswith("case_")]


@pytest.mark.parametrize("case", CASES)
def test_the_same_in_node_and_in_python(in_node, case):
    name, key = case.split(".")
    expected = json.loads(json.dumps(plain(getattr(loaded(name), key)())))
    assert in_node[case] == expected


def test_bytes_are_gone_over_by_plain_operators(tmp_path):
    """What runs for each byte of a file calls nothing that looks at types."""
    (tmp_path / "adler.py").write_text(
        "def adler(data: bytes) -> int:\n"
        "    a, b = 1, 0\n"
        "    for byte in data:\n"
        "        a += byte\n"
        "        b += a\n"
        "    for i in range(len(data)):\n"
        "        a = a + data[i] - data[i] & 0xFFFF\n"
        "    return (b % 65521) * 65536 + a % 65521\n",
        encoding="utf-8",
    )
    text = translate(["adler"], sources={"adler": tmp_path / "adler.py"})["python/adler.js"]
    called = set(re.findall(r"py\.(\w+)", text))
    assert called == {"mod", "item"} and "data[i] ?? py.item(data, i)" in text and "for (const byte of data)" in text


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import numpy as np\nx = np.zeros(3)", "line 2: `numpy.zeros`"),
        ("import math\nx = math.sin(1.0)", "line 2: `math.sin`"),
        ("def f(x: float) -> float:\n    return x**0.5", "line 2: `**`, which calls the pow of the platform,"),
        ("def f(x: float) -> str:\n    return str(x)", "line 2: the text of a float without a format"),
        ("def f(x: float) -> str:\n    return f'{x}'", "line 2: the text of a float without a format"),
        ("def f(x: float) -> str:\n    return f'{x!r}'", "line 2: the text of a float without a format"),
        ("def f(x: float) -> str:\n    return f'{x:>9}'", "line 2: `{x:>9}` of a float"),
        ("def f(x: object) -> bool:\n    return isinstance(x, int)", "line 2: `isinstance` of int or float alone"),
        ("def f(xs: list[float]) -> float:\n    return sum(xs)", "line 2: `sum` of floats"),
        ("def f(x):\n    with open(x) as file:\n        return file", "line 2: `with open(x) as file:`"),
        ("async def f():\n    pass", "line 1: `async def f():`"),
        ("def f(x):\n    match x:\n        case 1:\n            return 2", "line 2: `match x:`"),
        ("def f(x=[]):\n    return x", "line 1: a default that can change"),
        ("for i in range(3):\n    pass\nelse:\n    pass", "line 1: `else` of a loop"),
        ("import re\nx = re.compile(r'(a)\\1')", "(groupref inside)"),
        ("import re\nx = re.compile(r'(?:(a)|b)*')", "(a group inside of what is repeated)"),
        ("import re\ndef f(x):\n    return re.match(x, 'a')", "line 3: a regular expression that is made while"),
        ("x = '%d' % 3", "line 1: `%` of a text"),
        ("x = 9007199254740993", "an integer above 2**53,"),
        ("def f(g):\n    return g(a=1)", "line 2: a keyword in `g(..)`, whose arguments are not known,"),
        ("def f(a):\n    return a\nx = f(1, b=2)", 'line 3: the argument "b" of `f`'),
        ("def f(a):\n    return a\nx = f(1, 2)", "line 3: `f` with 2 arguments, allowed 1,"),
        ("def f():\n    return open('x')", "line 2: `open`"),
        ("print(1)", "line 1: `print`"),
        ("class A:\n    def __call__(self):\n        return 1", "line 2: `__call__`"),
        ("class A:\n    pass\nclass B:\n    pass\nclass C(A, B):\n    pass",
        "line 5: `class C` with more than one base"),
        ("def deco(f):\n    return f\n@deco\ndef g():\n    pass", "line 4: the decorator `deco`"),
        ("'a'.format(1)", "line 1: the method `format` of str"),
        ("def f(x):\n    try:\n        return x\n    except:\n        return 1", "line 4: `except` without a class"),
        ("from couplant import errors\nx = errors.why", "line 2: `errors`, a module as a value,"),
    ],
)  # fmt: skip
def test_what_has_no_translation_is_refused(tmp_path, source, what):
    (tmp_path / "odd.py").write_text(source, encoding="utf-8")
    with pytest.raises(Untranslatable) as refused:
        translate(["odd"], sources={"odd": tmp_path / "odd.py"})
    assert what in str(refused.value) and str(refused.value).startswith("odd.py, line ")
    assert str(refused.value).endswith("cannot be translated to JavaScript.")


def test_a_module_by_hand_stands_for_one_of_python(tmp_path):
    (tmp_path / "texts.py").write_text("def real(x: float) -> str:\n    return repr(x)\n", encoding="utf-8")
    (tmp_path / "user.py").write_text("from texts import real\n\nx = real(2.0)\n", encoding="utf-8")
    sources = {name: tmp_path / f"{name}.py" for name in ("texts", "user")}
    found = translate(["user"], sources=sources, hand_written={"texts": "engine/real.js"})
    assert list(found) == ["python/user.js"]
    assert 'import { real } from "../engine/real.js";\n' in found["python/user.js"]
