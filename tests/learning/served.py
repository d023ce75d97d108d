"""A coupling in C that a learning server trains, its answers at once: what the client of the Python backend does."""

from __future__ import annotations

from dataclasses import dataclass

from couplant.design.neural.server import answer
from couplant_runtime.generated.numbers import COLLECTING
from couplant_runtime.learning.judge import propose, refuse, take
from couplant_runtime.learning.message import Request, Training
from couplant_runtime.learning.neural import Neural
from tests.kernel.library import Kernel
from tests.learning.coupling import settings_of
from tests.learning.stop import DELAY, Channel

NEVER = 1_000_000
"""Macro steps of a cycle after which the kernel would train itself."""

ADAM = Training(epochs=30, batch=128, relative=0, rate=0.005)


@dataclass(frozen=True)
class Setting:
    """How a signal learns; `cycle_steps` until the server is asked again."""

    training: Training
    safe: bool
    cycle_steps: int
    judge_steps: int
    gain_max: float


FORESEES = Setting(ADAM._replace(epochs=60), False, 50, 50, 4.0)
"""Absolute errors, taken without a test: what foresees best, and does for velocities, which hardly act on this loop."""

COUPLES = Setting(ADAM._replace(relative=1), True, 50, 80, 2.0)
"""Relative errors, taken after a test: what couples best."""


class Served(Channel):
    """One signal whose network, with offsets, is trained by Adam."""

    def __init__(self, setting: Setting) -> None:
        learning = {"safe": setting.safe, "gain_max": setting.gain_max, "judge_steps": setting.judge_steps}
        learning["cycle_steps"] = NEVER
        settings = settings_of("event", DELAY, "network", network={"offsets": True}, learning=learning)
        assert settings.neural is not None
        self.kernel, self.net, self.setting = Kernel(settings), settings.neural, setting
        self.kernel.init(0.0)
        self.sent: list[float] = []
        self.values: list[float] = []

    def learn(self) -> None:
        """Ask at the end of a cycle, and take or test the answer at once."""
        own = self.kernel.state.neural
        self.values.append(self.kernel.state.history.past[0])
        if own.phase != COLLECTING or own.collected < self.setting.cycle_steps:
            return
        own.collected = 0
        found = answer(request(self.net, own, self.values, self.setting.training))
        if not found.weights:
            return
        own.candidate[: self.net.size] = found.weights
        if not propose(self.net, own):
            refuse(own)
        elif not own.safe:
            take(own)
            own.poor = 0


def request(net: Neural, own, values: list[float], training: Training) -> Request:
    """Return what a client with the record `own` asks for."""
    shape = (net.steps, net.inputs, net.first, net.second, net.leak, own.prior)
    base, width = tuple(own.base[: net.size]), own.highest - own.lowest
    return Request(1, *shape, base, tuple(values), int(net.offsets), width, training)
