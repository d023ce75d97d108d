"""Imports of files of the user's that go along into FMUs: they have to be there where the FMU runs."""

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from couplant.base.errors import UsageError
from couplant.lab.source import Source

STAND_IN = ("Plant", "algorithm")
"""Names of couplant that are there inside of an FMU."""


def check_imports(source: Source, who: str) -> None:
    """Refuse a file that imports what does not go along: files beside it, and of couplant what an FMU has not.

    `who` needs it, for messages. Raises UsageError.
    """
    for node in ast.walk(ast.parse(source.text)):
        for module in _modules(node):
            if module.split(".")[0] == "couplant":
                _refuse(source, who, f"import of {module}", "import couplant, and of that Plant and algorithm only")
            if not _is_installed(module.split(".")[0]):
                _refuse(source, who, f"import of {module}", "what the Python of the importer has installed")
        if isinstance(node, ast.ImportFrom) and node.level:
            _refuse(source, who, "a relative import", "one file")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "couplant":
            if node.attr not in STAND_IN:
                _refuse(source, who, f"couplant.{node.attr}", f"{' and '.join(STAND_IN)}: give it a file of its own")


def _modules(node: ast.AST) -> Iterator[str]:
    """Yield the modules that a statement imports; of couplant itself those names that an FMU has not."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name != "couplant")
    elif isinstance(node, ast.ImportFrom) and not node.level:
        if node.module != "couplant":
            yield node.module or ""
        else:
            yield from (f"couplant.{alias.name}" for alias in node.names if alias.name not in STAND_IN)


def _is_installed(module: str) -> bool:
    """Tell whether a module belongs to Python or to an installed package."""
    if module in sys.stdlib_module_names:
        return True
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return False
    places = [] if spec is None else [*(spec.submodule_search_locations or ()), spec.origin or ""]
    return any({"site-packages", "dist-packages"} & set(Path(place).parts) for place in places)


def _refuse(source: Source, who: str, what: str, allowed: str) -> None:
    raise UsageError(f"{who}: {source.file} has {what}, which does not go along into an FMU, allowed {allowed}")
