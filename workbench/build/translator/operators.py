"""Operators: those of JavaScript where types are known, calls of the run-time library elsewhere."""

from __future__ import annotations

import ast
from typing import TypeGuard

from workbench.build.translator.context import Context, py
from workbench.build.translator.js import (
    ADD,
    AND,
    BIT_AND,
    CHOICE,
    COMPARE,
    EQUAL,
    MULTIPLY,
    OR,
    PRIMARY,
    UNARY,
    Js,
)
from workbench.build.translator.types import ANY, ARRAYS, BOOL, FLOAT, INT, NUMBERS, Type, joined

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_LEVELS = {"+": ADD, "-": ADD, "*": MULTIPLY}
_CALLS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_BITS = {ast.BitAnd: ("and", "bitAnd"), ast.BitOr: ("or", "bitOr"), ast.BitXor: ("xor", "bitXor")}
_SHIFTS = {ast.LShift: "left", ast.RShift: "right"}
_ORDER = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def is_number(kind: Type) -> bool:
    """Tell whether a type is surely that of a number."""
    return kind.name in NUMBERS and not kind.nullable


def _number_of(one: Type, other: Type) -> Type:
    names = {one.name, other.name}
    return INT if names <= {"int", "bool"} else FLOAT if names <= set(NUMBERS) else ANY


def binary(c: Context, node: ast.BinOp) -> Js:
    """Return an expression of two operands."""
    folded = _folded(node)
    if folded is not None:
        return Js(str(folded), PRIMARY if folded >= 0 else UNARY, INT)
    return operation(c, node, c.js(node.left), node.op, c.js(node.right), node.right)


def _folded(node: ast.expr) -> int | None:
    """Return an integer that is written as a power or a shift of two."""
    match node:
        case ast.BinOp(left=ast.Constant(value=int(a)), op=op, right=ast.Constant(value=int(b))):
            found = a**b if isinstance(op, ast.Pow) and 0 <= b < 64 else a << b if isinstance(op, ast.LShift) else None
            return found if found is not None and found <= 2**53 else None
        case ast.BinOp(left=left, op=ast.Sub() | ast.Add() as op, right=ast.Constant(value=int(b))):
            a_ = _folded(left)
            return None if a_ is None else a_ - b if isinstance(op, ast.Sub) else a_ + b
    return None


def operation(c: Context, node: ast.AST, one: Js, op: ast.operator, other: Js, right: ast.expr) -> Js:
    """Return what an operator makes of two expressions, the second of which was `right`."""
    numbers = one.type.name in NUMBERS and other.type.name in NUMBERS
    kind = _number_of(one.type, other.type)
    if type(op) in _SIGNS:
        return _sign(one, op, other, numbers, kind)
    positive = isinstance(right, ast.Constant) and isinstance(right.value, (int, float)) and right.value > 0
    match op:
        case ast.Div():
            return _infix(one, "/", other, MULTIPLY, FLOAT) if positive else py("div", one.text, other.text, kind=FLOAT)
        case ast.FloorDiv():
            if positive and kind == INT:
                return Js(f"Math.floor({one.at(MULTIPLY)} / {other.text})", type=INT)
            return py("floordiv", one.text, other.text, kind=kind)
        case ast.Mod():
            if one.type.name == "str":
                c.fail(node, "`%` of a text")
            return py("mod", one.text, other.text, kind=kind)
        case ast.LShift() | ast.RShift():
            return py(_SHIFTS[type(op)], one.text, other.text, kind=INT)
        case ast.BitAnd() | ast.BitOr() | ast.BitXor():
            return _bits(one, op, other, right)
        case ast.Pow():
            if one.text == "10" and other.type == INT:
                return py("tenTo", other.text, kind=one.type)
            c.fail(node, "`**`, which calls the pow of the platform,")
    return c.fail(node, "this operator")


def _infix(one: Js, sign: str, other: Js, level: int, kind: Type) -> Js:
    return Js(f"{one.at(level)} {sign} {other.at(level + 1)}", level, kind)


