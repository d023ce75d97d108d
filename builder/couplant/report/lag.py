"""Lag between a command and its response, in words, settings and a chart."""

from __future__ import annotations

import numpy as np
import tomlkit

from couplant.analysis.signal.lag import Lag
from couplant.report.charts.chart import Chart, Line, Panel
from couplant.report.page import Page
from couplant.tables import Samples

_WIDE = 40.0
"""Lags that the picture shows."""


def describe(found: Lag, command: Samples, response: Samples, signal: str) -> Page:
    """Describe a lag, and give the settings of the `signal` that make up for it."""
    own = f"{1e3 * found.least:.4g} to {1e3 * found.most:.4g} ms in {found.parts} parts of the recording"
    lines = [
        f"{response.name} lags {1e3 * found.lag:.4g} ms behind {command.name} ({own}).",
        f"Gain {found.gain:.4g}; {100.0 * found.rest:.3g} % of {response.name} is neither lag nor gain.",
        *filter(None, [found.following(response.name)]),
    ]
    return Page("inspect", f"Lag of {response.name}", lines, toml=offset_text(found, signal))


def offset_text(found: Lag, signal: str) -> str:
    """Return the lag as ``latency.offset`` of a `signal`, TOML to paste."""
    return tomlkit.dumps({"signals": {signal: {"latency": {"offset": found.offset}}}})


def lag_chart(found: Lag, command: Samples, response: Samples) -> Chart:
    """Return both signals, and the response without its lag, where it is largest."""
    middle = response.time[np.argmax(np.abs(response.value - response.value.mean()))]
    pens = (
        (command, 0.0, "ink", command.name),
        (response, 0.0, "zoh", response.name),
        (response, found.lag, "eros3", f"{response.name}, {1e3 * found.lag:.4g} ms earlier"),
    )
    half = 0.5 * _WIDE * max(found.lag, float(np.median(np.diff(response.time))))
    lines = []
    for one, earlier, shade, words in pens:
        near = np.abs(one.time - middle) <= half
        lines.append(Line(words, one.time[near] - earlier, one.value[near], shade))
    return Chart("Command and response", "time / s", [Panel("value", lines)])
