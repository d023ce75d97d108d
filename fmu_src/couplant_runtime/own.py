"""An algorithm of the user's, in Python: what the stages call in the place of one of the table.

It has the number of `PLACE` in the state, so that a state has no other fields with it, and everything but level and
slope of the estimate is as with any algorithm. What it says is checked at once: an error names it and its time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .config import Settings
from .errors import ParameterRefused, SettingsError, StepRefused
from .generated.numbers import SLOTS
from .grid import point_time
from .guard import UNLIMITED
from .stages.history import view
from .stand_in import Algorithm, run
from .state import State

Values = Callable[[int], Any]
_FILES: dict[str, dict[str, Algorithm]] = {}


class OwnAlgorithm:
    """One instance of an algorithm: it estimates one signal in one run.

    Parameters
    ----------
    name : str
        How errors call it.
    values : callable
        The number of past values that it needs, by the latency k [macro steps].
    body : object
        Has `estimate(past, k)`, which returns level [signal unit] and slope [signal unit per macro step], or the level
        alone; and perhaps `learn(past, k)`. Of it is made a copy where the state is copied.
    """

    def __init__(self, name: str, values: Values, body: Any) -> None:
        self.name, self.values, self.body = name, values, body
        self.learns = hasattr(body, "learn")
        self.learnt: int | None = None  # the newest slot that it has learnt from

    def needed(self, c: Settings, s: State) -> int:
        """Return how many values it needs [slots]."""
        k = s.latency.steps
        count = self._call(s, "values", self.values, k)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise self._failure(s, f"values({k}) gives {_show(count)}, allowed a whole number of at least 1")
        return count

    def line(self, c: Settings, s: State) -> tuple[float, float, float]:
        """Return level [signal unit], slope [signal unit per macro step] and shift [macro steps] of the estimate."""
        k = s.latency.steps
        found = self._call(s, "estimate", self.body.estimate, view(s)[: self.needed(c, s)], k)
        numbers = _numbers(found)
        if numbers is None:
            allowed = "allowed one finite number, or two: level and slope"
            raise self._failure(s, f"estimate gives {_show(found)}, {allowed}")
        return *numbers, s.latency.fraction

    def learn(self, c: Settings, s: State) -> None:
        """Show the algorithm each new value, the oldest first, with those before; none from before a jump or a gap."""
        if not self.learns or not s.history.filled:
            return
        newest = s.history.newest - s.latency.early
        before = newest - 1 if self.learnt is None else self.learnt
        self.learnt = newest if newest > before else before
        if newest <= before:
            return
        past, k, count = view(s), s.latency.steps, self.needed(c, s)
        known = newest - s.switching.anchor + 1
        known = known if known < SLOTS - s.latency.early else SLOTS - s.latency.early
        for back in range(min(newest - before, known) - 1, -1, -1):
            if back + count <= known:
                self._call(s, "learn", self.body.learn, past[back : back + count], k)

    def _call(self, s: State, name: str, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return call(*arguments)
        except Exception as error:
            words = f"{name} raises {type(error).__name__}: {str(error).strip() or 'no words'}"
            raise self._failure(s, words) from error

    def _failure(self, s: State, words: str) -> StepRefused:
        return StepRefused(f"algorithm {self.name} at t = {point_time(s.grid, s.grid.n):.10g} s: {words}")


def _numbers(found: Any) -> tuple[float, float] | None:
    """Return level and slope, None if `found` is neither one finite number nor two."""
    if isinstance(found, (str, bytes)):
        return None
    try:
        parts = [float(found)]
    except (TypeError, ValueError):
        try:
            parts = [float(one) for one in found]
        except (TypeError, ValueError):
            return None
    parts = [*parts, 0.0] if len(parts) == 1 else parts
    if len(parts) != 2 or not all(-UNLIMITED <= one <= UNLIMITED for one in parts):
        return None
    return parts[0], parts[1]


def _show(found: Any) -> str:
    text = " ".join(repr(found).split())
    return text if len(text) <= 60 else f"{text[:60]}.."


def assemble(name: str, target: Any, values: Any, macro_step: float) -> OwnAlgorithm:
    """Return the algorithm `name` of a `target`, a function `estimate(past, k)` or a class that has it.

    Parameters
    ----------
    name : str
        How errors call it.
    target : callable
        The function, or the class, which is made with `macro_step` where it takes an argument of that name.
    values : int, callable or None
        The number of past values, or a function of the latency k; None: what the instance has under this name.
    macro_step : float
        ΔT [s].

    Raises
    ------
    ParameterRefused
        If the class cannot be made, or what is made has no `estimate`.
    """
    body: Any = _Function(target)
    if isinstance(target, type):
        try:
            wanted = "macro_step" in inspect.signature(target).parameters
            body = target(macro_step=macro_step) if wanted else target()
        except Exception as error:
            words = f"{target.__name__}() raises {type(error).__name__}: {error}"
            raise ParameterRefused(f"algorithm {name}: {words}") from error
        if not callable(getattr(body, "estimate", None)):
            raise ParameterRefused(f"algorithm {name}: {target.__name__} has no method estimate(past, k)")
        values = body.values if values is None else values
    return OwnAlgorithm(name, values if callable(values) else _Constant(values), body)


class _Function:
    """A function as the body of an algorithm."""

    def __init__(self, estimate: Callable[..., Any]) -> None:
        self.estimate = estimate


class _Constant:
    """The same number at any latency."""

    def __init__(self, count: Any) -> None:
        self._count = count

    def __call__(self, k: int) -> Any:
        """Return the number."""
        return self._count


def make_own(path: Path, module: str, name: str, macro_step: float) -> OwnAlgorithm:
    """Return a new instance of the algorithm `name` in the file `path`, which is run as `module` once.

    It is made for a `macro_step` [s].

    Raises
    ------
    ParameterRefused
        If the file cannot be run, or has no such algorithm, or that cannot be made.
    """
    if module not in _FILES:
        try:
            _FILES[module] = run(path, module)[1]
        except SettingsError as problem:
            raise ParameterRefused(str(problem)) from problem
    if name not in _FILES[module]:
        raise ParameterRefused(f"{path.name} has no algorithm {name}")
    found = _FILES[module][name]
    return assemble(name, found.target, found.values, macro_step)
