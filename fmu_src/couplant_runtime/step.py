"""The life cycle of a coupling FMU: `init`, `reset`, `step`, and `preview` for a read after a set.

Time: the macro steps are t_n = t_0 + n dT, as the host counts them (`grid.py`); a communication step from t to t + h
runs the pipeline if t is the first communication point of a new macro step, and gives out the estimate for t + h.
"""

import contextlib

from .checks import check_start, put_value
from .config import Settings
from .errors import ParameterRefused, StepRefused
from .events import once, tell
from .generated import events
from .generated.constants import FARTHEST_STEP
from .generated.numbers import CONSTANT, HOLDING, RING, STARTING
from .generated.variables import ALL
from .grid import arrive, nearness, same_time, stray
from .guard import UNLIMITED, bounded, larger
from .learning.embedded import neural_start
from .stages.algorithm import algorithm
from .stages.bond import book, note
from .stages.discontinuity import discontinuity
from .stages.energy import energy, energy_start
from .stages.follow import note_given
from .stages.history import history
from .stages.latency import latency, locate
from .stages.quality import quality, read_wire
from .stages.reconstruction import limit, reconstruction
from .stages.switching import is_brief, switching
from .stages.wrap import wrap
from .state import State


def pipeline(c: Settings, s: State) -> None:
    """Run one macro step."""
    latency(c, s)
    history(c, s)
    quality(c, s)
    discontinuity(c, s)
    switching(c, s)
    algorithm(c, s)
    energy(c, s)
    reconstruction(c, s)


def reset(c: Settings) -> State:
    """Return the state of a fresh FMU: start values, nothing received."""
    s = State(c.neural is not None, c.compared != 0, c.bonded, c.follows, c.hears, c.periodic)
    for variable in ALL:
        if variable.start is not None and getattr(s, variable.record) is not None:
            put_value(s, variable, variable.start)
    for variable, value in zip(c.variables(), c.start, strict=True):
        if variable.start is not None:
            put_value(s, variable, value if variable.kind == "real" else int(value))
    s.grid.n = -1
    s.switching.mode = STARTING
    s.quality.judged_ok = s.quality.ok = 1
    s.follow.gain = 1.0
    refresh_start(c, s)
    return s


def init(c: Settings, s: State, start_time: float) -> None:
    """Leave initialisation: check the parameters and set the clock to `start_time` [s].

    Raises
    ------
    ParameterRefused
        If a parameter is out of range, parameters contradict each other, or `start_time` is not finite.
    """
    if not -UNLIMITED <= start_time <= UNLIMITED:
        raise ParameterRefused(f"start time = {start_time} s, allowed any finite number")
    check_start(c, s)
    _check_resolution(s.parameter.macro_step, start_time)
    s.grid.anchor_time = s.grid.time = s.grid.target = s.reconstruction.given_time = start_time
    s.grid.period = s.parameter.macro_step
    if c.bonded:
        energy_start(s)
    s.switching.selected_before = s.parameter.selected
    if s.neural is not None:
        neural_start(s)
    refresh_start(c, s)
    s.reconstruction.given = limit(s, s.algorithm.passed)


def _check_resolution(macro_step: float, start_time: float) -> None:
    least = same_time(start_time, 0.0)
    if 0.0 < macro_step < least:
        allowed = f"allowed {least} s or more with the start time {start_time} s, where time has no finer steps"
        raise ParameterRefused(f"macro_step = {macro_step} s, {allowed}")


def refresh_start(c: Settings, s: State) -> None:
    """Set the outputs of Initialization Mode: `y_hat` is the limited `y`, nothing is stored."""
    s.algorithm.passed = s.input.y if -UNLIMITED <= s.input.y <= UNLIMITED else c.start[0]
    s.algorithm.level = s.algorithm.held = s.reconstruction.unlimited = s.algorithm.passed
    s.reconstruction.y_hat = wrap(s, limit(s, s.algorithm.passed))
    given = s.parameter
    s.follow.lag = given.latency_offset
    s.latency.steps = given.constant_steps if given.latency_mode == CONSTANT else 0
    steps = s.latency.steps + (given.host_lead + given.hold_lead)
    s.latency.seconds = bounded(steps * given.macro_step + given.latency_offset, UNLIMITED)


