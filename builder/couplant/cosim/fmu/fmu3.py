"""FMUs of FMI 3.0 as components, through FMPy's low-level functions; with Event Mode where the FMU has it.

The master sets inputs at communication points. For an FMU with Event Mode this is an event: the instance enters Event
Mode before the first input is set, outputs read after it are those of the event, and it leaves Event Mode, discrete
states updated, when the next step begins. Outputs read before it are those at the end of the last step.
"""

import ctypes
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from fmpy import fmi3
from fmpy.fmi1 import FMICallException

from couplant.cosim.fmu.access import Access, Declared
from couplant.cosim.fmu.component import Writer
from couplant.cosim.fmu.instance import FmuComponent, keep_message
from couplant_runtime.grid import same_time

_MOST_UPDATES = 100
_WHOLE = {f"{sign}Int{bits}": f"c_{sign.lower()}int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)}


class _Mode(NamedTuple):
    """Where an instance stands between steps."""

    in_event: bool = False
    event_waits: bool = False
    next_event: float = math.inf  # time [s]


class FMU3Instance(Declared, fmi3.FMU3Slave):  # type: ignore[misc]
    """An FMU of FMI 3.0 for co-simulation; FMPy goes by the beginning of its name."""


class Fmu3Component(FmuComponent):
    """One instance of an FMU of FMI 3.0."""

    PREFIX = "fmi3"
    TYPES = {  # noqa: RUF012
        "Float64": Access("Float64", ctypes.c_double, "real"),
        "Float32": Access("Float32", ctypes.c_float, "real"),
        "Boolean": Access("Boolean", ctypes.c_bool, "boolean"),
        "Enumeration": Access("Int64", ctypes.c_int64, "enumeration"),
        **{name: Access(name, getattr(ctypes, c_type), "integer") for name, c_type in _WHOLE.items()},
    }
    STATE = "FMUState"
    COUNTS_VALUES = True

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._has_events = bool(self._description.coSimulation.hasEventMode)
        self._mode = self._kept_mode = _Mode()
        self._event, self._over, self._early = (ctypes.c_bool() for _ in range(3))
        self._reached = ctypes.c_double()

    @property
    def has_events(self) -> bool:
        """True if Event Mode is used."""
        return self._has_events

    def begin(self) -> None:
        """Leave initialisation, for Event Mode where the FMU has it."""
        super().begin()
        self._mode = _Mode(in_event=self._has_events)

    def writer(self, names: Sequence[str]) -> Writer:
        """Return a function that sets the variables, in Event Mode where the FMU has it."""
        write = super().writer(names)

        def set_in_event_mode(values: Sequence[float]) -> None:
            self._enter_event_mode()
            write(values)

        return set_in_event_mode if self._has_events else write

    def step(self, t: float, h: float) -> None:
        """Go from time t to t + h [s], with a stop at every event on the way.

        Raises CouplantError if the FMU refuses or ends the run.
        """
        end, reached = t + h, self._advance(t, h)
        while end - reached > same_time(end, h):
            reached = self._advance(reached, end - reached)

    def save(self) -> None:
        """Keep the present state in place of the one kept before."""
        super().save()
        self._kept_mode = self._mode

    def restore(self) -> None:
        """Go back to the state kept last."""
        super().restore()
        self._mode = self._kept_mode

    def _instantiate(self) -> FMU3Instance:
        fmu = FMU3Instance(**self._library())
        events = bool(self._description.coSimulation.hasEventMode)
        fmu.instantiate(eventModeUsed=events, earlyReturnAllowed=events, logMessage=self._message)
        return fmu

    def _message(self, _: Any, status: int, category: bytes | None, message: bytes | None) -> None:
        keep_message(self.name, status, message)

    def _initialise(self, t_0: float) -> None:
        self._call("EnterInitializationMode", False, 0.0, t_0, False, 0.0)

    def _enter_event_mode(self) -> None:
        if self._running and not self._mode.in_event:
            self._call("EnterEventMode")
            self._mode = self._mode._replace(in_event=True, event_waits=False)

    def _update_discrete_states(self, t: float) -> float:
        """Iterate until the discrete states stay; return the time of the next event [s]."""
        update = self._note_call(self._loaded.updateDiscreteStates, "UpdateDiscreteStates")
        for _ in range(_MOST_UPDATES):
            try:
                again, over, _, _, announced, next_event = update()
            except FMICallException:
                raise self.event_refusal(t) from None
            if over:
                raise self.ending(t)
            if not again:
                return next_event if announced else math.inf
        raise self.endless_event(t)

    def _advance(self, t: float, h: float) -> float:
        """Step to t + h or the next event, whichever is first; return the time that is reached [s]."""
        if self._mode.event_waits:
            self._enter_event_mode()
        if self._mode.in_event:
            next_event = self._update_discrete_states(t)
            self._call("EnterStepMode")
            self._mode = _Mode(next_event=next_event)
        left, same = self._mode.next_event - t, same_time(t + h, h)
        h = left if same < left < h - same else h
        answers = [ctypes.byref(answer) for answer in (self._event, self._over, self._early, self._reached)]
        try:
            self._stepping(t, h, not self.restorable, *answers)
        except FMICallException as error:
            raise self.refusal(t, h, error.status) from None
        reached = self._reached.value if self._early.value else t + h
        waits = self._has_events and (self._event.value or reached >= self._mode.next_event - same)
        self._mode = self._mode._replace(event_waits=waits)
        if self._over.value:
            raise self.ending(reached)
        if not reached > t:
            raise self.standstill(t)
        return reached
