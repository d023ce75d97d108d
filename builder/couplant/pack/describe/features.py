"""Which variables beyond the common ones the FMU of a signal has."""

from __future__ import annotations

from couplant.config.interface import Bonded, Signal
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.algorithms import COUPLING_ELEMENT, MEMBERS
from couplant_runtime.generated.variables import ALL


def features(signal: Signal) -> dict[str, int]:
    """Return the features that a signal calls for, with the number of entries of those that are lists."""
    row = BY_NAME[signal.algorithm.selected]
    auto = row.blends
    latency = signal.latency
    wanted: dict[str, int] = {v.feature: _given(signal, v.name) for v in ALL if v.feature == v.name}
    wanted |= {
        "debug": signal.debug,
        "burst": signal.burst - 1,
        "messages": signal.debug or latency.mode != "constant",
        "echo": latency.mode == "round_trip",
        "clock": latency.mode == "round_trip" or latency.clock == "free" or latency.minimum > 0.0,
        "discontinuity.detector": auto or wanted["discontinuity.detector"],
        "output.guard": auto or wanted["output.guard"],
        "grade": auto or signal.quality.action == "hold" or isinstance(signal, Bonded),
        "auto": len(MEMBERS) * auto,
        "wrap": signal.signal.period > 0.0,
        "energy": isinstance(signal, Bonded),
        "identification": row.needs == "model",
        "element": row.number == COUPLING_ELEMENT,
    }
    return {name: int(count) for name, count in wanted.items() if count}


def _given(signal: Signal, name: str) -> bool:
    section, _, key = name.partition(".")
    return key in getattr(signal, section).model_fields_set
