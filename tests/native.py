"""Native FMUs driven through ctypes, function by function, with the status of each call and all that is logged."""

from __future__ import annotations

import ctypes as ct
import zipfile
from pathlib import Path

from fmpy import read_model_description

OK, WARNING, DISCARD, ERROR = range(4)

_LOG2 = ct.CFUNCTYPE(None, ct.c_void_p, ct.c_char_p, ct.c_int, ct.c_char_p, ct.c_char_p, ct.c_char_p)
_LOG3 = ct.CFUNCTYPE(None, ct.c_void_p, ct.c_int, ct.c_char_p, ct.c_char_p)
_FLOATS, _WHOLE = ct.c_double, ct.c_int32


class _Callbacks(ct.Structure):
    _fields_ = [(name, ct.c_void_p) for name in ("logger", "allocate", "release", "finished", "environment")]


class Native:
    """One instance of a native FMU of either version.

    Parameters
    ----------
    path : Path
        The FMU.
    folder : Path
        Where it is unpacked, unless it has been already: a library in use must not be overwritten.
    **more
        `token`, `resources` (False: none), `logging`, `event_mode`, `early` other than the right ones.

    Attributes
    ----------
    messages : list of (int, str, str)
        Status, category and text of everything logged.
    component : int or None
        The instance.
    """

    def __init__(self, path: Path, folder: Path, **more) -> None:
        if not Path(folder).exists():
            with zipfile.ZipFile(path) as archive:
                archive.extractall(folder)
        self.description = read_model_description(str(path))
        self.variables = {variable.name: variable for variable in self.description.modelVariables}
        self.fmi = self.description.fmiVersion[0]
        self.folder = Path(folder)
        self.library = ct.CDLL(str(next(self.folder.glob("binaries/*/*"))))
        self.messages: list[tuple[int, str, str]] = []
        self.component = (self._make2 if self.fmi == "2" else self._make3)(**more)

    def _make2(self, token=None, resources=None, logging=False, logger=True, kind=1):
        self._log = _LOG2(lambda _e, _n, status, category, _f, text: self._note(status, category, text))
        self._callbacks = _Callbacks(ct.cast(self._log, ct.c_void_p) if logger else None)
        resources = (self.folder / "resources").absolute().as_uri() if resources is None else resources
        make = self._function("Instantiate", ct.c_void_p)
        token = self.description.guid if token is None else token
        where = resources.encode() if isinstance(resources, str) else None
        return make(b"a", kind, token.encode(), where, ct.byref(self._callbacks), 0, int(logging))

    def _make3(self, token=None, resources=None, logging=False, event_mode=False, early=False):
        self._log = _LOG3(lambda _e, status, category, text: self._note(status, category, text))
        resources = f"{self.folder / 'resources'}/" if resources is None else resources
        make = self._function("InstantiateCoSimulation", ct.c_void_p)
        token = self.description.instantiationToken if token is None else token
        flags = [ct.c_bool(flag) for flag in (False, logging, event_mode, early)]
        none = ct.c_void_p()
        where = ct.c_char_p(resources.encode() if isinstance(resources, str) else None)
        return make(b"a", token.encode(), where, *flags, none, ct.c_size_t(0), none, self._log, none)

    def _note(self, status, category, text):
        self.messages.append((status, category.decode(), text.decode()))

    def _function(self, name, result=ct.c_int):
        function = getattr(self.library, f"fmi{self.fmi}{name}")
        function.restype = result
        return function

    def call(self, name: str, *arguments) -> int:
        """Call a function of the standard on the instance, `fmi2DoStep` as ``"DoStep"``; return its status."""
        return self._function(name)(ct.c_void_p(self.component), *map(_as_c, arguments))

    def enter(self, start: float = 0.0) -> int:
        """Enter Initialization Mode."""
        if self.fmi == "2":
            assert self.call("SetupExperiment", 0, 0.0, start, 0, 0.0) == OK
            return self.call("EnterInitializationMode")
        return self.call("EnterInitializationMode", False, 0.0, start, False, 0.0)

    def initialise(self, start: float = 0.0, **values) -> Native:
        """Set values and go through Initialization Mode."""
        for name, value in values.items():
            assert self.set(name, value) == OK, self.messages
        assert self.enter(start) == OK, self.messages
        assert self.call("ExitInitializationMode") == OK, self.messages
        return self

    def set(self, name: str, value) -> int:
        """Set one variable."""
        array, call = self._array(name, value)
        return self._access(f"Set{call}", name, array)

    def get(self, name: str):
        """Return the value of one variable."""
        array, call = self._array(name, 0)
        assert self._access(f"Get{call}", name, array) == OK, self.messages
        return array[0]

    def _array(self, name, value):
        kind = self.variables[name].type
        if self.fmi == "2":
            call = {"Enumeration": "Integer"}.get(kind, kind)
            return ((_FLOATS if kind == "Real" else _WHOLE) * 1)(value), call
        call = {"Enumeration": "Int64"}.get(kind, kind)
        types = {"Float64": _FLOATS, "Boolean": ct.c_bool, "Enumeration": ct.c_int64, "Int32": _WHOLE}
        return (types[kind] * 1)(value), call

    def _access(self, call, name, array):
        reference = (ct.c_uint32 * 1)(self.variables[name].valueReference)
        count = [] if self.fmi == "2" else [ct.c_size_t(1)]
        return self.call(call, reference, ct.c_size_t(1), array, *count)

    def step(self, time: float, size: float) -> int:
        """Do one communication step."""
        if self.fmi == "2":
            return self.call("DoStep", time, size, 1)
        self.answers = [ct.c_bool(), ct.c_bool(), ct.c_bool(), ct.c_double()]
        return self.call("DoStep", time, size, True, *map(ct.byref, self.answers))

    def run(self, steps: int, size: float, *names: str, start: float = 0.0) -> list[tuple]:
        """Do `steps` steps; return the values of `names` after each."""
        rows = []
        for n in range(steps):
            assert self.step(start + n * size, size) == OK, self.messages
            rows.append(tuple(self.get(name) for name in names))
        return rows

    def save(self) -> ct.c_void_p:
        """Return a saved state."""
        state = ct.c_void_p()
        assert self.call(self._state("Get"), ct.byref(state)) == OK
        return state

    def restore(self, state: ct.c_void_p) -> int:
        """Go back to a saved state."""
        return self.call(self._state("Set"), state)

    def _state(self, verb):
        return f"{verb}FMU{'s' if self.fmi == '2' else 'S'}tate"

    def serialise(self) -> bytes:
        """Return the present state as bytes."""
        state, size = self.save(), ct.c_size_t()
        name = "SerializedFMUstateSize" if self.fmi == "2" else "SerializedFMUStateSize"
        assert self.call(name, state, ct.byref(size)) == OK
        buffer = ct.create_string_buffer(size.value)
        assert self.call(self._state("Serialize"), state, buffer, size) == OK
        assert self.call(self._state("Free"), ct.byref(state)) == OK
        return buffer.raw

    def deserialise(self, data: bytes) -> tuple[int, ct.c_void_p]:
        """Return the status and the state that bytes hold."""
        state = ct.c_void_p()
        name = self._state("DeSerialize" if self.fmi == "2" else "Deserialize")
        return self.call(name, data, ct.c_size_t(len(data)), ct.byref(state)), state

    def free(self) -> None:
        """Free the instance."""
        self._function("FreeInstance", None)(ct.c_void_p(self.component))
        self.component = None


def _as_c(value):
    if isinstance(value, bool):
        return ct.c_bool(value)
    return ct.c_double(value) if isinstance(value, float) else value
