"""Types of expressions, as far as annotations tell them: where they are sure, plain operators do."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Type:
    """What an expression is.

    Attributes
    ----------
    name : str
        ``int``, ``float``, ``bool``, ``str``, ``bytes``, ``list``, ``tuple``, ``sequence``, ``dict``, ``set``,
        ``iterator``, ``object`` of a class, ``any`` if nothing is known, and others of the run-time library.
    items : tuple of Type
        What it holds: one type, two of a dictionary, one for each item of a short tuple.
    of : str
        Module and class of an object, ``couplant.base.grid:Grid``; ``"..."`` for a tuple of any length.
    nullable : bool
        It may be None.
    """

    name: str
    items: tuple[Type, ...] = ()
    of: str = ""
    nullable: bool = False

    @property
    def item(self) -> Type:
        """What iteration gives."""
        if self.name == "str":
            return STR
        if self.name in ("bytes", "bytearray"):
            return INT
        if self.name == "tuple" and self.of != "...":
            kinds = set(self.items)
            return kinds.pop() if len(kinds) == 1 else ANY
        return self.items[0] if self.items else ANY


ANY = Type("any")
INT = Type("int")
FLOAT = Type("float")
BOOL = Type("bool")
STR = Type("str")
NONE = Type("none")
BYTES = Type("bytes")
NUMBERS = ("int", "float", "bool")
ARRAYS = ("list", "tuple", "bytes", "bytearray")
"""What has a length in JavaScript, and items at places."""
_PLAIN = {
    "int": INT, "float": FLOAT, "bool": BOOL, "str": STR, "bytes": BYTES, "bytearray": Type("bytearray"),
    "None": NONE, "list": Type("list"), "tuple": Type("tuple", of="..."), "dict": Type("dict"), "set": Type("set"),
    "frozenset": Type("set"),
}  # fmt: skip
_GENERIC = {
    "list": "list", "List": "list", "MutableSequence": "list", "Sequence": "sequence", "dict": "dict",
    "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "set": "set", "frozenset": "set",
    "Iterator": "iterator", "Generator": "iterator", "Iterable": "iterable", "Collection": "iterable",
    "Callable": "function",
}  # fmt: skip


def joined(one: Type | None, other: Type) -> Type:
    """Return what is true of both types."""
    if one is None or one == other:
        return other
    if NONE in (one, other):
        return replace(other if one == NONE else one, nullable=True)
    nullable = one.nullable or other.nullable
    if replace(one, nullable=nullable) == replace(other, nullable=nullable):
        return replace(one, nullable=nullable)
    if {one.name, other.name} <= {"int", "float"}:
        return replace(FLOAT, nullable=nullable)
    if one.name == other.name and len(one.items) == len(other.items) and one.of == other.of:
        pairs = zip(one.items, other.items, strict=True)
        return replace(one, items=tuple(joined(a, b) for a, b in pairs), nullable=nullable)
    if one.name == other.name and one.name in ("list", "dict", "set"):  # an empty one says nothing of its items
        items = () if one.items and other.items else one.items or other.items
        return replace(one, items=items, nullable=nullable)
    return ANY


def annotated(node: ast.expr | None, class_of: Callable[[str], Type]) -> Type:
    """Return the type that an annotation tells; `class_of` knows the names that are not Python's."""
    match node:
        case None:
            return ANY
        case ast.Constant(value=None):
            return NONE
        case ast.Constant(value=str(text)):
            return annotated(ast.parse(text, mode="eval").body, class_of)
        case ast.Name(id=name):
            return _PLAIN.get(name) or class_of(name)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return joined(annotated(left, class_of), annotated(right, class_of))
        case ast.Subscript(value=ast.Name(id=name), slice=inner):
            return _generic(name, inner, class_of)
    return ANY


def _generic(name: str, inner: ast.expr, class_of: Callable[[str], Type]) -> Type:
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name == "Literal":
        kinds = {type(part.value).__name__ for part in parts if isinstance(part, ast.Constant)}
        return _PLAIN.get(kinds.pop(), ANY) if len(kinds) == 1 else ANY
    if name in ("ClassVar", "Final", "Annotated", "Optional"):
        found = annotated(parts[0], class_of)
        return replace(found, nullable=True) if name == "Optional" else found
    if name in ("tuple", "Tuple"):
        many = len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...
        return Type("tuple", tuple(annotated(part, class_of) for part in parts[: 1 if many else None]), "..." * many)
    if name == "Callable":
        return Type("function", (annotated(parts[-1], class_of),))
    if name in _GENERIC:
        return Type(_GENERIC[name], tuple(annotated(part, class_of) for part in parts))
    return ANY
