"""Records of the state: fields of fixed width, the twins of structures in C."""

from __future__ import annotations

import struct
from typing import Any, ClassVar, TypeVar

Own = TypeVar("Own", bound="Record")
NAN: float = struct.unpack("<d", b"\x00\x00\x00\x00\x00\x00\xf8\x7f")[0]
"""The one bit pattern of NaN that a state holds."""


def slots(fields: tuple[tuple[str, str, int], ...]) -> tuple[str, ...]:
    """Return the names of `fields`: name, code of `struct`, count [-]."""
    return tuple(name for name, _, _ in fields)


class Record:
    """Fields as a subclass lists them in FIELDS; all start at zero. Lists have a count above 1."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[tuple[str, str, int], ...]] = ()
    LAYOUT: ClassVar[struct.Struct]

    def __init_subclass__(cls) -> None:
        """Work out the layout: as in C, filled up to a whole number of doubles."""
        layout = "<" + "".join(f"{count}{code}" for _, code, count in cls.FIELDS)
        cls.LAYOUT = struct.Struct(f"{layout}{-struct.calcsize(layout) % 8}x")

    def __init__(self) -> None:
        for name, code, count in self.FIELDS:
            zero = 0.0 if code == "d" else 0
            setattr(self, name, zero if count == 1 else [zero] * count)

    def copy(self: Own) -> Own:
        """Return an independent copy."""
        twin = type(self).__new__(type(self))
        for name, _, count in self.FIELDS:
            value = getattr(self, name)
            setattr(twin, name, value if count == 1 else value[:])
        return twin

    def values(self) -> list[Any]:
        """Return all numbers, in order."""
        flat: list[Any] = []
        for name, _, count in self.FIELDS:
            value = getattr(self, name)
            flat += (value,) if count == 1 else value
        return flat

    def pack(self) -> bytes:
        """Return the bytes that the C structure has on a little-endian machine."""
        flat = self.values()
        data = self.LAYOUT.pack(*flat)
        words = memoryview(data).cast("d")  # every platform is little-endian
        if words != words:  # some NaN; or whole numbers whose bits would be one
            return self.LAYOUT.pack(*[NAN if value != value else value for value in flat])
        return data

    @classmethod
    def unpack(cls: type[Own], data: bytes) -> Own:
        """Return the record whose bytes are `data`."""
        flat = iter(cls.LAYOUT.unpack(data))
        own = cls.__new__(cls)
        for name, _, count in cls.FIELDS:
            setattr(own, name, next(flat) if count == 1 else [next(flat) for _ in range(count)])
        return own
