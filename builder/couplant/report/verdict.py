"""What the figures of a result say: stable or not, which algorithm is best, in one sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from couplant.cosim.result import Result, Run
from couplant.report.figures import label, number

STABLE, BORDERLINE, UNSTABLE, UNKNOWN = "stable", "borderline", "unstable", "unknown"

BORDERLINE_GROWTH = 1.02
"""Up to here growth above one may be the beating of two modes instead of instability."""


def is_open_loop(result: Result) -> bool:
    """Tell whether a recording was estimated, so that nothing could become unstable.

    Parameters
    ----------
    result : Result
        What a scenario handed back.

    Returns
    -------
    bool
        True if the settings name a recording.
    """
    return bool(result.settings.get("recording"))


def verdict(run: Run) -> str:
    """Tell stable from unstable by growth.

    Parameters
    ----------
    run : Run
        One algorithm in one timing.

    Returns
    -------
    str
        ``stable`` for a growth up to 1, ``borderline`` up to `BORDERLINE_GROWTH`, ``unstable`` above and for errors
        that are not finite, ``unknown`` without growth (the run was too short).
    """
    error, growth = run.metrics.get("mae"), run.metrics.get("growth")
    if error is not None and not math.isfinite(error):
        return UNSTABLE
    if growth is None:
        return UNKNOWN
    if growth <= 1.0:
        return STABLE
    return BORDERLINE if growth <= BORDERLINE_GROWTH else UNSTABLE


def timings(result: Result) -> list[str]:
    """Return the timings of the runs, in their order.

    Parameters
    ----------
    result : Result
        What a scenario handed back.
    """
    return list(dict.fromkeys(run.timing for run in result.runs))


def ranked(result: Result, timing: str) -> list[Run]:
    """Return the runs of one timing, best first: those that are not unstable before the others, then by MAE.

    Parameters
    ----------
    result : Result
        What a scenario handed back.
    timing : str
        ``event`` or ``step``.
    """
    loop = not is_open_loop(result)
    runs = [run for run in result.runs if run.timing == timing]
    return sorted(runs, key=lambda run: (loop and verdict(run) == UNSTABLE, _error(run)))


def headline(result: Result) -> str:
    """Say in one sentence what happened: which coupling is unstable, which algorithm is best, by what factor.

    Parameters
    ----------
    result : Result
        What a scenario handed back.

    Returns
    -------
    str
        The sentence, made from the metrics.
    """
    if not result.runs:
        return "Nothing was run."
    parts = [part for part in (_stability(result), _best(result)) if part]
    sentence = "; ".join(parts) or _only_error(result)
    return sentence[0].upper() + sentence[1:] + "."


def _stability(result: Result) -> str:
    verdicts = {verdict(run) for run in result.runs}
    if is_open_loop(result) or verdicts == {UNKNOWN}:
        return ""
    unstable = [run for run in result.runs if verdict(run) == UNSTABLE]
    if unstable:
        return _unstable(result, unstable)
    if verdicts == {STABLE}:
        return _all_stable(result)
    return "no coupling is clearly unstable"


def _unstable(result: Result, unstable: Sequence[Run]) -> str:
    names = list(dict.fromkeys(run.algorithm for run in unstable))
    if len(unstable) == len(result.runs):
        return f"{label(names[0])} makes the coupling unstable" if len(names) == 1 else "every coupling is unstable"
    texts = [label(name) + _only_in(result, name, unstable) for name in names]
    return f"{join(texts)} {'makes' if len(texts) == 1 else 'make'} the coupling unstable"


def _only_in(result: Result, name: str, unstable: Sequence[Run]) -> str:
    ran = {run.timing for run in result.runs if run.algorithm == name}
    failed = [run.timing for run in unstable if run.algorithm == name]
    return "" if ran == set(failed) else f" in {join(failed)} timing"


def _all_stable(result: Result) -> str:
    names = list(dict.fromkeys(run.algorithm for run in result.runs))
    if len(names) == 1:
        return f"{label(names[0])} keeps the coupling stable"
    return f"all {len(names)} algorithms keep the coupling stable"


def _best(result: Result) -> str:
    compared = {timing: ranked(result, timing) for timing in timings(result)}
    compared = {timing: runs for timing, runs in compared.items() if len(runs) > 1 and math.isfinite(_error(runs[0]))}
    if not compared:
        return ""
    best = {runs[0].algorithm for runs in compared.values()}
    if len(best) == 1:
        gaps = [_gap(runs) + _in(timing, compared) for timing, runs in compared.items()]
        return f"{label(best.pop())} comes closest to the undelayed signal, {join(gaps)}"
    gaps = [f"{label(runs[0].algorithm)} in {timing} timing ({_gap(runs)})" for timing, runs in compared.items()]
    return f"closest to the undelayed signal come {join(gaps)}"


def _in(timing: str, compared: Iterable[str]) -> str:
    return f" in {timing} timing" if len(list(compared)) > 1 else ""


def _gap(runs: Sequence[Run]) -> str:
    best = runs[0]
    other = next((run for run in runs[1:] if run.algorithm == "zoh"), runs[-1])
    name, low, high = label(other.algorithm), _error(best), _error(other)
    if not math.isfinite(high):
        return f"{name}'s error is without bounds"
    if low == 0.0:
        return "without any error"
    if high >= 2.0 * low:
        return f"{name}'s mean error is {times(high / low)} times as large"
    if high < low:
        return f"although {name}'s mean error is {_percent(low, high)} smaller"
    return f"its mean error is {_percent(high, low)} smaller than {name}'s"


def _percent(large: float, small: float) -> str:
    return f"{number(100.0 * (1.0 - small / large), 2)} %"


def times(factor: float) -> str:
    """Write a factor the way one says it: 2.4, 12, 187, 5.2×10⁶.

    Parameters
    ----------
    factor : float
        A factor of at least one.

    Returns
    -------
    str
        Two digits, or all digits before the point.
    """
    if 10.0 <= factor < 99999.5:
        return f"{factor:.0f}"
    return number(factor, 2)


def _only_error(result: Result) -> str:
    texts = [
        f"{label(run.algorithm)} has a mean error of {number(run.metrics.get('mae'))} in {run.timing} timing"
        for run in result.runs
    ]
    return join(texts)


def _error(run: Run) -> float:
    error = run.metrics.get("mae")
    return error if error is not None and math.isfinite(error) else math.inf


def join(words: Sequence[str]) -> str:
    """Join words as in a sentence: a, b and c.

    Parameters
    ----------
    words : sequence of str
        What to join.

    Returns
    -------
    str
        The words with commas and an ``and``.
    """
    words = list(words)
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)
