"""What the Python runtime may use, so that it runs in every host and has a twin in C."""

import ast
import sys

from tests.structure.house import imports

FORBIDDEN_CALLS = {"sum", "fsum", "pow", "eval", "exec", "open", "print"}
GENERATED_NUMBERS = ("algorithms.py", "events.py", "numbers.py")
"""Generated lists of numbered names."""


def standard_library_only(house):
    """The runtime imports the standard library and its own modules."""
    for path in house.runtime_files:
        depth = len(path.relative_to(house.runtime).parts)
        for name in imports(house.tree(path)):
            dots = len(name) - len(name.lstrip("."))
            if dots > depth or (not dots and name.split(".")[0] not in sys.stdlib_module_names):
                yield f"{house.name(path)}: imports {name}, allowed the standard library and the runtime"


def same_everywhere(house):
    """The runtime uses nothing that differs between Pythons and platforms."""
    for path in house.runtime_files:
        for node in ast.walk(house.tree(path)):
            if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow):
                yield f"{house.name(path)}:{node.lineno}: ** calls the pow of the platform"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
                yield f"{house.name(path)}:{node.lineno}: calls {node.func.id}"
            if isinstance(node, ast.ImportFrom) and node.module == "math":
                for name in {alias.name for alias in node.names} - {"sqrt"}:
                    yield f"{house.name(path)}:{node.lineno}: {name} of libm differs between platforms"


def constants_have_words(house):
    """A number has a comment on its line or a docstring below it, with its unit."""
    for path in house.runtime_files:
        lines, body = house.text(path).splitlines(), house.tree(path).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Constant | ast.UnaryOp | ast.BinOp | ast.Tuple)
                and any(isinstance(getattr(part, "value", None), (int, float)) for part in ast.walk(node.value))
                and "#" not in lines[node.end_lineno - 1]
                and not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant))
                and path.name not in GENERATED_NUMBERS
            ):
                yield f"{house.name(path)}:{node.lineno}: {ast.unparse(node)} has no words"


RULES = (standard_library_only, same_everywhere, constants_have_words)
