"""Headline of a result: which coupling is unstable, which algorithm is best, in one sentence."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from couplant.base.style import PLAIN_WIRE, WIRE, label, number
from couplant.cosim.judgement.verdict import STABLE, UNKNOWN
from couplant.cosim.result import Result, Run

LEAVE_OUT = f"leave the FMU out: {PLAIN_WIRE} is better here"  # what is said where no FMU is better than none


def name_of(algorithm: str) -> str:
    """Return the name of an algorithm within a sentence."""
    return PLAIN_WIRE if algorithm == WIRE else label(algorithm)


def headline(result: Result) -> str:
    """Say in one sentence what happened: which coupling is unstable, which algorithm is best, by what factor."""
    if not result.runs:
        return "Nothing was run."
    if not any(run.traces for run in result.runs):
        return "No signal was compared with the reference."
    parts = [part for part in (_stability(result), _best(result)) if part]
    return sentence("; ".join(parts) or _only_error(result))


def _stability(result: Result) -> str:
    verdicts = {run.verdict for run in result.runs}
    if result.open_loop or verdicts == {UNKNOWN}:
        return ""
    unstable = [run for run in result.runs if run.judgement.is_unstable]
    if unstable:
        return _unstable(result, unstable)
    if verdicts == {STABLE}:
        names = list(dict.fromkeys(run.algorithm for run in result.runs))
        others = [name for name in names if name != WIRE]
        parts = [name_of(WIRE)] * (WIRE in names)
        parts += [label(name) for name in others] if len(others) < 2 else [f"all {len(others)} algorithms"]
        return f"{join(parts)} {'keeps' if len(names) == 1 else 'keep'} the coupling stable"
    return "no coupling is clearly unstable"


def _unstable(result: Result, unstable: Sequence[Run]) -> str:
    names = list(dict.fromkeys(run.algorithm for run in unstable))
    if len(unstable) == len(result.runs):
        return f"{name_of(names[0])} makes the coupling unstable" if len(names) == 1 else "every coupling is unstable"
    always = [name for name in names if _failed_in(result, name) == _ran_in(result, name)]
    verb = "makes" if len(always or names) == 1 else "make"
    parts = [f"{join([name_of(name) for name in always])} {verb} the coupling unstable"] if always else []
    for timing in result.timings:
        found = [name_of(name) for name in names if name not in always and timing in _failed_in(result, name)]
        if found:
            parts.append(f"{'also ' if always else ''}{join(found)} in {timing} timing")
    return ", ".join(parts) if always else f"{join(parts)} {verb} the coupling unstable"


def _ran_in(result: Result, name: str) -> set[str]:
    return {run.timing for run in result.runs if run.algorithm == name}


def _failed_in(result: Result, name: str) -> set[str]:
    return {run.timing for run in result.runs if run.algorithm == name and run.judgement.is_unstable}


class _Pair(NamedTuple):
    """The best run, and the one that it is compared with: the plain wire, else ZOH, else the worst."""

    best: Run
    other: Run
    diverges: bool  # whether the other one makes the coupling unstable: then no factor means anything

    @classmethod
    def of(cls, result: Result, runs: Sequence[Run]) -> "_Pair":
        """Return the pair of two `runs` or more, best first."""
        known = {run.algorithm: run for run in reversed(runs[1:])}
        other = known.get(WIRE) or known.get("zoh") or runs[-1]
        return cls(runs[0], other, _diverges(result, other))


def _diverges(result: Result, run: Run) -> bool:
    return run.judgement.is_unstable and not result.open_loop


def _best(result: Result) -> str:
    ranked = {timing: result.ranked(timing) for timing in result.timings}
    useful = {at: runs for at, runs in ranked.items() if len(runs) > 1 and math.isfinite(runs[0].judgement.error)}
    compared = {at: _Pair.of(result, runs) for at, runs in useful.items() if not _diverges(result, runs[0])}
    if not compared:
        return ""
    best = {pair.best.algorithm for pair in compared.values()}
    if best == {WIRE}:
        return LEAVE_OUT
    if len(best) > 1:
        return _different(compared)
    name = name_of(best.pop())
    return f"{name} comes closest to the undelayed signal, {_factors(compared) or _gaps(compared)}"


def _different(compared: Mapping[str, _Pair]) -> str:
    (timing, pair), *others = compared.items()
    texts = [f"{name_of(pair.best.algorithm)} comes closest to the undelayed signal in {timing} timing ({_gap(pair)})"]
    texts += [f"{name_of(one.best.algorithm)} in {timing} timing ({_gap(one)})" for timing, one in others]
    out = [f"leave the FMU out in {at} timing" for at, one in compared.items() if one.best.algorithm == WIRE]
    return "; ".join([", ".join(texts), *out])


def _factors(compared: Mapping[str, _Pair]) -> str:
    others = {pair.other.algorithm for pair in compared.values()}
    errors = {timing: (pair.other.judgement.error, pair.best.judgement.error) for timing, pair in compared.items()}
    factors = {timing: high / (low or math.nan) for timing, (high, low) in errors.items()}
    comparable = all(2.0 <= factor < math.inf for factor in factors.values())
    if len(others) > 1 or not comparable or any(pair.diverges for pair in compared.values()):
        return ""
    several = len(factors) > 1
    texts = [f"{times(factor)} times{f' ({timing} timing)' if several else ''}" for timing, factor in factors.items()]
    return f"{name_of(others.pop())}'s mean error is {join(texts)} as large"


def _gaps(compared: Mapping[str, _Pair]) -> str:
    gaps = {timing: _gap(pair) for timing, pair in compared.items()}
    if len({*gaps.values()}) == 1:
        return next(iter(gaps.values()))
    return join([f"in {timing} timing {gap}" for timing, gap in gaps.items()])


def _gap(pair: _Pair) -> str:
    name, low, high = name_of(pair.other.algorithm), pair.best.judgement.error, pair.other.judgement.error
    if pair.diverges:
        return f"{name} diverges"
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
    """Write a `factor` of at least one the way one says it, with two digits or more: 2.4, 12, 187, 5.2×10⁶."""
    return f"{factor:.0f}" if 10.0 <= factor < 99999.5 else number(factor, 2)


def _only_error(result: Result) -> str:
    figures = [(name_of(run.algorithm), share_of_signals(run), run.timing) for run in result.runs]
    return join([f"{name} has a mean error of {error} in {timing} timing" for name, error, timing in figures])


def share_of_signals(run: Run) -> str:
    """Write the mean error of a run in per cent of the size of its signals: their units may differ."""
    error = run.judgement.error
    return f"{number(100.0 * error, 3)} % of the signals" if math.isfinite(error) else "without bounds"


def join(words: Sequence[str]) -> str:
    """Join words as in a sentence: a, b and c."""
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)


def sentence(text: str) -> str:
    """Begin a text with a capital and end it with a full stop, if there is one."""
    return f"{text[0].upper()}{text[1:]}." if text else ""
