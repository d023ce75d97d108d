"""The energy that a coupling creates, from a recording of its power bond (docs/energy.md).

What is transmitted is the work of the effort that was sent on the flow that was sent. Where it was received something
else was given out: the effort end got the energy W_e = m (x' - x), m the mean of the effort over a step, the flow end
W_f = -(e + e')/2 (x^' - x^); velocities are multiplied as lines. E_e + E_f is the energy that the coupling has created,
and each end has its own share of it: what it would be if the other end's signal had been received as it was sent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from couplant.analysis.algorithms import MAX_STEPS, LinearAlgorithm, Recursive, check_timing, generic
from couplant.analysis.signal.balance import Balance, Passage
from couplant.analysis.signal.recording import estimates
from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.config.bonds import DISPLACEMENT, FLOWS
from couplant.config.hosts import HOSTS, READS_AGAIN
from couplant.tables import Recording
from couplant.tables.bonds import BondRecording, Estimated
from couplant_runtime.algorithms import GENERIC, ROWS

_LONGEST_PREDICTED = 1_000_000


@dataclass(frozen=True)
class Convention:
    """Meaning of the numbers of a bond. Raises UsageError if one of them is not allowed."""

    flow_is: str = DISPLACEMENT  # "displacement" or "velocity": what is given as flow
    sign: int = 1  # 1: effort times flow is power into the receiver of the effort, -1: out of it
    timing: str = "event"  # "event" or "step": what was received runs as a line from row to row, or is held
    # the importer, "reads_again", "jacobi" or "sequential": where it does not read again, a displacement acts a row
    # after it was received in step timing
    host: str = READS_AGAIN

    def __post_init__(self) -> None:
        """Check the fields."""
        check_timing(self.timing)
        if self.flow_is not in FLOWS:
            raise UsageError(f'flow_is = "{self.flow_is}", allowed {", ".join(FLOWS)}')
        if self.sign not in (1, -1):
            raise UsageError(f"sign = {self.sign}, allowed 1, -1")
        if self.host not in HOSTS:
            raise UsageError(f'host = "{self.host}", allowed {", ".join(HOSTS)}')

    def work(self, effort: "Lines", flow: "Lines", h: Vector) -> Vector:
        """Return the energy of an effort on a flow in each step [J]; `h` are the steps [s], all of shape (N,)."""
        if self.flow_is == DISPLACEMENT:
            # effort times what the displacement moves: exact for a mean effort
            return self.sign * effort.mean * flow.moved
        # ∫ (e + e' t)(f + f' t) dt over a step: the product of means plus a twelfth of the rises
        return self.sign * (effort.mean * flow.mean + effort.rise * flow.rise / 12.0) * h


@dataclass(frozen=True, eq=False)
class Lines:
    """A signal over N steps, a line in each."""

    # mean, rise: shape (N,): mean over each step and change within it [signal unit]
    mean: Vector
    rise: Vector
    moved: Vector  # shape (N,): change from the begin of each step to that of the next one [signal unit]

    @classmethod
    def between(cls, start: Vector, end: Vector, moved: Vector) -> "Lines":
        """Return the lines from `start` to `end` of each step, shape (N,) [signal unit]; `moved` as above."""
        return cls(0.5 * (start + end), end - start, moved)

    @classmethod
    def through(cls, value: Vector) -> "Lines":
        """Return the lines through a `value` at each point, shape (N + 1,) [signal unit]."""
        return cls.between(value[:-1], value[1:], np.diff(value))


def passage(recording: BondRecording, convention: Convention, macro_step: float | None = None) -> Passage:
    """Return the energy that a recording transmits; the `macro_step` [s] is by default that of the recording.

    Raises UsageError if the macro step does not fit the recording or the energy is too large for a number.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        sent = _transmitted_work(recording, convention)
    step, curves = _at_macro_points([sent], recording.time, macro_step)
    return Passage(step, *curves)


def balance(recording: BondRecording, convention: Convention, macro_step: float | None = None) -> Balance:
    """Return the energy that the coupling has created or lost; received signals recorded, `macro_step` as in `passage`.

    Raises UsageError as in `passage`, and if the received signals are missing.
    """
    if recording.received is None:
        raise UsageError("effort_received and flow_received are missing: the columns of what arrived")
    time, signals = recording.time, (recording.effort, recording.flow)
    with np.errstate(over="ignore", invalid="ignore"):
        sent, h = _transmitted_work(recording, convention), np.diff(time)
        effort, flow = (_received_lines(*pair, convention) for pair in zip(recording.received, signals, strict=True))
        given = convention.work(effort, Lines.through(signals[1]), h)
        taken = convention.work(Lines.through(signals[0]), flow, h)
        # what each end adds: given less sent at the effort, sent less taken at the flow
        works = [sent, given - sent, sent - taken]
    step, (grid, energy, *shares) = _at_macro_points(works, time, macro_step)
    return Balance(Passage(step, grid, energy), *shares)


