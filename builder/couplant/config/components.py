"""The components of a scenario: FMUs, models that are built from C, linear prototypes, recordings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import PurePath
from typing import Any

from pydantic import Field, model_validator

from couplant.config.frame.read import Table, Text, together
from couplant.config.frame.sentences import Problem
from couplant.config.parameters import setting
from couplant.tables import Reading

NOISE, SEED = "noise", "seed"
"""Parameters of a linear prototype: its noise over that of the file [-], and the number of what is random."""


class ComponentTable(Table):
    """A prototype: an FMU, a model built from C, one of a SYSTEM.toml, or a recording whose columns are outputs."""

    fmu: Text | None = setting(None, "path of an FMU, relative to the scenario")
    model: Text | None = setting(None, "name of a model that comes with couplant")
    source: Text | None = setting(None, "folder of a model in C, model.c and model.toml, relative to the scenario")
    recording: Text | None = setting(None, "path of a recording: text with headings, MDF, MATLAB, Parquet")
    system: Text | None = setting(None, "path of a SYSTEM.toml that has a prototype of the component's name")
    time: Text | None = setting(None, "heading of the times of the recording; not given: found by its name")
    time_unit: Text | None = setting(None, "unit of these times; not given: as the file tells, or s")
    delimiter: Text | None = setting(None, "character between the cells of a text; not given: guessed")
    decimal: Text | None = setting(None, "decimal mark of a text, a comma or a point; not given: guessed")
    parameters: dict[str, Any] = Field(default_factory=dict, description="values of parameters of the FMU")
    feedthrough: dict[str, list[str]] = Field(
        default_factory=dict, description="outputs with the inputs that act on them at once, where the FMU is silent"
    )

    @property
    def reading(self) -> Reading:
        """Return what is told about the recording."""
        return Reading(self.time, self.time_unit, self.delimiter, self.decimal)

    @model_validator(mode="after")
    def _one_kind(self) -> ComponentTable:
        if sum(kind is not None for kind in (self.fmu, self.model, self.source, self.recording, self.system)) != 1:
            raise together("needs exactly one of fmu, model, source, recording, system")
        return self


def source_problems(components: Mapping[str, ComponentTable]) -> Iterator[Problem]:
    """Yield models whose FMUs would have one name."""
    named = {key: text for key, table in components.items() if (text := table.model or table.source)}
    for (key, text), (other, of) in combinations(named.items(), 2):
        if PurePath(text).name == PurePath(of).name and text != of:
            line = f"components.{key} and components.{other} have models of one name in two places: rename one folder"
            yield Problem(line, (f"components.{key}", f"components.{other}"))
