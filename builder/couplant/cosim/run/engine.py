"""Runs in C: what an exchange does between two macro points, without Python where components are FMUs.

Recordings and clocks are followed there too; other components of this process are called back. `library` has the C
library where the package carries it or a compiler is there; without it the same actions run in Python, with the same
figures.
"""

import ctypes
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_double, c_int32, c_size_t, c_void_p, sizeof
from functools import cache
from typing import Any

import numpy as np

from couplant.base.errors import CouplantError
from couplant.base.isolation import marked_call
from couplant.cosim.fmu.component import Component, Timed
from couplant.cosim.fmu.instance import FmuComponent
from couplant.cosim.fmu.native import Instance, NativeFmu, NativeGroup, fields
from couplant.cosim.run.exchange import Action, EarlyStep, Read, Show, Step, Values
from couplant.pack.binaries.compile import at_hand, engine_unit, load_library
from couplant.pack.binaries.platforms import host

_log = logging.getLogger(__name__)

_READ, _WRITE, _STEP, _EARLY, _COPY, _SAVE, _RESTORE, _CALLED, _CHANNELS, _TIME = range(10)
_NOT_GIVEN, _NOT_TAKEN, _REFUSED, _ENDED, _STAYS, _EVENT_REFUSED, _EVENT_LASTS, _ANSWERED, _CALL_FAILED = range(1, 10)
_AT_TIME = {_ENDED: "ending", _STAYS: "standstill", _EVENT_REFUSED: "event_refusal", _EVENT_LASTS: "endless_event"}
_Call = CFUNCTYPE(c_int32, c_double, c_double)


class NativeChannel(Structure):
    """`engine_channel`: samples of a recording."""

    _fields_ = fields(("time value", c_void_p), ("n", c_size_t))


class NativeAction(Structure):
    """`engine_action`: an action at a time before a step."""

    _fields_ = fields(
        ("fmu", POINTER(NativeFmu)), ("groups", POINTER(NativeGroup)), ("n_groups", c_size_t), ("call", _Call),
        ("channels", POINTER(NativeChannel)), ("from_ to", POINTER(c_double)),
        ("places slopes", POINTER(c_int32)), ("n", c_size_t), ("part", c_double), ("kind lasting", c_int32),
    )


class NativePlan(Structure):
    """`engine_plan`: actions one after the other."""

    _fields_ = fields(("actions", POINTER(NativeAction)), ("n", c_size_t))


class NativeFailure(Structure):
    """`engine_failure`: which action failed, and how."""

    _fields_ = fields(("action", c_void_p), ("t h", c_double), ("reason status function group", c_int32))


@cache
def library() -> Any:
    """Return the C library, loaded once; None where there is none, which is logged."""
    try:
        if at_hand(engine_unit(), host()):
            return load_library(engine_unit(), host())
    except (CouplantError, OSError) as error:
        _log.debug("%s", error)
    _log.warning("There is no C library of runs for this machine: Python steps them, slower and to the same figures.")
    return None


def is_native(components: Iterable[Component]) -> bool:
    """Tell whether the C library has work: one of the `components` is an FMU, and the library is there."""
    return any(isinstance(one, FmuComponent) for one in components) and library() is not None


def integers(numbers: Sequence[int]) -> ctypes.Array[c_int32]:
    """Return whole `numbers` as an array in C."""
    return (c_int32 * len(numbers))(*numbers)


