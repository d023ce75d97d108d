"""Nothing in the room calls what differs between machines, and all of it can be said in another language."""

import ast
from pathlib import Path

import pytest

import couplant.analysis.exact

SOURCES = sorted(Path(couplant.analysis.exact.__file__).parent.glob("*.py"))
ALLOWED_OF_MATH = {"sqrt", "floor"}
ALLOWED_MODULES = {"__future__", "collections.abc", "dataclasses", "math", "typing"}
BUILT_IN = {"abs", "len", "range", "tuple", "zip"}


def names_of_imports(node):
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_only_what_is_the_same_everywhere_is_used(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Pow), "** calls the pow of the platform"
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in names_of_imports(node):
                assert name in ALLOWED_MODULES or name.startswith(("couplant.analysis.exact", "couplant_runtime")), name
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "math":
            assert node.attr in ALLOWED_OF_MATH, node.attr
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"sum", "pow", "round", "isinstance", "complex", "divmod", "float", "int"}


def test_the_functions_that_are_built_in_are_few():
    used = {
        node.func.id
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in dir(__builtins__)
    }
    assert used <= BUILT_IN
