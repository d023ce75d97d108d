"""Plants of the user's: what scenarios couple, from functions, matrices and systems of other libraries."""

import hashlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from couplant.analysis.system import Prototype
from couplant.base.errors import UsageError
from couplant.config.own import PREFIX, run_module
from couplant.config.ref import WRITTEN_REF
from couplant.lab.component import PlantComponent
from couplant.lab.dynamics import Dynamics, Linear, Nonlinear, arguments_of, find_feedthrough
from couplant.lab.source import same_names, source_of
from couplant.lab.taken import Names, Taken, take

_METHODS = ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")


class Plant:
    """A plant that a scenario couples: ``components={"engine": {"plant": plant}}``.

    Parameters
    ----------
    system : callable, tuple, system of python-control or scipy.signal, str or Path
        A function `f(t, x, u)` that returns dx/dt, with `dt` the next states; (A, B, C, D), (num, den) or
        (zeros, poles, gain); a system of python-control or scipy.signal as it is; the path of an FMU. t in s, x of
        shape (nx,), u of shape (nu,).
    g : callable, optional
        The outputs `g(t, x, u)`, shape (ny,), of a plant that is a function; not given: its states.
    inputs, outputs : str, int or sequence of str, optional
        Names of the signals, or how many; not given: those of the system, else u, u1.. and y, y1..; a function has no
        inputs then.
    start : sequence of float, optional
        States at the start, shape (nx,); not given: 0, a function needs them.
    dt : float, optional
        Period of a discrete plant [s]; 0: continuous; not given: that of the system.
    parameters : mapping of str to float, optional
        Numbers that scenarios may set; with them f and g get a fourth argument, a dict of them.
    rtol, atol : float
        Tolerances of the integration of a function, relative and absolute.
    method : str, optional
        A method of scipy.integrate.solve_ivp, such as "Radau" for a stiff plant; not given: extrapolation.
    units : mapping of str to str, optional
        Units of inputs and outputs by name.

    Raises
    ------
    UsageError
        If something of it is wrong or not known.
    """

    def __init__(
        self,
        system: Any,
        g: Callable[..., Any] | None = None,
        *,
        inputs: Names = None,
        outputs: Names = None,
        start: Sequence[float] | None = None,
        dt: float | None = None,
        parameters: Mapping[str, float] | None = None,
        rtol: float = 1e-10,
        atol: float = 1e-12,
        method: str | None = None,
        units: Mapping[str, str] | None = None,
    ) -> None:
        self._taken = taken = take(system, g)
        self.fmu = taken.fmu
        if self.fmu is not None:
            return
        self.dt = taken.dt if dt is None else _number("dt", dt, least=0.0)
        self.parameters = dict(taken.parameters if parameters is None else parameters)
        self.settings = {"rtol": _number("rtol", rtol), "atol": _number("atol", atol), "method": method, "dt": self.dt}
        if method is not None and method not in _METHODS:
            raise UsageError(f"plant: method = {method}, allowed {', '.join(_METHODS)}")
        self.start = _start(taken, start)
        self.inputs = _names("inputs", inputs, taken.inputs, "u")
        usual = taken.outputs if taken.functions is None or taken.outputs else self._count(outputs, g)
        self.outputs = _names("outputs", outputs, usual, "y")
        self.units = dict(units or {})
        self._check()
        self._feedthrough = find_feedthrough(self.dynamics(), {"inputs": self.inputs, "outputs": self.outputs})

    def __repr__(self) -> str:
        """Return its signals, and a hash of what it is."""
        if self.fmu is not None:
            return f"Plant({str(self.fmu)!r})"
        return f"<Plant {', '.join(self.inputs)} -> {', '.join(self.outputs)}, {self.identity[:12]}>"

    def __deepcopy__(self, memo: object) -> "Plant":
        """Return the plant itself: its runs have their own states."""
        return self

    def __reduce__(self) -> Any:
        """Go to another process with functions by their names, or as the text of what was typed."""
        if self._taken.functions is None or all(map(_can_be_imported, filter(None, self._taken.functions))):
            return _remake, (vars(self),)
        f, g = self._taken.functions
        text = source_of(f, f"plant {f.__name__}", *([] if g is None else [g]))
        names = f.__name__, None if g is None else g.__name__
        rest = {name: value for name, value in vars(self).items() if name != "_taken"}
        return _again, (text.text, text.file, names, rest)

    @property
    def matrices(self) -> tuple[Any, Any, Any, Any] | None:
        """Return A, B, C, D; None of one that is not linear."""
        return self._taken.matrices

    @property
    def functions(self) -> tuple[Callable[..., Any], Callable[..., Any] | None] | None:
        """Return f and g; None of one that is linear."""
        return self._taken.functions

    @property
    def feedthrough(self) -> dict[str, tuple[str, ...]]:
        """Return by output the inputs that act on it at once."""
        return dict(self._feedthrough)

    @property
    def identity(self) -> str:
        """Return a hash of all that decides what it does; of functions of their text, where they have one."""
        head = repr((self.inputs, self.outputs, self.start, sorted(self.parameters.items()), self.settings))
        if self.matrices is not None:
            body = repr([one.tolist() for one in self.matrices])
        else:
            f, g = self.functions or (None, None)
            try:
                body = source_of(f, "plant", *([] if g is None else [g])).text if f else ""
            except UsageError:
                body = repr((f, g))
        return hashlib.sha256(f"{head}\n{body}".encode()).hexdigest()

    def dynamics(self) -> Dynamics:
        """Return new states of the plant, at its start."""
        if self.matrices is not None:
            return Linear(self.matrices, self.start, self.dt)
        assert self.functions is not None
        made = Nonlinear(*self.functions, self.start, (len(self.inputs), len(self.outputs)), self.settings)
        made.parameters = dict(self.parameters)
        return made

    def component(self, name: str) -> PlantComponent:
        """Return a new component with the `name` that it has in the scenario."""
        return PlantComponent(name, self)

    def prototype(self, name: str) -> Prototype | None:
        """Return the plant as a linear prototype of this `name`; None if it is none, discrete, or not at rest."""
        if self.matrices is None or self.dt > 0.0:
            return None
        return Prototype(name, *self.matrices, tuple(self.inputs), tuple(self.outputs))

    def to_fmu(self, path: str | Path, *, step: float = 0.0) -> Path:
        """Write the plant as an FMU 2.0 with the Python backend, which runs wherever Python with numpy does.

        Parameters
        ----------
        path : str or Path
            The file, which ends in .fmu.
        step : float
            Communication step of its default experiment, 0: none [s].

        Returns
        -------
        Path
            The file.

        Raises
        ------
        UsageError
            If the text of a function cannot go along, or the plant is an FMU already.
        """
        from couplant.lab.plant_fmu import write_plant

        return write_plant(self, Path(path), step)

    def _count(self, outputs: Names, g: Callable[..., Any] | None) -> int:
        """Return how many outputs a function gives if nobody says: as many as states, or as g returns."""
        if outputs is not None or g is None:
            return len(self.start)
        given = (0.0, np.array(self.start), np.zeros(len(self.inputs)), dict(self.parameters))
        try:
            return int(np.size(g(*given[: arguments_of(g) or 3])))
        except Exception as error:
            raise UsageError(f"plant: g raises {type(error).__name__} at the start: {error}") from error

    def _check(self) -> None:
        taken = self._taken
        if taken.matrices is not None:
            ny, nu = taken.matrices[3].shape
            for name, own, count in (("inputs", self.inputs, nu), ("outputs", self.outputs, ny)):
                if len(own) != count:
                    raise UsageError(f"plant: {name} = {', '.join(own)}, allowed {count} names")
        elif taken.functions is not None and taken.functions[1] is None and len(self.outputs) != len(self.start):
            allowed = f"allowed {len(self.start)} names, one for each state: g is not given"
            raise UsageError(f"plant: outputs = {', '.join(self.outputs)}, {allowed}")
        for name, value in self.parameters.items():
            _number(f"parameters.{name}", value, least=-np.inf)
        twice = same_names([*self.inputs, *self.outputs, *self.parameters])
        if twice:
            raise UsageError(f"plant: the name {twice[0]} is given twice, allowed different names")
        unknown = sorted(self.units.keys() - {*self.inputs, *self.outputs})
        if unknown:
            raise UsageError(f"plant: units.{unknown[0]}: there is no such input or output")


