"""FMPy's instances, whose functions are declared once for each version of the standard and not for each instance."""

from __future__ import annotations

from typing import Any, ClassVar

from fmpy import fmi2, fmi3


class _Declared:
    """Keeps the declarations of functions, which FMPy reads from its signatures, by class."""

    _declared: ClassVar[dict[type, list[tuple[str, Any, Any, Any]]]] = {}

    def _loadFunctions(self) -> None:
        fmu: Any = self
        known = self._declared.get(type(self))
        if known is None:
            super()._loadFunctions()  # type: ignore[misc]
            functions = getattr(fmu, "_functions", {})
            self._declared[type(self)] = [(n, f.argnames, f.argtypes, f.restype) for n, f in functions.items()]
            return
        for name, argnames, argtypes, restype in known:
            function = getattr(fmu.dll, name)
            function.argnames, function.argtypes, function.restype = argnames, argtypes, restype
            fmu._functions[name] = function


class FMU2Instance(_Declared, fmi2.FMU2Slave):  # type: ignore[misc]
    """An FMU of FMI 2.0 for co-simulation; FMPy goes by the beginning of its name."""


class FMU3Instance(_Declared, fmi3.FMU3Slave):  # type: ignore[misc]
    """An FMU of FMI 3.0 for co-simulation."""
