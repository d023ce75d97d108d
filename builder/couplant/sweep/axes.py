"""Axes of a sweep: lists and ranges of the command line and of the table sweep, checked all at once."""

import copy
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any, NamedTuple

from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.config.network import Seconds, steps_in
from couplant.config.rules.steps import DIRECT
from couplant.config.scenario import Loaded, check_scenario

MOST_VALUES = 10_000  # largest number of values on one axis
MOST_POINTS = 1_000_000  # largest number of points of a sweep

_NUMBERS = "numbers with commas between them or a range first:last[:step]"


class Point(NamedTuple):
    """One co-simulation of a sweep: latency and jitter in macro steps, loss as a share."""

    timing: str
    algorithm: str
    latency: int
    jitter: float
    loss: float
    seed: int


@dataclass(frozen=True)
class Axes:
    """The values on each axis, in the order in which they were given."""

    algorithms: tuple[str, ...]
    timing: tuple[str, ...]
    latency: tuple[int, ...]  # constant or smallest latencies [macro steps]
    jitter: tuple[float, ...]  # largest (uniform) or mean (erlang) extra latencies [macro steps]
    loss: tuple[float, ...]  # shares of lost values [-]
    seeds: tuple[int, ...]  # seeds of the networks

    def points(self, is_random: Callable[[float, float], bool]) -> Iterator[Point]:
        """Return all points; the first seed stands for all where `is_random`, of jitter and loss, is false."""
        grid = product(self.timing, self.algorithms, self.latency, self.jitter, self.loss)
        for timing, algorithm, latency, jitter, loss in grid:
            for seed in self.seeds if is_random(jitter, loss) else self.seeds[:1]:
                yield Point(timing, algorithm, latency, jitter, loss, seed)