def step(c: Settings, s: State, time: float, size: float) -> None:
    """Carry out a communication step of the `size` [s] from `time` [s] on, which continues the last step.

    Raises
    ------
    StepRefused
        If `time` does not continue the last step or `size` is not positive; the state stays as it was.
    """
    _admit(s, time, size)
    end = larger(time + size, s.grid.time)  # a step from before the last one's end may be short
    s.log.events = 0
    s.quality.stopped = 0
    s.grid.near = nearness(end, size, s.grid.period)
    _run(c, s, end)
    s.grid.time = end
    arrive(s.grid)


def preview(c: Settings, s: State, running: bool) -> State:
    """Return the state with the outputs that a read after a set shows; the committed state stays as it is.

    Before initialisation has ended (not `running`), and before the first step with `macro_step` = 0, nothing is
    stored and `y_hat` is the limited `y`; with parameters that the end of initialisation refuses it stays as it was.
    """
    seen = s.copy()
    if running and s.grid.period > 0.0:
        _run(c, seen, seen.grid.time)
        return seen
    with contextlib.suppress(ParameterRefused):
        check_start(c, seen)
        refresh_start(c, seen)
    return seen


def _admit(s: State, time: float, size: float) -> None:
    if not 0.0 < size <= UNLIMITED:
        raise StepRefused(f"step size = {size} s, allowed above 0")
    grid = s.grid
    period = grid.period if grid.period > 0.0 else size
    near = stray(time, size, period)
    if not -near <= time - grid.time <= near:
        raise StepRefused(f"current time = {time} s, allowed {grid.time} s where the last step ended")
    if not time + size > time:
        raise StepRefused(f"step size = {size} s, allowed what moves the time {time} s on")
    if not time + size - grid.anchor_time < (FARTHEST_STEP - grid.anchor) * period:
        raise StepRefused(f"end of step = {time + size} s, allowed are {FARTHEST_STEP:.0e} macro steps")
    grid.period = period


def _run(c: Settings, s: State, target: float) -> None:
    """Run the pipeline if the macro step is new, else take a stamped value and continue the estimate."""
    s.grid.target = target
    book(c, s)
    _estimate(c, s)
    note(c, s)


def _estimate(c: Settings, s: State) -> None:
    grid, n = s.grid, s.grid.here
    if n > grid.n:
        if 0 <= grid.n < n - 1:
            _leave_out(s, n)
        grid.n = grid.due = n
        pipeline(c, s)
        if c.event and c.follows:
            note_given(s)
        _show(s)
        return
    grid.due = n + 1
    if s.parameter.latency_mode != CONSTANT:
        locate(c, s)
        history(c, s)
    if s.history.filled:
        read_wire(c, s)
    reconstruction(c, s)


def _leave_out(s: State, n: int) -> None:
    """Continue the estimate over macro steps at which the host did not come; they are not judged."""
    once(s, events.LATE_HOST)
    if s.history.filled and s.switching.mode < HOLDING and n - 1 - s.history.news > s.parameter.coast_steps:
        s.switching.mode = HOLDING
        s.switching.brief = int(is_brief(s, n - 1 - s.history.news))
        tell(s, events.BEGAN_HOLDING)
    line = s.algorithm
    s.quality.wire_count = 0
    first = s.grid.n + 1 if s.grid.n + 1 > n - RING else n - RING
    for missed in range(first, n + 1):
        s.quality.judgeable[missed % RING] = 0
        line.observed[missed % RING] = bounded(line.level + line.slope * (missed - s.grid.n - line.shift), line.level)


def _show(s: State) -> None:
    debug, received = s.debug, s.history
    missing, usable = s.grid.n - received.news, received.newest - s.switching.anchor + 1
    debug.slot = received.newest if received.newest < 2147483647 else 2147483647
    debug.missing = missing if missing < 2147483647 else 2147483647
    debug.usable = usable if usable < 64 else 64
    debug.newest = received.past[0]
