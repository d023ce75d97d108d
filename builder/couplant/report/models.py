"""Designs of observers in words, tables and a chart."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from couplant.base.style import PLAIN_WIRE, WIRE, radius
from couplant.design.models import Candidate, ModelDesign, model_tables
from couplant.design.settings import models_text
from couplant.report.charts.chart import Chart, Line, Panel
from couplant.report.page import Page, Table

_SHOWN = 8


def describe_models(found: ModelDesign, signals: Mapping[str, str]) -> Page:
    """Return the page of a design; `signals` has the names of signals by ``prototype.output``."""
    one, asked, share = found.chosen, found.asked, found.stable_share
    latencies = sorted({c.algorithm.k for c in found.system.connections})
    excited = ", ".join(f"{name} {level:g}" for name, level in asked.excited.items())
    text = [
        f"Latency {', '.join(map(str, latencies))} macro steps of {found.system.macro_step:g} s, "
        f"{found.system.timing} timing.",
        f"Judged by noise up to {asked.corner:.3g} rad/s and pushes, effect on the signals: {excited}.",
        f"Chosen: order {one.order}, leak {one.leak:g} 1/s; {100 * share:.0f} % of the scattered plants are stable, "
        f"spectral radius {radius(found.radius, 9)}.",
    ]
    columns = ("signal", "noise", "error", WIRE)
    rows = [[signals[name], f"{asked.noise[name]:g}", f"{found.errors[name]:.3g}", f"{found.wire[name]:.3g}"]
            for name in found.errors]  # fmt: skip
    tables = [Table("Errors over the size of the signals", columns, rows), _trial_table(found)]
    warnings = [f"only {100 * share:.0f} % of the scattered plants are stable"] if share < 1.0 else []
    worse = [signals[name] for name, error in found.errors.items() if error >= found.wire[name]]
    warnings += [f"estimates of {', '.join(worse)} are no better than {PLAIN_WIRE}"] if worse else []
    toml = models_text(model_tables(found.system, found.chosen.weights, signals))
    return Page("design", "Observers for models", text, warnings, tables, toml=toml)


def _trial_table(found: ModelDesign) -> Table:
    rows = [[f"{t.order}", f"{t.leak:g}", f"1e{t.decade}", f"{t.error:.4g}"] for t in found.tried[:_SHOWN]]
    return Table("Best of what was tried", ("order", "leak 1/s", "drive over that stated", "error"), rows)


def model_charts(found: ModelDesign) -> list[Chart]:
    """Return the error of all observers over how fast they follow."""
    shades = {(1, 0): "foh", (1, 1): "eros3", (1, 2): "eros4", (2, 0): "smb", (2, 1): "auto", (2, 2): "model"}
    leaks = sorted({t.leak for t in found.tried})
    lines = [
        _line(order, leak, [t for t in found.tried if (t.order, t.leak) == (order, leak)], shades[order, i])
        for order in (1, 2)
        for i, leak in enumerate(leaks)
    ]
    panel = Panel("error over the size of the signals", [one for one in lines if len(one.x)], log=True)
    return [Chart("What was tried", "power of ten of the drive over that of the stated excitation", [panel])]


def _line(order: int, leak: float, tried: list[Candidate], shade: str) -> Line:
    tried = sorted(tried, key=lambda one: one.decade)
    x, y = np.array([[t.decade, t.error] for t in tried]).reshape(-1, 2).T
    return Line(f"order {order}, leak {leak:g} 1/s", x, y, shade)
