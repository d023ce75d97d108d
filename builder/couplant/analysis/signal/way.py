"""Way of a signal to its receiver: which value comes in at which macro step, as the network FMU of a scenario has it.

Draws are those of fmu_src/models/common/random.h: a hash of seed, message and stream, so that both have the same losses
and latencies.
"""

from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import IndexArray, Vector
from couplant.config.network import NetworkTable, signal_seed

_LOSS, _LATENCY = 0, 2  # streams of draws: whether a message is lost, and how many macro steps it takes besides

_Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Way:
    """Network on the way of a signal."""

    # latency and jitter are whole macro steps, and it does not measure them
    network: NetworkTable = field(default_factory=NetworkTable)
    signal: str = ""  # name of the signal, which goes into the seed

    @property
    def varies(self) -> bool:
        """Tell whether values vary in age or are lost."""
        return not self.network.is_constant

    @property
    def disturbances(self) -> str:
        """Return jitter and loss as words that follow a latency, empty without both."""
        jitter, loss, run, batch = (getattr(self.network, key) for key in ("jitter_steps", "loss", "loss_run", "batch"))
        more = f" and up to {jitter:g} more at random" if jitter else ""
        lost = f", {100.0 * loss:.3g} % lost" + (f", {run:g} in a row on the mean" if run else "") if loss else ""
        return more + (f", {batch} at a time" if batch > 1 else "") + lost

    def arrivals(self, count: int) -> IndexArray:
        """Return when the value was sent that comes in at each of `count` macro steps, shape (count,) [macro steps].

        -1 where none does; of several it is the one sent last, though one that came earlier may be newer.
        """
        messages, seed, size = np.arange(count), signal_seed(self.network.seed, self.signal), self.network.batch
        batch = messages // size
        arrival = batch * size + size - 1 + self.network.latency_steps
        if self.network.jitter_steps:
            arrival += (draw(seed, batch, _LATENCY) * (self.network.jitter_steps + 1.0)).astype(np.intp)
        there = arrival < count
        if self.network.loss:
            there &= ~_losses(draw(seed, messages, _LOSS), self.network.loss, self.network.loss_run)
        found = np.full(count, -1)
        # of those that come in together the last one in the order of sending stays
        found[arrival[there]] = messages[there]
        return found

    def latest(self, count: int) -> IndexArray:
        """Return when what a receiver has at each of `count` macro steps was sent, shape (count,) [macro steps].

        -1 before the first one.
        """
        arrivals = self.arrivals(count)
        last = np.maximum.accumulate(np.where(arrivals >= 0, np.arange(count), 0))
        return arrivals[last]


def _losses(draws: Vector, loss: float, run: float) -> NDArray[np.bool_]:
    """Return which messages are lost: each by itself, or in runs as by a chain of two states (Gilbert 1960)."""
    if not run:
        return draws < loss
    after = (loss / (run * (1.0 - loss)), 1.0 - 1.0 / run)  # chances to be lost behind one that was not, or was
    states = accumulate(draws[1:].tolist(), lambda lost, drawn: drawn < after[lost], initial=bool(draws[0] < loss))
    return np.fromiter(states, bool, draws.size)


def draw(seed: int, messages: IndexArray, stream: int) -> Vector:
    """Return a number in (0, 1) for each of the `messages` by number, uniform.

    It follows from `seed` and number, and by each `stream` another one does.
    """
    word = _mix(np.array([seed], np.uint64))
    bits = _mix(_mix(word ^ messages.astype(np.uint64)) ^ np.uint64(stream))
    return ((bits >> np.uint64(12)).astype(float) + 0.5) / 2.0**52


def _mix(z: _Words) -> _Words:
    """Return the finaliser of splitmix64 (Steele, Lea, Flood 2014) of each word."""
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
