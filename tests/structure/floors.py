"""Floors only go down: docs/architecture.md has the rooms with their floors, the imports keep to them."""

import ast
import re
from graphlib import CycleError, TopologicalSorter

ABOVE = {"base": [], "kernel": ["base"], "fmi": ["base", "kernel"], "models": ["base", "fmi"], "flat": ["fmi"]}
ABOVE |= {"wasm": ["fmi", "flat"], "engine": ["base", "fmi"], "library": ["kernel"]}
"""What folders of sources in C include besides their own files: faces know the kernel, the kernel knows no face."""

MOST_FILES = 25
DRAWING = {"report"}
"""The room that draws and fills in templates."""


def floors(house):
    """Return the floors by room."""
    page = house.text(house.root / "docs" / "architecture.md")
    return {room: int(floor) for floor, room in re.findall(r"^\| (\d+) \| `(\w+)` \|", page, flags=re.MULTILINE)}


def room(module):
    """Return the room of a module: the name after that of the package."""
    return module.split(".")[1] if "." in module else ""


def imported(tree, modules):
    """Yield the modules of the package that a file imports anywhere, in functions too."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in modules else node.module for name in whole]
        yield from (name for name in names if name in modules)


def graph(house):
    """Return what the modules of the package import, by module."""
    modules = house.modules()
    return {module: set(imported(house.tree(path), modules)) - {module} for module, path in modules.items()}


def every_room_has_a_floor(house):
    """The table and the folder have the same rooms."""
    here = {p.stem for p in house.package.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()}
    for name in sorted((here - {"__init__", "__main__"}) ^ floors(house).keys()):
        yield f"docs/architecture.md: {name} is in the table or in builder/couplant, not in both"


def imports_go_down(house):
    """A room imports what lies below it; rooms of the ground floor may import one another."""
    levels = floors(house)
    ground = min(levels.values(), default=0)
    for module, others in graph(house).items():
        own = levels.get(room(module))
        for other in sorted({room(name) for name in others} - {room(module), ""} if own is not None else ()):
            if levels.get(other, 0) >= own and not levels.get(other) == own == ground:
                yield f"{house.name(house.modules()[module])}: imports {other}, which is not below {room(module)}"


def folders_are_small(house):
    """No folder of the package has more than `MOST_FILES` modules."""
    for folder in sorted({path.parent for path in house.package_files}):
        if (count := len(list(folder.glob("*.py")))) > MOST_FILES:
            yield f"{house.name(folder)}: {count} modules, allowed {MOST_FILES}"


def no_relative_imports(house):
    """The package imports by whole names."""
    for path in house.package_files:
        for node in ast.walk(house.tree(path)):
            if isinstance(node, ast.ImportFrom) and node.level:
                yield f"{house.name(path)}:{node.lineno}: relative import"


def _cycle(edges):
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        yield "imports go round: " + " -> ".join(map(str, error.args[1]))


def no_cycle(house):
    """No modules of the package import one another."""
    yield from _cycle(graph(house))


def _of_runtime(house, path):
    """Return the files of the runtime that one of its files imports."""
    found = set()
    for node in ast.walk(house.tree(path)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            inner = [base / alias.name for alias in node.names]
            names = [name for name in inner if name.with_suffix(".py").is_file()]
            found |= {name.with_suffix(".py") for name in names}
            if len(names) < len(inner):
                found.add(base / "__init__.py" if base.is_dir() else base.with_suffix(".py"))
    return found - {path}


def no_cycle_in_the_runtime(house):
    """No modules of the runtime import one another, and all that they import are its own."""
    edges = {path: _of_runtime(house, path) for path in house.runtime_files}
    for path, others in edges.items():
        yield from (f"{house.name(path)}: imports {other.name}" for other in sorted(others - edges.keys()))
    yield from _cycle({house.name(path): {*map(house.name, others & edges.keys())} for path, others in edges.items()})


def one_room_draws(house):
    """Matplotlib and templates are used in one room."""
    for module, path in house.modules().items():
        used = re.search(r"^\s*(from|import) (matplotlib|jinja2)", house.text(path), flags=re.MULTILINE)
        if used and room(module) not in DRAWING:
            yield f"{house.name(path)}: uses {used[2]}, which is for {', '.join(DRAWING)}"


def includes_go_down(house):
    """Sources in C include what lies below or beside."""
    sources = house.root / "fmu_src"
    for path in sorted(sources.rglob("*.[ch]")):
        for name in re.findall(r'#include "([^"]+)"', house.text(path)):
            there = (path.parent / name).resolve()
            if there.is_file():
                own, other = (file.relative_to(sources).parts[0] for file in (path.resolve(), there))
                if other not in (own, *ABOVE[own]):
                    yield f"{house.name(path)}: includes {name}"


RULES = (
    every_room_has_a_floor,
    imports_go_down,
    folders_are_small,
    no_relative_imports,
    no_cycle,
    no_cycle_in_the_runtime,
    one_room_draws,
    includes_go_down,
)
