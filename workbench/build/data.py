"""What the page of the workbench knows besides its script: colours, algorithms, models, a recording to begin with."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import tomlkit

from couplant.analysis.algorithms import generic
from couplant.analysis.limits import limit_frequencies
from couplant.base.grid import MOST_MICRO_STEPS
from couplant.base.paths import demonstration, fmu_source, sample
from couplant.base.style import WIRE, label, looks, palette
from couplant.config.hosts import JACOBI, READS_AGAIN, SEQUENTIAL
from couplant.config.interface import MAX_STEPS, USUAL_TIMING
from couplant.design.judged import MICRO_STEPS
from couplant.design.recommendation import AUTO_DESIGNED, AUTO_LEARNT, DESIGNED, EVERY, LEARNT, PHASOR, candidate_label
from couplant.workbench.recording import read_shown
from couplant_runtime.algorithms import BY_NAME, GENERIC
from workbench.build.systems import engine_data

_TIMINGS = ("event", "step")
_MODELS = ("mass_1", "mass_2")
_DESIGNS = {
    DESIGNED: "weights that are optimal for the spectrum of the first three fifths of the recording",
    AUTO_DESIGNED: "auto, which has the design as one of its members",
    LEARNT: "weights that fit the first three fifths of the recording, with a bound on their gain",
    AUTO_LEARNT: "auto, which has the learnt weights as one of its members",
    PHASOR: "phasors of the wave that the first three fifths of the recording are, whose frequency is followed",
}
"""Candidates that are made of the recording, in words."""
_TOOLS = {
    "unknown": (JACOBI, "I do not know yet (Dymola, others)"),
    JACOBI: (JACOBI, "Simulink, FMPy, PyFMI, libcosim, Ecos, VeriStand"),
    READS_AGAIN: (READS_AGAIN, "OMSimulator, which reads outputs again"),
    SEQUENTIAL: (SEQUENTIAL, "fmucontainer -sequential: one after the other"),
}
"""Answers to which tool steps the FMU: the host that settings say, and tools in words (docs/importing.md)."""
_MARKUP = re.compile(r"\[([^]]*)\]\([^)]*\)|`")


def page_data() -> dict[str, Any]:
    """Return all of it for JSON."""
    return {
        "palette": palette(),
        "timing": USUAL_TIMING,
        "timings": list(_TIMINGS),
        "hosts": [{"name": name, "host": host, "label": words} for name, (host, words) in _TOOLS.items()],
        "steps": {"latency": MAX_STEPS, "micro": MICRO_STEPS, "most_micro": MOST_MICRO_STEPS},
        "algorithms": [_algorithm(name) for name in EVERY],
        "designs": [_design(name) for name in _DESIGNS],
        "wire": {"name": WIRE, "label": candidate_label(WIRE), "words": "no FMU", "colour": "wire"},
        "scenario": _toml(demonstration() / "scenario.toml"),
        "parameters": {name: _parameters(name) for name in _MODELS},
        "sample": read_shown(sample()).to_dict(),
    }


@cache
def run_data() -> dict[str, Any]:
    """Return what the runs need, which takes seconds to find out."""
    return engine_data()


def _algorithm(name: str) -> dict[str, Any]:
    """Return how an algorithm is called, how far it reaches, and its limits by timing and k, shares of Nyquist."""
    row = BY_NAME[name]
    limits = {timing: [_limit(name, k, timing) for k in range(row.k_max + 1)] for timing in _TIMINGS}
    words = _MARKUP.sub(r"\1", row.words)
    return {"name": name, "label": label(name), "words": words, "most": row.k_max, "limits": limits, "colour": name}


def _design(name: str) -> dict[str, Any]:
    """Return how a candidate is called that is `made` of a recording, and its colour beside all algorithms."""
    colour = looks([*EVERY, *_DESIGNS])[name].colour
    return {"name": name, "label": candidate_label(name), "words": _DESIGNS[name], "made": True, "colour": colour}


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
