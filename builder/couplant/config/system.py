"""SYSTEM.toml: prototypes, connections and parameters of a coupled system; `EXAMPLE` shows its form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from couplant.analysis.algorithms import Algorithm, LinearAlgorithm, generic
from couplant.analysis.expressions import evaluate
from couplant.analysis.system import Connection, Prototype, System, transfer_prototype
from couplant.config import apply_assignments, read_toml
from couplant.errors import UsageError

EXAMPLE = """\
macro_step = 0.02
timing = "event"
algorithm = "eros3"
latency_steps = 3

[parameters]
m = 1.0
c = 4.0
d = 0.5

[prototypes.mass]
A = [[0, 1], ["-c/m", "-d/m"]]
B = [[0], ["1/m"]]
C = [[1, 0]]
inputs = ["force"]
outputs = ["x"]

[prototypes.actuator]
numerator = ["-0.1*c"]
denominator = [0.05, 1]

[[connections]]
from = "mass.x"
to = "actuator.u1"

[[connections]]
from = "actuator.y1"
to = "mass.force"
latency_steps = 2
"""
"""A file with all that it may contain but own algorithms: ``algorithm = { a = [..], A = [..] }``."""

_Steps = Annotated[int, Field(strict=True, ge=0, le=64)]
_Entry = float | str
_Matrix = list[list[_Entry]]
_Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class _Weights(_Section):
    a: list[float] = Field(min_length=1)
    A: list[float] = Field(min_length=1)
    steps: _Steps | None = None


_Choice = Literal["zoh", "foh", "smb", "eros3", "eros4"] | _Weights


class _Prototype(_Section):
    A: _Matrix | None = None
    B: _Matrix | None = None
    C: _Matrix | None = None
    D: _Matrix | None = None
    numerator: list[_Entry] | list[list[list[_Entry]]] | None = None
    denominator: list[_Entry] | list[list[list[_Entry]]] | None = None
    inputs: list[_Name] = []
    outputs: list[_Name] = []


class _Connection(_Section):
    source: str = Field(alias="from")
    target: str = Field(alias="to")
    algorithm: _Choice | None = None
    latency_steps: _Steps | None = None
    reconstruction: Literal["linear", "hold"] = "linear"


class _Document(_Section):
    macro_step: float = Field(gt=0, allow_inf_nan=False)
    timing: Literal["event", "step"] = "step"
    algorithm: _Choice = "eros3"
    latency_steps: _Steps = 0
    parameters: dict[_Name, float] = {}
    prototypes: dict[_Name, _Prototype] = Field(min_length=1)
    connections: list[_Connection] = Field(min_length=1)


_UNION_PARTS = ("literal", "_", "list", "float")


def read_system(path: str | Path, assignments: Sequence[str] = ()) -> System:
    """Read a coupled system from a TOML file.

    Parameters
    ----------
    path : str or Path
        The file, of the form of `EXAMPLE`.
    assignments : sequence of str
        Changes in the form ``key=TOML value``.

    Raises
    ------
    UsageError
        If the file cannot be read or something in it is wrong: every wrong key in one message.
    """
    return parse_system(apply_assignments(read_toml(path), assignments), str(path))


def parse_system(document: dict[str, Any], origin: str) -> System:
    """Return a coupled system from the content of a SYSTEM.toml.

    Parameters
    ----------
    document : dict
        Plain Python values.
    origin : str
        Name of the file, for messages.

    Raises
    ------
    UsageError
        If something is wrong: every wrong key in one message.
    """
    try:
        checked = _Document.model_validate(document)
    except ValidationError as found:
        raise UsageError("\n".join(f"{origin}: {line}" for line in _lines(found))) from None
    try:
        return _system(checked)
    except UsageError as error:
        raise UsageError(f"{origin}: {error}") from None


def _system(document: _Document) -> System:
    def vary(rng: np.random.Generator, spread: float) -> tuple[Prototype, ...]:
        nominal = document.parameters
        return _prototypes(document, {n: v * (1 + spread * rng.uniform(-1, 1)) for n, v in nominal.items()})

    return System(
        _prototypes(document, document.parameters),
        tuple(_connection(c, document) for c in document.connections),
        document.macro_step,
        document.timing,
        vary if document.parameters else None,
    )


def _prototypes(document: _Document, parameters: Mapping[str, float]) -> tuple[Prototype, ...]:
    return tuple(_prototype(name, p, parameters) for name, p in document.prototypes.items())


def _prototype(name: str, section: _Prototype, parameters: Mapping[str, float]) -> Prototype:
    names = {"inputs": tuple(section.inputs), "outputs": tuple(section.outputs)}
    try:
        if section.numerator is not None and section.denominator is not None:
            fraction = _numbers(section.numerator, parameters), _numbers(section.denominator, parameters)
            return transfer_prototype(name, *fraction, **names)
        if section.A is None or section.B is None or section.C is None:
            raise UsageError("needs A, B, C (and D), or numerator and denominator")
        A, B, C = (_numbers(m, parameters) for m in (section.A, section.B, section.C))
        D = _numbers(section.D, parameters) if section.D else np.zeros((len(C), len(B[0]) if B else 0))
    except UsageError as error:
        raise UsageError(f"prototypes.{name}: {error}") from None
    return Prototype(name, A, B, C, D, **names)


def _numbers(value: Any, parameters: Mapping[str, float]) -> Any:
    if isinstance(value, list):
        return [_numbers(v, parameters) for v in value]
    return evaluate(value, parameters)


def _connection(section: _Connection, document: _Document) -> Connection:
    choice = section.algorithm or document.algorithm
    k = document.latency_steps if section.latency_steps is None else section.latency_steps
    return Connection(section.source, section.target, _algorithm(choice, k), section.reconstruction == "hold")


def _algorithm(choice: str | _Weights, k: int) -> Algorithm:
    if isinstance(choice, str):
        return generic(choice, k)
    if choice.steps not in (None, k):
        raise UsageError(f"algorithm.steps = {choice.steps} but latency_steps = {k}: the weights hold for one k")
    return LinearAlgorithm(k, tuple(choice.a), tuple(choice.A))


def _lines(found: ValidationError) -> list[str]:
    lines: dict[str, str] = {}
    for error in found.errors(include_url=False):
        key = ".".join(
            str(part) for part in error["loc"] if not str(part).startswith(("literal", "_", "list", "float"))
        )
        value = "" if error["type"] == "missing" else f" = {str(error['input'])[:40]!r}"
        lines.setdefault(key, f"{key}{value}: {error['msg'][0].lower()}{error['msg'][1:]}")
    return list(lines.values())
