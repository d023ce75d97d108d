"""The hybrid vehicle: in one computer, and with an engine on a bench that filters and disturbs what it measures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from couplant.base.style import label
from couplant.cosim.result import Run
from couplant.cosim.traces import Figure
from couplant.report.chart import Chart, Line, Panel
from examples.published.runs import simulate
from examples.published.section import SIGN, Row, Section, close, numbers, published, same_sign

_EXAMPLE = "12_hybrid_vehicle"
_DETECTION, _QUIET = "_detection", "_quiet"
_DISTURBED = ("foh", "eros3")
_SAME = 1.0 / 3.0
"""Share of a published figure that ours may be off. [-]"""

_NAMES = {"configured": "optimum", "network": "learnt"}
"""What published algorithms are called here; the optimum takes m = 9 values, and the network learns from it on."""

_ALONE = ("zoh", "foh", "eros3", "configured", "network")
_SWITCHED = ("foh", "eros3", "eros4")
_OURS = (
    "Parameters of engine, vehicle and driver, the profile of the drive and the level of the disturbance are not "
    "published: ours are those of a usual compact car, and 1 N.m rms."
)
_POINTS = 0.1
"""By how much a change relative to ZOH may be off. [-]"""

_WHY_TIME = (
    "It follows from how the driver eases off before the shift: with 32 other ones the peak without delay is "
    "0.07 s earlier to 0.10 s later, never as much as published."
)
_WHY_ENERGY = "The sign and two thirds of the size. It depends on the driver: from -2.0 to 1.5 % with 32 others."
_WHY_SIZE = "How large the changes are follows from the driver and the profile of the drive, which are not published."
_WHY_SIGN = "Here the algorithm runs all the time; there it ran as ZOH for most of it."
_WHY_ERRORS = {
    "foh": "How much it gains follows from the disturbance.",
    "eros3": "It amplifies the disturbance, whose level is not known.",
    "configured": "Its weights are not published; ours are a sound design for the same bands.",
    "network": "It learns during the run that is judged; published weights come from an earlier run.",
}
_LEARNING = ('signals.torque.coupling.network={start="linear"}',)
"""What lets the network start as the weights of the example."""


def vehicle(examples: Path) -> list[Section]:
    """Return section 6.2.2, tables 6.1 and 6.2, with the scenarios of example 12."""
    runs = _runs(examples)
    return [_model(examples), _errors(runs), _behaviour(runs)]


def _runs(examples: Path) -> dict[str, Run]:
    """Return the runs of the bench by their names in the published tables."""
    path = examples / _EXAMPLE / "scenario.toml"
    alone = simulate(path, [_listed(_ALONE), *_LEARNING]).runs
    quiet = simulate(path, [_listed(("zoh", *_DISTURBED)), "noise=0.0"]).runs
    switched = simulate(path, [_listed(_SWITCHED), "coupling.discontinuity={enabled=true}"]).runs
    found = {run.algorithm: run for run in alone} | {f"{run.algorithm}{_DETECTION}": run for run in switched}
    return found | {f"{run.algorithm}{_QUIET}": run for run in quiet}


def _listed(names: Sequence[str]) -> str:
    return f"algorithms={list(names)}".replace("'", '"')


def _model(examples: Path) -> Section:
    """Return what happens without delay, relative to ZOH at k = 6."""
    table = published("vehicle_model")
    (run,) = simulate(examples / _EXAMPLE / "mil.toml").runs
    peak, stable = run.figures["first_peak"], run.excess is not None and run.excess <= 1.0
    first, energy, way = (_without(run.figures[name]) for name in ("first_peak", "engine_energy", "distance"))
    time, speed = peak.reference_time - peak.time, run.watched["vehicle.v"]
    apart = float(np.abs(speed.values - speed.reference).max())
    bond = run.bonds["shaft"].figures()
    lost = -100.0 * bond["created"] / bond["sent"]
    rows = [
        _percent_row("first peak of the torque", table["peak"], first),
        Row("its time", f"{table['time']:g} s", f"{time:.2f} s", close(time, table["time"], _SAME), _WHY_TIME),
        _percent_row("energy of the engine until the release", table["energy"], energy, _WHY_ENERGY),
        Row("energy lost in the coupling", "yes", f"{lost:.2f} % of what is sent", lost > 0.5),
        Row("distance", "unchanged", f"{way:.2f} %", abs(way) < 0.5),
        Row("speed", "unchanged", f"at most {apart:.2f} m/s apart", apart < 0.2),
        Row("with ZOH", "stable", "stable" if stable else "unstable", stable),
    ]
    text = [
        "What happens without delay, relative to 60 ms of pure delay and ZOH: 12 s, two accelerations, a shift at "
        f"3.2 s, release at 8 s. {_OURS} Verdict: figures within a third of the published ones; the energy lost "
        "above 0.5 % of what is sent, distance within 0.5 %, speed within 0.2 m/s."
    ]
    command = f"couplant simulate examples/{_EXAMPLE}/mil.toml"
    return Section("Hybrid vehicle in one computer", table["source"], command, rows, text, [_chart(run)])


def _without(figure: Figure) -> float:
    """Return by how much a figure without delay differs from that of the run, %."""
    return 100.0 * (figure.reference / figure.value - 1.0)


def _percent_row(what: str, theirs: float, ours: float, why: str = "") -> Row:
    holds = close(ours, theirs, _SAME)
    return Row(what, f"{theirs:g} %", f"{ours:.1f} %", holds, "" if holds else why, same_sign((ours, theirs)))


def _errors(runs: Mapping[str, Run]) -> Section:
    """Return the coupling error of the torque on the bench."""
    table = published("vehicle_metric")
    rows = [_error_row(name, table, runs) for name in runs if name in table]
    rows.append(_order_row(table, runs))
    level = 100.0 * _POINTS
    text = [
        "C / M / P of Sprague and Geers, times 100, of the torque against what the bench sends when the estimate is "
        f"used. A filter of 50 ms and 10 ms of network, k = 6. {_OURS} C follows from that level; what can be compared "
        f"is C relative to that of ZOH, in one run here. Verdict: within {level:.0f} points of the published change. "
        "Detection means "
        "that discontinuities are looked for and the algorithm gives way to ZOH."
    ]
    command = f"couplant simulate examples/{_EXAMPLE}/scenario.toml"
    return Section("Hybrid vehicle, coupling error", table["source"], command, rows, text)


def _error_row(name: str, table: Mapping[str, Sequence[float]], runs: Mapping[str, Run]) -> Row:
    run = runs[name]
    ours, theirs = [run.metrics[key] or math.nan for key in "CMP"], table[name]
    if name == "zoh":
        why = "C follows from the torque and the disturbance; nearly all of it is phase in both."
        return Row(label(name), numbers(theirs), numbers(ours), ours[2] > 0.9 * ours[0], why)
    change, wanted = _change(run, runs["zoh"]), theirs[0] / table["zoh"][0] - 1.0
    holds = abs(change - wanted) <= _POINTS
    why = f"{100 * wanted:+.0f} % published, {100 * change:+.0f} % ours." + ("" if holds else f" {_why(name, run)}")
    if name in _DISTURBED:
        why += f" Without one {100 * _change(runs[f'{name}{_QUIET}'], runs[f'zoh{_QUIET}']):+.0f} %."
    return Row(_label(name), numbers(theirs), numbers(ours), holds, why, same_sign((change, wanted)))


def _change(run: Run, base: Run) -> float:
    """Return C relative to that of another run, less 1 [-]."""
    return (run.metrics["C"] or math.nan) / (base.metrics["C"] or math.nan) - 1.0


def _why(name: str, run: Run) -> str:
    """Say why the coupling error of a run has another relation to that of ZOH."""
    if name.endswith(_DETECTION):
        flags = int(run.traces["torque"].detected.sum())
        return (
            f"The detector flags {flags or 'none'} of {run.traces['torque'].time.size} values here, so nothing is "
            "switched; on the published bench it fired often. How the torque was disturbed there is not told."
        )
    return _WHY_ERRORS[name]


def _order_row(table: Mapping[str, Sequence[float]], runs: Mapping[str, Run]) -> Row:
    names = [name for name in runs if name in table and not name.endswith(_DETECTION)]
    theirs = sorted(names, key=lambda name: table[name][0])
    ours = sorted(names, key=lambda name: runs[name].metrics["C"] or math.nan)
    published, found = (" < ".join(map(_label, order)) for order in (theirs, ours))
    why = f"{published}." if theirs == ours else f"{published} published, {found} ours. {_WHY_ERRORS['network']}"
    return Row("least C", _label(theirs[0]), _label(ours[0]), theirs == ours, why)


def _behaviour(runs: Mapping[str, Run]) -> Section:
    """Return what the algorithms do to the vehicle, relative to ZOH."""
    table = published("vehicle_behaviour")
    rows = [_behaviour_row(name, table[name], runs) for name in runs if name in table]
    wanted = [table[name][1] for name in runs if name in table]
    found = [_relative(runs[name], runs["zoh"])[1] for name in runs if name in table]
    theirs, ours = (f"{min(one):.2f} to {max(one):.2f} s" for one in (wanted, found))
    holds = max(map(abs, found)) >= 0.5 * max(map(abs, wanted))
    rows.append(Row("time of the peak", theirs, ours, holds, _WHY_TIME))
    text = [
        "First peak of the torque as it arrives at the coupling FMU in %, its time in s, energy of the engine until "
        "release in %, all relative to ZOH; without detection no peak is published. Verdict: peak and energy within "
        f"a third of the published changes; the time has a row of its own. {_OURS} Published peaks differ by 2 to 4 "
        "points from run to run."
    ]
    command = f"couplant simulate examples/{_EXAMPLE}/scenario.toml"
    return Section("Hybrid vehicle, behaviour", table["source"], command, rows, text)


def _behaviour_row(name: str, theirs: Sequence[float], runs: Mapping[str, Run]) -> Row:
    ours = _relative(runs[name], runs["zoh"])
    pairs = [(ours[i], theirs[i]) for i in (0, 2) if math.isfinite(theirs[i])]
    holds, otherwise = all(close(*pair, _SAME) for pair in pairs), same_sign(*pairs)
    why = "" if holds else _WHY_SIZE if otherwise == SIGN else _WHY_SIGN
    shown = ["-" if math.isnan(one) else f"{one:g}" for one in theirs]
    return Row(_label(name), " / ".join(shown), numbers(ours, ".2f"), holds, why, otherwise)


def _relative(run: Run, base: Run) -> tuple[float, float, float]:
    """Return first peak [%], its time [s] and energy of the engine [%] relative to those of another run."""
    peak, energy = (run.figures[name].value / base.figures[name].value for name in ("first_peak", "engine_energy"))
    later = run.figures["first_peak"].time - base.figures["first_peak"].time
    return 100.0 * (peak - 1.0), later, 100.0 * (energy - 1.0)


def _label(name: str) -> str:
    bare = name.removesuffix(_DETECTION)
    return _NAMES.get(bare, label(bare)) + (", detection" if name != bare else "")


def _chart(run: Run) -> Chart:
    trace, bond, name = run.traces["torque"], run.bonds["shaft"], label(run.algorithm)
    torque = [
        Line("no delay", trace.time, trace.reference, "none", 3.0),
        Line(name, trace.time, trace.estimate, run.algorithm, 1.2),
    ]
    energy = [Line(name, bond.time, -1e-3 * bond.residual, run.algorithm)]
    panels = [Panel("torque / N.m", torque), Panel("energy lost / kJ", energy)]
    return Chart("Torque at the vehicle, and the energy that did not arrive, ZOH at k = 6", "time / s", panels)
