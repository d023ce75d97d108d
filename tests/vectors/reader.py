"""Read test vectors: one text file a stage, cases that any runtime can replay.

A file is a list of cases; a line that starts with `#` is a comment. A case is

    case NAME
    origin WHERE THE VALUES COME FROM
    timing step | event                     default step
    start_time SECONDS                      default 0
    set VARIABLE VALUE                      a parameter, or an input in Initialization Mode
    weights K : a_1 .. a_m : A_1 .. A_m     weights of the algorithm linear for latency K; one line each latency
    tolerance VARIABLE VALUE                largest difference; without one the output is exact
    t h INPUT .. | OUTPUT ..                names of columns
    T H VALUE .. | VALUE ..                 rows, up to an empty line

A row sets the inputs and tunable parameters at communication point t [s], steps by h [s] and then compares the
outputs. `-` as h reads without a step. `.` leaves an input as it is, or an output unchecked. Numbers are decimals
that are exact in binary, or hexadecimal floats; enumerations are words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from couplant_runtime.generated.numbers import ENUMERATIONS

FOLDER = Path(__file__).parent
STAGES = ("latency", "history", "quality", "discontinuity", "switching", "algorithm", "energy", "reconstruction")
WORDS = {
    "latency.mode": ENUMERATIONS["LatencyMode"],
    "reconstruction": ENUMERATIONS["Reconstruction"],
    "output.on_loss": ENUMERATIONS["OnLoss"],
    "quality.action": ENUMERATIONS["QualityAction"],
    "algorithm.selected": ENUMERATIONS["Algorithm"],
    "algorithm.active": ENUMERATIONS["ActiveAlgorithm"],
    "state": ENUMERATIONS["State"],
    "energy.kind": ENUMERATIONS["BondEnd"],
    "energy.conjugate_is": ENUMERATIONS["Conjugate"],
    "energy.source": ENUMERATIONS["EnergySource"],
    "energy.grade": ENUMERATIONS["EnergyGrade"],
}
BOOLEANS = {"false": False, "true": True}

Value = float | int | bool


@dataclass(frozen=True)
class Setup:
    """What a runtime has to know before the first row.

    Attributes
    ----------
    timing : str
        step or event.
    start_time : float
        Start time [s].
    weights : tuple of (int, tuple of float, tuple of float)
        k, a and A of the algorithm linear.
    values : dict of str to value
        Parameters and inputs by variable name, set in Initialization Mode; enumerations as integers.
    """

    timing: str = "step"
    start_time: float = 0.0
    weights: tuple[tuple[int, tuple[float, ...], tuple[float, ...]], ...] = ()
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """One communication point; `h` is None for a read without a step; `line` is the place in the file."""

    line: int
    t: float
    h: float | None
    inputs: dict[str, Value]
    outputs: dict[str, Value]


@dataclass(frozen=True)
class Case:
    """One case of a vector file."""

    name: str
    origin: str
    setup: Setup
    tolerances: dict[str, float]
    rows: tuple[Row, ...]


def read_stage(stage: str) -> list[Case]:
    """Return the cases of a stage."""
    return read_cases((FOLDER / f"{stage}.txt").read_text(encoding="utf-8"))


def read_cases(text: str) -> list[Case]:
    """Return the cases in the text of a vector file."""
    blocks: list[list[tuple[int, str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("case "):
            blocks.append([])
        if line.strip() and not line.startswith("#"):
            blocks[-1].append((number, line.strip()))
    return [_case(block) for block in blocks]


def value_of(name: str, word: str) -> Value:
    """Return the value that `word` stands for as a value of the variable `name`."""
    if word in WORDS.get(name, {}):
        return WORDS[name][word]
    if word in BOOLEANS:
        return BOOLEANS[word]
    if "x" in word:
        return float.fromhex(word)
    return int(word) if word.lstrip("-").isdigit() else float(word)


def _case(block: list[tuple[int, str]]) -> Case:
    start = next(i for i, (_, line) in enumerate(block) if line.split()[0] == "t")
    head, table = block[:start], block[start:]
    settings: dict[str, list[str]] = {}
    for _, line in head:
        key, _, rest = line.partition(" ")
        settings.setdefault(key, []).append(rest)
    pairs = [line.split() for line in settings.get("set", [])]
    setup = Setup(
        timing=settings.get("timing", ["step"])[0],
        start_time=float(settings.get("start_time", ["0"])[0]),
        weights=tuple(_weights(line) for line in settings.get("weights", [])),
        values={name: value_of(name, word) for name, word in pairs},
    )
    tolerances = {name: float(word) for name, word in (line.split() for line in settings.get("tolerance", []))}
    return Case(settings["case"][0], " ".join(settings["origin"]), setup, tolerances, tuple(_rows(table)))


def _weights(line: str) -> tuple[int, tuple[float, ...], tuple[float, ...]]:
    steps, a, slopes = line.split(":")
    return int(steps), _floats(a), _floats(slopes)


def _floats(words: str) -> tuple[float, ...]:
    return tuple(float(value_of("", word)) for word in words.split())


def _rows(table: list[tuple[int, str]]) -> Iterator[Row]:
    (_, header), *lines = table
    inputs, outputs = (part.split() for part in header.split("|"))
    if inputs[:2] != ["t", "h"]:
        raise ValueError(f"line {table[0][0]}: a table begins with t and h")
    for number, line in lines:
        given, expected = (part.split() for part in line.split("|"))
        t, h = given[:2]
        yield Row(
            number,
            float(value_of("t", t)),
            None if h == "-" else float(value_of("h", h)),
            _named(inputs[2:], given[2:]),
            _named(outputs, expected),
        )


def _named(names: list[str], words: list[str]) -> dict[str, Value]:
    return {name: value_of(name, word) for name, word in zip(names, words, strict=True) if word != "."}
