"""Networks as Python gives them: a number, latencies of messages, or a function of them, in place of a table.

They become tables of plain values before anything else looks at a scenario.
"""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from couplant.base.errors import UsageError
from couplant.config.frame.read import Content, refuse

_OTHERS: Content = {"latency_steps": 0, "jitter_steps": 0.0, "replay": None, "shape": None, "latencies": None}
"""What else says latencies: a signal of its own network does not take it over."""


def with_networks(document: Content, origin: Path) -> Content:
    """Return a scenario whose networks are tables; `document` has them, or what is in their place.

    `origin` is the file, for messages. Raises UsageError if a function of latencies fails, or how many messages there
    are is not known.
    """
    try:
        return _with_tables(document)
    except UsageError as error:
        refuse(origin, [str(error)])


def _with_tables(document: Content) -> Content:
    found = dict(document)
    if "network" in found:
        found["network"] = _table(found["network"], "network", document)
    signals = found.get("signals")
    if isinstance(signals, Mapping) and any(isinstance(one, Mapping) and "network" in one for one in signals.values()):
        found["signals"] = {name: _of_signal(name, one, document) for name, one in signals.items()}
    return found


def _of_signal(name: str, table: Any, document: Content) -> Any:
    if not isinstance(table, Mapping) or "network" not in table:
        return table
    given = table["network"]
    made = _table(given, f"signals.{name}.network", document)
    return {**table, "network": made if isinstance(given, Mapping) else {**_OTHERS, **made}}


def _table(given: Any, key: str, document: Content) -> Any:
    """Return a network as a table: a whole number is in macro steps, all other times are in s."""
    if isinstance(given, Mapping):
        inner = given.get("latencies")
        return {**given, "latencies": _list(inner, f"{key}.latencies", document)} if inner is not None else given
    if isinstance(given, int) and not isinstance(given, bool):
        return {"latency_steps": given}
    return {"latencies": _list(given, key, document)}


def _list(given: Any, key: str, document: Content) -> list[float]:
    if callable(given):
        return [_number(_ask(given, key, n, t), f"{key}({n}, {t:g})") for n, t in _messages(key, document)]
    if isinstance(given, float):
        return [_number(given, key)]
    try:
        return [_number(one, f"{key}[{i}]") for i, one in enumerate(given)]
    except TypeError:
        allowed = "allowed a number of macro steps, a time in s, times of all messages, or a function (n, t)"
        raise UsageError(f"{key} = {given!r:.40}, {allowed}") from None


def _messages(key: str, document: Content) -> list[tuple[int, float]]:
    """Return number and time [s] of each message of the scenario."""
    step, duration = document.get("macro_step"), document.get("duration")
    if not all(isinstance(one, int | float) and one > 0 for one in (step, duration)):
        text = f"{key} is a function: it needs macro_step and duration, which tell how many messages there are"
        raise UsageError(text)
    assert step is not None
    assert duration is not None
    return [(n, n * step) for n in range(int(duration / step + 1e-6) + 1)]


def _ask(call: Callable[[int, float], Any], key: str, n: int, t: float) -> Any:
    try:
        return call(n, t)
    except Exception as error:
        raise UsageError(f"{key}({n}, {t:g}) raises {type(error).__name__}: {error}") from error


def _number(value: Any, key: str) -> float:
    try:
        found = math.nan if value is None else float(value)
    except (TypeError, ValueError):
        found = -1.0
    if found < 0.0 or found == math.inf:
        raise UsageError(f"{key} = {value!r:.40}, allowed a time of at least 0 s, None or nan where a message is lost")
    return found
