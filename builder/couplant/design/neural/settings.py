"""Settings of learnt weights: into a configuration file, or as TOML to paste."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomlkit

from couplant.config.change import change_signal
from couplant.design.neural.offline import Lesson


def learnt_settings(lesson: Lesson) -> dict[str, Any]:
    """Return the tables of a signal that a lesson changes."""
    if lesson.neural is None:
        line = lesson.algorithm
        weights = {"steps": lesson.steps, "a": list(line.a), "A": list(line.A)}
        return {"algorithm": {"selected": "linear", **weights}}
    net = lesson.neural
    one = net.shape
    shape: dict[str, Any] = {"start": net.start, "first": one.first, "second": one.second, "leak": one.leak}
    if one.offsets:
        shape["offsets"] = True
    algorithm: dict[str, Any] = {"selected": "network"}
    if net.start == "linear":
        algorithm |= {"steps": lesson.steps, "a": list(net.origin.a), "A": list(net.origin.A)}
    return {"algorithm": algorithm, "network": {**shape, "weights": [float(w) for w in net.weights]}}


def settings_text(signal: str, lesson: Lesson) -> str:
    """Return the tables of a signal as TOML to paste."""
    latency = {"mode": "constant", "constant_steps": lesson.steps}
    return tomlkit.dumps({"signals": {signal: {"latency": latency, **learnt_settings(lesson)}}})


def write_settings(path: str | Path, signal: str, lesson: Lesson) -> Path:
    """Write learnt weights into a configuration file; comments and everything else stay.

    Raises
    ------
    UsageError
        If the file is wrong, before or after, or has no such signal; it is then unchanged.
    """
    return change_signal(path, signal, lambda section: section.update(learnt_settings(lesson)))
