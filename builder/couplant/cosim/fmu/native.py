"""FMUs and their variables as the C library of runs takes them: the structures of fmu_src/engine/engine.h."""

import ctypes
import math
from collections.abc import Sequence
from ctypes import POINTER, Array, Structure, c_double, c_int32, c_size_t, c_ubyte, c_uint32, c_void_p, cast
from typing import Any

from couplant.base.isolation import mark_address, mark_text
from couplant.cosim.fmu.access import Group
from couplant.cosim.fmu.fmu3 import Fmu3Component
from couplant.cosim.fmu.instance import FmuComponent

_MODES = "EnterEventMode", "UpdateDiscreteStates", "EnterStepMode"

_TYPES = {
    "c_double": 0,
    "c_float": 1,
    **{f"c_{sign}int{bits}": 2 + 2 * i + (sign == "u") for i, bits in enumerate((8, 16, 32, 64)) for sign in ("", "u")},
    "c_bool": 10,
}


def fields(*kinds: tuple[str, Any]) -> list[tuple[str, Any]]:
    """Return members of a structure, told as words with the type that they have in common."""
    return [(name, kind) for names, kind in kinds for name in names.split()]


class NativeFmu(Structure):
    """`engine_fmu`: an instance that has left its initialisation."""

    _fields_ = fields(
        ("instance", c_void_p), ("function", c_void_p * 6), ("text", POINTER(c_ubyte) * 6),
        ("mark state", c_void_p), ("next_event kept_next_event", c_double),
        ("version restorable has_events in_event event_waits kept_in_event kept_event_waits", c_int32),
    )


class NativeGroup(Structure):
    """`engine_group`: variables of one type."""

    _fields_ = fields(
        ("function", c_void_p), ("text", POINTER(c_ubyte)), ("references", POINTER(c_uint32)),
        ("buffer", c_void_p), ("values", POINTER(c_double)), ("places", POINTER(c_int32)), ("n", c_size_t),
        ("type counted", c_int32),
    )


class Instance:
    """An FMU that has left its initialisation and what the C library is told of it, alive together."""

    def __init__(self, component: FmuComponent) -> None:
        self.component = component
        self._kept: list[Any] = []
        events = isinstance(component, Fmu3Component) and component.has_events
        state = component.STATE
        self.functions = ("DoStep", f"Get{state}", f"Set{state}", *_MODES)
        needed = [True, component.restorable, component.restorable, events, events, events]
        names = [name if used else "" for name, used in zip(self.functions, needed, strict=True)]
        self.native = NativeFmu(
            instance=component.address,
            function=(c_void_p * 6)(*(component.address_of(name) if name else None for name in names)),
            text=(POINTER(c_ubyte) * 6)(*(cast(self._text(name), POINTER(c_ubyte)) for name in self.functions)),
            mark=mark_address(), next_event=math.inf, version=3 if component.PREFIX == "fmi3" else 2,
            restorable=component.restorable, has_events=events, in_event=events,
        )

    def group(self, found: Group, values: Array[c_double], places: Sequence[int]) -> NativeGroup:
        """Return a group whose values have `places` in an array `values`."""
        chosen = (c_int32 * len(places))(*places)
        self._kept += [found, chosen]
        return NativeGroup(
            function=self.component.address_of(found.function), text=self._text(found.function),
            references=found.references, buffer=ctypes.addressof(found.values), values=values, places=chosen,
            n=len(places), type=type_of(found.access.c_type), counted=self.component.COUNTS_VALUES,
        )

    def _text(self, function: str) -> Array[c_ubyte]:
        owner, name = self.component.marks(function)
        text = mark_text(owner, name)
        self._kept.append((c_ubyte * len(text)).from_buffer_copy(text))
        found: Array[c_ubyte] = self._kept[-1]
        return found


def type_of(c_type: Any) -> int:
    """Return the `engine_type` of a `c_type` of ctypes: its own names differ between platforms."""
    same = (name for name in _TYPES if getattr(ctypes, name) is c_type)
    return _TYPES[next(same)]