def _start(taken: Taken, start: Sequence[float] | None) -> tuple[float, ...]:
    if start is None:
        if taken.states is None:
            raise UsageError("plant: start is missing: the states at the start, as many as f returns")
        return (0.0,) * taken.states
    try:
        found = tuple(float(one) for one in np.asarray(start, dtype=float).reshape(-1))
    except (TypeError, ValueError):
        raise UsageError(f"plant: start = {start!r:.60}, allowed numbers") from None
    if not np.isfinite(found).all() or (taken.states is not None and len(found) != taken.states):
        count = "finite numbers" if taken.states is None else f"{taken.states} finite numbers"
        raise UsageError(f"plant: start = {list(found)!r:.60}, allowed {count}")
    return found


def _names(what: str, given: Names, usual: Sequence[str] | int, letter: str) -> list[str]:
    chosen: Any = usual if given is None else given
    if isinstance(chosen, bool) or not isinstance(chosen, str | int | Sequence):
        raise UsageError(f"plant: {what} = {chosen!r}, allowed names or how many")
    if isinstance(chosen, int):
        return [letter] if chosen == 1 else [f"{letter}{i + 1}" for i in range(chosen)]
    names = [chosen] if isinstance(chosen, str) else list(chosen)
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(WRITTEN_REF.pattern, f"plant.{name}"):
            raise UsageError(f"plant: {what} has {name!r}, allowed names of letters, digits, underscores and dots")
    return names


def _number(what: str, value: Any, least: float | None = None) -> float:
    right = isinstance(value, (int, float, np.floating, np.integer)) and np.isfinite(value)
    if not right or isinstance(value, bool) or (value <= 0.0 if least is None else value < least):
        allowed = {None: "a number above 0", 0.0: "a number of at least 0"}.get(least, "a number")
        raise UsageError(f"plant: {what} = {value!r:.40}, allowed {allowed}")
    return float(value)


def _remake(state: dict[str, Any]) -> Plant:
    """Return a plant that came from another process."""
    made = object.__new__(Plant)
    made.__dict__ |= state
    return made


def _can_be_imported(function: Callable[..., Any]) -> bool:
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    if not isinstance(function, FunctionType):
        return True  # pickle says why not, if it cannot
    here = module in (None, "__main__") or str(module).startswith(PREFIX)
    return not here and getattr(sys.modules.get(str(module)), name, None) is function


def _again(text: str, file: str, names: tuple[str, str | None], rest: dict[str, Any]) -> Plant:
    """Return a plant that came from another process as the text of its functions."""
    space = vars(run_module(text, Path(file).resolve()))
    functions = space[names[0]], None if names[1] is None else space[names[1]]
    return _remake({**rest, "_taken": Taken(functions=functions, dt=rest["dt"])})
