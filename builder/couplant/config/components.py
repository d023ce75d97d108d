"""The components of a scenario: FMUs, models that are built from C, linear prototypes, recordings; its own figures."""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema, model_validator

from couplant.config.frame.read import OneOf, Real, Table, Text, allow, together
from couplant.config.frame.sentences import Problem
from couplant.config.own import OwnPlant
from couplant.config.parameters import setting
from couplant.tables import Reading

NOISE, SEED = "noise", "seed"
"""Parameters of a linear prototype: its noise over that of the file [-], and the number of what is random."""

LARGEST, SMALLEST, LAST, MEAN = TAKES = ("largest", "smallest", "last", "mean")  # what of a course counts

_WRITTEN_PLANT = r"^.+\.py:[A-Za-z_]\w*$"

COLUMNS = ("sent", "received", "estimate")
"""What of a signal a figure may be of: what leaves the sender, arrives at the coupling FMU, leaves it."""


def _plant(value: Any) -> Any:
    """Return a plant, or the text that names one. Raises ValueError if it is neither."""
    if isinstance(value, OwnPlant) or (isinstance(value, str) and re.match(_WRITTEN_PLANT, value)):
        return value
    raise ValueError("no plant")


Plant = Annotated[
    Any,
    PlainValidator(_plant),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": _WRITTEN_PLANT}),
    allow('a couplant.Plant, or "FILE.py:NAME"'),
]
"""The type of a key that is a plant of the user's."""


COMPONENT_KINDS = ("fmu", "model", "source", "recording", "system", "plant")
"""Keys of which a component has exactly one: what it is."""


class ComponentTable(Table):
    """A prototype: an FMU, a model built from C, one of a SYSTEM.toml, a plant in Python, or a recording."""

    fmu: Text | None = setting(None, "path of an FMU, relative to the scenario")
    model: Text | None = setting(None, "name of a model that comes with couplant")
    source: Text | None = setting(None, "folder of a model in C, model.c and model.toml, relative to the scenario")
    recording: Text | None = setting(None, "path of a recording: text, MDF, MATLAB, Parquet, TDMS, BLF, ULog")
    system: Text | None = setting(None, "path of a SYSTEM.toml that has a prototype of the component's name")
    plant: Plant | None = setting(
        None, "a couplant.Plant, from Python only; in a file FILE.py:NAME, a Python file and the plant in it"
    )
    time: Text | None = setting(None, "heading of the times of the recording, or the time between rows: 10ms")
    time_unit: Text | None = setting(None, "unit of these times; not given: as the file tells, or s")
    delimiter: Text | None = setting(None, "character between the cells of a text; not given: guessed")
    decimal: Text | None = setting(None, "decimal mark of a text, a comma or a point; not given: guessed")
    parameters: dict[str, Any] = Field(default_factory=dict, description="values of parameters of the FMU")
    feedthrough: dict[str, list[str]] = Field(
        default_factory=dict, description="outputs with the inputs that act on them at once, where the FMU is silent"
    )

    @property
    def reading(self) -> Reading:
        """Return the settings for reading the recording."""
        return Reading(self.time, self.time_unit, self.delimiter, self.decimal)

    @model_validator(mode="after")
    def _one_kind(self) -> "ComponentTable":
        if sum(getattr(self, kind) is not None for kind in COMPONENT_KINDS) != 1:
            raise together(f"needs exactly one of {', '.join(COMPONENT_KINDS)}")
        return self


class FigureTable(Table):
    """A figure of every run, and of the reference."""

    of: Text = Field(description="SIGNAL.sent, SIGNAL.received, SIGNAL.estimate, or an output that watch names")
    take: Annotated[str, OneOf(TAKES)] = setting(LARGEST, "what of its course counts")
    begin: Real | None = setting(None, "from when on; not given: from the start of the run on [s]", alias="from", ge=0)
    until: Real | None = setting(None, "until when; not given: to the end of the run [s]", gt=0)
    mean: Real = setting(0.0, "length of a moving mean that is taken first; 0: none [s]", ge=0)

    @property
    def signal(self) -> str:
        """Return the name of the signal that the figure is of; empty for an output."""
        head, _, tail = self.of.rpartition(".")
        return head if tail in COLUMNS and "." not in head else ""


def source_problems(components: Mapping[str, ComponentTable]) -> Iterator[Problem]:
    """Yield models whose FMUs would have one name."""
    named = {key: text for key, table in components.items() if (text := table.model or table.source)}
    for (key, text), (other, of) in combinations(named.items(), 2):
        if PurePath(text).name == PurePath(of).name and text != of:
            line = f"components.{key} and components.{other} have models of one name in two places: rename one folder"
            yield Problem(line, (f"components.{key}", f"components.{other}"))
