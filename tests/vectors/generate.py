"""Write the vectors that are too long to work by hand, from the equations with numpy and exact fractions.

Nothing of the code under test is imported. Run `python tests/vectors/generate.py` to write the files anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
STEP = 0.25
MACRO = f"set macro_step {STEP!r}"
SIGNAL = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4)


def hexadecimal(value) -> str:
    """Return a number as the files show it: short where a decimal is exact, else hexadecimal."""
    value = float(value)
    short = f"{value:.6g}"
    return short if float(short) == value and Fraction(short) == Fraction(value) else value.hex()


def coarse(values: np.ndarray) -> np.ndarray:
    """Return values with 20 binary places, the same on every machine whatever its sine."""
    return np.round(values * 2**20) / 2**20


def table(columns: str, rows: Iterator[tuple]) -> list[str]:
    """Return the lines of a table; numbers become text, words stay."""
    words = [[word if isinstance(word, str) else hexadecimal(word) for word in row] for row in rows]
    return [columns, *(" ".join(row) for row in words), ""]


def case(name: str, origin: str, settings: list[str], columns: str, rows: Iterator[tuple]) -> list[str]:
    """Return the lines of a case."""
    return [f"case {name}", f"origin {origin}", *settings, *table(columns, rows)]


# algorithm


Weights = dict[int, Fraction]
"""By slot, 0 the newest."""


def zoh(k: int) -> tuple[Weights, Weights]:
    """docs/reference.md 1: a = e_0 + k p, A = p."""
    return continued({}, k)


def foh(k: int) -> tuple[Weights, Weights]:
    """docs/reference.md 1: a = e_0 + k p, A = p."""
    return continued({0: Fraction(1), 1: Fraction(-1)}, k)


def eros3(k: int) -> tuple[Weights, Weights]:
    """docs/reference.md 1: a = e_0 + k p, A = p."""
    r = Fraction(k + 2, k + 1)  # for k = 0 slots coincide
    return continued(_added([(0, r), (1, Fraction(-1)), (k + 1, -r), (k + 2, Fraction(1))]), k)


def eros4(k: int) -> tuple[Weights, Weights]:
    """docs/reference.md 1: a = e_0 + k p, A = p."""
    c1, c2, c3 = Fraction(k * k, 2) + 2 * k + Fraction(5, 2), k * k + 3 * k + 2, Fraction(k * k, 2) + k + Fraction(1, 2)
    signed = [(0, c1), (1, -c2), (2, c3), (k + 1, -c1), (k + 2, c2), (k + 3, -c3)]
    return continued(_added([(slot, Fraction(c) / (k + 1)) for slot, c in signed]), k)


def continued(p: Weights, k: int) -> tuple[Weights, Weights]:
    """Return the weights of the newest value and its continuation: a = e_0 + k p, A = p."""
    return _added([(0, Fraction(1)), *((slot, k * c) for slot, c in p.items())]), p


def _added(terms: list[tuple[int, Fraction]]) -> Weights:
    total: Weights = {}
    for slot, c in terms:
        total[slot] = total.get(slot, Fraction(0)) + c
    return total


LINEAR = {algorithm.__name__: algorithm for algorithm in (zoh, foh, eros3, eros4)}
"""From k to the weights a and A. Their docstrings are the origin that the vectors name."""


def line(weights: tuple[Weights, Weights], past: list) -> tuple[Fraction, ...]:
    """Return level and slope."""
    return tuple(sum((c * past[slot] for slot, c in part.items()), Fraction(0)) for part in weights)


def lines(name: str, k: int, values: tuple) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Return name, level and slope for each macro step; value n was sent at n - k and passed through for n < k."""
    weights = LINEAR[name](k)
    m = 1 + max(slot for part in weights for slot in part)
    for n, y in enumerate(values):
        past = [Fraction(value) for value in values[k : n + 1]][::-1]
        if not past:
            yield "none", Fraction(y), Fraction(0)
        elif len(past) >= m:
            yield name, *line(weights, past)
        else:
            yield ("zoh", *line(zoh(k), past)) if len(past) == 1 else ("foh", *line(foh(k), past))


def linear_rows(name: str, k: int, event: bool) -> Iterator[tuple]:
    """Return rows with the estimate at theta = 0 (event), 1/2 and 1."""
    for n, (active, level, slope) in enumerate(lines(name, k, SIGNAL)):
        y, t = SIGNAL[n], n * STEP
        if event:
            yield t, "-", y, "|", level, active
        yield t, STEP / 2, y, "|", level + slope / 2, active
        yield t + STEP / 2, STEP / 2, ".", "|", level + slope, active


