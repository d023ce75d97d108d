"""Modules become one script: what it does, what it must not change, and a sentence for all that cannot be joined."""

import pytest

from couplant.base.errors import CouplantError
from couplant.base.inline import join
from tests.workbench.node import run

MODULES = {
    "main.js": 'import { told, Box } from "./views/a.js";\nexport function start() { found(told(new Box().value)); }\n',
    "views/a.js": (
        'import {\n  double,\n  LIMIT,\n} from "../tools/b.js";\nimport { half } from "../tools/b-c.js";\n'
        "const kept = [];\nexport class Box {\n  get value() { return half(LIMIT); }\n}\n"
        "export async function later() {}\nexport function* many() {}\n"
        "export function told(n) { kept.push(double(n)); return [...kept, typeof window]; }\n"
    ),
    "tools/b.js": "const kept = 2;\nexport const LIMIT = 10;\nexport function double(n) { return kept * n; }\n",
    "tools/b-c.js": "const kept = 'another';\nexport function half(n) { return n / 2; }\n",
    "unused.js": "syntax error (",
}


def test_the_script_runs_what_the_modules_say():
    code = join(MODULES, "main.js")
    script = "let seen; globalThis.found = (one) => { seen = one; };\n(0, eval)(given); answer(seen);"
    assert run(script, code) == [10, "undefined"]
    assert "syntax error" not in code and "import " not in code and "export " not in code


def test_equal_modules_give_equal_scripts_whatever_their_order():
    turned = dict(reversed(MODULES.items()))
    assert join(turned, "main.js") == join(MODULES, "main.js")


def test_a_module_stands_once_however_many_need_it():
    both = {
        "main.js": 'import { a } from "./a.js";\nimport { b } from "./b.js";\nexport function start() { a(); b(); }\n',
        "a.js": 'import { b } from "./b.js";\nexport function a() { b(); }\n',
        "b.js": "let counted = 0;\nexport function b() { counted += 1; }\n",
    }
    assert join(both, "main.js").count("let counted") == 1


START = "export function start() {}\n"


@pytest.mark.parametrize(
    ("modules", "sentence"),
    [
        ({"main.js": 'import { a } from "./a.js";\n' + START}, "main.js: imports a.js, which is not there."),
        ({"main.js": 'import { a, b } from "./a.js";\n' + START, "a.js": "export const a = 1;\n"}, "a.js exports no b"),
        ({"main.js": "export const x = 1;\n"}, "main.js: exports no start."),
        ({"main.js": 'import { a as b } from "./a.js";\n' + START}, "'a as b'"),
        ({"main.js": 'import { a } from "left-pad";\n' + START}, "imports left-pad; a path that begins with a point"),
        ({"main.js": 'import * as a from "./a.js";\n' + START}, "cannot be joined"),
        ({"main.js": 'import a from "./a.js";\n' + START}, "cannot be joined"),
        ({"main.js": 'import "./a.js";\n' + START}, "cannot be joined"),
        ({"main.js": START + "export default 1;\n"}, "cannot be joined"),
        ({"main.js": START + "const a = 1;\nexport { a };\n"}, "cannot be joined"),
        ({"main.js": START + "export let a = 1;\n"}, "cannot be joined"),
    ],
)
def test_what_cannot_be_joined_is_an_error_in_a_sentence(modules, sentence):
    with pytest.raises(CouplantError) as found:
        join(modules, "main.js")
    assert sentence in str(found.value) and str(found.value).endswith(".")


def test_modules_that_need_each_other_are_named():
    around = {
        "main.js": 'import { a } from "./a.js";\n' + START,
        "a.js": 'import { b } from "./b.js";\nexport const a = 1;\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = 1;\n',
    }
    with pytest.raises(CouplantError, match=r"need each other: .*a\.js.*b\.js|need each other: .*b\.js.*a\.js"):
        join(around, "main.js")
