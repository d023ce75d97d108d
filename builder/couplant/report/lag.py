"""What a command and its response say about the lag between them, in words, settings and a picture."""

from __future__ import annotations

import numpy as np
import tomlkit
from matplotlib.figure import Figure

from couplant.analysis.lag import Lag
from couplant.report.page import Page
from couplant.report.pictures import DPI
from couplant.style import LIGHT, colour
from couplant.tables import Samples

_WIDE = 40.0
"""Lags that the picture shows."""


def describe(found: Lag, command: Samples, response: Samples, signal: str) -> Page:
    """Return what is found, and the settings of the `signal` that make up for it."""
    own = f"{1e3 * found.least:.4g} to {1e3 * found.most:.4g} ms in {found.parts} parts of the recording"
    lines = [
        f"{response.name} lags {1e3 * found.lag:.4g} ms behind {command.name} ({own}).",
        f"Gain {found.gain:.4g}; {100.0 * found.rest:.3g} % of {response.name} is neither lag nor gain.",
    ]
    return Page("inspect", f"Lag of {response.name}", lines, toml=offset_text(found, signal))


def offset_text(found: Lag, signal: str) -> str:
    """Return the lag as ``latency.offset`` of a `signal`, TOML to paste."""
    return tomlkit.dumps({"signals": {signal: {"latency": {"offset": found.offset}}}})


def lag_figure(found: Lag, command: Samples, response: Samples) -> Figure:
    """Draw both signals, and the response without its lag, where it is largest."""
    figure = Figure(figsize=(8.0, 3.6), dpi=DPI, layout="constrained", facecolor=LIGHT.background)
    axis = figure.subplots()
    middle = response.time[np.argmax(np.abs(response.value - response.value.mean()))]
    pens = (
        (command, 0.0, LIGHT.ink, command.name),
        (response, 0.0, colour("zoh"), response.name),
        (response, found.lag, colour("eros3"), f"{response.name}, {1e3 * found.lag:.4g} ms earlier"),
    )
    half = 0.5 * _WIDE * max(found.lag, float(np.median(np.diff(response.time))))
    for one, earlier, pen, words in pens:
        near = np.abs(one.time - middle) <= half
        axis.plot(one.time[near] - earlier, one.value[near], color=pen, linewidth=1.2, label=words)
    axis.set(xlabel="time / s")
    axis.grid(True, color=LIGHT.grid, linewidth=0.8)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(fontsize=8, frameon=False)
    return figure