def linear_cases() -> Iterator[list[str]]:
    for name in LINEAR:
        for k in (0, 1, 3, 6):
            for timing in ("step", "event"):
                settings = [f"timing {timing}", MACRO, f"set latency.constant_steps {k}"]
                settings += [f"set algorithm.selected {name}", "tolerance y_hat 2e-12"]
                yield case(
                    f"{name}, k = {k}, {timing} timing",
                    f"{LINEAR[name].__doc__.removesuffix('.')}, in exact fractions",
                    settings,
                    "t h y | y_hat algorithm.active",
                    linear_rows(name, k, timing == "event"),
                )


GUARDED = {
    "a jump out of rest": ([0] * 24 + [1] * 8 + [0] * 8, {24: ("-1/2", "3/2"), 32: ("-1/2", "3/2")}),
    "a small jump in a wide range": (
        [*range(24), *range(24, 0, -1), *range(13), *range(17, 23)],
        {1: ("-1/2", "3/2"), 2: ("-1", "3"), 3: ("-3/2", "9/2"), 61: ("19/4", "117/4")},
    ),
    "by the square of time out of rest": (
        [0] * 24 + [1, 4, 9, 16],
        {24: ("-1/2", "3/2"), 25: ("-2", "6"), 26: ("-9/2", "27/2")},
    ),
    "by the cube of time out of rest": ([0] * 24 + [1, 8, 27, 64, 125], {24: ("-1/2", "3/2")}),
}
"""Values as they are sent, and limits where the line through the last two leaves them, by number of the value."""


def guard_rows(values: list[int], limits: dict[int, tuple[str, str]], k: int) -> Iterator[tuple]:
    """Return rows with the estimate at theta = 0 and 1, both within limits."""
    for n, (_, level, slope) in enumerate(lines("foh", k, (0,) * k + tuple(values))):
        ends, t = [level, level + slope], n * STEP
        low, high = map(Fraction, limits.get(n - k, (-1000, 1000)))
        kept = [min(max(end, low), high) for end in ends]
        y, acts = values[max(n - k, 0)], str(kept != ends).lower()
        yield t, "-", y, "|", kept[0], acts
        yield t, STEP, y, "|", kept[1], acts


def guard_cases() -> Iterator[list[str]]:
    for name, (values, limits) in GUARDED.items():
        settings = ["timing event", MACRO, "set latency.constant_steps 2", "set algorithm.selected foh"]
        yield case(
            f"guard, {name}",
            "half a range, 7/4 of the largest change, a movement, no limit as it leaves rest; in exact fractions",
            [*settings, "set output.guard 0.5"],
            "t h y | y_hat output.guarded",
            guard_rows(values, limits, 2),
        )


def observer_rows(k: int, gain: float, fraction: float) -> Iterator[tuple]:
    """Return rows of the sliding-mode observer in event timing, whose first k + 1 estimates are those of foh.

    yhat_n = yhat_{n-1} + y_{n-k} - y_{n-k-1} - gain (yhat_{n-k} - y_{n-k}); k = 0 is foh. With a latency of
    k - fraction steps the value at n - k is read from the line through the two newest values.
    """
    counted = k - 1 if fraction else k
    given: list[float] = []
    for n, y in enumerate(SIGNAL):
        past = [float(value) for value in SIGNAL[counted : n + 1]][::-1]
        slope = past[0] - past[1] if len(past) > 1 else 0.0
        active = ("none", "zoh")[len(past)] if len(past) < 2 else "foh"
        level = (past[0] if past else float(y)) + (k - fraction) * slope
        if len(past) >= k + 2:
            active = "smb"
            if k > 0:
                slope = slope - gain * (given[n - k] - (past[0] - fraction * slope))
                level = given[-1] + slope
        given.append(level)
        yield n * STEP, "-", y, "|", level, active
        yield n * STEP, STEP, ".", "|", level + slope, active


def observer_cases() -> Iterator[list[str]]:
    cases = ((0, 0.0, 0.0), (1, 0.0, 0.0), (3, 0.0, 0.0), (6, 0.0, 0.0), (3, 0.5, 0.0), (1, 0.0, 0.75), (3, 0.0, 0.25))
    for k, given, fraction in cases:
        gain = given * STEP if given or not k else 0.85 * np.pi / (2 * k)
        settings = ["timing event", MACRO, f"set latency.constant_steps {k - 1 if fraction else k}"]
        settings += [f"set latency.offset {(1 - fraction) * STEP!r}"] if fraction else []
        settings += ["set algorithm.selected smb", f"set algorithm.observer_gain {given!r}", "tolerance y_hat 2e-12"]
        yield case(
            f"smb, latency of {k - fraction:g} steps, lambda = {given or 'worked out'}",
            "docs/reference.md 1, recursion of the sliding-mode observer, lambda dT = 0.85 pi / (2 k) where worked out",
            settings,
            "t h y | y_hat algorithm.active",
            observer_rows(k, gain, fraction),
        )


