"""Each rule of the structure finds its fault, planted in a copy of the tree, and nothing in the tree itself."""

import shutil
from pathlib import Path

import pytest

from tests.structure import floors, pieces, pipeline, runtime
from tests.structure.__main__ import RULES
from tests.structure.house import House

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = "fmu_src/couplant_runtime"
PACKAGE = "builder/couplant"
PLANTED = {
    pipeline.readme: ("README.md", "history -> quality", "quality -> history"),
    pipeline.step_in_python: (f"{RUNTIME}/step.py", "    quality(c, s)\n", ""),
    pipeline.step_in_c: ("fmu_src/kernel/step.c", "    cp_quality(c, s);\n", ""),
    floors.every_room_has_a_floor: ("docs/architecture.md", "| `config` |", "| `confide` |"),
    floors.imports_go_down: (f"{PACKAGE}/config/load.py", None, "from couplant.report import page\n"),
    floors.no_relative_imports: (f"{PACKAGE}/config/load.py", None, "from . import keys\n"),
    floors.no_cycle: (f"{PACKAGE}/base/errors.py", None, "from couplant.config import load\n"),
    floors.no_cycle_in_the_runtime: (f"{RUNTIME}/state.py", None, "from . import step\n"),
    floors.one_room_draws: (f"{PACKAGE}/config/load.py", None, "import matplotlib\n"),
    floors.includes_go_down: ("fmu_src/kernel/step.c", None, '#include "../fmi/instance.h"\n'),
    runtime.standard_library_only: (f"{RUNTIME}/step.py", None, "import numpy\n"),
    runtime.same_everywhere: (f"{RUNTIME}/step.py", None, "HALF: float = 2.0**-1\n"),
    runtime.constants_have_words: (f"{RUNTIME}/step.py", None, "LONGEST = 7\n"),
    pieces.short: (f"{PACKAGE}/base/errors.py", None, "def long():\n" + "    pass\n" * 41),
    pieces.numbers_are_documented: (f"{PACKAGE}/base/errors.py", None, "def of(size: float):\n    pass\n"),
    pieces.entries_say_something: (
        f"{PACKAGE}/base/errors.py",
        None,
        'def of(size: float):\n    """Do.\n\n    Parameters\n    -\n    size : float\n        The size.\n    """\n',
    ),
    pieces.verbs_carry_help: (f"{PACKAGE}/cli/info.py", None, "def command(path: str):\n    pass\n"),
    pieces.requirements_name_no_place: ("requirements.txt", None, "--index-url x\n"),
    pieces.named_pages_exist: ("docs/architecture.md", None, "`docs/nowhere.md`\n"),
    pieces.one_way_to_write: (f"{PACKAGE}/config/load.py", None, "open('a.txt', 'w')\n"),
    pieces.one_way_to_start: ("tests/isolated.py", None, "subprocess.run([])\n"),
}
"""Rule: file, text, what stands in its place (None: at the end)."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    root = tmp_path_factory.mktemp("tree")
    for name in ("builder", "fmu_src", "docs", "tests"):
        left_out = shutil.ignore_patterns("__pycache__", "vectors", "*.npz", "*.csv")
        shutil.copytree(ROOT / name, root / name, ignore=left_out)
    shutil.copytree(ROOT / "tests" / "vectors", root / "tests" / "vectors")
    for path in [ROOT / "README.md", *ROOT.glob("requirements*.txt")]:
        shutil.copy(path, root)
    return root


@pytest.mark.sample(3)
@pytest.mark.parametrize("rule", [rule for rule in RULES if rule in PLANTED], ids=lambda rule: rule.__name__)
def test_a_rule_finds_its_fault(rule, copy):
    name, text, other = PLANTED[rule]
    path = copy / name
    before = path.read_text(encoding="utf-8")
    assert text is None or text in before
    path.write_text(before + other if text is None else before.replace(text, other), encoding="utf-8")
    try:
        assert any(name in problem or "imports go round" in problem for problem in rule(House(copy)))
    finally:
        path.write_text(before, encoding="utf-8")


def test_a_folder_that_grows_is_found(copy):
    more = [copy / PACKAGE / "sweep" / f"more_{i}.py" for i in range(floors.MOST_FILES)]
    for path in more:
        path.write_text("", encoding="utf-8")
    try:
        assert "couplant/sweep" in " ".join(floors.folders_are_small(House(copy)))
    finally:
        for path in more:
            path.unlink()


@pytest.mark.parametrize("folder", ["fmu_src/couplant_runtime/stages/energy.py", "tests/vectors/energy.txt"])
def test_a_stage_without_one_of_its_files_is_found(folder, copy):
    path = copy / folder
    path.rename(path.with_name("elsewhere"))
    try:
        assert len([*pipeline.stages(House(copy))]) == 1
    finally:
        path.with_name("elsewhere").rename(path)


def test_every_rule_is_tried():
    assert {*RULES} - {pipeline.stages, floors.folders_are_small} == PLANTED.keys()
