"""Texts with values in them."""

from __future__ import annotations

import ast

from workbench.build.translator.context import Context, py
from workbench.build.translator.js import UNARY, Js, quoted, template
from workbench.build.translator.types import FLOAT, INT, STR


def text(c: Context, node: ast.JoinedStr) -> Js:
    """Return a text with values in it."""
    parts = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            found = formatted(c, part)
            parts.append(f"${{{found.text}}}")
        elif isinstance(part, ast.Constant):
            parts.append(template(str(part.value)))
    return Js(f"`{''.join(parts)}`", type=STR)


def formatted(c: Context, node: ast.FormattedValue) -> Js:
    """Return a value of a text, as its format says."""
    one = c.js(node.value)
    if node.conversion == ord("r"):
        one = shown(c, node, one, "repr")
    elif node.conversion == ord("s"):
        one = shown(c, node, one, "text")
    elif node.conversion != -1:
        c.fail(node, "`!a`")
    if node.format_spec is None:
        return one if one.type in (STR, INT) else shown(c, node, one, "text")
    spec = c.js(node.format_spec)
    fixed = spec.text[1:-1]
    if one.type.name == "float" and fixed and "${" not in fixed and fixed[-1] not in "eEfFgG%":
        c.fail(node, f"`{{{ast.unparse(node.value)}:{fixed}}}` of a float")
    plain = f"{one.text} + 0" if one.type.name == "int" and one.level < UNARY else one.text
    return py("format", plain, quoted(fixed) if "${" not in fixed and "\\" not in fixed else spec.text, kind=STR)


def shown(c: Context, node: ast.AST, one: Js, how: str) -> Js:
    """Return what str() or repr() say, the function `how` of the run-time library; not of floats."""
    if one.type.name == "float" or (one.type.name in ("list", "tuple", "dict") and FLOAT in one.type.items):
        c.fail(node, "the text of a float without a format (couplant.base.written.real gives it)")
    return one if one.type == STR and how == "text" else py(how, one.text, kind=STR)
