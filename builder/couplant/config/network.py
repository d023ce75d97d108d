"""A bad network, as scenarios and benches describe it: keys that are parameters of the network FMU stand there."""

import zlib
from typing import Annotated, Any

from pydantic import model_validator

from couplant.base.errors import UsageError
from couplant.config.frame.read import Content, Flag, OneOf, Real, Table, Text, Whole, schema_lines, together
from couplant.config.interface import MAX_STEPS
from couplant.config.parameters import network_parameter, setting


class NetworkTable(Table):
    """Network that every value passes; latencies in macro steps."""

    latency_steps: Whole = setting(
        0, "constant latency, the smallest one with jitter [macro steps]", ge=0, le=MAX_STEPS
    )
    jitter_steps: Real = setting(
        0.0, "largest (uniform) or mean (erlang) extra latency [macro steps]", ge=0, le=MAX_STEPS
    )
    distribution: Annotated[str, OneOf(("uniform", "erlang"))] = setting(
        "uniform", "of the extra latency; uniform: whole macro steps"
    )
    order: Whole = network_parameter("latency.order")
    loss: Real = network_parameter("loss")
    reordering: Flag = network_parameter("reordering")
    clock_offset: Real = network_parameter("clock.offset")
    clock_drift: Real = network_parameter("clock.drift")
    seed: Whole = network_parameter("seed")
    replay: Text | None = setting(None, "CSV file of measured latencies, in place of the ones above")
    replay_column: Text = setting("latency_s", "name of its column [s]")

    @model_validator(mode="after")
    def _whole_steps(self) -> "NetworkTable":
        if self.distribution == "uniform" and self.jitter_steps % 1.0:
            raise together(f'jitter_steps = {self.jitter_steps}, allowed whole numbers with distribution = "uniform"')
        return self

    @property
    def is_constant(self) -> bool:
        """Tell whether every value arrives after the same latency."""
        return self.jitter_steps == 0.0 and self.loss == 0.0 and self.replay is None

    @property
    def longest_steps(self) -> int | None:
        """Return the longest latency [macro steps], None where it has no bound or is measured."""
        bounded = self.distribution == "uniform" or self.jitter_steps == 0.0
        return self.latency_steps + int(self.jitter_steps) if bounded and self.replay is None else None

    @property
    def has_own_clock(self) -> bool:
        """Tell whether stamps are by a clock that differs from the receiver's."""
        return self.clock_offset != 0.0 or self.clock_drift != 0.0

    @property
    def is_absent(self) -> bool:
        """Tell whether values arrive at once, so that no network is needed."""
        return self.is_constant and self.latency_steps == 0


class RelayTable(Table):
    """Relay of a bench that every message passes, each direction by itself; latencies in seconds."""

    latency: Real = network_parameter("latency.seconds", "mean delay of a message", le=10.0)
    jitter: Real = network_parameter("latency.jitter", "largest deviation from it, uniform in both directions", le=10.0)
    loss: Real = network_parameter("loss")
    reorder: Real = network_parameter("loss", "share of messages that wait until the next one has been passed on")
    duplicate: Real = network_parameter("loss", "share of messages that arrive twice, each with its own delay")
    in_order: Flag = setting(False, "jitter lets no message overtake another one")
    seed: Whole = network_parameter("seed")

    @model_validator(mode="after")
    def _positive(self) -> "RelayTable":
        if self.jitter > self.latency:
            raise together(f"jitter = {self.jitter}, allowed up to latency = {self.latency}")
        return self


def network_of(table: Content) -> NetworkTable:
    """Return the network of a `table` as a scenario has it. Raises UsageError if something in it is wrong."""
    if lines := schema_lines(NetworkTable, table, ()):
        raise UsageError("; ".join(lines))
    return NetworkTable.model_validate(table)


def signal_seed(seed: int, signal: str) -> int:
    """Return the seed of a signal's network: CRC-32 of the scenario's `seed` and name: others do not change it."""
    return zlib.crc32(f"{seed}/{signal}".encode()) & 0x7FFFFFFF


def latency_in(network: NetworkTable, given: Any = None) -> dict[str, Any]:
    """Return the table `latency` that a network tells, for the mode that the table `given` names if it does."""
    default = "constant" if network.is_constant else "stamps"
    mode = given.get("mode", default) if isinstance(given, dict) else default
    known = network.is_constant or (mode == "resequenced" and network.longest_steps is not None)
    steps = {"constant_steps": network.longest_steps} if known else {}
    clock = {"clock": "free"} if network.has_own_clock and mode != "constant" else {}
    return {"latency": {"mode": mode, **steps, **clock}}
