"""A bad network, as scenarios and benches describe it: keys that are parameters of the network FMU stand there."""

import math
import zlib
from collections.abc import Sequence
from typing import Annotated, Any, Protocol

import numpy as np
from pydantic import PlainValidator, WithJsonSchema, model_validator

from couplant.base.errors import UsageError
from couplant.base.grid import TOLERANCE, latency_in_steps
from couplant.base.written_json import quote_text
from couplant.config.frame.read import Content, Flag, OneOf, Real, Table, Text, Whole, allow, schema_lines, together
from couplant.config.interface import MAX_STEPS
from couplant.config.keys import LatencyKeys
from couplant.config.parameters import network_parameter, setting
from couplant_runtime.generated.numbers import MAX_BURST

SHAPES = ("5g", "wifi", "vpn")
"""Kinds of networks whose latencies are made by their mechanisms."""

MOST_LATENCY = 1e6  # of a message that arrives [s]

_SELDOM = 1e-3  # share of the messages whose gap may be longer than what is prepared for [-]


def _read_list(value: Any) -> tuple[float, ...]:
    """Return the latencies of messages [s]; raises ValueError if one is none, or all are lost."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise ValueError("no list")
    found = tuple(math.nan if one is None else float(one) for one in value)
    if not all(math.isnan(one) or 0.0 <= one <= MOST_LATENCY for one in found) or all(map(math.isnan, found)):
        raise ValueError("no latencies")
    return found


ListedLatencies = Annotated[
    tuple[float, ...],
    PlainValidator(_read_list),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 1}),
    allow(f"times from 0 to {MOST_LATENCY:g} s, nan where a message is lost, not all of them"),
]
"""The type of a key that lists the latency of each message [s]."""


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
    loss_run: Real = network_parameter("loss_run")
    batch: Whole = network_parameter("batch")
    reordering: Flag = network_parameter("reordering")
    clock_offset: Real = network_parameter("clock.offset")
    clock_drift: Real = network_parameter("clock.drift")
    seed: Whole = network_parameter("seed")
    replay: Text | None = setting(None, "CSV file of measured latencies, in place of the ones above")
    replay_column: Text = setting("latency_s", "name of its column [s]")
    latencies: ListedLatencies | None = setting(
        None, "latency of each message, in place of the ones above; nan: lost; they begin again at their end [s]"
    )
    shape: Annotated[str, OneOf(SHAPES)] | None = setting(
        None, "kind of network whose latencies take the place of the ones above; `seed` draws them"
    )

    @model_validator(mode="after")
    def _whole_steps(self) -> "NetworkTable":
        if self.distribution == "uniform" and self.jitter_steps % 1.0:
            raise together(f'jitter_steps = {self.jitter_steps}, allowed whole numbers with distribution = "uniform"')
        return self

    @model_validator(mode="after")
    def _runs(self) -> "NetworkTable":
        if 0.0 < self.loss_run < 1.0:
            raise together(f"loss_run = {self.loss_run}, allowed 0 and at least 1")
        if self.loss_run and self.loss * (1.0 + self.loss_run) > self.loss_run:
            most = self.loss_run / (1.0 + self.loss_run)
            raise together(f"loss = {self.loss}, allowed up to {most:.4g} with loss_run = {self.loss_run:g}")
        return self

    @model_validator(mode="after")
    def _one_source(self) -> "NetworkTable":
        named = {"shape": self.shape, "replay": self.replay, "latencies": self.latencies and "[..]"}
        named = {key: quote_text(one) if one and key != "latencies" else one for key, one in named.items()}
        given = [f"{key} = {value}" for key, value in named.items() if value]
        if len(given) > 1:
            raise together(f"{given[0]}, allowed without {given[1].partition(' ')[0]}: both say each latency")
        return self

    @property
    def is_listed(self) -> bool:
        """Tell whether the latency of each message stands in a list: measured ones, or those of a shape."""
        return self.replay is not None or self.shape is not None or self.latencies is not None

    @property
    def is_constant(self) -> bool:
        """Tell whether every value arrives after the same latency."""
        return self.jitter_steps == self.loss == 0.0 and self.batch == 1 and not self.is_listed

    @property
    def longest_steps(self) -> int | None:
        """Return the longest latency [macro steps], None where it has no bound or is measured."""
        bounded = self.distribution == "uniform" or self.jitter_steps == 0.0
        return self.latency_steps + int(self.jitter_steps) + self.batch - 1 if bounded and not self.is_listed else None

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


class Seconds(float):
    """A time [s] in the place of a number of macro steps."""


def steps_in(latency: int | Seconds, macro_step: float | None, least: int = 1) -> int:
    """Return a `latency` in macro steps of `macro_step` ΔT [s]: a number of them as it is, a time rounded up.

    A time is `least` macro steps at least, for a value is used in the step after. Raises UsageError if a time is not
    above 0, or too many macro steps, or no macro step is known.
    """
    if not isinstance(latency, Seconds):
        return latency
    if macro_step is None or not macro_step > 0.0:
        raise UsageError("macro_step is missing: a latency that is a time counts in macro steps")
    if not 0.0 < latency <= (MAX_STEPS + TOLERANCE) * macro_step:
        raise UsageError(
            f"latency = {latency:g} s, allowed above 0 and up to {MAX_STEPS} macro steps of {macro_step:g} s"
        )
    return max(least, latency_in_steps(latency / macro_step))


def jitter_in(jitter: int | Seconds, latency: int | Seconds, macro_step: float) -> int:
    """Return the largest extra latency in macro steps of `macro_step` ΔT [s]: how many more the latest value takes.

    Both `jitter` and `latency` are numbers of macro steps or times. Raises UsageError if a time is out of range.
    """
    if not isinstance(jitter, Seconds):
        return jitter
    if not 0.0 <= jitter < math.inf:
        raise UsageError(f"jitter = {jitter:g} s, allowed 0 and above")
    least = latency if isinstance(latency, Seconds) else latency * macro_step
    return steps_in(Seconds(least + jitter), macro_step) - steps_in(latency, macro_step)


def rounding_of(latency: int | Seconds | None, jitter: int | Seconds, macro_step: float) -> list[str]:
    """Return how a `latency` and a `jitter` that are no whole numbers of a `macro_step` [s] count, a line for each."""
    found: dict[str, tuple[float, int]] = {}
    if isinstance(latency, Seconds):
        found["latency"] = latency, steps_in(latency, macro_step)
    if isinstance(jitter, Seconds):
        found["jitter"] = jitter, jitter_in(jitter, latency or 0, macro_step)
    return [
        f"{name} {time:g} s counts as {k} macro step{'s' * (k != 1)}"
        for name, (time, k) in found.items()
        if abs(time / macro_step - k) > TOLERANCE
    ]


def signal_seed(seed: int, signal: str) -> int:
    """Return the seed of a signal's network: CRC-32 of the scenario's `seed` and name: others do not change it."""
    return zlib.crc32(f"{seed}/{signal}".encode()) & 0x7FFFFFFF


class Gaps(Protocol):
    """Settings that bridge the gaps of listed latencies."""

    @property
    def coast_steps(self) -> int:
        """Return `latency.coast_steps` that bridge them."""

    @property
    def burst(self) -> int:
        """Return how many values a message should have."""


def latency_in(
    network: NetworkTable, given: Any = None, gaps: Gaps | None = None, *, modelled: bool = False
) -> dict[str, Any]:
    """Return the table `latency` that a network tells, for the mode that the table `given` names if it does.

    `gaps` are those of the latencies of a network that lists them; with longer ones than usual `burst` is told too. The
    algorithm of a signal that is `modelled` wants to know what all messages say: they repeat what may not come.
    """
    default = "constant" if network.is_constant else "stamps"
    mode = given.get("mode", default) if isinstance(given, dict) else default
    known = network.is_constant or (mode == "resequenced" and network.longest_steps is not None)
    steps = {"constant_steps": network.longest_steps} if known else {}
    clock = {"clock": "free"} if network.has_own_clock and mode != "constant" else {}
    latency = {"mode": mode, **steps, **clock}
    usual = LatencyKeys().coast_steps
    if mode != "constant" and gaps is not None and (gaps.coast_steps > usual or modelled):
        return {"latency": latency | {"coast_steps": gaps.coast_steps}, "burst": gaps.burst}
    in_a_row = network.batch > 1 or network.loss_run > 1.0 or modelled
    if mode == "constant" or network.is_listed or not in_a_row:
        return {"latency": latency}
    gap = _longest_gap(network, network.loss if modelled else 0.0)
    burst = min(gap + 1 if modelled else network.batch, MAX_BURST)
    return {"latency": latency | {"coast_steps": max(gap, usual)}, **({"burst": burst} if burst > 1 else {})}


def _longest_gap(network: NetworkTable, again: float) -> int:
    """Return how many macro steps in a row bring nothing new once in a thousand times.

    After a message that is lost so is the next one with a chance `again` [-], or as runs of losses tell.
    """
    again, lost = 1.0 - 1.0 / network.loss_run if network.loss_run > 1.0 else again, 0
    if again > 0.0 and network.loss > _SELDOM:
        lost = math.ceil(math.log(_SELDOM / network.loss) / math.log(again)) if again < 1.0 else MAX_STEPS
    batches = 1 + -(-lost // network.batch)
    later = int(network.jitter_steps) if network.distribution == "uniform" else 0
    return min(batches * network.batch - 1 + later, MAX_STEPS)
