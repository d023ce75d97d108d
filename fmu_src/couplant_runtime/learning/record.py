"""The record of the fields in `fields`, one for each FMU with a network."""

import struct

from .fields import GROUPS

_FIELDS = tuple((name, count) for group, _ in GROUPS for name, count in group)
_RECORD = struct.Struct("<" + "".join(f"{count}{code}" for group, code in GROUPS for _, count in group))


class NetworkState:
    """Weights, sums and counters of a network; see the field lists in `fields` for shapes."""

    __slots__ = tuple(name for name, _ in _FIELDS)

    def __init__(self) -> None:
        for group, code in GROUPS:
            zero = 0.0 if code == "d" else 0
            for name, count in group:
                setattr(self, name, zero if count == 1 else [zero] * count)

    def copy(self) -> "NetworkState":
        """Return an independent copy."""
        twin = NetworkState.__new__(NetworkState)
        twin.assign(self)
        return twin

    def assign(self, other: "NetworkState") -> None:
        """Take over all fields of `other`."""
        for name in NetworkState.__slots__:
            value = getattr(other, name)
            setattr(self, name, list(value) if isinstance(value, list) else value)

    def record(self) -> bytes:
        """Return the fields as the bytes that the C structure has on a little-endian machine."""
        flat = []
        for name, count in _FIELDS:
            value = getattr(self, name)
            flat.extend(value if count > 1 else (value,))
        return _RECORD.pack(*flat)

    @classmethod
    def from_record(cls, data: bytes) -> "NetworkState":
        """Return the record whose bytes are `data`."""
        flat = iter(_RECORD.unpack(data))
        own = cls.__new__(cls)
        for name, count in _FIELDS:
            setattr(own, name, next(flat) if count == 1 else [next(flat) for _ in range(count)])
        return own

    @staticmethod
    def size() -> int:
        """Return the size of the record [bytes]."""
        return _RECORD.size
