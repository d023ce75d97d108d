"""Algorithms and plants of the user's, in Python: how a scenario knows them, and where algorithms are found by name.

`couplant.lab` makes them; here is what is asked of them, so that the rooms between need not know it.
"""

import hashlib
import keyword
import linecache
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from couplant.base.errors import UsageError, why
from couplant.base.style import LIGHT, WIRE
from couplant.config.frame.read import Content, OneOf, refuse
from couplant_runtime.algorithms import ALL, BY_NAME
from couplant_runtime.algorithms.rows import PLACE
from couplant_runtime.own import OwnAlgorithm

PREFIX = "couplant_own_"
"""Beginning of the names of modules that come from files or texts of the user's."""

GROUP = "couplant.algorithms"
"""Entry points of packages that bring algorithms."""

PLACE_NAME = next(name for name, row in BY_NAME.items() if row.number == PLACE)
"""Name of the algorithm in whose place one of the user's runs."""

_TAKEN = {*ALL, *LIGHT.own, WIRE, "configured", "direct", "reference"}
_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_LONGEST = 40

_known: dict[str, "Own"] = {}
_files: dict[Path, tuple[int, list["Own"]]] = {}
_plants: dict[Path, tuple[int, ModuleType]] = {}
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

    fmu: Path | None  # the FMU that it is, if it is one

    def component(self, name: str) -> Any:
        """Return a new component with the `name` that it has in the scenario."""

    def prototype(self, name: str) -> Any:
        """Return the plant as a linear prototype of this `name`; None if it is not linear."""


@dataclass(frozen=True)
class OneOrOwn(OneOf):
    """One of some names, or that of an algorithm of the user's."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of a literal that lets names of the user's pass."""

        def find(value: Any, inner: core_schema.ValidatorFunctionWrapHandler) -> Any:
            if not isinstance(value, str) or value in self.names:
                return inner(value)
            if find_algorithm(value) is not None:
                return value
            *names, last = map(repr, (*self.names, *algorithm_names()))
            expected = f"{', '.join(names)} or {last}"
            raise PydanticCustomError("literal_error", "Input should be {expected}", {"expected": expected})

        return core_schema.no_info_wrap_validator_function(find, super().__get_pydantic_core_schema__(source, handler))


class Scenario(Protocol):
    """Scenario as it is seen here, whose module uses this one."""

    @property
    def algorithms(self) -> list[str]:
        """Return the algorithms to run."""

    @property
    def components(self) -> Mapping[str, Any]:
        """Return the tables of components by name."""

    @property
    def signals(self) -> Mapping[str, Any]:
        """Return the tables of signals by name."""

    @property
    def coupling(self) -> Mapping[str, Any]:
        """Return the settings of all coupling FMUs."""


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
    return tuple(sorted({*_known, *(point.name for point in _points())}))


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
        made = list(run_text(place.read_text(encoding="utf-8"), place).values())
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
    before = dict(_known)
    run_module(text, path.resolve())
    return {name: own for name, own in _known.items() if before.get(name) is not own}


def run_module(text: str, place: Path) -> ModuleType:
    """Return a Python `text` as a module that comes from the file `place`. Raises UsageError if it raises."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    module = ModuleType(f"{PREFIX}{place.stem}_{digest}")
    if not place.is_file():  # texts from elsewhere may have one name
        place = place.with_name(f"{place.stem}_{digest}{place.suffix}")
    module.__file__ = str(place)
    sys.modules[module.__name__] = module
    # for the text of its functions, and the lines of errors
    linecache.cache[str(place)] = (len(text), None, text.splitlines(keepends=True), str(place))
    try:
        exec(compile(text, str(place), "exec"), vars(module))
    except UsageError as error:
        raise UsageError(f"{place.name}: {error}") from None
    except Exception as error:
        raise UsageError(f"{place.name}: {_place(error, place)}{type(error).__name__}: {error}.") from None
    return module


def load_plant(path: Path, name: str) -> OwnPlant:
    """Return the plant `name` in a Python file, which is run for it once.

    Raises UsageError if there is no such file, it raises, or has no such plant.
    """
    try:
        changed, place = path.stat().st_mtime_ns, path.resolve()
        if place not in _plants or _plants[place][0] != changed:
            _plants[place] = changed, run_module(place.read_text(encoding="utf-8"), place)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {why(error)}.") from None
    found = getattr(_plants[place][1], name, None)
    if not isinstance(found, OwnPlant):
        raise UsageError(f"{path}: {name} in it is no couplant.Plant")
    return found


def by_names(document: Mapping[str, Any]) -> Content:
    """Return a scenario, the content of its `document`, in which algorithms stand by their names.

    Plants that are FMUs stand as these.
    """
    document, components = dict(document), document.get("components")
    tables = components.values() if isinstance(components, Mapping) else ()
    if isinstance(components, Mapping) and any(isinstance(one, Mapping) and "plant" in one for one in tables):
        document["components"] = {name: _of_fmu(one) for name, one in components.items()}
    given = document.get("algorithms")
    if not isinstance(given, list | tuple) or not any(isinstance(one, Own) for one in given):
        return dict(document)
    for one in given:
        if isinstance(one, Own):
            register(one)
    return {**document, "algorithms": [one.name if isinstance(one, Own) else one for one in given]}


def _of_fmu(component: Any) -> Any:
    """Return the table of a component; one whose plant is an FMU names that."""
    plant = component.get("plant") if isinstance(component, Mapping) else None
    if not isinstance(plant, OwnPlant) or plant.fmu is None:
        return component
    return {"fmu": str(Path(plant.fmu).resolve()), **{key: one for key, one in component.items() if key != "plant"}}


def load_named_files(document: Mapping[str, Any], origin: Path) -> None:
    """Run the files that the key `algorithm_files` of a scenario's `document` names, which is the file `origin`.

    Raises UsageError if one cannot be run or makes no algorithm.
    """
    names = document.get("algorithm_files")
    for name in names if isinstance(names, Sequence) and not isinstance(names, str) else ():
        if isinstance(name, str) and name and "\0" not in name:
            try:
                load_algorithms(origin.parent / name)
            except UsageError as error:
                refuse(origin, [f"algorithm_files: {error}"])


def _points() -> Iterator[Any]:
    """Yield the entry points of algorithms."""
    from importlib.metadata import entry_points  # takes long to load

    yield from entry_points(group=GROUP)


def _load_points(name: str) -> None:
    if name in _asked:
        return
    _asked.append(name)
    for point in _points():
        if point.name == name:
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


def in_python(scenario: Scenario) -> Iterator[str]:
    """Yield a sentence for each plant and algorithm in Python, for where FMUs alone run."""
    for name, table in scenario.components.items():
        if table.plant is not None:
            yield f"components.{name}.plant is in Python, which runs in process: its to_fmu() makes an FMU of it"
    for own in own_of(scenario):
        yield f'algorithm "{own.name}" is in Python, which runs in process: its to_fmu() makes FMUs of it, coupling.fmu'


def own_of(scenario: Scenario) -> tuple[Own, ...]:
    """Return the algorithms of the user's that a scenario names."""
    tables = [scenario.coupling, *(signal.coupling for signal in scenario.signals.values())]
    chosen = [table.get("algorithm") for table in tables]
    names = [*scenario.algorithms, *(one.get("selected") if isinstance(one, dict) else one for one in chosen)]
    found = (find_algorithm(name) for name in dict.fromkeys(name for name in names if isinstance(name, str)))
    return tuple(own for own in found if own is not None)
