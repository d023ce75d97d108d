"""The C kernel for tests: compiled by the system's compiler once, driven through ctypes."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
from functools import lru_cache
from pathlib import Path

import pytest

from couplant_runtime import record
from couplant_runtime.config import Settings
from couplant_runtime.state import Clock, State
from couplant_runtime.variable import Variable
from tests import commands

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "fmu_src" / "kernel"
CACHE = ROOT / "build" / "tests"
FLAGS = "-std=c99 -O2 -ffp-contract=off -fno-math-errno -pedantic -Wall -Wextra -Wconversion -Werror".split()
SANITIZERS = "-fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero -fno-sanitize-recover=all"
SANITIZED = f"-std=c99 -O1 -g1 -ffp-contract=off -fno-math-errno {SANITIZERS}".split()
SANITIZE = "COUPLANT_TEST_SANITIZE"
"""With this variable set the kernel is compiled with sanitizers; the process must have loaded them."""
COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
SENTENCE = 200
needs_compiler = pytest.mark.skipif(COMPILER is None and not os.environ.get("CI"), reason="no C compiler")

_C = {"d": ctypes.c_double, "q": ctypes.c_int64, "i": ctypes.c_int32, "B": ctypes.c_uint8}


def _structure(one: record.Record) -> type[ctypes.Structure]:
    """Return the C structure of a record of the Python runtime, filled up to a whole number of doubles."""
    fields = [(name, _C[code] if count == 1 else _C[code] * count) for name, code, count in one.FIELDS]
    plain = type(type(one).__name__, (ctypes.Structure,), {"_fields_": fields})
    used = sum(ctypes.sizeof(kind) for _, kind in fields)
    filler = [("filler", ctypes.c_uint8 * (one.LAYOUT.size - used))] if one.LAYOUT.size > used else []
    return type(plain.__name__, (ctypes.Structure,), {"_fields_": [*fields, *filler]})


def _state(state: State) -> type[ctypes.Structure]:
    """Return what cp_state or cp_state_with_neural has of the records of a state in Python."""
    parts = zip(state.names(), state.records(), strict=True)
    return type("State", (ctypes.Structure,), {"_fields_": [(name, _structure(one)) for name, one in parts]})


RECORD, RECORD_FOLLOWING, RECORD_PERIODIC, RECORD_BONDED, RECORD_PLANTED, RECORD_WITH_NEURAL = map(
    _state,
    (
        *(State(), State(follows=True), State(periodic=True)),
        *(State(bonded=True), State(planted=True), State(with_neural=True)),
    ),
)


def fields_of(state: ctypes.Structure) -> dict[str, object]:
    """Return the values of all fields by their dotted names, lists with their positions."""
    found = {}
    for name, kind in state._fields_:
        for inner, _ in kind._fields_:
            value = getattr(getattr(state, name), inner)
            if isinstance(value, ctypes.Array):
                found |= {f"{name}.{inner}[{i}]": one for i, one in enumerate(value)}
            else:
                found[f"{name}.{inner}"] = value
    return found


class Numbers(ctypes.Structure):
    _fields_ = [("key", ctypes.c_char_p), ("values", ctypes.POINTER(ctypes.c_double)), ("n", ctypes.c_size_t)]


class Host(ctypes.Structure):
    """A host that adds up its time: `parts` steps of `size` [s] in `macros` macro steps, `steps` of them."""

    _fields_ = [("size", ctypes.c_double), *((name, ctypes.c_int64) for name in ("steps", "parts", "macros"))]


class HostClock(ctypes.Structure):
    _fields_ = [("start", ctypes.c_double), ("running", ctypes.c_int32), ("stale", ctypes.c_int32)]


def compiled(source: Path, output: str, flags: list[str]) -> Path:
    """Compile `source` into the cache unless this very text has been compiled before, and return the result."""
    texts = [path.read_bytes() for path in sorted([source, *KERNEL.rglob("*.[ch]")])]
    key = hashlib.sha256(b"\0".join([*texts, " ".join(flags).encode(), str(COMPILER).encode()])).hexdigest()[:16]
    path = CACHE / f"{key}-{output}"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}")
        command = [str(COMPILER), *flags, "-I", str(KERNEL), str(source), "-o", str(partial)]
        commands.run(command, check=True, capture_output=True, text=True)
        partial.replace(path)
    return path


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """Return the kernel, compiled with the flags of the project or with sanitizers."""
    flags = [*(SANITIZED if os.environ.get(SANITIZE) else FLAGS), "-shared", "-fPIC"]
    lib = ctypes.CDLL(str(compiled(Path(__file__).with_name("shim.c"), "kernel.so", flags)))
    pointer, double = ctypes.c_void_p, ctypes.c_double
    signatures = {
        "cp_test_settings_size": (ctypes.c_size_t, []),
        "cp_test_state_size": (ctypes.c_size_t, []),
        "cp_coupling_settle": (ctypes.c_bool, [pointer, pointer, ctypes.c_size_t, ctypes.c_uint64, pointer]),
        "cp_coupling_reset": (None, [pointer, pointer]),
        "cp_coupling_init": (ctypes.c_bool, [pointer, pointer, double, pointer]),
        "cp_coupling_step": (ctypes.c_bool, [pointer, pointer, double, double, pointer]),
        "cp_coupling_preview": (None, [pointer, pointer, ctypes.c_bool, pointer]),
        "cp_coupling_copy": (None, [pointer, pointer, pointer]),
        "cp_coupling_refresh": (None, [pointer, pointer, ctypes.c_bool]),
        "cp_coupling_slope": (double, [pointer, pointer]),
        "cp_coupling_gain": (double, [pointer, pointer, ctypes.c_bool]),
        "cp_coupling_next_point": (double, [pointer]),
        "cp_test_grid": (ctypes.c_int64, [pointer, double, ctypes.POINTER(Host)]),
        "cp_test_steps": (ctypes.c_int64, [pointer, pointer, double, ctypes.POINTER(Host)]),
        "cp_coupling_find": (pointer, [pointer, ctypes.c_uint32]),
        "cp_value": (double, [pointer, pointer]),
        "cp_coupling_set": (ctypes.c_bool, [pointer, pointer, double, ctypes.c_bool, pointer]),
        "cp_coupling_check": (ctypes.c_bool, [pointer, pointer, pointer]),
        "cp_coupling_event_of_bit": (pointer, [ctypes.c_int]),
        "cp_coupling_numbers_of_bit": (pointer, [ctypes.c_int]),
        "cp_coupling_closing": (ctypes.c_int32, [pointer]),
        "cp_coupling_serialise": (None, [pointer, pointer, HostClock, pointer]),
        "cp_coupling_restore": (
            ctypes.c_bool,
            [pointer, pointer, pointer, ctypes.c_char_p, ctypes.c_size_t, pointer],
        ),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Refused(ValueError):
    """The kernel said no."""


class Kernel:
    """One coupling in C, with the calls of the Python runtime."""

    def __init__(self, settings: Settings) -> None:
        self.lib = library()
        self.why = ctypes.create_string_buffer(SENTENCE)
        self.settings = ctypes.create_string_buffer(self.lib.cp_test_settings_size())
        kind = RECORD_WITH_NEURAL if settings.neural else RECORD_BONDED if settings.bonded else RECORD
        kind = RECORD_PLANTED if settings.hears else kind
        if kind is RECORD:
            kind = RECORD_PERIODIC if settings.periodic else RECORD_FOLLOWING if settings.follows else kind
        self.state, self.seen, self.copied = kind(), kind(), kind()
        self.settle(settings.lists(), settings.fingerprint)
        self.references = {variable.name: i for i, variable in enumerate(settings.variables(), start=1)}
        self.handles = {name: self.lib.cp_coupling_find(self.settings, i) for name, i in self.references.items()}
        self.reset()

    def settle(self, lists: dict[str, tuple[float, ...]], fingerprint: int) -> None:
        self.arrays = [(ctypes.c_double * len(values))(*values) for values in lists.values()]
        pairs = zip(lists, self.arrays, strict=True)
        numbers = (Numbers * len(lists))(*((key.encode(), array, len(array)) for key, array in pairs))
        self._check(self.lib.cp_coupling_settle(self.settings, numbers, len(lists), fingerprint, self.why))

    def reset(self) -> None:
        self.lib.cp_coupling_reset(self.settings, ctypes.byref(self.state))

    def init(self, start_time: float) -> None:
        self._check(self.lib.cp_coupling_init(self.settings, ctypes.byref(self.state), start_time, self.why))

    def step(self, time: float, size: float) -> None:
        self._check(self.lib.cp_coupling_step(self.settings, ctypes.byref(self.state), time, size, self.why))

    def closing(self) -> int:
        return self.lib.cp_coupling_closing(ctypes.byref(self.state))

    def preview(self, running: bool) -> ctypes.Structure:
        self.lib.cp_coupling_preview(self.settings, ctypes.byref(self.state), running, ctypes.byref(self.seen))
        return self.seen

    def read(self) -> dict[str, object]:
        """Return the fields of what a read after a set sees: of a copy that is used again and again."""
        self.lib.cp_coupling_copy(self.settings, ctypes.byref(self.copied), ctypes.byref(self.state))
        self.lib.cp_coupling_refresh(self.settings, ctypes.byref(self.copied), True)
        return fields_of(self.copied)

    def set(self, variable: Variable, value: float, running: bool) -> None:
        place, state, before = self.handles[variable.name], ctypes.byref(self.state), bytes(self.state)
        done = self.lib.cp_coupling_set(state, place, value, running, self.why)
        if (
            done
            and running
            and variable.role == "tunable"
            and not self.lib.cp_coupling_check(self.settings, state, self.why)
        ):
            ctypes.memmove(state, before, len(before))
            done = False
        self._check(done)

    def get(self, variable: Variable) -> float:
        return self.lib.cp_value(self.handles[variable.name], ctypes.byref(self.state))

    def serialise(self, clock: Clock) -> bytes:
        data = ctypes.create_string_buffer(32 + 16 + ctypes.sizeof(self.state))
        self.lib.cp_coupling_serialise(self.settings, ctypes.byref(self.state), HostClock(*clock), data)
        return data.raw

    def restore(self, data: bytes) -> Clock:
        clock = HostClock()
        state, place = ctypes.byref(self.state), ctypes.byref(clock)
        self._check(self.lib.cp_coupling_restore(self.settings, state, place, data, len(data), self.why))
        return Clock(clock.start, clock.running, clock.stale)

    def _check(self, done: bool) -> None:
        if not done:
            raise Refused(self.why.value.decode())


def differences(record: bytes, other: bytes) -> str:
    """Return in words where two states differ, given as bytes."""
    every = RECORD, RECORD_FOLLOWING, RECORD_PERIODIC, RECORD_BONDED, RECORD_PLANTED, RECORD_WITH_NEURAL
    kinds = {ctypes.sizeof(kind): kind for kind in every}
    kind = kinds[len(record)]
    ours, theirs = fields_of(kind.from_buffer_copy(record)), fields_of(kind.from_buffer_copy(other))
    found = [f"{name}: {a!r} / {theirs[name]!r}" for name, a in ours.items() if repr(a) != repr(theirs[name])]
    return "; ".join(found[:12]) or _first_bits(record, other)


def _first_bits(record: bytes, other: bytes) -> str:
    """Return where two states differ that read the same: NaN with other bits."""
    at = next((i for i, (a, b) in enumerate(zip(record, other, strict=True)) if a != b), 0)
    word = slice(at // 8 * 8, at // 8 * 8 + 8)
    return f"byte {at}: {record[word].hex()} / {other[word].hex()}"