def _sign(one: Js, op: ast.operator, other: Js, numbers: bool, kind: Type) -> Js:
    sign = _SIGNS[type(op)]
    texts = sign == "+" and "str" in (one.type.name, other.type.name)
    either = sign != "*" and (is_number(one.type) or is_number(other.type))
    if numbers or texts or either:
        return _infix(one, sign, other, _LEVELS[sign], Type("str") if texts else kind)
    found = ANY
    if one.type.name in ARRAYS and one.type.name == other.type.name and sign == "+":
        found = Type(one.type.name, (joined(one.type.item, other.type.item),), "..." * (one.type.name == "tuple"))
    elif sign == "*" and one.type.name in ("list", "str") and other.type.name == "int":
        found = one.type
    elif sign == "-" and one.type.name == "set":
        found = one.type
    return py(_CALLS[type(op)], one.text, other.text, kind=found)


def _bits(one: Js, op: ast.operator, other: Js, right: ast.expr) -> Js:
    quick, general = _BITS[type(op)]
    if is_number(one.type) and isinstance(op, ast.BitAnd) and isinstance(right, ast.Constant):
        if isinstance(right.value, int) and 0 <= right.value < 1 << 31:
            return _infix(one, "&", other, BIT_AND, INT)
    if one.type == other.type == INT:
        return py(quick, one.text, other.text, kind=INT)
    same = one.type if one.type.name in ("bool", "set", "dict") else ANY
    return py(general, one.text, other.text, kind=same)


def unary(c: Context, node: ast.UnaryOp) -> Js:
    """Return an expression with a sign in front."""
    one = c.js(node.operand)
    match node.op:
        case ast.Not():
            return Js(f"!{condition(c, node.operand).at(UNARY)}", UNARY, BOOL)
        case ast.USub() if one.type.name == "int" and not isinstance(node.operand, ast.Constant):
            return Js(f"0 - {one.at(ADD + 1)}", ADD, INT)  # there is no -0 among integers
        case ast.USub():
            space = " " if one.text.startswith("-") else ""
            return Js(f"-{space}{one.at(UNARY)}", UNARY, one.type if one.type.name != "bool" else INT)
        case ast.Invert():
            return py("invert", one.text, kind=INT)
    return Js(one.text, one.level, one.type)


def condition(c: Context, node: ast.expr) -> Js:
    """Return an expression that is true in JavaScript when `node` is in Python."""
    match node:
        case ast.BoolOp(op=op, values=values):
            level, sign = (AND, "&&") if isinstance(op, ast.And) else (OR, "||")
            return Js(f" {sign} ".join(condition(c, one).at(level + 1) for one in values), level, BOOL)
        case ast.UnaryOp(op=ast.Not()):
            return unary(c, node)
    return truth(c, c.js(node))


def truth(c: Context, one: Js) -> Js:
    """Return an expression that is true in JavaScript when `one` is in Python."""
    kind = one.type
    if kind.name in ("bool", "str", "int", "match") or (kind.name == "none"):
        return one
    if kind.name in ARRAYS and not kind.nullable:
        return Js(f"{one.at(PRIMARY)}.length > 0", COMPARE, BOOL)
    if kind.name in ("dict", "set") and not kind.nullable:
        return Js(f"{one.at(PRIMARY)}.size > 0", COMPARE, BOOL)
    return py("truth", one.text, kind=BOOL)


def choice(c: Context, node: ast.BoolOp) -> Js:
    """Return `and` and `or`, which give one of their operands."""
    *first, last = node.values
    found = c.js(last)
    for value in reversed(first):
        one = c.js(value)
        either = joined(one.type, found.type)
        if one.type.name in ("bool", "str", "int", "match"):
            level, sign = (AND, "&&") if isinstance(node.op, ast.And) else (OR, "||")
            found = Js(f"{one.at(level + 1)} {sign} {found.at(level)}", level, either)
            continue
        name = one.text
        asked = truth(c, one).at(CHOICE + 1)
        if not one.simple:
            name = c.function.extra_name()
            asked = py("truth", f"{name} = {one.text}").text
        chosen = (found.at(CHOICE), name) if isinstance(node.op, ast.And) else (name, found.at(CHOICE))
        found = Js(f"{asked} ? {chosen[0]} : {chosen[1]}", CHOICE, either)
    return found


