"""Algorithms of the user's: a function or a class with `@couplant.algorithm` above it."""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from couplant.base.errors import UsageError
from couplant.config.own import PREFIX, register, run_text
from couplant.lab.source import Source, source_of
from couplant_runtime.own import OwnAlgorithm, assemble

Values = int | Callable[[int], int] | None
_MOST = 64  # values that the history holds


class Algorithm:
    """An algorithm that scenarios find by its `name`; called, it is the function or class that it was made of.

    Attributes
    ----------
    name : str
        Its name in scenarios and results.
    target : callable
        The function `estimate(past, k)`, or the class.
    """

    def __init__(self, target: Callable[..., Any], values: Values, name: str | None) -> None:
        self.target, self._values = target, values
        self.name = name or str(getattr(target, "__name__", ""))
        self.__doc__, self.__name__ = target.__doc__, self.name
        self.__module__ = target.__module__
        if self.name == "<lambda>":
            raise UsageError("a lambda has no name: say algorithm(values=.., name=..)(lambda past, k: ..)")
        is_class = inspect.isclass(target)
        if values is None and not (is_class and hasattr(target, "values")):
            raise UsageError(f"algorithm {self.name}: values is missing: the number of past values that it needs")
        if isinstance(values, bool) or not (values is None or callable(values) or isinstance(values, int)):
            raise UsageError(f"algorithm {self.name}: values = {values!r}, allowed a whole number or a function of k")
        if isinstance(values, int) and not 1 <= values <= _MOST:
            raise UsageError(f"algorithm {self.name}: values = {values}, allowed 1 to {_MOST}")
        if is_class and not callable(getattr(target, "estimate", None)):
            raise UsageError(f"algorithm {self.name}: the class has no method estimate(past, k)")

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function, or make an instance of the class."""
        return self.target(*arguments, **named)

    def __repr__(self) -> str:
        """Return its name."""
        return f"<algorithm {self.name}>"

    def __deepcopy__(self, memo: object) -> "Algorithm":
        """Return the algorithm itself: its runs have their own state."""
        return self

    def __reduce__(self) -> Any:
        """Go to another process as a name to import, else as the text of the file or function."""
        module = sys.modules.get(self.target.__module__)
        name = self.target.__qualname__
        if self.target.__module__ != "__main__" and getattr(module, name, None) is self and _is_found(module):
            return _import, (self.target.__module__, name)
        source = self.source
        return _again, (source.text, source.file, self.name)

    @property
    def source(self) -> Source:
        """Return the Python text that makes it. Raises UsageError if there is none to take."""
        return source_of(self.target, f"algorithm {self.name}")

    def values(self, k: int) -> int:
        """Return the number of past values that it needs at a latency `k` [macro steps]."""
        count: int = self.runtime(1.0).values(k)
        return count

    def make(self, macro_step: float) -> Any:
        """Return a new instance for a `macro_step` ΔT [s], with `estimate(past, k)` and perhaps `learn(past, k)`."""
        return self.runtime(macro_step).body

    @property
    def learns(self) -> bool:
        """Tell whether it has `learn(past, k)`."""
        return hasattr(self.target, "learn")

    def runtime(self, macro_step: float) -> OwnAlgorithm:
        """Return a new instance for a signal with a `macro_step` ΔT [s], as the stages call it.

        Raises couplant_runtime.errors.ParameterRefused, a ValueError, if the class cannot be made.
        """
        return assemble(self.name, self.target, self._values, macro_step)

    def to_fmu(
        self, config: Any, output: str | Path = ".", *, signal: str | None = None, fmi: str | int = 2
    ) -> dict[str, Path]:
        """Build coupling FMUs that run the algorithm, with the Python backend; the file that has it goes along.

        Parameters
        ----------
        config : str, Path or mapping
            Settings of an interface, as `couplant.build` takes them; the algorithm of each signal is this one.
        output : str or Path
            Folder for the FMUs, made if needed.
        signal : str, optional
            The signal to build for; not given: all.
        fmi : str or int
            Version of the standard, 2, or 3 with the extra fmi3python.

        Returns
        -------
        dict of str to Path
            The files by signal.

        Raises
        ------
        UsageError
            If the settings are wrong, or the text of the algorithm cannot go along.
        """
        from couplant.lab.algorithm_fmu import build_own

        return build_own(self, config, Path(output), signal, str(fmi))


def algorithm(target: Any = None, *, values: Values = None, name: str | None = None) -> Any:
    """Make an algorithm of a function `estimate(past, k)` or a class that has it, and let scenarios find it by name.

    Parameters
    ----------
    target : callable, optional
        The function or class: what the decorator stands above.
    values : int or callable
        The number of past values that it needs, 1 to 64, or a function of the latency k [macro steps]. A class may have
        `values` of its own instead.
    name : str, optional
        Name in scenarios and results; not given: that of the function or class.

    Returns
    -------
    Algorithm
        It can be called as what it was made of.

    Raises
    ------
    UsageError
        If a name or the number of values is wrong.

    Examples
    --------
    >>> import couplant
    >>> @couplant.algorithm(values=2)
    ... def line(past, k):
    ...     slope = past[0] - past[1]
    ...     return past[0] + k * slope, slope
    >>> line([3.0, 2.0], 4)
    (7.0, 1.0)
    """
    if target is None:
        return lambda found: algorithm(found, values=values, name=name)
    if not callable(target):
        raise UsageError(f"@couplant.algorithm stands above {target!r}, allowed above a function or a class")
    made = Algorithm(target, values, name)
    register(made)
    return made


def _is_found(module: Any) -> bool:
    """Tell whether another process finds a module by its name: a file that was run has none."""
    return bool(getattr(module, "__spec__", None)) and not module.__name__.startswith(PREFIX)


def _import(module: str, name: str) -> Any:
    __import__(module)
    found = getattr(sys.modules[module], name)
    register(found)
    return found


def _again(text: str, file: str, name: str) -> Any:
    found = run_text(text, Path(file)).get(name)
    if found is None:
        raise UsageError(f"{file}: no algorithm {name} in it")
    return found
