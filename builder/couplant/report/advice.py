"""Advice for a loop in words, a table and a picture."""

import numpy as np

from couplant.base.style import WIRE, label, less_in_words, number
from couplant.base.style import radius as radius_text
from couplant.config.models import MODEL
from couplant.config.network import NetworkTable
from couplant.cosim.wiring.loops import signal_names
from couplant.design.recommendation import candidate_label
from couplant.report.chart import Chart, Line, Panel, look_closer
from couplant.report.page import Page, Table
from couplant.report.signals import PERIODS, period
from couplant.sweep.advised import INTERFACE
from couplant.sweep.candidates import NEEDED, Advice, Candidate

_COLUMNS = ("algorithm", "spectral radius", "stable up to", "error / %", "worst within 10 %")
_SIGNALS = 4


def headline(found: Advice) -> str:
    """Say in one sentence what to do."""
    one, wire = found.chosen, found.wire
    if one.name == WIRE and not wire.stable:
        return "No algorithm keeps this loop stable, and without FMU it is unstable too: shorten the latency."
    if one.name == WIRE:
        return "Leave the FMU out: no algorithm is better in this loop than the plain wire."
    name = _name(one)
    if not wire.stable:
        return f"Use {name}: the loop is stable with it and unstable without FMU."
    own, without = _error_of(one), _error_of(wire)
    return f"Use {name}: {less_in_words(own / without)} less error than without FMU, in this loop."


def reasons(found: Advice) -> list[str]:
    """Say why, how sure it is, what the second best would cost, and what a model falls back to."""
    one, system = found.chosen, found.system
    steps = sorted({c.algorithm.k for c in system.connections})
    shares = sorted({found.system.noise_of(c.source) for c in found.system.connections})
    noise = " to ".join(f"{100.0 * share:.3g}" for share in (shares[0], shares[-1])[: 1 + (len(shares) > 1)]) + " %"
    text = [
        f"Latency {', '.join(map(str, steps))} macro steps of {system.macro_step:g} s, {system.timing} timing, "
        f"{system.micro_steps} communication steps in a macro step, noise {noise}{_network(found)}."
    ]
    text += [f"Simulated, error over the size of the signals (rms, mean of all): {_figures_of_runs(found)}."]
    text += _doubt(found)
    if one.margin >= 0.0:
        text.append(_certainty(one))
    second = found.second
    if second is not None and one.name != WIRE:
        times = second.error / one.error if one.error > 0.0 else np.inf
        text.append(f"Second best: {_name(second)}, {times:.3g} times the error; {_certainty(second).lower()}")
    if one.name == MODEL:
        back = found.fallback
        stays = "it stays, for neither auto nor zoh is stable enough in this loop"
        told = stays if back == MODEL else f"it falls back to {label(back)}, which is stable in this loop"
        text.append(f"Should the model be wrong: {told}.")
    return text


def _doubt(found: Advice) -> list[str]:
    """Return a sentence on the errors on other loops that recordings allow; none where they allow one."""
    shown = sorted(found.chosen.varied[: found.others])
    if not shown:
        return []
    there = [_percent(one) for one in shown if np.isfinite(one)]
    errors = [f"on the others {' to '.join(dict.fromkeys([there[0], there[-1]]))} %"] if there else []
    grows = [f"unstable on {len(shown) - len(there)} of them"] if len(there) < len(shown) else []
    head = f"The recordings allow {found.others + 1} loops and do not tell which one is yours"
    return [f"{head}: this is the error on the most likely one, {' and '.join(errors + grows)}."]


