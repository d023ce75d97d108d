"""Values in the payload of PDUs: types, and which of them may be taken for which; tables 2 and 11 of the standard."""

import struct
from collections.abc import Sequence
from math import isfinite

TYPES = {
    "Uint8": (0x0, "B"), "Uint16": (0x1, "H"), "Uint32": (0x2, "I"), "Uint64": (0x3, "Q"),
    "Int8": (0x4, "b"), "Int16": (0x5, "h"), "Int32": (0x6, "i"), "Int64": (0x7, "q"),
    "Float32": (0x8, "f"), "Float64": (0x9, "d"),
}  # fmt: skip
"""Number and letter of `struct` of each type that stands for a number; String and Binary are no signals."""

NAMES = {number: name for name, (number, _) in TYPES.items()}
"""Types by number."""

_LETTERS = dict(TYPES.values())

_WIDER = {
    "Uint8": "Uint8 Uint16 Uint32 Uint64 Int16 Int32 Int64 Float32 Float64",
    "Uint16": "Uint16 Uint32 Uint64 Int32 Int64 Float32 Float64",
    "Uint32": "Uint32 Uint64 Int64 Float64",
    "Uint64": "Uint64",
    "Int8": "Int8 Int16 Int32 Int64 Float32 Float64",
    "Int16": "Int16 Int32 Int64 Float32 Float64",
    "Int32": "Int32 Int64 Float64",
    "Int64": "Int64",
    "Float32": "Float32 Float64",
    "Float64": "Float64",
}


class NotFinite(ValueError):
    """A payload with a real number that is infinite or none."""


def converts(source: int, target: str) -> bool:
    """Tell whether values of the type with the number `source` may be taken for one of the type `target`."""
    return source in NAMES and target in _WIDER[NAMES[source]].split()


def size_of(types: Sequence[int]) -> int:
    """Return the length of values of `types`, by number, one behind the other [byte]."""
    return _form(types).size


def pack_values(types: Sequence[int], values: Sequence[float]) -> bytes:
    """Return a payload of `values` with `types`, by number.

    A value for an integer is rounded and kept within its range.
    """
    return _form(types).pack(*(_fit(number, value) for number, value in zip(types, values, strict=True)))


def unpack_values(types: Sequence[int], payload: bytes) -> list[float]:
    """Return the values in a `payload`, whose length fits the `types`, by number.

    Raises NotFinite if one of them is not finite.
    """
    values = [float(value) for value in _form(types).unpack(payload)]
    if not all(map(isfinite, values)):
        raise NotFinite(f"payload = {values}, allowed finite numbers.")
    return values


def _form(types: Sequence[int]) -> struct.Struct:
    return struct.Struct("<" + "".join(_LETTERS[number] for number in types))


def _fit(number: int, value: float) -> float:
    letter = _LETTERS[number]
    if letter == "f":
        largest = float.fromhex("0x1.fffffep+127")
        return max(-largest, min(largest, value))
    if letter == "d":
        return value
    bits = 8 * struct.calcsize(f"<{letter}")
    most: int = 1 << bits
    low, high = (0, most - 1) if letter.isupper() else (-(most // 2), most // 2 - 1)
    return max(low, min(high, round(value)))
