"""From the network of a scenario to the parameters of the network FMU."""

from pathlib import Path
from typing import Any

from couplant.config.network import NetworkTable, signal_seed
from couplant.tables import open_table

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
        "latency.mode": mode if network.replay is None else "replay",
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


def replayed_latencies(path: Path, column: str) -> list[float]:
    """Return measured latencies [s] from the column of a table.

    Raises UsageError if the file cannot be read, has no such column or a latency is not a finite number.
    """
    table = open_table(path)
    latencies: list[float] = (table.finite([column])[0] * table.seconds_of(column)).tolist()
    return latencies


def least_latency(network: NetworkTable, macro_step: float, latencies: list[float] | None) -> float:
    """Return the smallest latency that can occur [s], with `macro_step` ΔT [s] and replayed `latencies` [s] if any."""
    return network.latency_steps * macro_step if latencies is None else min(latencies)
