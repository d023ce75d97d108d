"""The border of saved states: what comes from a file has a right checksum and may still be wrong.

`State.restore` holds every number against the table of coupling.toml; here parameters are held against their ranges,
and what must fit together against each other, so that no step goes astray with it: no place outside a list, no loop
without end, no division by zero.
"""

from .algorithms import NEVER, NONE, ROWS
from .algorithms.rows import module
from .checks import check_hidden, check_start
from .config import Settings
from .errors import ParameterRefused, StateRefused
from .generated.constants import FARTHEST_SLOT, RESOLVED
from .generated.numbers import CONSTANT, MAX_STEPS, SLOTS, TRAINING
from .guard import UNLIMITED
from .state import Clock, State


def restore(c: Settings, data: bytes) -> tuple[State, Clock]:
    """Return the state and the clock in `data`, written by an FMU with the same settings.

    Raises
    ------
    StateRefused
        If `data` is truncated, damaged, foreign or of another version, or the FMU could not go on from it.
    """
    parts = c.neural is not None, c.compared != 0, c.bonded, c.follows, c.hears, c.periodic
    s, clock = State.restore(data, c.fingerprint, *parts)
    if not -UNLIMITED <= clock.start <= UNLIMITED or clock.running not in (0, 1) or clock.stale not in (0, 1):
        words = f"start time {clock.start} s, running {clock.running}, stale {clock.stale}"
        raise StateRefused(f"saved state: {words}, allowed a finite time, 0 or 1 and 0 or 1")
    check_sound(c, s, clock.running != 0)
    return s, clock


def check_sound(c: Settings, s: State, running: bool) -> None:
    """Check whether the FMU may go on from the state `s`; `running` if initialisation had ended.

    Raises
    ------
    StateRefused
        With what is wrong.
    """
    _check_parameters(c, s, running)
    _check_clock(s, running)
    _check_history(s)
    _check_algorithms(c, s, running)
    _require(_has_pivots(c, s), "a factor without pivot")


def _require(right: bool, words: str) -> None:
    if not right:
        raise StateRefused(f"saved state: {words}")


def _check_parameters(c: Settings, s: State, running: bool) -> None:
    """Refuse parameters that the FMU does not show and that changed; those that it shows are checked when it runs."""
    try:
        check_hidden(c, s)
        if running:
            check_start(c, s)
    except ParameterRefused as problem:
        raise StateRefused(str(problem)) from problem


def _check_clock(s: State, running: bool) -> None:
    grid = s.grid
    right = grid.n <= grid.here and s.history.news <= grid.n + 1
    if running:
        _require(right and grid.anchor_time <= grid.time, "the present time does not fit the macro steps")
        return
    nothing = grid.n == -1 and not s.history.filled and s.switching.active == NONE
    _require(right and nothing, "macro steps or values before initialisation has ended")


def _check_history(s: State) -> None:
    own, anchor, tested = s.history, s.switching.anchor, s.discontinuity.tested
    ordered = own.origin <= anchor <= own.newest and own.origin <= tested <= own.newest
    fits = not own.filled or (s.grid.period > 0.0 and _fits_newest(s))
    _require(ordered and fits, "the slots of the history do not fit each other")
    _require(not own.filled or not own.marked[0], "the newest value is marked as interpolated")
    _require(not own.filled or _fit_stamps(s), "send times do not fit their slots")


def _fits_newest(s: State) -> bool:
    """Return whether the stamp of the newest value belongs to its slot, or in constant mode the slot to the macro step.

    What the stamp cannot resolve is left to it.
    """
    if s.parameter.latency_mode == CONSTANT:
        return s.history.newest <= s.grid.n - s.parameter.constant_steps
    newest, period = s.latency.newest_stamp, s.grid.period
    position = (newest - s.latency.first_stamp) / period + 0.5
    unresolved = 0.125 * RESOLVED * abs(newest) / period
    return 0.0 <= position <= 2.0 * FARTHEST_SLOT and position + unresolved >= s.history.origin


def _fit_stamps(s: State) -> bool:
    """Return whether the stamps of received values belong to their slots."""
    own, most = s.history, 2.0 * SLOTS
    kept = own.newest - own.origin + 1
    for i in range(kept if kept < SLOTS else SLOTS):
        if not own.marked[i] and not -most <= own.stamps[0] - own.stamps[i] - i <= most:
            return False
    return True


def _is_offered(c: Settings, which: int) -> bool:
    row = ROWS.get(which)
    return row is not None and c.has(row.needs) and (row.needs != "model" or row.number == c.compared)


def _check_algorithms(c: Settings, s: State, running: bool) -> None:
    """Refuse estimates of algorithms that cannot have run."""
    active, before = s.switching.active, s.switching.selected_before
    _require(not running or _is_offered(c, before), "switching.selected_before is no algorithm of this FMU")
    if active != NONE:
        instead = c.plant is not None and active == c.plant.fallback and bool(s.plant.wrong)  # of a wrong model
        runs = s.history.filled and (instead or _is_offered(c, active)) and s.latency.steps <= MAX_STEPS
        needed = module(s, active).needed(c, s) if runs else NEVER
        _require(needed <= SLOTS - s.latency.early, "switching.active cannot have run")


def _has_pivots(c: Settings, s: State) -> bool:
    """Return whether the factor has a pivot for every column that is done."""
    own = s.neural
    if own is None or c.neural is None or own.phase != TRAINING:
        return True
    done = own.column if own.column < c.neural.size else c.neural.size
    return all(own.factor[i * (i + 1) // 2 + i] > 0.0 for i in range(done))
