"""The page on an algorithm of one's own, followed on a copy of the tree."""

import os
import re
import shutil
import sys

import pytest

from tests import commands
from tests.kernel.library import needs_compiler
from tests.pages.blocks import ROOT, blocks

PAGE = "docs/own_algorithm.md"
GENERATORS = ("fmu_src.generator", "docs.site.schemas", "docs.site.parameters")
"""Modules that `make generate` runs."""
FOLDERS = ("fmu_src", "builder", "tests", "docs", "resources")
TWIN = """
import random

from couplant.pack.settings import runtime_settings
from tests.runtime.runs import interface
from tests.twin.pair import Pair

for k in (0, 1, 3, 6, 64):
    pair, draw = Pair(runtime_settings(interface("parabola", k), "s")), random.Random(k)
    pair.init(0.0)
    for n in range(40 + k):
        pair.set("y", draw.uniform(-3.0, 3.0))
        pair.step(n * 0.01, 0.01)
    assert pair.steps == 40 + k
    assert ("active", pair.state.parameter.selected) in pair.reached
"""
"""Both runtimes at some latencies, every state compared bit for bit."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the tree in which the page has been followed."""
    folder = tmp_path_factory.mktemp("tree")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    page = [block for block in blocks(PAGE) if block.language in ("toml", "python", "c")]
    row, python, c, vectors = (block.text for block in page if "parabola" in block.text)
    (folder / "fmu_src" / "couplant_runtime" / "algorithms" / "parabola.py").write_text(python + "\n")
    (folder / "fmu_src" / "kernel" / "algorithms" / "parabola.c").write_text(c + "\n")
    put(folder / "fmu_src" / "coupling.toml", r"(?m)^(\[algorithms\]\n(?:.+\n)+)", rf"\g<1>{row}\n")
    generate = folder / "tests" / "vectors" / "generate.py"
    put(generate, r"(?m)^LINEAR = ", lambda found: f"{vectors}\n\n\n{found[0]}")
    put(generate, r"(?m)^(LINEAR = .*eros4)\)", r"\g<1>, parabola)")
    for words in (*(("-m", name) for name in GENERATORS), (generate,)):
        done = run(folder, *words)
        assert done.returncode == 0, done.stderr
    return folder


def put(path, pattern, text):
    changed, count = re.subn(pattern, text, path.read_text(encoding="utf-8"))
    assert count == 1
    path.write_text(changed, encoding="utf-8")


def run(folder, *words):
    path = os.pathsep.join(str(folder / name) for name in ("", "builder", "fmu_src"))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    command = [sys.executable, *map(str, words)]
    environment |= {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    return commands.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.landing("follows the page in a copy of the tree: 7 s of CPU")
@needs_compiler
def test_the_twin_is_equal_and_notices_another_order_of_additions(tree):
    done = run(tree, "-c", TWIN)
    assert done.returncode == 0, done.stderr
    source = tree / "fmu_src" / "kernel" / "algorithms" / "parabola.c"
    right = source.read_text(encoding="utf-8")
    put(source, re.escape("first - (past[1] - past[2])"), "past[0] - 2.0 * past[1] + past[2]")
    wrong = run(tree, "-c", TWIN)
    source.write_text(right, encoding="utf-8")
    assert wrong.returncode == 1 and "AssertionError" in wrong.stderr


@pytest.mark.night("the tests of a copy of the tree: 38 s of CPU")
@needs_compiler
def test_vectors_fmus_and_lists_know_it(tree):
    """What the page has tested, without the long random runs."""
    words = ("tests/vectors", "tests/test_generated.py", "tests/base/test_style.py", "-k", "not stale_file")
    done = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words)
    assert done.returncode == 0, done.stdout
    assert "case parabola, k = 6, step timing" in (tree / "tests/vectors/algorithm.txt").read_text(encoding="utf-8")


@pytest.mark.landing("a copy of the tree")
def test_the_command_line_knows_it(tree):
    command = next(block for block in blocks(PAGE) if block.text.startswith("$ couplant limits")).text.splitlines()[0]
    done = run(tree, "-m", "couplant", *command.split()[2:])
    assert done.returncode == 0, done.stderr
    assert "parabola" in done.stdout
