"""Numbers that a file gives as a formula of named parameters, for instance ``"-(c2 + cc)/m2"``."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache

from couplant.base.errors import UsageError

_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_UNARY: dict[type, Callable[[float], float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_FUNCTIONS = {"sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "exp": math.exp}
_LONGEST = 500


def evaluate(text: str | float, parameters: Mapping[str, float]) -> float:
    """Return the value of `text`, a number or a formula.

    A formula is made of numbers, `parameters`, pi, + - * / **, parentheses, sqrt, sin, cos, exp.

    Raises
    ------
    UsageError
        If it is not such a formula, names something unknown, or has no finite value.
    """
    number = isinstance(text, (int, float)) and not isinstance(text, bool)
    value = float(text) if number else _calculate(text, parameters)
    if not isinstance(value, float) or not math.isfinite(value):
        raise UsageError(f"{text!r} has no finite value")
    return value


def _calculate(text: str | float, parameters: Mapping[str, float]) -> float:
    try:
        return _value(_parse(text), {"pi": math.pi, **parameters})
    except UsageError:
        raise
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        raise UsageError(f"{text!r} has no finite value") from None


@lru_cache(maxsize=4096)
def _parse(text: str | float) -> ast.expr:
    try:
        if not isinstance(text, str) or len(text) > _LONGEST:
            raise SyntaxError
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UsageError(f"{str(text)[:60]!r} is not a formula") from None


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.Name):
        if node.id not in names:
            raise UsageError(f"{node.id!r} is not a parameter, allowed {', '.join(sorted(names))}")
        return float(names[node.id])
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left, names), _value(node.right, names))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _UNARY[type(node.op)](_value(node.operand, names))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
        if len(node.args) == 1 and not node.keywords:
            return _FUNCTIONS[node.func.id](_value(node.args[0], names))
    raise UsageError(
        f"{ast.unparse(node)!r} is not allowed in a formula: numbers, names, + - * / **, ( ), sqrt sin cos exp"
    )
