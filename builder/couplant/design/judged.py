"""All algorithms on a recording, run as in their FMUs and ranked by what a receiver has of them.

The receiver reads at communication points: in step timing `MICRO_STEPS` of them in a macro step, where nothing else is
said. The baseline is the plain wire, what it has without any FMU: the newest value that has come. What is good for
one recording need not be for the next, whose operating point is another: the same signal is judged slower and faster
too (`SHIFTS`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.analysis.signal.periodic import PERIODIC_SHIFTS, Periodic
from couplant.analysis.signal.recording import OpenLoop, Span, judge
from couplant.analysis.signal.way import Way
from couplant.base.arrays import Vector
from couplant.base.style import WIRE
from couplant.config.frame.read import Content
from couplant.config.network import NetworkTable
from couplant.design.recommendation import EVERY, PHASOR
from couplant.pack.trial import trials
from couplant.tables import Recording

MICRO_STEPS = 10  # communication steps in a macro step in step timing: an FMU foresees one of them besides the latency

SHIFTS = (0.7, 0.8, 0.9, 1.1, 1.2, 1.3)
"""How fast the signal is played besides as it was recorded: its spectrum moves by this factor. [-]"""

_BLOCKS = 4
_LONGEST_SHIFTED = 2000  # macro steps that are judged of a signal played slower or faster, at most


@dataclass(frozen=True, eq=False)
class Judged:
    """Estimates of algorithms on a part of a recording."""

    recording: Recording  # the true signal
    span: Span  # the part that is judged
    table: list[OpenLoop]  # errors, the smallest mean first
    # shape (N,): what a receiver has of each at the communication points from the first to the last macro step, signal
    # unit
    estimates: dict[str, Vector] = field(default_factory=dict)
    other: str = ""  # the file, where it is not the one that something was made of
    micro_steps: int = 1  # communication steps in a macro step
    # errors by algorithm of the signal played slower or faster, by factor, -
    shifted: dict[float, dict[str, OpenLoop]] = field(default_factory=dict)

    @property
    def value(self) -> Vector:
        """Return the true signal at the communication points of the span, shape (N,)."""
        return _true(self.recording, self.span, self.micro_steps)

    @property
    def rows(self) -> dict[str, OpenLoop]:
        """Return the errors by algorithm."""
        return {row.algorithm: row for row in self.table}

    def worse(self, name: str) -> bool:
        """Tell whether the algorithm `name` is no better than the wire, neither on average nor in the mean square."""
        own, wire = self.rows[name], self.rows[WIRE]
        # worse in both: one large error alone does not condemn
        return not (own.mae < wire.mae or own.rms < wire.rms)

    @property
    def seconds(self) -> tuple[float, float]:
        """Return first and last time judged [s]."""
        return self.span.seconds(self.recording.macro_step)

    def validate(self, choice: Callable[[Mapping[str, OpenLoop]], str]) -> float:
        """Return the mean error over that of the wire where `choice` sees three quarters and the fourth judges it, -.

        All quarters have their turn; 1 where the wire does not err.
        """
        # a signal that stands still: all are equal
        if not self.rows[WIRE].worst > 0.0:
            return 1.0
        value = self.value
        error = wire = 0.0
        # quarters in time: chosen on the rest, judged on the quarter, as it will be in use
        for left_out in np.array_split(np.arange(value.size), min(_BLOCKS, value.size)):
            rest = np.setdiff1d(np.arange(value.size), left_out)
            kept = self.rows
            if rest.size:
                kept = {n: judge(n, value[rest], one[rest]) for n, one in self.estimates.items()}
            there = {n: float(np.abs(one - value)[left_out].sum()) for n, one in self.estimates.items()}
            error, wire = error + there[choice(kept)], wire + there[WIRE]
        # over the wire, so that loud quarters do not decide by their size alone
        return error / wire if wire > 0.0 else 1.0


def weights_of(algorithm: LinearAlgorithm, selected: str = "linear", varies: bool = False) -> Content:
    """Return the table of a signal with the weights of an `algorithm`, for `linear` or one that takes them in.

    Where the latency `varies` they hold for their own one.
    """
    weights = {"steps": algorithm.k, "a": list(algorithm.a), "A": list(algorithm.A)}
    return {"algorithm": {"selected": selected, **({"table": [weights]} if varies else weights)}}


def judge_span(
    recording: Recording,
    span: Span,
    k: int,
    timing: str,
    tables: Mapping[str, Content] | None = None,
    others: Mapping[str, Vector] | None = None,
    micro_steps: int | None = None,
    way: Way | None = None,
    common: Mapping[str, Content] | None = None,
) -> Judged:
    """Return how algorithms do on a `span` of a recording at the latency `k` [macro steps].

    `tables` has further ones: tables of a signal by the name of the row; `others` estimates that were made elsewhere,
    by name, shape (N,). A macro step has as many `micro_steps`, else as `usual_micro_steps` tells; `way` is the network
    that the values pass, else one that makes them late by `k` and does nothing else. `common` has tables that all
    algorithms have in their settings, by name: what protects the receiver. Raises UsageError if an algorithm cannot run
    with these settings.
    """
    m = micro_steps or usual_micro_steps(timing)
    way = way or Way(NetworkTable(latency_steps=k))
    own = {name: {"algorithm": name} for name in EVERY} | dict(tables or {})
    wanted = {name: {**(common or {}), **table} for name, table in own.items()}
    # the value that came last at each communication point; before the first one the first
    sent = way.latest(span.last)[span.points(m) // m]
    estimates = {WIRE: recording.value[np.maximum(sent, 0)]}
    estimates |= trials(recording, span, way, timing, wanted, m) | dict(others or {})
    value = _true(recording, span, m)
    rows = [judge(name, value, estimate) for name, estimate in estimates.items()]
    return Judged(recording, span, sorted(rows, key=_error), estimates, micro_steps=m)


def judge_shifted(
    found: Judged,
    k: int,
    timing: str,
    tables: Mapping[str, Content] | None = None,
    way: Way | None = None,
    common: Mapping[str, Content] | None = None,
    wave: Periodic | None = None,
) -> Judged:
    """Return `found` with the errors of the signal played slower and faster, at the latency `k` [macro steps].

    All other arguments are those of `judge_span`. Algorithms with settings of their own, `tables`, keep their weights:
    they were made for the signal as it was, as what is `common` to all. A periodic signal, the `wave`, is played at
    `PERIODIC_SHIFTS` too, and phasors are judged where they follow it: beyond they give the newest value out.
    """
    shifted, wanted = {}, dict(tables or {})
    phasors = {PHASOR: wanted.pop(PHASOR)} if PHASOR in wanted else {}
    for factor in (*SHIFTS, *(PERIODIC_SHIFTS if phasors else ())):
        reached = phasors if wave and wave.reaches(factor) else {}
        recording, span = play(found.recording, found.span, factor)
        one = judge_span(recording, span, k, timing, wanted | reached, None, found.micro_steps, way, common)
        shifted[factor] = one.rows
    return replace(found, shifted=shifted)


def usual_micro_steps(timing: str) -> int:
    """Return the communication steps in a macro step where nothing is said; in event timing macro points decide."""
    return MICRO_STEPS if timing == "step" else 1


def play(recording: Recording, span: Span, factor: float) -> tuple[Recording, Span]:
    """Return a recording played `factor` times as fast [-], interpolated by cubics, and where its `span` then lies.

    It ends where that does.
    """
    value = recording.value
    size = int((value.size - 1) / factor) + 1
    first = min(int(span.first / factor), size - 1)
    last = max(first + 1, min(size, first + _LONGEST_SHIFTED, int(span.last / factor)))
    position = factor * np.arange(float(last))
    place = np.minimum(position.astype(int), value.size - 2)
    x = position - place
    # Catmull-Rom: through all samples, slopes from the neighbours, straight beyond the ends
    padded = np.concatenate([[2.0 * value[0] - value[1]], value, [2.0 * value[-1] - value[-2]]])
    before, here, there, after = (padded[place + i] for i in range(4))
    slope, end = 0.5 * (there - before), 0.5 * (after - here)
    rise = there - here
    played = here + x * (slope + x * ((3.0 * rise - 2.0 * slope - end) + x * (slope + end - 2.0 * rise)))
    return replace(recording, value=played), Span(first, last)


def _true(recording: Recording, span: Span, micro_steps: int) -> Vector:
    if micro_steps == 1:
        return recording.value[span.first : span.last]
    return np.interp(span.points(micro_steps) / micro_steps, np.arange(recording.value.size), recording.value)


def _error(row: OpenLoop) -> float:
    # what diverged comes last
    return row.mae if np.isfinite(row.mae) else np.inf
