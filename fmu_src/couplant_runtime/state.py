"""Everything that changes in a coupling FMU: records of fixed-width fields, the twin of `cp_state` in C.

NaN never reaches a field but the inputs, where it is stored as one bit pattern.
"""

from __future__ import annotations

import copy
import struct
from typing import Any, NamedTuple
from zlib import crc32

from .errors import StateRefused
from .generated.bounds import BOUNDS
from .generated.state import Stages
from .record import Record

LAST = ("follow", "phasor", "bond", "energy", "plant")
"""Records that FMUs do without from the last one that they need on."""

MAGIC = b"couplant"
VERSION = 3  # of saved states
_HEADER = struct.Struct("<8sIIQQ")
_CLOCK = struct.Struct("<d2i")


class Clock(NamedTuple):
    """Clock of a run on the host's side, saved with the state."""

    start: float = 0.0  # start time [s]
    running: int = 0  # 1 once initialisation has ended
    stale: int = 1  # 1 if a value was set since the outputs were worked out


class State(Stages):
    """All run-time state of one coupling FMU, parameters included; `generated/state.py` has shapes and units."""

    __slots__ = ("left_out", "own")

    def __init__(
        self,
        with_neural: bool = False,
        with_model: bool = False,
        bonded: bool = False,
        follows: bool = False,
        planted: bool = False,
        periodic: bool = False,
    ) -> None:
        """Begin with zeros; the last four tell what is part of a saved state: bonds, a lag learnt, a plant, phasors."""
        super().__init__(with_neural, with_model)
        whole = planted or with_neural  # in C a neural network stands behind it
        last = LAST if whole else LAST[:4] if bonded else LAST[:2] if periodic else LAST[:1] if follows else ()
        self.left_out = LAST[len(last) :]
        self.own: Any = None  # an algorithm of the user's (`own.py`), which no saved bytes hold

    def names(self) -> list[str]:
        """Return the names of the records that this FMU has, in the order of the C structure."""
        every = [name for name in Stages.__slots__ if getattr(self, name) is not None]
        return [name for name in every if name not in self.left_out]

    def records(self) -> list[Record]:
        """Return these records."""
        return [getattr(self, name) for name in self.names()]

    def copy(self) -> State:
        """Return an independent copy."""
        twin = State.__new__(State)
        twin.left_out = self.left_out
        twin.own = copy.deepcopy(self.own)
        for name in Stages.__slots__:
            record = getattr(self, name)
            setattr(twin, name, record and record.copy())
        return twin

    def pack(self) -> bytes:
        """Return the fields as the bytes that the C structure has on a little-endian machine."""
        return b"".join(record.pack() for record in self.records())

    def serialise(self, fingerprint: int, clock: Clock) -> bytes:
        """Return header, `clock` and records; `fingerprint` (64 bits) identifies the settings of the FMU."""
        body = _CLOCK.pack(*clock) + self.pack()
        return _HEADER.pack(MAGIC, VERSION, len(body) - _CLOCK.size, fingerprint, crc32(body)) + body

    @classmethod
    def restore(
        cls,
        data: bytes,
        fingerprint: int,
        with_neural: bool = False,
        with_model: bool = False,
        bonded: bool = False,
        follows: bool = False,
        planted: bool = False,
        periodic: bool = False,
    ) -> tuple[State, Clock]:
        """Return the state and the clock in `data`, written by `serialise` with the same `fingerprint`.

        `with_neural`, `with_model`, `bonded`, `follows`, `planted` and `periodic` tell whether the FMU has a neural
        network, an identified model, the end of a power bond, a lag that it learns, a model of its sender and phasors.
        Whether the FMU can go on from the state is for `sound.py` to say.

        Raises
        ------
        StateRefused
            If `data` is truncated, damaged, foreign, of another version or from an FMU with other settings, or if a
            number is out of its bounds.
        """
        state = cls(with_neural, with_model, bonded, follows, planted, periodic)
        length = len(state.pack())
        whole = _HEADER.size + _CLOCK.size + length
        if len(data) != whole:
            raise StateRefused(f"serialised state has {len(data)} bytes, allowed {whole}")
        body = data[_HEADER.size :]
        if _HEADER.unpack_from(data) != (MAGIC, VERSION, length, fingerprint, crc32(body)):
            raise StateRefused("serialised state is damaged or not from this version and these settings of the FMU")
        place = _CLOCK.size
        for name in state.names():
            record = getattr(state, name)
            setattr(state, name, record.unpack(body[place : place + record.LAYOUT.size]))
            place += record.LAYOUT.size
        clock = Clock(*_CLOCK.unpack_from(body))
        _check_fields(state)
        return state, clock


def _check_fields(state: State) -> None:
    for name in state.names():
        for field, (least, most) in BOUNDS[name].items():
            value = getattr(getattr(state, name), field)
            for number in value if isinstance(value, list) else (value,):
                if not least <= number <= most:
                    said = f"saved state: field {name}.{field} = {number:.17g}"
                    raise StateRefused(f"{said}, allowed {least:.17g} to {most:.17g}")


SIZE = len(State().pack())
"""Size of the records that every FMU has. [bytes]"""
