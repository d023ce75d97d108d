"""A part of the state that only some FMUs have: a plain record of fixed-width fields."""

import struct
from typing import ClassVar

NAN = struct.unpack("<d", b"\x00\x00\x00\x00\x00\x00\xf8\x7f")[0]


class Record:
    """Fields as a subclass lists them in GROUPS: (name, count) pairs and their `struct` code; all start at zero."""

    __slots__ = ()
    GROUPS: ClassVar[tuple] = ()

    def __init__(self) -> None:
        for group, code in self.GROUPS:
            zero = 0.0 if code == "d" else 0
            for name, count in group:
                setattr(self, name, zero if count == 1 else [zero] * count)

    def copy(self) -> "Record":
        """Return an independent copy."""
        twin = type(self).__new__(type(self))
        twin.assign(self)
        return twin

    def assign(self, other: "Record") -> None:
        """Take over all fields of `other`."""
        for name, _ in self._fields():
            value = getattr(other, name)
            setattr(self, name, list(value) if isinstance(value, list) else value)

    def record(self) -> bytes:
        """Return the fields as the bytes that a C structure has on a little-endian machine."""
        flat = []
        for name, count in self._fields():
            value = getattr(self, name)
            flat.extend(value if count > 1 else (value,))
        return self._layout().pack(*(NAN if value != value else value for value in flat))

    @classmethod
    def from_record(cls, data: bytes) -> "Record":
        """Return the record whose bytes are `data`."""
        flat = iter(cls._layout().unpack(data))
        own = cls.__new__(cls)
        for name, count in cls._fields():
            setattr(own, name, next(flat) if count == 1 else [next(flat) for _ in range(count)])
        return own

    @classmethod
    def size(cls) -> int:
        """Return the size of the record [bytes]."""
        return cls._layout().size

    @classmethod
    def _fields(cls) -> list[tuple[str, int]]:
        return [field for group, _ in cls.GROUPS for field in group]

    @classmethod
    def _layout(cls) -> struct.Struct:
        return struct.Struct("<" + "".join(f"{count}{code}" for group, code in cls.GROUPS for _, count in group))
