"""Every block of commands and code in README, documentation and examples does what it says, or a rule tells why not."""

import ast
import shutil

import pytest

from tests.pages.blocks import LANGUAGES, PAGES, ROOT, blocks, blocks_of, commands
from tests.pages.desk import lay
from tests.pages.perform import Page, alike, differences
from tests.pages.table import RULES

WITH_BLOCKS = [page for page in PAGES if blocks(page)]
LONG = {
    "docs/workbench.md": "makes pages and their FMUs",
    "README.md": "tries a recording, makes a page",
    "docs/commands.md": "every command one after the other",
    "docs/recordings.md": "every form of recordings",
    "examples/04_learning/README.md": "learns on recordings",
    "docs/models.md": "identifies and simulates models",
    "docs/python.md": "all of the package once",
    "docs/studies.md": "five studies",
    "examples/06_sweep/README.md": "a sweep",
    "examples/07_quarter_car/README.md": "its runs",
    "examples/13_rths/README.md": "long runs of a specimen",
    "examples/08_oscillators/README.md": "long runs of oscillators",
    "docs/architecture.md": "makes the page of the workbench",
    "examples/12_hybrid_vehicle/README.md": "long runs of the vehicle",
    "examples/15_engine_shaft/README.md": "identifies a model",
    "examples/14_long_latency/README.md": "long runs at long latencies",
    "examples/11_pendula/README.md": "long runs of pendula",
    "examples/16_grid/README.md": "long runs of three phases",
}
"""Pages whose commands take long, and why."""


def in_its_tier(page):
    return pytest.param(page, marks=[pytest.mark.landing(LONG[page])] if page in LONG else [])


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    lay(folder)
    return folder


@pytest.mark.parametrize("page", map(in_its_tier, WITH_BLOCKS))
def test_every_block_does_what_it_says(page, desk, tmp_path, monkeypatch):
    folder = shutil.copytree(desk, tmp_path / "desk")
    monkeypatch.chdir(folder)
    every = Page(page, folder)
    wrong = [text for block in blocks(page) for text in every.perform(block)]
    assert wrong == []
    assert [rule.begins for rule in RULES if rule.page == page and rule not in every.used] == [], "rules for nothing"


def test_a_study_is_at_most_fifteen_lines():
    programs = [block.text for block in blocks("docs/studies.md") if block.language == "python"]
    assert len(programs) == 5
    assert all(len(text.splitlines()) <= 15 for text in programs)


def test_every_rule_is_for_a_page_and_says_one_thing():
    assert {rule.page for rule in RULES} <= set(WITH_BLOCKS)
    for rule in RULES:
        assert sum(map(bool, (rule.why, rule.test, rule.add or rule.change or rule.keeps, rule.kind))) == 1, rule


@pytest.mark.parametrize("name", sorted({rule.test for rule in RULES if rule.test}))
def test_tests_that_run_a_block_exist(name):
    path, _, function = name.partition("::")
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    assert function in [node.name for node in body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("page", WITH_BLOCKS)
def test_every_fenced_block_names_its_language(page):
    assert {block.language for block in blocks(page)} <= set(LANGUAGES)


LINES = """Words.

    couplant init bench      a folder
    machine A:  couplant bodge

    Σ x

```console
$ couplant limits --algorithm foh
foh  1.27 rad/s
...
$ couplant --version
```

```sh
couplant inspect a.csv \\
    --json
```

    a = 1
"""


def test_no_block_and_no_command_is_left_out():
    found = blocks_of("page.md", LINES)
    assert [(block.line, block.language) for block in found] == [
        (3, "console"), (6, "text"), (9, "console"), (16, "sh"), (20, "toml")
    ]  # fmt: skip
    told = [["foh  1.27 rad/s", "..."], [], []]
    words = ("couplant limits --algorithm foh", "couplant --version", "couplant inspect a.csv --json")
    assert commands(found[0]) == [("couplant init bench", []), ("couplant bodge", [])]
    assert [*commands(found[2]), *commands(found[3])] == list(zip(words, told, strict=True))


def test_a_block_that_is_wrong_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = LINES + "\n```python\nraise ValueError(3)\n```\n\n```perl\nx\n```\n\n    couplant --version\n"
    page = Page("page.md", tmp_path)
    wrong = [" ".join(page.perform(block)) for block in blocks_of("page.md", text)]
    words = ("No such command 'bodge'", "'text' is not run", "shows 'foh", "a.csv", "no rule", "Error: 3", "'perl'")
    assert [word in line for word, line in zip(words, wrong, strict=False)] == [True] * len(words)
    assert wrong[len(words) :] == [""]


@pytest.mark.parametrize(
    ("shown", "said", "same"),
    [
        ("MAE .0333", "MAE  0.03328", True),
        ("MAE .0333", "MAE  0.03341", False),
        ("wrote a", "wrote b", False),
        ("12 of 3.2e-05", "12 of 3.21e-05", True),
    ],
)
def test_numbers_are_compared_to_the_digits_shown(shown, said, same):
    assert alike(shown, said) is same


def test_dots_leave_lines_out():
    said = ["a 1", "b 2", "c 3"]
    assert list(differences(["a 1", "...", "c 3"], said)) == list(differences(["a 1", "..."], said)) == []
    assert list(differences(["a 1"], said)) == ["printed is also 'b 2'"]
    assert list(differences(["...", "d 4"], said)) == ["shows 'd 4', printed is 'nothing'"]
