"""The life cycle of a coupling FMU: `init`, `reset`, `step`, and `preview` for a read after a set.

Time: the macro steps are t_n = t_0 + n dT; a communication step from t to t + h runs the pipeline if t is the
first communication point of a new macro step, and gives out the estimate for t + h.
"""

from . import events
from .algorithm import algorithm
from .checks import check_start, home, put_value
from .config import Settings
from .discontinuity import discontinuity
from .errors import ParameterRefused, StepRefused
from .guard import UNLIMITED, bounded
from .history import history
from .latency import CONSTANT, TINY, latency, locate
from .learning.embedded import neural_start
from .quality import quality
from .reconstruction import limit, reconstruction
from .state import RING, State
from .switching import HOLDING, STARTING, switching
from .variables import ALL
from .wrap import wrap

FARTHEST_STEP = 9e15


def pipeline(c: Settings, s: State) -> None:
    """Run one macro step."""
    latency(c, s)
    history(c, s)
    quality(c, s)
    discontinuity(c, s)
    switching(c, s)
    algorithm(c, s)
    reconstruction(c, s)


def reset(c: Settings) -> State:
    """Return the state of a fresh FMU: start values, nothing received."""
    s = State(c.neural is not None, c.compared != 0)
    for variable in ALL:
        if variable.start is not None and home(s, variable) is not None:
            put_value(s, variable, variable.start)
    for variable, value in zip(c.variables(), c.start, strict=True):
        if variable.start is not None:
            put_value(s, variable, value if variable.kind == "real" else int(value))
    s.n = -1
    s.mode = STARTING
    s.judged_ok = s.quality_ok = 1
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
    s.start_time = s.time = s.target = s.given_time = start_time
    s.period = s.macro_step
    s.selected_before = s.selected
    if s.neural:
        neural_start(s)
    refresh_start(c, s)
    s.given = limit(s, s.passed)


def refresh_start(c: Settings, s: State) -> None:
    """Set the outputs of Initialization Mode: `y_hat` is the limited `y`, nothing is stored."""
    s.passed = s.y if -UNLIMITED <= s.y <= UNLIMITED else c.start[0]
    s.level = s.held = s.unlimited = s.passed
    s.y_hat = wrap(s, limit(s, s.passed))
    s.latency_steps = s.constant_steps if s.latency_mode == CONSTANT else 0
    s.latency_seconds = bounded(s.latency_steps * s.macro_step + s.latency_offset, UNLIMITED)


def step(c: Settings, s: State, time: float, size: float) -> None:
    """Carry out a communication step.

    Parameters
    ----------
    time : float
        Current communication point [s]; continues the last step.
    size : float
        Communication step size [s].

    Raises
    ------
    StepRefused
        If `time` does not continue the last step or `size` is not positive; the state stays as it was.
    """
    _admit(s, time, size)
    s.events = 0
    s.stopped = 0
    _run(c, s, time + size)
    s.time = time + size


def preview(c: Settings, s: State, running: bool) -> State:
    """Return the state with the outputs that a read after a set shows; the committed state stays as it is.

    Before initialisation has ended (not `running`), and before the first step with `macro_step` = 0, nothing is
    stored and `y_hat` is the limited `y`.
    """
    seen = s.copy()
    if running and s.period > 0.0:
        _run(c, seen, seen.time)
    else:
        refresh_start(c, seen)
    return seen


def _admit(s: State, time: float, size: float) -> None:
    if not 0.0 < size <= UNLIMITED:
        raise StepRefused(f"step size = {size} s, allowed above 0")
    period = s.period if s.period > 0.0 else size
    if not -TINY * period <= time - s.time <= TINY * period:
        raise StepRefused(f"current time = {time} s, allowed {s.time} s where the last step ended")
    if not (time + size - s.start_time) / period < FARTHEST_STEP:
        raise StepRefused(f"end of step = {time + size} s, allowed are {FARTHEST_STEP:.0e} macro steps")
    s.period = period


def _run(c: Settings, s: State, target: float) -> None:
    """Run the pipeline if the macro step is new, else take a stamped value and continue the estimate."""
    n = int((s.time - s.start_time) / s.period + TINY)
    s.target = target
    if n > s.n:
        _leave_out(s, n)
        s.n = s.due = n
        pipeline(c, s)
        _show(s)
        return
    s.due = n + 1
    if s.latency_mode != CONSTANT:
        locate(c, s)
        history(c, s)
    reconstruction(c, s)


def _leave_out(s: State, n: int) -> None:
    """Continue the estimate over macro steps at which the host did not come; they are not judged."""
    if n == s.n + 1 or s.n < 0:
        return
    events.once(s, events.LATE_HOST)
    if s.filled and s.mode < HOLDING and n - 1 - s.news > s.coast_steps:
        s.mode = HOLDING
        events.tell(s, events.HOLDING)
    first = s.n + 1 if s.n + 1 > n - RING else n - RING
    for missed in range(first, n + 1):
        s.judgeable[missed % RING] = 0
        s.observed[missed % RING] = bounded(s.level + s.slope * (missed - s.n - s.shift), s.level)


def _show(s: State) -> None:
    s.debug_slot = s.newest if s.newest < 2147483647 else 2147483647
    s.debug_missing = s.n - s.news if s.n - s.news < 2147483647 else 2147483647
    s.debug_usable = s.newest - s.anchor + 1 if s.newest - s.anchor < 64 else 64
    s.debug_newest = s.past[0]
