"""Both runtimes side by side: every call goes to both, then outcome and whole state must agree bit for bit."""

from __future__ import annotations

import random
from collections.abc import Callable

from couplant_runtime.checks import get_value
from couplant_runtime.config import Settings
from couplant_runtime.errors import ParameterRefused, StateRefused, StepRefused
from couplant_runtime.generated.algorithms import AUTO
from couplant_runtime.generated.events import MESSAGES
from couplant_runtime.sound import restore
from couplant_runtime.stages.quality import closing
from couplant_runtime.state import Clock
from couplant_runtime.step import init, preview, reset, step
from tests.drivers import set_value
from tests.kernel.library import Kernel, Refused, differences, fields_of

REFUSALS = (ParameterRefused, StateRefused, StepRefused, Refused)


class Pair:
    """A Python coupling and a C coupling with the same settings.

    Attributes
    ----------
    steps : int
        Communication steps carried out and compared.
    reached : set of (str, int)
        What the runs have come across: algorithms, states, events, values that came late.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.variables = {variable.name: variable for variable in settings.variables()}
        self.kernel = Kernel(settings)
        self.state = reset(settings)
        self.running = False
        self.steps = 0
        self.reached: set[tuple[str, int]] = set()
        self.agree("reset")

    @property
    def time(self) -> float:
        return self.state.grid.time

    @property
    def period(self) -> float:
        return self.state.grid.period

    def reset(self) -> None:
        self.state = reset(self.settings)
        self.kernel.reset()
        self.running = False
        self.agree("reset")

    def init(self, start_time: float) -> bool:
        done = self._both(
            lambda: init(self.settings, self.state, start_time), lambda: self.kernel.init(start_time), "init"
        )
        self.running = self.running or done
        return done

    def set(self, name: str, value: float) -> bool:
        variable = self.variables[name]
        return self._both(
            lambda: set_value(self.settings, self.state, variable, value, self.running),
            lambda: self.kernel.set(variable, value, self.running),
            f"set {name} = {value!r}",
        )

    def step(self, time: float, size: float) -> bool:
        done = self._both(
            lambda: step(self.settings, self.state, time, size),
            lambda: self.kernel.step(time, size),
            f"step from {time!r} over {size!r}",
        )
        self.steps += done
        self._note()
        return done

    def _note(self) -> None:
        s = self.state
        events = {("event", bit) for bit in range(len(MESSAGES)) if s.log.events >> bit & 1}
        self.reached |= {("active", s.switching.active), ("mode", s.switching.mode), ("taken", s.latency.taken)}
        self.reached |= {("limited", s.reconstruction.limited), ("grade", s.energy.grade), *events}

    def preview(self) -> None:
        seen = preview(self.settings, self.state, self.running)
        record = bytes(self.kernel.preview(self.running))
        assert record == seen.pack(), differences(seen.pack(), record)
        if self.running:
            self._agree_with_a_read()
        self.agree("preview")

    def _agree_with_a_read(self) -> None:
        """Compare what is read after a set, but for rings and for algorithms that do not run: no output shows them."""
        whole, read = fields_of(self.kernel.seen), self.kernel.read()
        blends = self.state.parameter.selected == AUTO
        left_out = ("bank.estimated",) if blends else ("bank.", "adaptive.", "deep.")
        rings = tuple(f"quality.{name}[" for name in ("estimated", "held_then", "wire_mean", "wire_spread"))
        wrong = [name for name, value in whole.items() if value != read[name] and value == value]
        assert not [name for name in wrong if not name.startswith((*left_out, *rings))], wrong

    def closing(self) -> int:
        events = closing(self.state)
        assert self.kernel.closing() == events
        return events

    def read(self, name: str) -> float:
        variable = self.variables[name]
        ours, theirs = get_value(self.state, variable), self.kernel.get(variable)
        assert ours == theirs or (ours != ours and theirs != theirs)
        return ours

    def save(self) -> bytes:
        clock = Clock(self.state.grid.anchor_time, int(self.running), 1)
        data = self.state.serialise(self.settings.fingerprint, clock)
        assert self.kernel.serialise(clock) == data
        return data

    def restore(self, data: bytes) -> bool:
        def here() -> None:
            self.state, clock = restore(self.settings, data)
            self.running = bool(clock.running)

        return self._both(here, lambda: self.kernel.restore(data), "restore")

    def agree(self, after: str) -> None:
        record, other = self.state.pack(), bytes(self.kernel.state)
        assert record == other, f"after {after}, step {self.steps}: {differences(record, other)}"

    def _both(self, here: Callable[[], None], there: Callable[[], object], what: str) -> bool:
        reasons = [_reason(here), _reason(there)]
        assert (reasons[0] is None) == (reasons[1] is None), f"{what}: {reasons}"
        if reasons[0] is not None and reasons[1] is not None:
            assert reasons[0].split(" ")[:2] == reasons[1].split(" ")[:2]
        self.agree(what)
        return reasons[0] is None


def _reason(call: Callable[[], object]) -> str | None:
    try:
        call()
    except REFUSALS as problem:
        return str(problem)
    return None


def any_number(chance: random.Random) -> float:
    """Return a number of any size, sometimes none at all."""
    return chance.choice(
        (
            float("nan"),
            float("inf"),
            float("-inf"),
            1.7976931348623157e308,
            -1.7976931348623157e308,
            5e-324,
            -0.0,
            0.0,
            chance.uniform(-10.0, 10.0),
            chance.uniform(-1.0, 1.0) * 10.0 ** chance.randint(-300, 300),
            float(chance.randint(-5, 100)),
        )
    )
