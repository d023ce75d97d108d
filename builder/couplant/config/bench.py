"""Bench files: a scenario with the components `left` and `right`, a relay between them, and a real clock."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from couplant.config import apply_assignments, read_toml
from couplant.config import fields as f
from couplant.config.fields import allowed
from couplant.config.scenario import Ref, Scenario, Table
from couplant.config.scenario_file import Loaded, check_scenario
from couplant_runtime.variables import MAX_BURST

SIDES = ("left", "right")
"""The components of a bench."""

LATE_SHARE = 0.2
"""Share of a macro step after which a step is late unless `bench.late` says otherwise. [-]"""

_Share = Annotated[float, Field(strict=True, ge=0.0, le=1.0), allowed("a number from 0 to 1")]
_Repeat = Annotated[int, Field(strict=True, ge=1, le=MAX_BURST), allowed(f"1 to {MAX_BURST}")]
_Port = Annotated[int, Field(strict=True, ge=0, le=65535), allowed("0 (any free one) to 65535")]
_Delay = Annotated[float, Field(strict=True, ge=0.0, le=10.0), allowed("0 to 10 (s)")]
_Spin = Annotated[float, Field(strict=True, ge=0.0, le=0.1), allowed("0 to 0.1 (s)")]


class RelayTable(Table):
    """What the relay does to every message, each direction by itself."""

    latency: _Delay = Field(0.0, description="mean delay of a message [s]")
    jitter: _Delay = Field(0.0, description="largest deviation from it, uniform in both directions [s]")
    loss: _Share = Field(0.0, description="share of messages that never arrive [-]")
    reorder: _Share = Field(0.0, description="share of messages that wait until the next one has been passed on [-]")
    duplicate: _Share = Field(0.0, description="share of messages that arrive twice, each with its own delay [-]")
    in_order: f.Flag = Field(False, description="jitter lets no message overtake another one")
    seed: f.Seed = Field(1, description="seed of the random numbers; each direction gets its own from it")

    @model_validator(mode="after")
    def _positive(self) -> RelayTable:
        if self.jitter > self.latency:
            text = "jitter = {jitter}, allowed up to latency = {latency}"
            raise PydanticCustomError("together", text, {"jitter": self.jitter, "latency": self.latency})  # type: ignore[arg-type]
        return self


class BenchTable(Table):
    """How the two sides run."""

    repeat: _Repeat = Field(3, description="values of each signal in a message: the newest and its predecessors [-]")
    late: f.Positive | None = Field(
        None, description="delay after which a step counts as late, not given: a fifth of the macro step [s]"
    )
    spin: _Spin = Field(0.0002, description="end of the wait for a step that is spent looking at the clock [s]")
    connect: f.Positive = Field(60.0, description="longest wait for the other side before a run [s]")
    real_time: f.Flag = Field(True, description="ask the system for real-time priority; without it where refused")
    port: _Port = Field(0, description="UDP port of the relay")


class BenchScenario(Scenario):
    """A bench file as it is written, but for the values of named parameters."""

    relay: RelayTable = Field(RelayTable(), description="what happens to messages on their way")
    bench: BenchTable = Field(BenchTable(), description="how the two sides run")

    @model_validator(mode="after")
    def _fits_a_bench(self) -> BenchScenario:
        problem = _problem(self)
        if problem:
            raise PydanticCustomError("together", "{problem}", {"problem": problem})
        return self

    @property
    def late(self) -> float:
        """Return the delay after which a step counts as late [s]."""
        return LATE_SHARE * self.macro_step if self.bench.late is None else self.bench.late

    def fingerprint(self) -> int:
        """Return 32 bits that two sides must share: they come from all settings that both must agree on."""
        own = {"relay", "bench"}
        text = self.model_dump_json(exclude=own) + f"{self.bench.repeat}"
        return zlib.crc32(text.encode())


def load_bench(path: str | Path, assignments: Sequence[str] = ()) -> Loaded:
    """Read and check a bench file.

    The coupling FMUs get what the messages carry, unless the file says otherwise: `latency.mode` = stamps and `burst` =
    `bench.repeat`.

    Parameters
    ----------
    path : str or Path
        TOML file.
    assignments : sequence of str
        Changes in the form ``key=TOML value``, applied before the check.

    Returns
    -------
    Loaded
        Its `scenario` is a `BenchScenario`.

    Raises
    ------
    UsageError
        If the file cannot be read or anything in it is wrong: one line for each thing, all at once.
    """
    document = apply_assignments(read_toml(path), assignments)
    loaded = check_scenario(path, document, BenchScenario)
    scenario: Any = loaded.scenario
    given = scenario.coupling
    latency = given.get("latency", {})
    if "fmu" not in given and isinstance(latency, dict):
        carried = {"latency": {"mode": "stamps", **latency}, "burst": scenario.bench.repeat}
        changed = scenario.model_copy(update={"coupling": {**carried, **given, "latency": carried["latency"]}})
        return Loaded(changed, loaded.path, loaded.networks, loaded.parameters, loaded.document)
    return loaded


def _problem(scenario: BenchScenario) -> str:
    if set(scenario.components) != set(SIDES):
        return f"components are {', '.join(scenario.components)}, allowed left and right"
    if any(component.recording for component in scenario.components.values()):
        return "components.*.recording: a bench runs FMUs only"
    if "network" in scenario.model_fields_set or any(signal.network for signal in scenario.signals.values()):
        return "network is unknown to a bench: its messages pass the table relay"
    if scenario.connections:
        return "connections is unknown to a bench: every signal passes the network"
    if scenario.duration is None:
        return "duration is missing: length of a run [s]"
    for name, signal in scenario.signals.items():
        ends = {Ref.parse(target).component for target in signal.to}
        source = Ref.parse(signal.source).component
        if ends != set(SIDES) - {source}:
            return f"signals.{name} must lead from one side to the other"
    return ""
