"""Headline of a result: which coupling is unstable, which algorithm is best, in one sentence."""

import math
from collections.abc import Mapping, Sequence

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


def _best(result: Result) -> str:
    compared = {timing: result.ranked(timing) for timing in result.timings}
    compared = {at: runs for at, runs in compared.items() if len(runs) > 1 and math.isfinite(runs[0].judgement.error)}
    if not compared:
        return ""
    best = {runs[0].algorithm for runs in compared.values()}
    if best == {WIRE}:
        return LEAVE_OUT
    if len(best) > 1:
        return _different(compared)
    name = name_of(best.pop())
    return f"{name} comes closest to the undelayed signal, {_factors(compared) or _gaps(compared)}"


def _different(compared: Mapping[str, Sequence[Run]]) -> str:
    (timing, runs), *others = compared.items()
    texts = [f"{name_of(runs[0].algorithm)} comes closest to the undelayed signal in {timing} timing ({_gap(runs)})"]
    texts += [f"{name_of(runs[0].algorithm)} in {timing} timing ({_gap(runs)})" for timing, runs in others]
    out = [f"leave the FMU out in {at} timing" for at, runs in compared.items() if runs[0].algorithm == WIRE]
    return "; ".join([", ".join(texts), *out])


def _factors(compared: Mapping[str, Sequence[Run]]) -> str:
    others = {_other(runs).algorithm for runs in compared.values()}
    errors = {timing: (_other(runs).judgement.error, runs[0].judgement.error) for timing, runs in compared.items()}
    factors = {timing: high / (low or math.nan) for timing, (high, low) in errors.items()}
    if len(others) > 1 or not all(2.0 <= factor < math.inf for factor in factors.values()):
        return ""
    several = len(factors) > 1
    texts = [f"{times(factor)} times{f' ({timing} timing)' if several else ''}" for timing, factor in factors.items()]
    return f"{name_of(others.pop())}'s mean error is {join(texts)} as large"


def _gaps(compared: Mapping[str, Sequence[Run]]) -> str:
    if len(compared) == 1:
        return _gap(next(iter(compared.values())))
    return join([f"in {timing} timing {_gap(runs)}" for timing, runs in compared.items()])


def _other(runs: Sequence[Run]) -> Run:
    """Return the run that the best one is compared with: the plain wire, else ZOH, else the worst."""
    known = {run.algorithm: run for run in reversed(runs[1:])}
    return known.get(WIRE) or known.get("zoh") or runs[-1]


def _gap(runs: Sequence[Run]) -> str:
    best, other = runs[0], _other(runs)
    name, low, high = name_of(other.algorithm), best.judgement.error, other.judgement.error
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
