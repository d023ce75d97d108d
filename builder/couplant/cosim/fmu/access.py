"""Functions of FMUs through FMPy: declared once, and variables of one type read and set by one call."""

from collections.abc import Sequence
from ctypes import c_uint
from typing import Any, ClassVar, NamedTuple

from fmpy.fmi1 import FMICallException

from couplant.base.errors import CouplantError


class Access(NamedTuple):
    """How variables of one type are read and set."""

    function: str  # end of the name of the functions: fmiXGetREAL
    c_type: Any
    kind: str  # kind of the port


class Group:
    """Variables of one type of one FMU, in arrays that are allocated once."""

    def __init__(self, component: Any, verb: str, kind: str, names: list[str]) -> None:
        self.access, size = component.TYPES[kind], len(names)
        self.names, self.function = names, f"{verb}{self.access.function}"
        self.values = (self.access.c_type * size)()
        self.references = (c_uint * size)(*map(component.reference_of, names))
        self._is_real = self.access.kind == "real"
        self._arguments = (self.references, size, self.values, size)[: 4 if component.COUNTS_VALUES else 3]
        self._call = component.function(self.function)
        self._owner = component.name

    def get(self) -> list[float]:
        """Return the values. Raises CouplantError if the FMU does not give them."""
        try:
            self._call(*self._arguments)
        except FMICallException:
            raise self.reading_error() from None
        values: list[float] = self.values[:]
        return values

    def set(self, values: Sequence[float]) -> None:
        """Set the `values`. Raises CouplantError if the FMU refuses them."""
        self.values[:] = values if self._is_real else [int(value) for value in values]
        try:
            self._call(*self._arguments)
        except FMICallException:
            raise self.setting_error(values) from None

    def reading_error(self) -> CouplantError:
        """Return the error of values that cannot be read."""
        return CouplantError(f"{self._owner} does not give {', '.join(self.names)}.")

    def setting_error(self, values: Sequence[float]) -> CouplantError:
        """Return the error of `values` that are refused."""
        return CouplantError(f"{self._owner} refuses {', '.join(self.names)} = {list(values)}.")


class Declared:
    """Keeps the declarations of functions, which FMPy reads from its signatures, by class."""

    _declared: ClassVar[dict[type, list[tuple[str, Any, Any, Any]]]] = {}

    def _loadFunctions(self) -> None:
        fmu: Any = self
        known = self._declared.get(type(self))
        if not known:  # the first of its class; always where another FMPy keeps them elsewhere
            super()._loadFunctions()  # type: ignore[misc]
            functions = getattr(fmu, "_functions", {})
            self._declared[type(self)] = [(n, f.argnames, f.argtypes, f.restype) for n, f in functions.items()]
            return
        for name, argnames, argtypes, restype in known:
            function = getattr(fmu.dll, name)
            function.argnames, function.argtypes, function.restype = argnames, argtypes, restype
            fmu._functions[name] = function
