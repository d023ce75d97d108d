"""Everything that changes in a coupling FMU: one plain record of fixed-width fields, the twin of `cp_state` in C.

Doubles come first, then 64-bit integers, 32-bit integers and bytes, so that the record has no padding. NaN never
reaches a field but the inputs, where it is stored as one bit pattern.
"""

import struct
from typing import NamedTuple
from zlib import crc32

from .comparison.record import ModelState
from .errors import StateRefused
from .learning.record import NeuralState
from .record import NAN

SLOTS = 64
RING = 128
BURST = 7
BLOCKS = 8
FIT = 6
RESIDUALS = 21
TERMS = 10
PATTERN = TERMS + 2
PATTERNS = 12
BANK = 6
MAGIC = b"couplant"
VERSION = 1

DOUBLES = (
    ("y", 1),
    ("y_time", 1),
    ("y_hat", 1),
    ("latency_seconds", 1),
    ("quality_error", 1),
    ("quality_tolerance", 1),
    ("quality_skill", 1),
    ("macro_step", 1),
    ("latency_offset", 1),
    ("floor", 1),
    ("safe_value", 1),
    ("observer_gain", 1),
    ("sensitivity", 1),
    ("zeta", 1),
    ("delta", 1),
    ("output_min", 1),
    ("output_max", 1),
    ("rate_max", 1),
    ("start_time", 1),
    ("time", 1),
    ("target", 1),
    ("period", 1),
    ("first_stamp", 1),
    ("newest_stamp", 1),
    ("fraction", 1),
    ("shift", 1),
    ("level", 1),
    ("slope", 1),
    ("held", 1),
    ("passed", 1),
    ("unlimited", 1),
    ("given", 1),
    ("given_time", 1),
    ("spectrum", 1),
    ("spectrum_before", 1),
    ("debug_newest", 1),
    ("error_power", 1),
    ("hold_power", 1),
    ("past", SLOTS),
    ("a", SLOTS),
    ("slopes", SLOTS),
    ("estimated", RING),
    ("held_then", RING),
    ("observed", RING),
    ("y_echo", 1),
    ("latency_minimum", 1),
    ("latency_drift", 1),
    ("signal_period", 1),
    ("clock_offset", 1),
    ("round_trip", 1),
    ("block_time", BLOCKS + 1),
    ("block_transit", BLOCKS + 1),
    ("usual_lead", 1),
    ("residual", 1),
    ("break_rate", 1),
    ("fitted", FIT),
    ("fitted_at", FIT),
    ("residuals", RESIDUALS),
    ("low", 1),
    ("high", 1),
    ("burst", BURST),
    ("burst_time", BURST),
    ("stamps", SLOTS),
    ("term_level", PATTERNS * TERMS),
    ("term_slope", PATTERNS * TERMS),
    ("bank_loss", BANK),
    ("bank_weight", BANK),
    ("bank_estimated", BANK * RING),
)
LONGS = (
    ("n", 1),
    ("newest", 1),
    ("origin", 1),
    ("anchor", 1),
    ("tested", 1),
    ("judged", 1),
    ("news", 1),
    ("slot", 1),
    ("due", 1),
    ("anchor_before", 1),
)
INTS = (
    ("latency_steps", 1),
    ("active", 1),
    ("mode", 1),
    ("latency_mode", 1),
    ("constant_steps", 1),
    ("coast_steps", 1),
    ("lost_steps", 1),
    ("reconstruction", 1),
    ("on_loss", 1),
    ("selected", 1),
    ("action", 1),
    ("selected_before", 1),
    ("taken", 1),
    ("events", 1),
    ("logged", 1),
    ("debug_slot", 1),
    ("debug_missing", 1),
    ("debug_usable", 1),
    ("y_valid", 1),
    ("detected", 1),
    ("quality_ok", 1),
    ("limited", 1),
    ("detection", 1),
    ("hold_after_flag", 1),
    ("bypass", 1),
    ("stopped", 1),
    ("latency_clock", 1),
    ("detector", 1),
    ("grade", 1),
    ("leading", 1),
    ("early", 1),
    ("blocks", 1),
    ("block_count", 1),
    ("measured", 1),
    ("compared", 1),
    ("next_pattern", 1),
    ("burst_valid", BURST),
    ("fits", 1),
    ("usual_steps", 1),
    ("pattern", PATTERNS * PATTERN),
)
BYTES = (
    ("filled", 1),
    ("starting", 1),
    ("flagged", 1),
    ("judged_ok", 1),
    ("marked", SLOTS),
    ("judgeable", RING),
    ("horizon", RING),
)
GROUPS = ((DOUBLES, "d"), (LONGS, "q"), (INTS, "i"), (BYTES, "B"))
FIELDS = tuple((name, count) for group, _ in GROUPS for name, count in group)
LISTS = tuple(name for name, count in FIELDS if count > 1)
_RECORD = struct.Struct("<" + "".join(f"{count}{code}" for group, code in GROUPS for _, count in group))
_HEADER = struct.Struct("<8sIIQQ")
_CLOCK = struct.Struct("<d2i")


