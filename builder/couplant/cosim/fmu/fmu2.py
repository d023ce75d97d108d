"""FMUs of FMI 2.0 as components, through FMPy's low-level functions."""

import ctypes
import logging
from typing import Any

from fmpy import fmi2
from fmpy.fmi1 import FMICallException

from couplant.base.errors import CouplantError
from couplant.cosim.fmu.access import Access, Declared
from couplant.cosim.fmu.instance import FmuComponent, keep_message

_log = logging.getLogger(__name__)


class FMU2Instance(Declared, fmi2.FMU2Slave):  # type: ignore[misc]
    """An FMU of FMI 2.0 for co-simulation; FMPy goes by the beginning of its name."""


class Fmu2Component(FmuComponent):
    """One instance of an FMU of FMI 2.0."""

    PREFIX = "fmi2"
    TYPES = {  # noqa: RUF012
        "Real": Access("Real", ctypes.c_double, "real"),
        "Integer": Access("Integer", ctypes.c_int, "integer"),
        "Enumeration": Access("Integer", ctypes.c_int, "enumeration"),
        "Boolean": Access("Boolean", ctypes.c_int, "boolean"),
    }
    STATE = "FMUstate"
    COUNTS_VALUES = False

    def step(self, t: float, h: float) -> None:
        """Go from time t to t + h [s]. Raises CouplantError if the FMU refuses or ends the run."""
        try:
            self._stepping(t, h, not self.restorable)
        except FMICallException as error:
            raise self.refusal(t, h, error.status) from None

    def refusal(self, t: float, h: float, status: int) -> CouplantError:
        """Return the error of a step from `t` by `h` [s] that is refused with a `status`, or that ends the run."""
        return self.ending(t) if self._terminated(status) else super().refusal(t, h, status)

    def _instantiate(self) -> FMU2Instance:
        fmu = FMU2Instance(**self._library())
        # callbacks that log instead of printing; made once, because FMUs keep pointers to them
        global _shared
        if _shared is None:
            _shared = fmi2.fmi2CallbackFunctions()
            _shared.logger = fmi2.fmi2CallbackLoggerTYPE(_message)
            _shared.allocateMemory = fmi2.defaultCallbacks.allocateMemory
            _shared.freeMemory = fmi2.defaultCallbacks.freeMemory
            # let FMPy's proxy fill in the printf arguments that ctypes cannot take
            try:
                from fmpy.logging import addLoggerProxy
            except (ImportError, OSError):
                _log.debug("FMPy has no logger proxy on this platform")
            else:
                addLoggerProxy(ctypes.byref(_shared))
        # loaders of Python pass nothing on without being asked
        fmu.instantiate(callbacks=_shared, loggingOn=bool(self._description.coSimulation.needsExecutionTool))
        return fmu

    def _initialise(self, t_0: float) -> None:
        self._call("SetupExperiment", 0, 0.0, t_0, 0, 0.0)
        self._call("EnterInitializationMode")

    def _terminated(self, status: int) -> bool:
        if status != fmi2.fmi2Discard:
            return False
        try:
            return bool(self._note_call(self._loaded.getBooleanStatus, "GetBooleanStatus")(fmi2.fmi2Terminated))
        except FMICallException:
            return False


def _message(_: Any, instance: bytes | None, status: int, category: bytes | None, message: bytes | None) -> None:
    keep_message((instance or b"").decode("utf-8", "replace"), status, message)


_shared: fmi2.fmi2CallbackFunctions | None = None