# quality


def recording() -> np.ndarray:
    """Return 40 values of a smooth signal with a kink."""
    n = np.arange(40)
    return coarse(3.0 * np.sin(0.17 * n) + np.cos(0.41 * n) + np.where(n > 25, 0.05 * (n - 25) ** 2, 0.0))


def rounded(lead: float) -> tuple[int, float]:
    """Return k and the fraction f by which it exceeds a lead (docs/lateness.md), for multiples of 1/4 macro step."""
    k = max(0, int(np.ceil(lead)))
    return k, k - lead


def estimates(name: str, age: int, lead: float, values: np.ndarray, event: bool) -> dict[int, float]:
    """Return the judged estimates by the macro step they are given out for: theta = 0 of n, or theta = 1 of n - 1."""
    k, fraction = rounded(lead)
    weights = LINEAR[name](k)
    m = 1 + max(slot for part in weights for slot in part)
    found = {}
    for n in range(age + m - 1, len(values)):
        past = values[age : n + 1][::-1]
        level, slope = line(weights, [Fraction(value) for value in past])
        found[n if event else n + 1] = float(level + (0 if event else 1) * slope - Fraction(fraction) * slope)
    return found


def quality_rows(name: str, age: int, lead: float, event: bool, zeta: float, delta: float) -> Iterator[tuple]:
    """Return rows with error, tolerance, verdict and skills of the estimate whose true value arrives at n.

    That is the estimate for n - k: it stands for a time f before that of y_n, between two values if f is no integer.
    Without an FMU the receiver would have had the value that came at n - k, of which ZOH makes no use in step timing.
    """
    values, late = recording(), 0 if event else 1
    made = estimates(name, age, lead, values, event)
    k, fraction = rounded(lead)
    error = tolerance = own = hold = wire = skill = against_zoh = 0.0
    for n, y in enumerate(values):
        newer = n - int(fraction)
        if n - k in made:
            true = values[newer] - (fraction % 1.0) * (values[newer] - values[newer - 1])
            first = values[newer] - values[newer - 1]
            second = first - (values[newer - 1] - values[max(newer - 2, age)])  # the first stored one repeats
            error = abs(made[n - k] - true)
            tolerance = (abs(first) / STEP + zeta * abs(second) / STEP**2) * delta * (k + late) * STEP
            own, hold = 0.98 * own + error**2, 0.98 * hold + (values[n - k - late] - true) ** 2
            wire = 0.98 * wire + (values[n - k] - true) ** 2
            skill = 1.0 - np.sqrt(own / wire) if wire > 0.0 else -1000.0 * (own > 0.0)
            against_zoh = 1.0 - np.sqrt(own / hold) if hold > 0.0 else 0.0
        verdict = "true" if error <= tolerance else "false"
        yield n * STEP, STEP, y, "|", error, tolerance, verdict, skill, against_zoh


def quality_case(name: str, k: int, timing: str, zeta: float, delta: float, leads: dict[str, float]) -> list[str]:
    origin = "docs/reference.md 5: (|f'| + zeta |f''|) delta kappa dT, the skills, with numpy"
    settings = [f"timing {timing}", MACRO, f"set latency.constant_steps {k}", f"set algorithm.selected {name}"]
    settings += [f"set latency.{key} {steps * (STEP if key == 'offset' else 1.0)!r}" for key, steps in leads.items()]
    settings += [f"set quality.zeta {zeta!r}", f"set quality.delta {delta!r}", "set quality.action warn"]
    settings += [f"tolerance quality.{key} 1e-12" for key in ("error", "tolerance", "skill", "skill_zoh")]
    columns = "t h y | quality.error quality.tolerance quality.ok quality.skill quality.skill_zoh"
    title = "the tolerance of Stettinger" if zeta == 0.0 else f"zeta = {zeta}, delta = {delta}"
    title += "".join(f", {key} of {steps} macro steps" for key, steps in leads.items())
    rows = quality_rows(name, k, k + sum(leads.values()), timing == "event", zeta, delta)
    return case(f"{name}, k = {k}, {timing} timing, {title}", origin, settings, columns, rows)


