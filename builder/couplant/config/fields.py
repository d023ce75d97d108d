"""Types of the settings: each refuses with the one phrase that says what is allowed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, WrapValidator
from pydantic_core import PydanticCustomError

from couplant_runtime.algorithms import ALL
from couplant_runtime.config import MAX_DEGREE, TAPS
from couplant_runtime.state import TERMS
from couplant_runtime.variables import MAX_BURST

MAX_STEPS = 64
"""Largest latency in macro steps, and the length of the history. [-]"""

MAX_COUNT = 2**31 - 1
"""Largest whole number of an FMU. [-]"""

MAX_LOST = 1_000_000
"""Largest number of steps without news until the sender counts as lost. [-]"""


def allowed(phrase: str) -> WrapValidator:
    """Replace whatever pydantic finds wrong with one phrase.

    Parameters
    ----------
    phrase : str
        What is allowed, to be read after the word "allowed".

    Returns
    -------
    WrapValidator
        Goes last into an ``Annotated``.
    """

    def check(value: Any, inner: Any) -> Any:
        try:
            return inner(value)
        except ValidationError:
            raise PydanticCustomError("allowed", "{phrase}", {"phrase": phrase}) from None

    return WrapValidator(check)


def _number(phrase: str, **limits: float) -> Any:
    return Annotated[float, Field(strict=True, allow_inf_nan=False, **limits), allowed(phrase)]


def _count(phrase: str, low: int, high: int) -> Any:
    return Annotated[int, Field(strict=True, ge=low, le=high), allowed(phrase)]


def _choice(*names: str) -> Any:
    quoted = [f'"{name}"' for name in names]
    return Annotated[Literal[names], allowed(" or ".join([", ".join(quoted[:-1]), quoted[-1]]))]


def _from_table(value: float) -> float:
    if value < 0.0 and value != -1.0:
        raise ValueError("negative")
    return value


def _ascending(band: tuple[float, float]) -> tuple[float, float]:
    if not band[0] < band[1]:
        raise ValueError("not ascending")
    return band


Number = _number("a finite number")
NotNegative = _number("a finite number of at least 0", ge=0.0)
Sensitivity = _number("a finite number of at least 1", ge=1.0)
Positive = _number("a finite number above 0", gt=0.0)
FromTable = Annotated[
    float,
    Field(strict=True, allow_inf_nan=False, json_schema_extra={"anyOf": [{"const": -1.0}, {"minimum": 0.0}]}),
    AfterValidator(_from_table),
    allowed("-1 (from the table) or a finite number of at least 0"),
]
Steps = _count(f"0 to {MAX_STEPS}", 0, MAX_STEPS)
LostSteps = _count(f"0 to {MAX_LOST}", 0, MAX_LOST)
Flag = Annotated[bool, Field(strict=True), allowed("true or false")]
Unit = Annotated[
    str, Field(strict=True, pattern=r"^[^\s\x00-\x1f]+$"), allowed('a unit without blanks, for instance "N.m"')
]
Name = Annotated[
    str,
    Field(strict=True, pattern=r"^[A-Za-z][A-Za-z0-9_]{0,54}$"),
    allowed("a letter, then letters, digits and underscores, at most 55 characters"),
]
Weights = Annotated[
    tuple[Number, ...], Field(min_length=1, max_length=TAPS), allowed(f"a list of 1 to {TAPS} finite numbers")
]
Selected = _choice(*ALL)
Band = Annotated[
    tuple[NotNegative, Positive],
    AfterValidator(_ascending),
    allowed("two finite numbers of at least 0, the second larger"),
]
Values = _count(f"2 to {TERMS}", 2, TERMS)
Degree = _count(f"0 to {MAX_DEGREE}", 0, MAX_DEGREE)
Burst = _count(f"1 to {MAX_BURST}", 1, MAX_BURST)
NetworkStart = _choice("foh", "eros3", "eros4", "linear")
LearningMode = _choice("embedded", "server")
First = _count("1 to 16", 1, 16)
Second = _count("1 to 4", 1, 4)
Leak = _number("above 0, at most 1", gt=0.0, le=1.0)
Seed = _count("0 to 2147483647", 0, MAX_COUNT)
Cycle = _count("10 to 1000000", 10, 1_000_000)
Judge = _count("5 to 1000000", 5, 1_000_000)
Prior = _number("1e-06 to 1000", ge=1e-6, le=1e3)
GainMax = _number("1 to 1000", ge=1.0, le=1e3)
NetworkWeights = Annotated[
    tuple[Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-1e6, le=1e6)], ...],
    Field(min_length=3, max_length=64),
    allowed("a list of 3 to 64 numbers from -1000000 to 1000000"),
]
Forgetting = _number("0.5 to 1", ge=0.5, le=1.0)
Port = _count("1 to 65535", 1, 65535)
Host = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9.:_-]{1,253}$"), allowed("the name or address of a host")]
Token = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9_-]{16,128}$"), allowed("16 to 128 letters or digits")]
Timing = _choice("step", "event")
Reconstruction = _choice("linear", "hold")
LatencyMode = _choice("constant", "stamps", "resequenced", "round_trip")
Clock = _choice("common", "free")
Detector = _choice("spectral", "residual")
QualityAction = _choice("ignore", "warn", "stop", "hold")
OnLoss = _choice("hold", "safe")
Variability = _choice("continuous", "discrete")
