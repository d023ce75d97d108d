"""A coupling in C that a learning server trains, with its answers at once: what the client of the Python backend does."""

from __future__ import annotations

from couplant.design.neural.server import answer
from couplant_runtime.generated.numbers import COLLECTING
from couplant_runtime.learning.judge import propose, refuse, take
from couplant_runtime.learning.message import Request, Training
from couplant_runtime.learning.neural import Neural
from tests.kernel.library import Kernel
from tests.learning.coupling import settings_of
from tests.learning.stop import DELAY, Channel

CYCLE = 100
NEVER = 1_000_000
"""Macro steps of a cycle after which the kernel would train itself."""

FORESEES = Training(epochs=30, batch=128, relative=0, rate=0.005)
"""Absolute errors, taken without a test: the setting that foresees best."""

COUPLES = Training(epochs=30, batch=128, relative=1, rate=0.005)
"""Relative errors, taken after a test: the setting that couples best."""


class Served(Channel):
    """One signal whose network, with offsets, is trained by Adam."""

    def __init__(self, training: Training, safe: bool, **learning) -> None:
        learning = {"safe": safe, "gain_max": 4.0, "cycle_steps": NEVER, **learning}
        settings = settings_of("event", DELAY, "network", network={"offsets": True}, learning=learning)
        assert settings.neural is not None
        self.kernel, self.net, self.training = Kernel(settings), settings.neural, training
        self.kernel.init(0.0)
        self.sent: list[float] = []
        self.values: list[float] = []

    def learn(self) -> None:
        """Ask at the end of a cycle, and take or test the answer at once."""
        own = self.kernel.state.neural
        self.values.append(self.kernel.state.history.past[0])
        if own.phase != COLLECTING or own.collected < CYCLE:
            return
        own.collected = 0
        found = answer(request(self.net, own, self.values, self.training))
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
