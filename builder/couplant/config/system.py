"""SYSTEM.toml: the tables of a coupled system, prototypes, connections and parameters (docs/system.md)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from couplant.config.hosts import JACOBI, READS_AGAIN
from couplant.config.interface import MAX_STEPS, Timing
from couplant.frame import OneOf, Real, Table, Text, Whole, allowed
from couplant_runtime.algorithms import GENERIC

_Entry = Real | Text
_Matrix = Annotated[list[list[_Entry]], allowed("rows of numbers, or of expressions in the parameters")]
_Polynomials = Annotated[
    list[_Entry] | list[list[list[_Entry]]],
    allowed("coefficients, numbers or expressions in the parameters; for several ports rows of such lists"),
]
_Name = Annotated[
    str,
    Field(strict=True, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"),
    allowed("a letter, then letters, digits and underscores"),
]
_Names = Annotated[tuple[_Name, ...], allowed("a list of names: letters, digits and underscores")]
_Numbers = Annotated[list[Real], Field(min_length=1), allowed("a list of finite numbers")]


class WeightsTable(Table):
    """Own weights for one latency, newest first."""

    a: _Numbers
    A: _Numbers
    steps: Whole | None = Field(default=None, ge=0, le=MAX_STEPS)


_Choice = Annotated[
    Annotated[str, OneOf(GENERIC)] | WeightsTable,
    allowed(", ".join(f'"{name}"' for name in GENERIC) + " or { a = [..], A = [..] }"),
]


class PrototypeTable(Table):
    """A prototype: A, B, C and D, or numerator and denominator."""

    A: _Matrix | None = None
    B: _Matrix | None = None
    C: _Matrix | None = None
    D: _Matrix | None = None
    numerator: _Polynomials | None = None
    denominator: _Polynomials | None = None
    inputs: _Names = ()
    outputs: _Names = ()


class ConnectionTable(Table):
    """A connection; what it does not say is that of the file."""

    source: Text = Field(alias="from", description="output of a prototype")
    target: Text = Field(alias="to", description="input of a prototype")
    algorithm: _Choice | None = None
    latency_steps: Whole | None = Field(default=None, ge=0, le=MAX_STEPS)
    reconstruction: Annotated[str, OneOf(("linear", "hold"))] = "linear"
    host_lead: Real | None = Field(default=None, description="what the host adds, not given: by its kind [macro steps]")
    hold_lead: Real | None = Field(default=None, description="lead for the receiver's hold [macro steps]")


class SystemTable(Table):
    """A file as it is written."""

    macro_step: Real = Field(gt=0, description="period of the data exchange [s]")
    timing: Timing = "step"
    host: Annotated[str, OneOf((READS_AGAIN, JACOBI))] = READS_AGAIN
    hold_lead: Real = 0.0
    algorithm: _Choice = "eros3"
    latency_steps: Whole = Field(default=0, ge=0, le=MAX_STEPS)
    parameters: dict[_Name, Real] = Field(default_factory=dict, description="values of names in expressions")
    prototypes: dict[_Name, PrototypeTable] = Field(min_length=1, description="what is coupled")
    connections: list[ConnectionTable] = Field(min_length=1, description="outputs with the inputs that they go to")
