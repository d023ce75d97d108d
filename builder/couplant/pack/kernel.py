"""The kernel of coupling FMUs in this process: many communication steps in one call.

The C library that FMUs are made of runs it where the package carries it or a compiler is there, else the Python
runtime, with the same bits and some hundred times slower.
"""

from collections.abc import Mapping, Sequence
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.binaries.compile import at_hand, load_library
from couplant.pack.binaries.platforms import host
from couplant.pack.binaries.python import put_inputs, run_rows
from couplant.pack.binaries.sources import kernel_unit
from couplant.pack.reference import Row
from couplant_runtime import step as runtime
from couplant_runtime.config import Settings
from couplant_runtime.errors import ParameterRefused, StepRefused

_TOKEN, _FINGERPRINT = "kernel", "0" * 16
_ENDED = _REFUSED = 2  # status of FMI of a step that ends the run, and from which on nothing was done


class _Columns(Structure):
    """Variables of a run: `couplant_columns` of fmu_src/flat/flat.c."""

    _fields_ = (("references", POINTER(c_uint32)), ("n", c_size_t), ("values", POINTER(c_double)))


@cache
def has_library() -> bool:
    """Return whether the C library is there, looked for once; without it `Kernel` takes the Python runtime."""
    return at_hand(kernel_unit(), host())


@dataclass(frozen=True, eq=False)
class Kernel:
    """A coupling kernel with its settings."""

    settings: Settings

    @cached_property
    def _text(self) -> bytes:
        # of many numbers, and the same for every run
        return SettingsFile(_TOKEN, _FINGERPRINT, self.settings.lists()).text().encode()

    def run(self, inputs: Mapping[str, Vector], times: Vector, step_size: float, outputs: Sequence[str]) -> Matrix:
        """Run over communication points and return the `outputs` that are named, a row for each step.

        The values of `inputs`, by name, and the `times` [s] of the points have the shape (N,), the communication step
        is `step_size` [s]; there are fewer than N rows where the run ended itself. In event timing outputs are read at
        the point, once the inputs are set, in step timing at the end of the step. Raise `UsageError` if the settings,
        an input or a step are refused.
        """
        if step_size == 0.0:  # to hosts it is no step, here it is no run
            raise UsageError("step size = 0.0 s, allowed above 0")
        if not has_library():
            values = zip(*(column.tolist() for column in inputs.values()), strict=True)
            named = [dict(zip(inputs, row, strict=True)) for row in values]
            rows = [Row(t, step_size, row) for t, row in zip(times.tolist(), named, strict=True)]
            state = runtime.reset(self.settings)
            try:
                put_inputs(state, {one.name: one for one in self.settings.variables()}, rows[0].inputs)
                runtime.init(self.settings, state, rows[0].time)
                found = list(run_rows(self.settings, state, rows, outputs))
            except (ParameterRefused, StepRefused) as error:
                raise UsageError(str(error)) from None
            return np.array(found, dtype=float).reshape(len(found), len(outputs))
        with _Instance(self._text, self.settings.event) as instance:
            return instance.run(inputs, times, step_size, outputs)


class _Instance:
    """An instance in the C library, as a context manager that frees it."""

    def __init__(self, text: bytes, event: bool) -> None:
        self._library, self._before = _library(), event
        self._library.couplant_log()  # what earlier instances have said
        self._self = self._library.couplant_open(_TOKEN.encode(), text)
        if not self._self:
            raise UsageError(self._last_sentence())

    def __enter__(self) -> "_Instance":
        return self

    def __exit__(self, *_: object) -> None:
        self._library.fmi3FreeInstance(self._self)

    def run(self, inputs: Mapping[str, Vector], times: Vector, step_size: float, outputs: Sequence[str]) -> Matrix:
        """Start at the first of the `times` and run, as `Kernel.run` says."""
        start, n = float(times[0]), len(times)
        given = np.ascontiguousarray(np.column_stack([*inputs.values()]), dtype=float)
        found = np.empty((n, len(outputs)))
        moments = np.ascontiguousarray(times, dtype=float)
        columns = self._columns(list(inputs), given), self._columns(outputs, found)
        self._check(self._library.couplant_write(self._self, columns[0].references, columns[0].n, columns[0].values))
        self._check(self._library.fmi3EnterInitializationMode(self._self, False, 0.0, start, False, 0.0))
        self._check(self._library.fmi3ExitInitializationMode(self._self))
        done, at = c_size_t(), moments.ctypes.data_as(POINTER(c_double))
        status = self._library.couplant_run(self._self, at, step_size, n, *columns, self._before, byref(done))
        if status != _ENDED:
            self._check(status)
        return found[: done.value]

    def _check(self, status: int) -> None:
        if status >= _REFUSED:
            raise UsageError(self._last_sentence())

    def _columns(self, names: Sequence[str], values: Matrix) -> _Columns:
        references = [self._library.couplant_reference(self._self, name.encode()) for name in names]
        if 0 in references:
            raise KeyError(names[references.index(0)])
        return _Columns((c_uint32 * len(names))(*references), len(names), values.ctypes.data_as(POINTER(c_double)))

    def _last_sentence(self) -> str:
        """Return the last sentence of the log, without its category."""
        lines = self._library.couplant_log().decode(errors="replace").splitlines()
        return lines[-1].partition(": ")[2] if lines else ""


@cache
def _library() -> Any:
    """Return the C library, unpacked once beside what compilers made."""
    library = load_library(kernel_unit(), host())
    numbers = [c_void_p, POINTER(c_uint32), c_size_t, POINTER(c_double)]
    kinds: dict[str, tuple[Any, list[Any]]] = {
        "couplant_open": (c_void_p, [c_char_p, c_char_p]),
        "couplant_reference": (c_uint32, [c_void_p, c_char_p]),
        "couplant_write": (c_int, numbers),
        "couplant_run": (
            c_int,
            [c_void_p, POINTER(c_double), c_double, c_size_t, *[POINTER(_Columns)] * 2, c_int, POINTER(c_size_t)],
        ),
        "couplant_log": (c_char_p, []),
        "fmi3EnterInitializationMode": (c_int, [c_void_p, c_bool, c_double, c_double, c_bool, c_double]),
        "fmi3ExitInitializationMode": (c_int, [c_void_p]),
        "fmi3FreeInstance": (None, [c_void_p]),
    }
    for name, (result, arguments) in kinds.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