def quality_cases() -> Iterator[list[str]]:
    cases = (("foh", 2, "step", 2.0, 0.02), ("foh", 2, "event", 2.0, 0.02), ("eros3", 3, "event", 0.1, 0.2))
    cases += (("eros3", 3, "step", 0.1, 0.2), ("eros4", 1, "event", 0.0, 0.1), ("foh", 0, "step", 0.0, 0.1))
    for one in cases:
        yield quality_case(*one, {})
    yield quality_case("eros3", 2, "step", 0.1, 0.2, {"host_lead": 1.0})
    yield quality_case("eros3", 2, "step", 0.1, 0.2, {"host_lead": 1.0, "hold_lead": 0.25})
    yield quality_case("foh", 2, "event", 2.0, 0.02, {"offset": 0.5})
    yield quality_case("eros3", 2, "event", 0.1, 0.2, {"offset": -0.75})
    yield quality_case("foh", 1, "step", 2.0, 0.02, {"host_lead": -1.0, "hold_lead": -1.5})


# discontinuity


def spectrum(window: np.ndarray) -> float:
    """Return the sum of the magnitudes of all bins but the constant one (docs/reference.md 6)."""
    n = np.arange(1, 9)
    weighted = (window - window[-1]) * 0.5 * (1 - np.cos(np.pi * n / 8)) * 2 / 8 * 16 / 9
    return float(np.abs(np.fft.rfft(weighted))[1:].sum())


def detector_rows(values: np.ndarray, beta: float, floor: float) -> Iterator[tuple]:
    """Return rows with the spectrum and the flag; slots before the first value repeat it."""
    padded = np.concatenate([np.full(8, values[0]), values])
    before = 0.0
    for n, y in enumerate(values):
        now = spectrum(padded[n + 1 : n + 9])
        flag = n >= 7 and now > beta * before and now > max(1e-9 * abs(y), floor)
        yield n * STEP, STEP, y, "|", now, "true" if flag else "false"
        before = now


def detector_signals() -> dict[str, tuple[np.ndarray, float, float]]:
    n = np.arange(30)
    jump = np.where(n >= 18, 2.0, 0.0)
    noise = np.random.RandomState(7).standard_normal(30)  # the stream of this generator is frozen
    return {
        "a ramp is no discontinuity": (0.5 * n - 3.0, 1.0625, 0.0),
        "a constant is none": (np.full(30, 7.0), 1.0, 0.0),
        "one unit in the last place is none": (np.where(n == 20, np.nextafter(7.0, 8.0), 7.0), 1.0, 0.0),
        "a jump of a sine": (np.sin(0.3 * n) + jump, 5.0, 0.0),
        "a small jump of a sine is missed": (np.sin(0.3 * n) + 0.05 * jump, 5.0, 0.0),
        "the first move from rest": (np.where(n >= 12, np.sin(0.2 * (n - 11)), 0.0), 5.0, 0.0),
        "fewer than eight values": (np.where(n >= 5, 1.0, 0.0), 5.0, 0.0),
        "a floor above the jump": (np.where(n >= 18, 1.0, 0.0), 5.0, 2.0),
        "noise with a low threshold": (noise, 1.5, 0.0),
    }


def detector_cases() -> Iterator[list[str]]:
    for name, (values, beta, floor) in detector_signals().items():
        settings = [MACRO, "set algorithm.selected zoh", "set discontinuity.enabled true"]
        settings += [f"set discontinuity.sensitivity {beta!r}", f"set discontinuity.floor {floor!r}"]
        settings += ["tolerance debug.spectrum 1e-13"]
        columns = "t h y | debug.spectrum discontinuity.detected"
        exact = name == "one unit in the last place is none"
        values = values if exact else coarse(values)
        origin = "docs/reference.md 6 with numpy.fft.rfft"
        yield case(name, origin, settings, columns, detector_rows(values, beta, floor))


STAGES = {
    "algorithm": (
        "Stage 6: estimate the value at this macro step from the history.",
        (linear_cases, observer_cases, guard_cases),
    ),
    "quality": ("Stage 3: how wrong was the estimate made for the value that has just arrived?", (quality_cases,)),
    "discontinuity": ("Stage 4: does the newest value break with the past?", (detector_cases,)),
}


def text(stage: str) -> str:
    """Return the contents of the vector file of a stage."""
    title, makers = STAGES[stage]
    head = [f"# {title}", "# Written by generate.py.", ""]
    found = [line for maker in makers for lines_of_case in maker() for line in lines_of_case]
    return "\n".join(head + found)


if __name__ == "__main__":
    for stage in STAGES:
        (FOLDER / f"{stage}.txt").write_text(text(stage), encoding="utf-8")