def open_loop(
    effort: Recording, flow: Recording, algorithms: Mapping[str, tuple[Recursive, Recursive]], convention: Convention
) -> dict[str, Balance]:
    """Return the energy that algorithms would create if their estimates changed nothing, by name.

    Each has estimators of effort and flow. At most the first million macro steps count, and not those at the start in
    which the longest of them looks back before it (at most a quarter). Raises UsageError if the energy is too large for
    a number.
    """
    signals = [one.value[:_LONGEST_PREDICTED] for one in (effort, flow)]
    size, step = signals[0].size, effort.macro_step
    time = step * np.arange(size, dtype=float)
    used = [
        one.k + 1 + (one.m if isinstance(one, LinearAlgorithm) else 0) for pair in algorithms.values() for one in pair
    ]
    # without the start, where estimates are not made of received values yet, a quarter at most
    first = min(max(used), size // 4)
    e, f = Lines.through(signals[0]), Lines.through(signals[1])
    sent = convention.work(e, f, np.diff(time))
    found = {}
    for name, pair in algorithms.items():
        g_e, g_f = (_estimate_lines(one, y, convention) for one, y in zip(pair, signals, strict=True))
        # each signal is replaced by its estimate by itself: the other end has the true one
        works = sent, convention.work(g_e, f, np.diff(time)) - sent, sent - convention.work(e, g_f, np.diff(time))
        _, (_, energy, *shares) = _at_macro_points([work[first:] for work in works], time[first:], step)
        found[name] = Balance(Passage(step, time[first:], energy), *shares)
    return found


def _transmitted_work(recording: BondRecording, convention: Convention) -> Vector:
    """Return the energy that is transmitted from row to row, shape (N - 1,) [J]."""
    effort, flow = Lines.through(recording.effort), Lines.through(recording.flow)
    return convention.work(effort, flow, np.diff(recording.time))


def _at_macro_points(works: Sequence[Vector], time: Vector, macro_step: float | None) -> tuple[float, list[Vector]]:
    """Return ΔT, the macro points and what energies from row to row, shape (N - 1,), add up to there."""
    with np.errstate(over="ignore", invalid="ignore"):
        # energies from the start on, so that any window is a difference
        curves = [np.concatenate([[0.0], np.cumsum(work)]) for work in works]
    if not all(np.isfinite(curve[-1]) for curve in curves):
        raise UsageError("the energy is too large for a number: does the recording diverge?")
    step, grid = _grid(time, macro_step)
    # between the recording's rows energy grows in proportion to time
    return step, [grid, *(curve if grid is time else np.interp(grid, time, curve) for curve in curves)]


def _received_lines(one: Estimated, sent: Vector, convention: Convention) -> Lines:
    """Return the lines that a receiver was given."""
    if convention.timing == "step":
        return _hold_lines(one.value, convention)
    return Lines.between(one.value[:-1], _ends(one, sent), np.diff(one.value))


def _hold_lines(value: Vector, convention: Convention) -> Lines:
    moved = np.diff(value)
    return Lines.between(
        # in hosts that do not read again a step's motion reaches the receiver one step later
        value[:-1],
        value[:-1],
        np.append(0.0, moved[:-1]) if convention.host != READS_AGAIN else moved,
    )


def _ends(one: Estimated, sent: Vector) -> Vector:
    """Return where the line from each row to the next ends: at the next value, unless it is known how it was made."""
    end = one.value[1:].copy()
    if one.algorithm is None or one.k > MAX_STEPS:
        return end
    size = float(np.sqrt(np.mean(sent**2)))
    for number in np.unique(one.algorithm).tolist():
        name, rows = ROWS[number].name if number in ROWS else "", one.algorithm[:-1] == number
        if name == "zoh":  # flat, whatever the latency
            end[rows] = one.value[:-1][rows]
        elif name in GENERIC:
            made = generic(name, one.k)
            # only rows that this algorithm really gave: elsewhere limits or a start were in force
            rows &= np.isclose(estimates(made, sent, "event")[:-1], one.value[:-1], rtol=1e-7, atol=1e-9 * size)
            end[rows] = estimates(made, sent, "step")[1:][rows]
    return end


def _estimate_lines(one: Recursive, value: Vector, convention: Convention) -> Lines:
    """Return the lines that an algorithm makes of what was sent."""
    # θ = 1 of the step before, θ = 0 of this one: the ends of the line
    late = estimates(one, value, "step")
    if convention.timing == "step":
        return _hold_lines(late, convention)
    start = estimates(one, value, "event")
    return Lines.between(start[:-1], late[1:], np.diff(start))


def _grid(time: Vector, macro_step: float | None) -> tuple[float, Vector]:
    """Return macro step and macro points: the rows themselves where they lie so."""
    steps = np.diff(time)
    # nine digits: times in text files are rounded
    usual = float(f"{np.median(steps):.9g}")
    step = usual if macro_step is None else macro_step
    # rows that are macro points already are not interpolated
    if step == usual and np.ptp(steps) <= 1e-3 * step:
        return step, time
    # rounding of the last row must not cost a step
    count = int((time[-1] - time[0]) / step * (1 + 1e-12) + 1e-6) + 1 if step > 0.0 else 0
    # far more macro points than rows say nothing new, and fill the memory
    if not 2 <= count <= 100 * time.size + 1000:
        raise UsageError(
            f"macro_step = {step:g} s, allowed above 0, at least two and at most 100 in a row of the recording"
        )
    return step, time[0] + step * np.arange(count)
