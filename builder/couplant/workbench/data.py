"""What the page of the workbench knows besides its script: colours, algorithms, models, recordings to begin with."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import tomlkit

from couplant.analysis.algorithms import generic
from couplant.analysis.limits import limit_frequencies
from couplant.base.errors import UsageError
from couplant.base.paths import demonstration, fmu_source, sample
from couplant.base.style import label, looks, palette
from couplant.config.interface import USUAL_TIMING
from couplant.design.candidates import AUTO_DESIGNED, DESIGNED, EVERY, LEARNT, called
from couplant.tables import Channel, read
from couplant.tables.recordings import SHORTEST
from couplant.workbench.systems import engine_data
from couplant_runtime.algorithms import BY_NAME, GENERIC

MOST_STEPS = 20
"""Latency up to which the page knows the limits of algorithms [macro steps]."""
_TIMINGS = ("event", "step")
_MODELS = ("mass_1", "mass_2")
_DESIGNS = {
    DESIGNED: "weights that are optimal for the spectrum of the first three fifths of the recording",
    AUTO_DESIGNED: "auto, which has the design as one of its members",
    LEARNT: "weights that fit the first three fifths of the recording, with a bound on their gain",
}
"""Candidates that are made of the recording, in words."""
_MARKUP = re.compile(r"\[([^]]*)\]\([^)]*\)|`")


@dataclass(frozen=True)
class Shown:
    """A recording that stands in the page.

    Attributes
    ----------
    name : str
        Of its file.
    assumed : str
        What was assumed about it, in a line.
    channels : tuple of Channel
        Those that hold numbers.
    """

    name: str
    assumed: str
    channels: tuple[Channel, ...]


def shown(path: Path) -> Shown:
    """Return a recording as the page shows it.

    Raises
    ------
    UsageError
        If it cannot be read or has no channel with enough samples.
    """
    found = read(path)
    channels = tuple(one for one in found.select(found.numeric()) if np.isfinite(one.value).sum() >= SHORTEST)
    if not channels:
        raise UsageError(f"{path}: no channel with at least {SHORTEST} numbers.")
    return Shown(path.name, found.assumed, channels)


def page_data(recording: Shown | None = None) -> dict[str, Any]:
    """Return all of it for JSON, with a `recording` if there is one."""
    return {
        "palette": palette(),
        "timing": USUAL_TIMING,
        "timings": list(_TIMINGS),
        "algorithms": [_algorithm(name) for name in EVERY],
        "designs": [_design(name) for name in _DESIGNS],
        "scenario": _toml(demonstration() / "scenario.toml"),
        "parameters": {name: _parameters(name) for name in _MODELS},
        "sample": _packed(shown(sample())),
        "recording": None if recording is None else _packed(recording),
    }


@cache
def run_data() -> dict[str, Any]:
    """Return what the runs need, which takes seconds to find out."""
    return engine_data()


def _algorithm(name: str) -> dict[str, Any]:
    """Return how an algorithm is called, how far it reaches, and its limits by timing and k, shares of Nyquist."""
    limits = {timing: [_limit(name, k, timing) for k in range(MOST_STEPS + 1)] for timing in _TIMINGS}
    row = BY_NAME[name]
    words = _MARKUP.sub(r"\1", row.words)
    return {"name": name, "label": label(name), "words": words, "most": row.k_max, "limits": limits, "colour": name}


def _design(name: str) -> dict[str, Any]:
    """Return how a candidate is called that is `made` of a recording, and its colour beside all algorithms."""
    colour = looks([*EVERY, *_DESIGNS])[name].colour
    return {"name": name, "label": called(name), "words": _DESIGNS[name], "made": True, "colour": colour}


def _limit(name: str, k: int, timing: str) -> float | None:
    return limit_frequencies(generic(name, k), timing).limit if name in GENERIC else None


def _parameters(model: str) -> dict[str, dict[str, Any]]:
    """Return start value, unit and words of the parameters of a prototype."""
    table = _toml(fmu_source("models") / model / "model.toml")
    kept = ("start", "unit", "description")
    fixed = [one for one in table["variables"] if one["kind"] == "fixed"]
    return {one["name"]: {key: one[key] for key in kept} for one in fixed}


def _toml(path: Path) -> dict[str, Any]:
    return tomlkit.parse(path.read_text(encoding="utf-8")).unwrap()


def _packed(recording: Shown) -> dict[str, Any]:
    """Return a recording as names, units and base64 of doubles; times that are alike stand there once."""
    times: list[np.ndarray] = []
    channels = []
    for one in recording.channels:
        at = next((i for i, time in enumerate(times) if np.array_equal(time, one.time)), len(times))
        times += [one.time] if at == len(times) else []
        channels.append({"name": one.name, "unit": one.unit, "time": at, "value": _bytes(one.value)})
    return {
        "name": recording.name, "assumed": recording.assumed, "times": [_bytes(t) for t in times], "channels": channels
    }  # fmt: skip


def _bytes(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")
