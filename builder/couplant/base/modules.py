"""Modules that come with an extra of couplant, and those that are found under the names they had before."""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from couplant.base.errors import UsageError

MOVED = {
    "couplant.errors": "couplant.base.errors",
    "couplant.export.folder": "couplant.elsewhere.export",
    "couplant.export": "couplant.elsewhere.export",
    "couplant.federation": "couplant.elsewhere.helics",
    "couplant.ssp": "couplant.elsewhere.ssp",
    "couplant.units": "couplant.base.units",
    "couplant.workbench.modules": "couplant.pack.binaries.prebuilt",
}


class MovedModules:
    """Find a module of `MOVED`, or one inside of it, where it lies now: both names mean the same object.

    The base classes of finders and loaders load more than couplant does.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a specification for an old name, None for all others."""
        loader: Any = self
        return ModuleSpec(fullname, loader) if place(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module from its new place; it keeps its own specification."""
        module = import_module(place(spec.name))
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing: it has run under its new name."""
        module.__spec__ = self._own


def place(name: str) -> str:
    """Return the new name of a module, nothing where there is none."""
    for old, new in MOVED.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return ""


def find_moved_modules() -> None:
    """Let old names be found, before others look into the folder of a package that has moved."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, MovedModules())


def make_callable(name: str, function: Callable[..., Any]) -> None:
    """Let the package `name` be a `function` too: ``couplant.design(..)`` beside ``from couplant.design import ..``."""
    kind = type("CallablePackage", (ModuleType,), {"__call__": staticmethod(function)})
    sys.modules[name].__class__ = kind


def load_extra(module: str, sentence: str) -> Any:
    """Return a `module` of an extra, which its caller knows the types of.

    Raises UsageError with this `sentence`, if it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(sentence) from None