class Engine:
    """Gives actions over to the C library, and raises what fails there.

    Everything that it has given over lives as long as it does.
    """

    def __init__(self) -> None:
        self._instances: dict[int, Instance] = {}
        self._kept: list[Any] = []
        self._actions: dict[int, tuple[Any, list[Any]]] = {}  # by address: an action, and its groups
        self._raised: BaseException | None = None

    def plan(self, actions: Sequence[Action]) -> NativePlan:
        """Return `actions` as a plan."""
        return self._plan([self._translate(action) for action in actions])

    def states(self, components: Sequence[Component], restore: bool) -> NativePlan:
        """Return a plan that keeps the states of `components`, or goes back to them (`restore`)."""
        return self._plan([self._state(component, restore) for component in components])

    def logs(self, readers: Sequence[tuple[Component, Sequence[str]]], values: Values) -> NativePlan:
        """Return a plan that reads variables of components into `values`, one after the other."""
        plan, place = [], 0
        for component, names in readers:
            plan.append(self._translate(Read(component, names, values, range(place, place + len(names)))))
            place += len(names)
        return self._plan(plan)

    def call(self, function: str, run: Any, *arguments: Any) -> None:
        """Call a `function` of the library with a `run`, a structure with a failure, and `arguments` of C.

        Raises CouplantError, which says which component refused or ended the run.
        """
        try:
            failed = getattr(library(), function)(byref(run), *arguments)
        except OSError as error:  # what ctypes makes of a crash on Windows
            raise CouplantError(f"{marked_call()}: {error}.") from None
        if failed:
            raise self._error(run.failure)

    def _plan(self, translated: Sequence[tuple[NativeAction, Any, list[Any]]]) -> NativePlan:
        made = (NativeAction * len(translated))(*(native for native, *_ in translated))
        for i, (_, action, groups) in enumerate(translated):
            self._actions[ctypes.addressof(made) + i * sizeof(NativeAction)] = action, groups
        self._kept.append(made)
        return NativePlan(made, len(made))

    def _instance(self, component: Any) -> Instance | None:
        if not isinstance(component, FmuComponent):
            return None
        if id(component) not in self._instances:
            self._instances[id(component)] = Instance(component)
        return self._instances[id(component)]

    def _translate(self, action: Any) -> tuple[NativeAction, Any, list[Any]]:
        if isinstance(action, Show):
            return self._copy(action.values, action.shown, action.slots), action, []
        if isinstance(action, (Read, Step)) and isinstance(action.component, Timed):
            return self._follow_time(action, action.component), action, []
        instance = self._instance(getattr(action, "component", None))
        if instance is None:
            return self._callback(action), action, []
        if isinstance(action, Step):
            return NativeAction(kind=_STEP, fmu=self._pointer(instance), lasting=action.turns), action, []
        if isinstance(action, EarlyStep):
            between = (c_double * len(action.names))()
            places = {name: i for i, name in enumerate(action.names)}
            native, groups = self._groups(instance, "Get", action.names, between, places)
            before, slopes = integers(action.before), integers(action.slopes)
            self._kept += [between, before, slopes]
            made = NativeAction(kind=_EARLY, fmu=self._pointer(instance), groups=native, n_groups=len(groups))
            made.from_, made.to, made.places, made.slopes = between, action.values, before, slopes
            made.n, made.part = len(slopes), action.part
            return made, action, groups
        verb, kind = ("Get", _READ) if isinstance(action, Read) else ("Set", _WRITE)
        places = dict(zip(action.names, action.slots, strict=True))
        native, groups = self._groups(instance, verb, action.names, action.values, places)
        made = NativeAction(kind=kind, fmu=self._pointer(instance), groups=native, n_groups=len(groups))
        return made, action, groups

    def _groups(
        self, instance: Instance, verb: str, names: Sequence[str], values: Any, places: Mapping[str, int]
    ) -> tuple[Any, list[Any]]:
        groups = instance.component.groups(verb, names)
        native = [instance.group(group, values, [places[name] for name in group.names]) for group in groups]
        self._kept.append((NativeGroup * len(native))(*native))
        return self._kept[-1], groups

    def _copy(self, values: Any, to: Any, slots: Sequence[int]) -> NativeAction:
        places = integers(slots)
        self._kept.append(places)
        return NativeAction(kind=_COPY, from_=values, to=to, places=places, n=len(places))

    def _follow_time(self, action: Read | Step, component: Timed) -> NativeAction:
        if isinstance(action, Step):
            return NativeAction(kind=_TIME, to=component.now, part=component.since, lasting=action.turns)
        columns = [component.columns.get(name, ((), ())) for name in action.names]
        samples = [[np.ascontiguousarray(one, dtype=float) for one in column] for column in columns]
        rows = [NativeChannel(time.ctypes.data, value.ctypes.data, time.size) for time, value in samples]
        channels, places = (NativeChannel * len(rows))(*rows), integers(action.slots)
        self._kept += [samples, channels, places]
        data = {"channels": channels, "from_": component.now, "to": action.values, "places": places}
        return NativeAction(kind=_CHANNELS, n=len(rows), **data)

    def _state(self, component: Component, restore: bool) -> tuple[NativeAction, Any, list[Any]]:
        if isinstance(component, Timed):
            memory = (component.kept, component.now) if restore else (component.now, component.kept)
            return self._copy(*memory, [0]), component, []
        instance = self._instance(component)
        if instance is None:
            work = component.restore if restore else component.save
            return self._callback(lambda t, h: work()), component, []
        return NativeAction(kind=_RESTORE if restore else _SAVE, fmu=self._pointer(instance)), component, []

    def _callback(self, action: Callable[[float, float], None]) -> NativeAction:
        """Return an action that is called back; what it raises ends the run and is raised behind it."""

        def call(t: float, h: float) -> int:
            try:
                action(t, h)
            except BaseException as error:  # ctypes would print it and go on
                self._raised = error
                return 1
            return 0

        return NativeAction(kind=_CALLED, call=_Call(call))

    @staticmethod
    def _pointer(instance: Instance) -> Any:
        return ctypes.pointer(instance.native)

    def _error(self, failure: NativeFailure) -> BaseException:
        if failure.reason == _CALL_FAILED and self._raised is not None:
            return self._raised
        action, groups = self._actions[failure.action]
        component: Any = getattr(action, "component", action)
        if failure.reason == _NOT_GIVEN:
            error: CouplantError = groups[failure.group].reading_error()
        elif failure.reason == _NOT_TAKEN:
            group = groups[failure.group]
            values = dict(zip(action.names, (action.values[slot] for slot in action.slots), strict=True))
            error = group.setting_error([values[name] for name in group.names])
        elif failure.reason == _REFUSED:
            error = component.refusal(failure.t, failure.h, failure.status)
        elif failure.reason == _ANSWERED:
            error = component.bad_answer(self._instances[id(component)].functions[failure.function], failure.status)
        else:
            error = getattr(component, _AT_TIME[failure.reason])(failure.t)
        return error


def in_parts(count: int) -> Iterator[tuple[int, int]]:
    """Yield first and end of parts of `count` steps, a hundred at most: between them Python hears Ctrl-C."""
    part = max(1, -(-count // 100))
    for first in range(0, count, part):
        yield first, min(first + part, count)
