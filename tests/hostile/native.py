"""Hostile scenes through the C kernel."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from couplant.pack.settings import runtime_settings
from couplant_runtime.config import Settings
from couplant_runtime.guard import NO_STAMP
from tests.hostile.days import JUDGED, Day, floor
from tests.hostile.scenes import BURST, COUNT, STEP, Scene
from tests.kernel.library import FLAGS, Numbers, compiled
from tests.runtime.runs import interface

NUMBER = ctypes.POINTER(ctypes.c_double)
WHOLE = ctypes.POINTER(ctypes.c_int32)


class Messages(ctypes.Structure):
    _fields_ = [
        ("y", NUMBER),
        ("stamp", NUMBER),
        ("valid", WHOLE),
        ("earlier", NUMBER),
        ("earlier_stamp", NUMBER),
        ("earlier_valid", WHOLE),
    ]


class Receiver(ctypes.Structure):
    _fields_ = [
        ("lag", ctypes.c_double),
        ("flow", NUMBER),
        ("effort", NUMBER),
        ("newest", WHOLE),
        ("given", NUMBER),
        ("passed", NUMBER),
    ]


class Answers(ctypes.Structure):
    _fields_ = [("estimate", NUMBER), ("inside", NUMBER), ("flagged", WHOLE), ("limited", WHOLE)]


@dataclass(frozen=True, eq=False)
class Result:
    """How a scene went.

    Attributes
    ----------
    rms : float
        Of the error at communication points, from the first message on, signal unit.
    outside : float
        Furthest estimate outside the values that the signal ever has, in ranges of the signal.
    flags : int
        Jumps detected.
    """

    rms: float
    outside: float
    flags: int


@lru_cache
def library() -> ctypes.CDLL:
    """Return kernel and loop, compiled."""
    lib = ctypes.CDLL(str(compiled(Path(__file__).with_name("hostile.c"), "hostile.so", [*FLAGS, "-shared", "-fPIC"])))
    pointer = ctypes.c_void_p
    lib.cp_coupling_settle.restype = ctypes.c_bool
    lib.cp_coupling_settle.argtypes = [pointer, pointer, ctypes.c_size_t, ctypes.c_uint64, pointer]
    lib.cp_hostile_settings_size.restype = lib.cp_hostile_state_size.restype = ctypes.c_size_t
    lib.cp_hostile_run.restype = ctypes.c_int64
    lib.cp_hostile_run.argtypes = [pointer, pointer, ctypes.c_int64, ctypes.c_int64, pointer, pointer, pointer]
    return lib


@lru_cache
def _settled(algorithm: str, k: int, timing: str, stamps: bool, values: int, more: tuple):
    lib, settings = library(), _settings(algorithm, k, timing, stamps, values, more)
    place = ctypes.create_string_buffer(lib.cp_hostile_settings_size())
    lists = settings.lists()
    arrays = [(ctypes.c_double * len(values))(*values) for values in lists.values()]
    pairs = zip(lists, arrays, strict=True)
    numbers = (Numbers * len(lists))(*((key.encode(), array, len(array)) for key, array in pairs))
    assert lib.cp_coupling_settle(place, numbers, len(lists), 1, None)
    return place, arrays, ctypes.create_string_buffer(lib.cp_hostile_state_size())


def _settings(algorithm: str, k: int, timing: str, stamps: bool, values: int, more: tuple) -> Settings:
    sections = {name: dict(rest) for name, rest in more}
    latency = ({"mode": "stamps"} if stamps else {}) | sections.pop("latency", {})
    return runtime_settings(
        interface(algorithm, 0 if stamps else k, timing, STEP, latency=latency, burst=values, **sections), "s"
    )


def _messages(scene: Scene):
    new = scene.newest
    valid = (new >= 0).astype(np.int32)
    sent = np.maximum(new, 0)
    y = scene.true[sent]
    stamp = np.where(new >= 0, sent * STEP, NO_STAMP)
    back = sent[:, None] - np.arange(1, BURST + 1)
    there = (valid[:, None] > 0) & (back >= 0) & (np.arange(1, BURST + 1) < scene.values)
    earlier = scene.true[np.maximum(back, 0)]
    return [
        np.ascontiguousarray(one)
        for one in (y, stamp, valid, earlier, np.where(there, back * STEP, NO_STAMP), there.astype(np.int32))
    ]


def _pointers(kind, arrays):
    return kind(*(a.ctypes.data_as(WHOLE if a.dtype == np.int32 else NUMBER) for a in arrays))


def run(scene: Scene, algorithm: str, parts: int = 1, **sections) -> Result:
    """Return how an algorithm estimates a scene, with `parts` communication steps in a macro step."""
    more = tuple((name, tuple(rest.items())) for name, rest in sections.items())
    place, _, state = _settled(algorithm, scene.k, scene.timing, scene.stamps, scene.values, more)
    given = _messages(scene)
    found = [np.zeros(COUNT * parts, kind) for kind in (float, float, np.int32, np.int32)]
    a, b = _pointers(Messages, given), _pointers(Answers, found)
    assert library().cp_hostile_run(place, state, COUNT, parts, ctypes.byref(a), None, ctypes.byref(b)) == COUNT
    first, late = _first(scene) * parts, _late(scene)
    error = found[0][first : COUNT * parts - late] - _true(scene, parts)[first + late :]
    low, high = scene.true.min(), scene.true.max()
    shown = np.concatenate([found[0][first:], found[1][first:]])
    outside = max(shown.max() - high, low - shown.min(), 0.0) / max(high - low, 1e-300)
    return Result(float(np.sqrt(np.mean(error**2))), float(outside), int(found[2].sum()))


def after(day: Day, fresh: bool = False) -> float:
    """Return the rms error in the motion of a day, less its beginning [signal unit].

    A `fresh` FMU gets what arrives from the beginning of the motion on, by a sender whose clock is right then.
    """
    first = day.start if fresh else 0
    count, late = day.true.size - 1 - first, int(day.timing == "step")
    more = tuple((name, tuple(rest.items())) for name, rest in day.sections.items())
    place, _, state = _settled(day.algorithm, day.k, day.timing, day.stamps, 1, more)
    sent = day.sent[first:]
    given = _sent_in(day, sent, first, fresh)
    found = [np.zeros(count + 1, kind) for kind in (float, float, np.int32, np.int32)]
    a, b = _pointers(Messages, given), _pointers(Answers, found)
    to, _kept = _receiver(day, first)
    assert library().cp_hostile_run(place, state, count, 1, ctypes.byref(a), ctypes.byref(to), ctypes.byref(b)) == count
    ahead = late + max(day.lag, 0.0)
    wanted = np.arange(day.start - first + JUDGED, count - math.ceil(ahead))
    true = np.interp(wanted + ahead, np.arange(count + 1), day.true[first:])
    return float(np.sqrt(np.mean((found[0][wanted] - true) ** 2)))


def punished(day: Day) -> float:
    """Return the error after a day over that of a fresh FMU.

    A guard that knows a wider range is wider, a lag that is known is farther ahead: what the fresh one gives without
    the guard counts too, and with the lag as it is.
    """
    free = replace(day, sections={**day.sections, "output": {"guard": 0.0}})
    others = [day, free]
    if day.lag >= 0.0:
        latency = {**day.sections["latency"], "follow": "off", "offset": day.lag * STEP}
        others.append(replace(day, sections={**day.sections, "latency": latency}))
    return after(day) / max(floor(day), *(after(one, True) for one in others))


def _sent_in(day: Day, sent: np.ndarray, first: int, fresh: bool) -> list:
    there = np.maximum(sent, 0)
    since = there - first
    stamp = since * STEP + (day.drift * since * STEP if fresh else day.clock[there])
    valid = (sent >= 0).astype(np.int32)
    return [np.ascontiguousarray(day.true[there]), np.where(sent >= 0, stamp, NO_STAMP), valid]


def _receiver(day: Day, first: int) -> tuple[Receiver, list]:
    """Return who gets the estimate, and what has to be kept for it."""
    if day.flow is None:
        return Receiver(day.lag), []
    newest = np.where(day.sent[first:] >= first, day.sent[first:] - first, -1).astype(np.int32)
    kept = [*(np.ascontiguousarray(one[first:]) for one in (day.flow, day.true)), newest]
    kept += [np.zeros(day.true.size), np.zeros(day.true.size)]
    return Receiver(day.lag, *(a.ctypes.data_as(WHOLE if a.dtype == np.int32 else NUMBER) for a in kept)), kept


def wire(scene: Scene, parts: int = 1) -> float:
    """Return the rms error of what comes out of the network, where and when `run` judges estimates, signal unit."""
    arrived = np.maximum.accumulate(np.where(scene.newest >= 0, np.arange(COUNT), 0))
    first = _first(scene) * parts + _late(scene)
    held = np.repeat(scene.true[np.maximum(scene.newest, 0)][arrived], parts)
    return float(np.sqrt(np.mean((held - _true(scene, parts))[first:] ** 2)))


def _first(scene: Scene) -> int:
    """Return the macro step at which the first message arrives."""
    return int(np.argmax(scene.newest >= 0))


def _late(scene: Scene) -> int:
    """Return how many communication steps before the point that it is for an estimate is made."""
    return int(scene.timing == "step")


def _true(scene: Scene, parts: int) -> np.ndarray:
    return np.interp(np.arange(COUNT * parts) / parts, np.arange(COUNT + 1), scene.true)