class Clock(NamedTuple):
    """What belongs to the host's side of a run and is saved with the state.

    Attributes
    ----------
    start : float
        Start time [s].
    running : int
        1 once initialisation has ended.
    stale : int
        1 if a value was set since the outputs were worked out.
    """

    start: float = 0.0
    running: int = 0
    stale: int = 1


class State:
    """All run-time state of one coupling FMU, parameters included; see the field lists above for shapes.

    Parameters
    ----------
    with_neural : bool
        Whether the FMU has the algorithm `network`, whose own record `neural` follows these fields.
    with_model : bool
        Whether it has an algorithm that identifies a model, whose record `model` comes last; in Python only.
    """

    __slots__ = (*(name for name, _ in FIELDS), "model", "neural")

    def __init__(self, with_neural: bool = False, with_model: bool = False) -> None:
        self.neural = NeuralState() if with_neural else None
        self.model = ModelState() if with_model else None
        for group, code in GROUPS:
            zero = 0.0 if code == "d" else 0
            for name, count in group:
                setattr(self, name, zero if count == 1 else [zero] * count)

    def copy(self) -> "State":
        """Return an independent copy."""
        twin = State.__new__(State)
        twin.assign(self)
        return twin

    def assign(self, other: "State") -> None:
        """Take over all fields of `other`."""
        for name in State.__slots__:
            setattr(self, name, getattr(other, name))
        for name in LISTS:
            setattr(self, name, list(getattr(other, name)))
        self.neural = other.neural.copy() if other.neural else None
        self.model = other.model.copy() if other.model else None

    def record(self) -> bytes:
        """Return the fields as the bytes that the C structure has on a little-endian machine."""
        flat = []
        for name, count in FIELDS:
            value = getattr(self, name)
            flat.extend(value if count > 1 else (value,))
        record = _RECORD.pack(*(NAN if value != value else value for value in flat))
        return record + b"".join(part.record() for part in (self.neural, self.model) if part)

    def serialise(self, fingerprint: int, clock: "Clock") -> bytes:
        """Return header, `clock` and record; `fingerprint` (64 bits) identifies the settings of the FMU."""
        body = _CLOCK.pack(*clock) + self.record()
        return _HEADER.pack(MAGIC, VERSION, len(body) - _CLOCK.size, fingerprint, crc32(body)) + body

    @classmethod
    def restore(
        cls, data: bytes, fingerprint: int, with_neural: bool = False, with_model: bool = False
    ) -> tuple["State", "Clock"]:
        """Return the state and the clock in `data`, written by `serialise` with the same `fingerprint`.

        `with_neural` and `with_model` tell whether the FMU has a neural network, and an identified model.

        Raises
        ------
        StateRefused
            If `data` is truncated, damaged, foreign, of another version or from an FMU with other settings.
        """
        length = size(with_neural, with_model)
        whole = _HEADER.size + _CLOCK.size + length
        if len(data) != whole:
            raise StateRefused(f"serialised state has {len(data)} bytes, allowed {whole}")
        body = data[_HEADER.size :]
        if _HEADER.unpack_from(data) != (MAGIC, VERSION, length, fingerprint, crc32(body)):
            raise StateRefused("serialised state is damaged or not from this version and these settings of the FMU")
        flat = iter(_RECORD.unpack_from(body, _CLOCK.size))
        state = cls.__new__(cls)
        for name, count in FIELDS:
            setattr(state, name, next(flat) if count == 1 else [next(flat) for _ in range(count)])
        neural, model = _CLOCK.size + _RECORD.size, _CLOCK.size + size(with_neural)
        state.neural = NeuralState.from_record(body[neural:model]) if with_neural else None
        state.model = ModelState.from_record(body[model:]) if with_model else None
        return state, Clock(*_CLOCK.unpack_from(body))


def size(with_neural: bool = False, with_model: bool = False) -> int:
    """Return the size of the record [bytes], `with_neural` and `with_model` or without."""
    return _RECORD.size + with_neural * NeuralState.size() + with_model * ModelState.size()


SIZE = _RECORD.size
