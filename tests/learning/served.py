"""A coupling in C that a learning server trains, its answers at once: what the client of the Python backend does."""

from __future__ import annotations

from functools import cache

from couplant.base import paths
from couplant.config.scenario import load_scenario
from couplant.cosim.wiring.coupling import coupling_of
from couplant.design.neural.server import answer
from couplant.pack.settings import runtime_settings
from couplant_runtime.generated.numbers import COLLECTING
from couplant_runtime.learning.judge import propose, refuse, take
from couplant_runtime.learning.message import Request, Training
from couplant_runtime.learning.neural import Neural
from tests.kernel.library import Kernel
from tests.learning.stop import Channel

SCENARIO = paths.root() / "examples" / "04_learning" / "adam.toml"

ASIDE = ('coupling.learning.method="least_squares"', "coupling.learning.cycle_steps=1000000")
"""The kernel knows no server; with cycles this long it does not train itself."""


@cache
def made(signal: str):
    """Return the settings of a signal of the scenario, and how it learns."""
    wanted = coupling_of(load_scenario(SCENARIO), signal, "network_server", "event")
    kernel = coupling_of(load_scenario(SCENARIO, ASIDE), signal, "network_embedded", "event")
    return runtime_settings(kernel, signal), wanted.signals[signal].learning


class Served(Channel):
    """The network of a signal of the scenario, with offsets, trained by Adam."""

    def __init__(self, signal: str) -> None:
        settings, one = made(signal)
        assert settings.neural is not None
        self.cycle = one.cycle_steps
        self.training = Training(one.epochs, one.batch, int(one.errors == "relative"), one.rate)
        self.kernel, self.net = Kernel(settings), settings.neural
        self.kernel.init(0.0)
        self.sent: list[float] = []
        self.values: list[float] = []

    def learn(self) -> None:
        """Ask at the end of a cycle, and take or test the answer at once."""
        own = self.kernel.state.neural
        self.values.append(self.kernel.state.history.past[0])
        if own.phase != COLLECTING or not own.enabled or own.collected < self.cycle:
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
