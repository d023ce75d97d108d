"""Files of a user's inside of an FMU, run with a stand-in for the package `couplant`, which need not be there."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from .errors import SettingsError

NAME = "couplant"


class Algorithm:
    """An algorithm as the decorator of the stand-in notes it.

    Parameters
    ----------
    target : callable
        The function or class.
    values : int, callable or None
        The number of past values that it needs.
    name : str or None
        Its name, None: that of the target.
    """

    def __init__(self, target: Callable[..., Any], values: Any, name: str | None) -> None:
        self.target, self.values, self.name = target, values, name or target.__name__

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function, or make an instance of the class."""
        return self.target(*arguments, **named)


class Plant:
    """A plant of the stand-in: only the functions of the file count.

    Parameters
    ----------
    *arguments, **named
        What the plant of couplant takes.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        pass


class _StandIn(ModuleType):
    """The package in the place of couplant: what files of algorithms and plants name."""

    def __init__(self) -> None:
        super().__init__(NAME)
        self.Plant = Plant
        self.noted: dict[str, Algorithm] = {}

    def algorithm(self, target: Any = None, *, values: Any = None, name: str | None = None) -> Any:
        """Note an algorithm."""
        if target is None:
            return lambda found: self.algorithm(found, values=values, name=name)
        made = Algorithm(target, values, name)
        self.noted[made.name] = made
        return made

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"couplant.{name} is not there inside of an FMU: give what it runs a file of its own")


def run(path: Path, name: str) -> tuple[ModuleType, dict[str, Algorithm]]:
    """Return the file `path` as a module called `name`, and the algorithms that it makes by name.

    Raises
    ------
    SettingsError
        If there is no such file, or it raises.
    """
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SettingsError(f"{path.name} is no Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    before, stand_in = sys.modules.get(NAME), _StandIn()
    sys.modules[NAME] = stand_in
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise SettingsError(f"{path.name} cannot be run: {type(error).__name__}: {error}") from error
    finally:
        if before is None:
            del sys.modules[NAME]
        else:
            sys.modules[NAME] = before
    return module, stand_in.noted
