"""Algorithms and plants of the user's, in Python: how a scenario knows them, and where algorithms are found by name.

`couplant.lab` makes them; here is what is asked of them, so that the rooms between need not know it.
"""

import hashlib
import keyword
import linecache
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from couplant.base.errors import UsageError, why
from couplant.base.style import LIGHT, WIRE
from couplant.config.frame.read import Content
from couplant_runtime.algorithms import ALL, BY_NAME
from couplant_runtime.algorithms.rows import PLACE
from couplant_runtime.own import OwnAlgorithm

GROUP = "couplant.algorithms"
"""Entry points of packages that bring algorithms."""

PLACE_NAME = next(name for name, row in BY_NAME.items() if row.number == PLACE)
"""Name of the algorithm in whose place one of the user's runs."""

_TAKEN = {*ALL, *LIGHT.own, WIRE, "configured", "direct", "reference"}
_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_LONGEST = 40

_known: dict[str, "Own"] = {}
_files: dict[Path, tuple[int, list["Own"]]] = {}
_asked: list[str] = []


@runtime_checkable
class Own(Protocol):
    """An algorithm of the user's."""

    name: str

    def runtime(self, macro_step: float) -> OwnAlgorithm:
        """Return a new instance for a signal with a `macro_step` ΔT [s], as the stages call it."""


@runtime_checkable
class OwnPlant(Protocol):
    """A plant of the user's."""

    def component(self, name: str) -> Any:
        """Return a new component with the `name` that it has in the scenario."""

    def prototype(self, name: str) -> Any:
        """Return the plant as a linear prototype of this `name`; None if it is not linear."""


def register(own: Own) -> None:
    """Let scenarios find an algorithm by its name, in place of one that had it before.

    Raises UsageError if a name cannot be one, or is that of something else.
    """
    name = own.name
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > _LONGEST or keyword.iskeyword(name):
        allowed = f"letters, digits and underscores, at most {_LONGEST}, a letter first"
        raise UsageError(f"algorithm name = {name!r}, allowed {allowed}")
    if name in _TAKEN or name.startswith("network_"):
        raise UsageError(f"algorithm name = {name}: couplant has one of that name; give another one by name=..")
    _known[name] = own


def find_algorithm(name: str) -> Own | None:
    """Return the algorithm of the user's that has a `name`; None if there is none.

    Raises UsageError if it comes with a package and cannot be loaded.
    """
    if name not in _known and name not in _TAKEN:
        _load_points(name)
    return _known.get(name)


def algorithm_names() -> tuple[str, ...]:
    """Return the names of the algorithms that this process knows, and of those that packages bring."""
    return tuple(sorted({*_known, *(point.name for point in entry_points(group=GROUP))}))


def load_algorithms(path: Path) -> list[Own]:
    """Run a Python file and return the algorithms that it makes, which scenarios find by name from then on.

    It is run again only if it has changed. Raises UsageError if there is no such file, it raises, or makes none.
    """
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {why(error)}.") from None
    place = path.resolve()
    if place not in _files or _files[place][0] != changed:
        try:
            made = list(run_text(place.read_text(encoding="utf-8"), place).values())
        except UsageError as error:
            raise UsageError(f"{path.parent / str(error)}" if str(error).startswith(path.name) else f"{path}: {error}") from None
        if not made:
            raise UsageError(f"{path}: nothing in it has @couplant.algorithm above it.")
        _files[place] = changed, made
    for own in _files[place][1]:
        register(own)
    return list(_files[place][1])


def run_text(text: str, path: Path) -> dict[str, Own]:
    """Return the algorithms that a Python `text` makes, by name; messages call it as the file `path`.

    Raises UsageError if it raises.
    """
    place = path.resolve()
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    module = ModuleType(f"couplant_own_{path.stem}_{digest}")
    module.__file__ = str(place)
    sys.modules[module.__name__] = module
    linecache.cache[str(place)] = (len(text), None, text.splitlines(keepends=True), str(place))
    before = dict(_known)
    try:
        exec(compile(text, str(place), "exec"), vars(module))
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"{path.name}: {type(error).__name__}: {_place(error, place)}{error}.") from None
    return {name: own for name, own in _known.items() if before.get(name) is not own}


def by_names(document: Mapping[str, Any]) -> Content:
    """Return a scenario in which algorithms that are given themselves stand by their names."""
    given = document.get("algorithms")
    if not isinstance(given, list | tuple) or not any(isinstance(one, Own) for one in given):
        return dict(document)
    for one in given:
        if isinstance(one, Own):
            register(one)
    return {**document, "algorithms": [one.name if isinstance(one, Own) else one for one in given]}


def load_named_files(document: Mapping[str, Any], file: Callable[[str], Path]) -> None:
    """Run the files that the key `algorithm_files` of a scenario names; `file` gives the path of one.

    Raises UsageError if one cannot be run or makes no algorithm.
    """
    names = document.get("algorithm_files")
    for name in names if isinstance(names, Sequence) and not isinstance(names, str) else ():
        if isinstance(name, str) and name:
            load_algorithms(file(name))


def _load_points(name: str) -> None:
    if name in _asked:
        return
    for point in entry_points(group=GROUP):
        if point.name == name:
            _asked.append(name)
            try:
                found = point.load()
            except Exception as error:
                raise UsageError(f"algorithm {name}: {point.value} cannot be loaded: {error}.") from None
            if isinstance(found, Own):
                _known[name] = found


def _place(error: BaseException, path: Path) -> str:
    """Return the line of a file in which an error came up."""
    trace, line = error.__traceback__, getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None
    while trace is not None:
        line = trace.tb_lineno if Path(trace.tb_frame.f_code.co_filename) == path else line
        trace = trace.tb_next
    return "" if line is None else f"line {line}: "
