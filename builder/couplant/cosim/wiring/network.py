"""From the network of a scenario to the parameters of the network FMU, and to the latencies that it lists."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from couplant.analysis.signal.latencies import News, news
from couplant.base.arrays import Vector
from couplant.config.network import NetworkTable, signal_seed
from couplant.tables import Latencies, open_table

VALUES = {"y": "received", "y_time": "stamp", "y_valid": "valid"}
"""Inputs of a coupling FMU with the outputs of the network FMU that go there; `y[2]` comes from `received[2]`."""


def network_parameters(
    network: NetworkTable, macro_step: float, signal: str, start: float, burst: int = 1
) -> dict[str, Any]:
    """Return the parameters of the network FMU of one signal, whose name goes into its seed.

    `macro_step` is ΔT [s], `start` the value before the first one arrives [signal unit], `burst` the number of values
    in a message.
    """
    mode = network.distribution if network.jitter_steps else "constant"
    if network.distribution == "erlang":
        jitter = {"latency.jitter": network.jitter_steps * macro_step, "latency.order": network.order}
    else:
        jitter = {"latency.jitter_steps": int(network.jitter_steps)}
    return {
        "latency.mode": "replay" if network.is_listed else mode,
        "latency.seconds": network.latency_steps * macro_step,
        **jitter,
        "loss": network.loss,
        "loss_run": network.loss_run,
        "batch": network.batch,
        "reordering": network.reordering,
        "burst": burst,
        "clock.offset": network.clock_offset,
        "clock.drift": network.clock_drift,
        "seed": signal_seed(network.seed, signal),
        "sample_time": macro_step,
        "received.start": start,
    }


def listed_latencies(
    network: NetworkTable, macro_step: float, signal: str, file: Callable[[str], Path] = Path
) -> tuple[float, ...] | None:
    """Return the latency of each message of a `signal` [s], NaN where it is lost; None where its network has no list.

    `macro_step` is ΔT [s]; `file` finds a file by the name that the network has. Raises UsageError as
    `replayed_latencies` does.
    """
    if network.latencies is not None:
        return network.latencies
    if network.replay is not None:
        path = file(network.replay)
        return _read_once(path, network.replay_column, path.stat().st_mtime_ns if path.is_file() else 0)
    if network.shape is None:
        return None
    return shaped_latencies(network.shape, macro_step, signal_seed(network.seed, signal))


@lru_cache(maxsize=32)
def _read_once(path: Path, column: str, changed: int) -> tuple[float, ...]:
    """Return measured latencies [s] of a file that `changed` then [ns]: a run asks for each signal and algorithm."""
    return tuple(replayed_latencies(path, column))


def gaps_of(
    network: NetworkTable, macro_step: float, signal: str, file: Callable[[str], Path] = Path
) -> News | None:
    """Return when something new comes in of a signal whose network lists its latencies; None of other networks.

    `macro_step` is ΔT [s]; all else is as with `listed_latencies`.
    """
    listed = listed_latencies(network, macro_step, signal, file)
    if listed is None:
        return None
    return news(Latencies(_times(macro_step, len(listed)), np.array(listed), 0, 0), macro_step)


def replayed_latencies(path: Path, column: str) -> list[float]:
    """Return measured latencies [s] from the column of a table.

    Raises UsageError if the file cannot be read, has no such column or a latency is not a finite number.
    """
    table = open_table(path)
    latencies: list[float] = (table.finite([column])[0] * table.seconds_of(column)).tolist()
    return latencies


def least_latency(network: NetworkTable, macro_step: float, latencies: Sequence[float] | None) -> float:
    """Return the smallest latency that can occur [s], with `macro_step` ΔT [s] and replayed `latencies` [s] if any."""
    return network.latency_steps * macro_step if latencies is None else float(np.nanmin(latencies))


_SHAPED = 60.0  # of a shape is drawn, then it begins again [s]


@lru_cache(maxsize=32)
def shaped_latencies(shape: str, macro_step: float, seed: int) -> tuple[float, ...]:
    """Return latencies of messages that are sent once in a `macro_step` [s], one after the other [s].

    The `seed` draws them. No network was measured for them: they follow from what makes latencies, waiting for a slot,
    sending again, pauses of a cell or of a channel, in which messages queue and after which they come together. No
    message overtakes another.
    """
    random = np.random.default_rng(seed)
    sent = _times(macro_step, min(max(round(_SHAPED / macro_step), 600), 20_000))
    latency: Vector = _SHAPED_BY[shape](random, sent)
    arrived = np.maximum.accumulate(sent + latency)
    return tuple(float(f"{one:.9g}") for one in arrived - sent)


def _times(macro_step: float, count: int) -> Vector:
    return np.linspace(0.0, macro_step * (count - 1), count)


def _of_cell(random: np.random.Generator, sent: Vector) -> Vector:
    """Return latencies as in a 5G cell: slots of 2.5 ms, 10 % sent again after 8 ms each, changes of the cell."""
    slot, own = 2.5e-3, (1.0 + 5e-5) * sent + random.uniform(0.0, 2.5e-3)  # the sender's clock is not that of the cell
    wait = slot * np.ceil(own / slot) - own
    again = 8e-3 * (random.geometric(0.9, sent.size) - 1)
    return 7e-3 + wait + again + _pauses(random, sent, every=15.0, shortest=0.04, longest=0.09)


def _of_channel(random: np.random.Generator, sent: Vector) -> Vector:
    """Return latencies as in a Wi-Fi channel: others that send, for seconds at a time, and searches a new one."""
    changes = np.cumsum(random.exponential(np.tile([4.0, 1.5], 200)))
    busy = np.searchsorted(changes, sent) % 2
    own = random.exponential(8e-4, sent.size) + busy * random.gamma(2.0, 4e-3, sent.size)
    return 1.5e-3 + own + _pauses(random, sent, every=20.0, shortest=0.06, longest=0.12)


def _of_tunnel(random: np.random.Generator, sent: Vector) -> Vector:
    """Return latencies as in a tunnel over TCP: what is lost comes a round trip later, and all behind it waits."""
    slow = 4e-3 * np.sin(2.0 * math.pi * (sent / 17.0 + random.uniform()))
    lost = random.uniform(size=sent.size) < 0.004
    return 2.2e-2 + slow + random.gamma(2.0, 1e-3, sent.size) + lost * random.uniform(0.045, 0.07, sent.size)


_SHAPED_BY = {"5g": _of_cell, "wifi": _of_channel, "vpn": _of_tunnel}


def _pauses(random: np.random.Generator, sent: Vector, every: float, shortest: float, longest: float) -> Vector:
    """Return how long each message waits for the end of a pause [s]; they begin `every` so many seconds on the mean."""
    begins = np.cumsum(random.exponential(every, 1 + int(4.0 * sent[-1] / every)))
    lasts = random.uniform(shortest, longest, begins.size)
    since = np.searchsorted(begins, sent, side="right") - 1
    wait = np.where(since >= 0, begins[since] + lasts[since] - sent, 0.0)
    return np.maximum(wait, 0.0)
