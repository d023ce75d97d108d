"""Floors only go down: docs/architecture.md has the rooms with their floors, the imports keep to them."""

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "builder" / "couplant"
SOURCES = ROOT / "fmu_src"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FLOORS = {room: int(floor) for floor, room in re.findall(r"^\| (\d) \| `(\w+)` \|", PAGE, flags=re.MULTILINE)}
GROUND = min(FLOORS.values())
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def room(module):
    return module.split(".")[1] if "." in module else ""


def imported(path):
    """Yield the modules of the package that a file imports anywhere, in functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else node.module for name in whole]
        else:
            continue
        yield from (name for name in names if name in MODULES)


IMPORTS = {module: set(imported(path)) - {module} for module, path in MODULES.items()}


def test_every_room_has_a_floor():
    here = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert here - {"__init__", "__main__"} == FLOORS.keys()


@pytest.mark.parametrize("module", [module for module in MODULES if room(module) in FLOORS])
def test_imports_only_go_down(module):
    own = room(module)
    others = {room(name) for name in IMPORTS[module]} - {own, ""}
    wrong = [other for other in others if FLOORS[other] >= FLOORS[own] and not FLOORS[other] == FLOORS[own] == GROUND]
    assert not wrong, f"{module} imports {', '.join(wrong)}"


def test_no_modules_import_one_another():
    try:
        order = list(TopologicalSorter(IMPORTS).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
    assert len(order) == len(MODULES)


def test_matplotlib_and_templates_are_used_in_one_room():
    users = {
        room(module)
        for module, path in MODULES.items()
        if re.search(r"^\s*(from|import) (matplotlib|jinja2)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }
    assert users == {"report"}


def of_runtime(path):
    """Return the modules of the runtime that one of its files imports, as paths."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            inner = [base / alias.name for alias in node.names]
            names = [name for name in inner if name.with_suffix(".py").is_file()]
            found |= {name.with_suffix(".py") for name in names}
            if len(names) < len(inner):
                found.add(base / "__init__.py" if base.is_dir() else base.with_suffix(".py"))
    return found - {path}


def test_no_modules_of_the_runtime_import_one_another():
    graph = {path: of_runtime(path) for path in (SOURCES / "couplant_runtime").rglob("*.py")}
    assert all(others <= graph.keys() for others in graph.values())
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(path.name for path in error.args[1]))


def test_sources_in_c_include_what_lies_below_or_beside():
    """Faces know the kernel, the kernel knows no face; both and the models stand on the base."""
    above = {"base": [], "kernel": ["base"], "fmi": ["base", "kernel"], "models": ["base", "fmi"], "wasm": ["fmi"]}
    for path in SOURCES.rglob("*.[ch]"):
        for name in re.findall(r'#include "([^"]+)"', path.read_text(encoding="utf-8")):
            there = (path.parent / name).resolve()
            if there.is_file():
                folders = [file.relative_to(SOURCES).parts[0] for file in (path, there)]
                assert folders[1] in (folders[0], *above[folders[0]]), f"{path.name} includes {name}"