def document_at(document: dict[str, Any], point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a scenario's `document` with the values of a `point` by axis; axes that are not given stay."""
    changed = copy.deepcopy({key: value for key, value in document.items() if key != "sweep"})
    for axis, value in point.items():
        if axis in _NETWORK:
            changed.setdefault("network", {})[_NETWORK[axis]] = value
        else:
            changed[_LISTS[axis]] = [value]
    return changed


def read_axes(loaded: Loaded, given: Mapping[str, str | None]) -> Axes:
    """Return the axes: from the command line, else from the table sweep, else the values of the scenario.

    The plain wire comes first among the algorithms, unless it is there or the scenario does not want it.

    `given` are texts of the command line by the names of the options; None where an option is not given. Raise
    `UsageError` if anything is wrong: one line for each thing, all at once.
    """
    table, lines = loaded.scenario.sweep, []
    lines += [
        f"{loaded.path}: sweep.{key} is unknown: allowed are {', '.join(KEYS)}" for key in table if key not in KEYS
    ]
    found: dict[str, tuple[Any, ...]] = {}
    for key in KEYS:
        text = given.get(key)
        origin = key if text is not None else f"{loaded.path}: sweep.{key}"
        source = text if text is not None else table.get(key)
        try:
            if source is not None:
                found[key] = _values(key, source, origin, loaded.scenario.macro_step)
                lines += _refusals(loaded, key, found[key], origin)
            elif key in _LISTS.values():
                found[key] = tuple(getattr(loaded.scenario, key))
            else:
                found[key] = (getattr(loaded.scenario.network, _NETWORK[_AXES[key]]),)
        except UsageError as error:
            lines.append(str(error))
    if not lines and loaded.scenario.wire and not {WIRE, DIRECT} & {*found["algorithms"]}:
        found["algorithms"] = (WIRE, *found["algorithms"])
    if not lines:
        lines += _together(loaded, Axes(**found))
    if lines:
        raise UsageError("\n".join(dict.fromkeys(lines)))
    return Axes(**found)


_NETWORK = {"latency": "latency_steps", "jitter": "jitter_steps", "loss": "loss", "seed": "seed"}
_LISTS = {"algorithm": "algorithms", "timing": "timing"}
KEYS = ("algorithms", "timing", "latency", "jitter", "loss", "seeds")
"""Options of the command line and keys of the table sweep."""
_AXES = dict(zip(KEYS, ("algorithm", "timing", "latency", "jitter", "loss", "seed"), strict=True))
_WHOLE = ("latency", "seeds")
_TIMES = ("latency", "jitter")
_TIME = re.compile(r"(\d+\.?\d*|\.\d+) ?(s|ms|us)")


def _values(key: str, source: Any, origin: str, macro_step: float) -> tuple[Any, ...]:
    """Return the values that a text, a number or a list gives, each once; times count in macro steps [s]."""
    if key in _LISTS.values():
        return _names(source, origin)
    parts = source.split(",") if isinstance(source, str) else source if isinstance(source, list) else [source]
    numbers: list[float] = []
    for part in map(str, parts):
        times = _times(part, origin, macro_step) if key in _TIMES else ()
        numbers += times or _numbers(part, key in _WHOLE, origin)
    if key == "seeds" and len(numbers) == 1 and not isinstance(source, list) and ":" not in str(source):
        numbers = list(_range([Decimal(1), Decimal(numbers[0])], True, f"{origin} = {source}"))
    if not numbers:
        raise UsageError(f"{origin} is empty, allowed {_NUMBERS}")
    if len(numbers) > MOST_VALUES:
        raise UsageError(f"{origin} has {len(numbers)} values, allowed up to {MOST_VALUES}")
    return tuple(dict.fromkeys(numbers))


def _names(source: Any, origin: str) -> tuple[str, ...]:
    parts = source.split(",") if isinstance(source, str) else source
    if not isinstance(parts, list) or not parts or not all(isinstance(part, str) and part.strip() for part in parts):
        raise UsageError(f"{origin} = {source}, allowed names with commas between them")
    return tuple(dict.fromkeys(part.strip() for part in parts))


def _numbers(part: str, whole: bool, origin: str) -> Sequence[float]:
    where = f"{origin} = {part.strip()}"
    try:
        ends = [Decimal(text.strip()) for text in part.split(":")]
    except InvalidOperation:
        ends = []
    if not 1 <= len(ends) <= 3 or not all(end.is_finite() for end in ends):
        raise UsageError(f"{where}, allowed {_NUMBERS}")
    return [_number(ends[0], whole, where)] if len(ends) == 1 else _range(ends, whole, where)


def _times(part: str, origin: str, macro_step: float) -> Sequence[int]:
    """Return the macro steps [s] that times take, ``45ms`` or ``20ms:120ms:20ms``; none where a `part` has no unit."""
    ends = [_TIME.fullmatch(text.strip()) for text in part.split(":")]
    if not all(ends):
        return ()
    count = {"s": 1, "ms": 1000, "us": 1_000_000}
    numbers = [str(Decimal(end[1]) / count[end[2]]) for end in ends if end]
    text = ":".join([*numbers, str(macro_step)] if len(numbers) == 2 else numbers)
    times = _numbers(text, False, f"{origin} = {part.strip()}, in s")
    return [steps_in(Seconds(time), macro_step) if time else 0 for time in times]


def _range(ends: Sequence[Decimal], whole: bool, where: str) -> Sequence[float]:
    """Return first, first + step, .. up to last; in decimal numbers, so that 0:0.3:0.1 ends with 0.3."""
    (first, last), step = ends[:2], ends[2] if len(ends) == 3 else Decimal(1)
    if step <= 0 or last < first:
        raise UsageError(f"{where}, allowed first:last[:step] with last not below first and step above 0")
    count = int((last - first) / step) + 1
    if count > MOST_VALUES:
        raise UsageError(f"{where} has {count} values, allowed up to {MOST_VALUES}")
    return [_number(first + i * step, whole, where) for i in range(count)]


def _number(value: Decimal, whole: bool, where: str) -> float:
    if whole and value != int(value):
        raise UsageError(f"{where}, allowed whole numbers")
    return int(value) if whole else float(value)


def _refusals(loaded: Loaded, key: str, values: Sequence[Any], origin: str) -> list[str]:
    found = []
    for value in values:
        try:
            check_scenario(loaded.path, document_at(loaded.document, {_AXES[key]: value}))
        except UsageError as error:
            found += [f"{origin}: {line.removeprefix(f'{loaded.path}: ')}" for line in str(error).splitlines()]
    return found


def _together(loaded: Loaded, axes: Axes) -> Iterator[str]:
    count = math.prod(len(getattr(axes, key)) for key in KEYS)
    if count > MOST_POINTS:
        yield f"the sweep has {count} points, allowed up to {MOST_POINTS}"
    if DIRECT in axes.algorithms:
        yield f"{DIRECT} cannot be swept: it has no coupling FMU"
    if "network_server" in axes.algorithms:
        yield "network_server cannot be swept: its results depend on when a server answers; network_embedded can"
    replayed = [name for name, network in loaded.networks.items() if network.is_listed]
    varied = [key for key in ("latency", "jitter") if len(getattr(axes, key)) > 1]
    if varied and len(replayed) == len(loaded.networks):
        yield f"{' and '.join(varied)} cannot vary: network.replay, latencies or shape gives the latencies"