def describe_advice(found: Advice) -> Page:
    """Return the page of an advice, with the settings where an FMU is advised."""
    rows = [_row(one) for one in found.candidates]
    table = Table("Every algorithm in this loop", _COLUMNS, rows)
    toml = found.files().get(INTERFACE, "")
    bad = [label(one.name) for one in found.candidates if not one.stable and one.name not in (WIRE, MODEL)]
    warnings = [f"unstable in this loop: {', '.join(dict.fromkeys(bad))}"] if bad else []
    if found.chosen.stable and found.chosen.margin < NEEDED:
        warnings.append(f"{_name(found.chosen)} is not stable on all plants whose parameters differ by 10 %")
    if found.is_worth_it and not _error_of(found.chosen) < 1.0:
        warnings.append("errors as advised are as large as the signals: a shorter latency or a model helps")
    return Page("advise", headline(found), reasons(found), warnings, [table], toml=toml)


def advice_charts(found: Advice) -> list[Chart]:
    """Return the signals without delay, by the plain wire and as advised: a few periods, then the whole run."""
    run = found.chosen.run
    if run is None:
        return []
    names = list(signal_names(found.system).values())[:_SIGNALS]
    traces = [run.traces[name] for name in names]
    time = traces[0].time
    whole = float(time[-1] - time[0])
    rows = PERIODS * max(period(trace.reference) for trace in traces)
    shown = min(whole, rows * float(time[1] - time[0])) or whole
    start = time[0] + 0.4 * (whole - shown)
    # a run has another time than recordings beside it: it is zoomed by itself
    every = Chart("The run", "time in s", [_panel(found, name) for name in names])
    return [look_closer(every, start, start + shown), every]


def _panel(found: Advice, name: str) -> Panel:
    assert found.chosen.run is not None
    trace, lines = found.chosen.run.traces[name], []
    size = float(np.abs(trace.reference).max())
    lines.append(Line("without delay", trace.time, trace.reference, "ink", width=2.0))
    wire = found.wire.run
    if wire is not None and found.chosen.name != WIRE:
        lines.append(Line("plain wire", trace.time, wire.traces[name].estimate, "zoh"))
    lines.append(Line(_name(found.chosen), trace.time, trace.estimate, found.chosen.name))
    return Panel(name, lines, limits=(-3.0 * size, 3.0 * size))


def _error_of(one: Candidate) -> float:
    return one.error if one.simulated is None else one.simulated


def _certainty(one: Candidate) -> str:
    exact = one.radius is not None
    kind = "Stable by theory" if exact else "Stable where it was simulated"
    if one.margin <= 0.0:
        return f"{kind} with the prototypes as given only."
    return f"{kind}, with every parameter up to {100.0 * one.margin:.0f} % off too."


def _figures_of_runs(found: Advice) -> str:
    wire, one = found.wire, found.chosen
    shown = [f"{_percent(_error_of(wire))} % by the plain wire" if wire.stable else "the plain wire is unstable"]
    return ", ".join([*([f"{_percent(_error_of(one))} % as advised"] if one is not wire else []), *shown])


def _row(one: Candidate) -> list[str]:
    untried = one.margin == 0.0 and one.radius is None and not one.varied
    margin = "no" if one.margin < 0.0 else "-" if untried else f"{100.0 * one.margin:.0f} %"
    radius = "-" if one.radius is None else radius_text(one.radius)
    return [_name(one), radius, margin, _percent(one.error), _percent(one.worst)]


def _percent(share: float) -> str:
    return "-" if not np.isfinite(share) else number(100.0 * share)


def _name(one: Candidate) -> str:
    name = candidate_label(one.name)
    return f"{name}, {one.detail}" if one.detail else name


def _network(found: Advice) -> str:
    """Return jitter and loss of the network, and what drives the loop, in words, empty where there are none."""
    driven = "; driven by the recordings of the scenario, and simulated" if found.drive else ""
    if not found.network:
        return driven
    one = NetworkTable.model_validate(found.network)
    jitter = f", {one.jitter_steps:g} more at random" if one.jitter_steps else ""
    lost = f", {100.0 * one.loss:.3g} % of the values lost; all of it simulated, for no theory covers that"
    return f"{jitter}{lost}{driven}"