def conditional(c: Context, node: ast.IfExp) -> Js:
    """Return an expression with `if` and `else`."""
    test, yes, no = condition(c, node.test), c.js(node.body), c.js(node.orelse)
    text = f"{test.at(CHOICE + 1)} ? {yes.at(CHOICE + 1)} : {no.at(CHOICE)}"
    return Js(text, CHOICE, joined(yes.type, no.type))


def comparison(c: Context, node: ast.Compare) -> Js:
    """Return a comparison, or a chain of them in which each operand is worked out once."""
    left, parts = c.js(node.left), []
    for i, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if isinstance(op, (ast.In, ast.NotIn)) and _are_constants(right):
            items = ", ".join(c.js(one).text for one in right.elts)
            parts.append(_negated(Js(f"[{items}].includes({left.text})", type=BOOL), isinstance(op, ast.NotIn)))
            continue
        other = c.js(right)
        if i + 1 < len(node.ops) and not other.simple and not isinstance(right, ast.Constant):
            name = c.function.extra_name()
            parts.append(_compared(c, node, left, op, Js(f"({name} = {other.text})", type=other.type)))
            left = Js(name, type=other.type)
            continue
        parts.append(_compared(c, node, left, op, other))
        left = other
    if len(parts) == 1:
        return parts[0]
    return Js(" && ".join(part.at(AND + 1) for part in parts), AND, BOOL)


def _compared(c: Context, node: ast.AST, one: Js, op: ast.cmpop, other: Js) -> Js:
    match op:
        case ast.Is() | ast.IsNot():
            sign = "===" if isinstance(op, ast.Is) else "!=="
            return Js(f"{one.at(EQUAL + 1)} {sign} {other.at(EQUAL + 1)}", EQUAL, BOOL)
        case ast.Eq() | ast.NotEq():
            return _equal(one, other, isinstance(op, ast.Eq))
        case ast.In() | ast.NotIn():
            return _negated(_among(one, other), isinstance(op, ast.NotIn))
    sign = _ORDER[type(op)]
    if one.type.name in NUMBERS and other.type.name in NUMBERS:
        return Js(f"{one.at(COMPARE + 1)} {sign} {other.at(COMPARE + 1)}", COMPARE, BOOL)
    pair = (one.text, other.text) if sign[0] == "<" else (other.text, one.text)
    return py("less" if len(sign) == 1 else "atMost", *pair, kind=BOOL)


def _are_constants(node: ast.expr) -> TypeGuard[ast.Tuple | ast.List | ast.Set]:
    """Tell whether an expression is a list of texts, numbers and None, as it stands there."""
    kinds = (str, int, float, type(None))
    return isinstance(node, (ast.Tuple, ast.List, ast.Set)) and all(
        isinstance(one, ast.Constant) and isinstance(one.value, kinds) and not isinstance(one.value, bool)
        for one in node.elts
    )


def _negated(one: Js, negated: bool) -> Js:
    return Js(f"!{one.at(UNARY)}", UNARY, BOOL) if negated else one


def _equal(one: Js, other: Js, same: bool) -> Js:
    """Return `==`; what is no object is the same in JavaScript when it is equal, but for a bool and a number."""
    plain = ("str", "none")
    numbers = one.type.name in ("int", "float") and other.type.name in ("int", "float")
    bools = one.type.name == other.type.name == "bool"
    if one.type.name in plain or other.type.name in plain or numbers or bools:
        return Js(f"{one.at(EQUAL + 1)} {'===' if same else '!=='} {other.at(EQUAL + 1)}", EQUAL, BOOL)
    found = py("eq", one.text, other.text, kind=BOOL)
    return found if same else Js(f"!{found.text}", UNARY, BOOL)


def _among(one: Js, other: Js) -> Js:
    if other.type.name == "str":
        return Js(f"{other.at(PRIMARY)}.includes({one.text})", type=BOOL)
    if other.type.name in ("dict", "set"):
        return Js(f"{other.at(PRIMARY)}.has({one.text})", type=BOOL)
    if other.type.name in ("list", "tuple") and one.type.name == "str":
        return Js(f"{other.at(PRIMARY)}.includes({one.text})", type=BOOL)
    return py("isIn", one.text, other.text, kind=BOOL)
