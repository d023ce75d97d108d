"""Recordings, lags and measured latencies in words and tables, with advice on the coupling."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import tomlkit

from couplant.analysis.signal.lag import Lag
from couplant.analysis.signal.latencies import (
    COVERED,
    USABLE_ERROR,
    LatencyStatistics,
    News,
    StepChoice,
    news,
    round_trip_steps,
    step_choice,
)
from couplant.analysis.signal.sampling import Noise, proposed_floor, quantum, repeats
from couplant.base.grid import latency_in_steps
from couplant.base.style import WIRE, less_in_words
from couplant.design.inspection import Inspection
from couplant.design.judged import MICRO_STEPS, Judged
from couplant.design.recommendation import WITHOUT_LOOP, candidate_label
from couplant.report.chart import Chart, Line, Panel
from couplant.report.page import Page, error_table
from couplant.tables import Latencies, Recording, Samples

if TYPE_CHECKING:
    from couplant.config import Interface
    from couplant.sweep.candidates import Advice

_DRIFT = 1e-5  # drift of the latency above which the clocks run apart [s/s]
_COASTED = 4  # longest period of a slow sender that is made up for with stamps, `latency.coast_steps` + 1 [macro steps]
_WIDE = 40.0  # lags that the picture shows


def describe(found: Inspection) -> Page:
    """Describe the findings in a recording."""
    table = error_table("Algorithms on the recording, the best first", found.table)
    title, text = _headline(found), _sentences(found)
    return Page("inspect", title, text, found.advice.warnings, tables=[table], toml=found.settings())


def describe_in_loop(found: Advice, alone: Mapping[str, Inspection]) -> Page:
    """Describe a loop and its signals: the advice is about the loop, findings are those of each signal `alone`."""
    from couplant.report.advice import describe_advice  # loads all that simulates

    page = describe_advice(found)
    tables, text, warnings = [*page.tables], [*page.paragraphs], [*page.warnings]
    for name, one in alone.items():
        tables.append(error_table(f"{name} alone, without the loop", one.table))
        text += [f"{name} alone, without the loop: {one.reason}", *_sentences(one)[1:]]
        warnings += [f"{name} alone: {line}" for line in one.advice.warnings]
    return replace(page, kind="inspect", paragraphs=text, warnings=warnings, tables=tables)


def _headline(found: Inspection) -> str:
    name = found.recording.name
    if not found.is_worth_it:
        return f"{name}: leave the FMU out"
    less = less_in_words(found.judged.rows[found.recommended].mae / found.judged.rows[WIRE].mae)
    return f"{name}: use {candidate_label(found.recommended)}, {less} less error than the plain wire"


def _sentences(found: Inspection) -> list[str]:
    recording, bands = found.recording, found.bands
    late = f"k = {found.k}{found.way.disturbances}"
    use = f"Use {candidate_label(found.recommended)}. {found.reason} {WITHOUT_LOOP}."
    lines = [
        use if found.is_worth_it else found.reason,
        f"{recording.name}: {recording.value.size} macro steps of {recording.macro_step:g} s, {late}.",
        _conditions(found),
    ]
    if recording.gaps:
        lines.append(
            f"{recording.gaps} gaps were bridged by straight lines, the longest {recording.longest_gap:.3g} s."
        )
    text = f"Useful band up to {bands.useful:.4g} rad/s"
    if bands.disturbances:
        text += "; disturbances " + ", ".join(f"{low:.4g} to {high:.4g} rad/s" for low, high in bands.disturbances)
    lines += [text + f"; {found.jumps.size} jumps.", judged_by(found.judged, found.made_of)]
    after = "FOH (the ladder): the band lies inside its limit" if found.ladder else "hold: the band exceeds FOH's limit"
    return [*lines, f"After a jump: {after}.", *sampling(recording), noise(found.noise, recording.unit), found.model]


def _conditions(found: Inspection) -> str:
    """Return the conditions of the figures: when estimates take effect, and how often the tool steps the FMU."""
    m = found.judged.micro_steps
    if found.timing == "event":
        return "Event timing, at macro points: the receiver reads the estimate that was made for the same point."
    if m == 1:
        return (
            f"Step timing, communication step {found.micro_step:g} s, the macro step: the FMU has to foresee it too. "
            f"Communication steps of {found.micro_step / MICRO_STEPS:g} s cost nearly nothing and save most of that."
        )
    return f"Step timing, communication step {found.micro_step:g} s, {m} in a macro step: let the tool step the FMU so."


def judged_by(found: Judged, made_of: float) -> str:
    """Say in a line what designs are made of, the first `made_of` seconds, and which seconds judge all algorithms."""
    first, last = found.seconds
    where = f"{found.other}, {first:g} to {last:g} s" if found.other else f"{first:g} to {last:g} s"
    return f"Designs are made of 0 to {made_of:g} s; all algorithms are judged on {where}."


def sampling(recording: Recording) -> list[str]:
    """Advise on steps of quantisation and on a sender slower than the macro step."""
    lines, step, held = [], quantum(recording), repeats(recording)
    if step is not None:
        lines.append(
            f"The values are quantised in steps of {step:g} (signal unit): discontinuity.floor = "
            f"{proposed_floor(step):g} keeps these steps from being taken for jumps."
        )
    if held is not None:
        stamps = ", or send stamps and repeat each with its value, so that repeated values are no news"
        period = f"macro_step = {held * recording.macro_step:.4g} s"
        lines.append(
            f"The sender is slower than the macro step: each value stays for {held:g} of them and the next looks like "
            f"a jump; use its period, {period}{stamps if held <= _COASTED else ''}."
        )
    return lines


def noise(found: Noise | None, unit: str) -> str:
    """Say how large the measurement noise is, in the `unit` of the signal, and what to do about it."""
    if found is None:
        return "No measurement noise stands out of the rounding of the values."
    size = f"{found.deviation:g} {unit or '(signal unit)'}"
    if not found.certain:
        return f"Noise cannot be told from the signal, which moves as fast: its standard deviation is {size} at most."
    told = f"signal = {{ noise = {found.deviation:g} }} tells algorithm, detector and quality"
    size_and_setting = f"a standard deviation of {size}: {told}"
    return f"Measurement noise has {size_and_setting}; `couplant design --noise {found.share:g}` counts it."


def advice(
    figures: LatencyStatistics, finest: StepChoice, chosen: StepChoice, stamped: StepChoice, came: News
) -> list[str]:
    """Say which macro step to use.

    Given are the `finest` one that the prototypes allow, the one that was `chosen` for a constant k, and one that works
    from stamps; `came` tells when something new comes in with that one.
    """
    span = f"{1e3 * figures.minimum:.4g} to {1e3 * figures.maximum:.4g} ms, median {1e3 * figures.median:.4g} ms"
    # only send times show what latencies do over time
    course = f"{figures.reordered} overtaken, drift {1e6 * figures.drift:.3g} µs/s"
    if math.isnan(figures.drift):
        course = "without sent_s nothing is known of overtaken messages and of drift"
    lines = [
        f"{figures.messages} messages: latency {span}; {figures.lost} lost ({100 * figures.loss:.3g} %), {course}.",
        f"At the smallest step, {1e3 * finest.macro_step:.4g} ms, k is {finest.smallest} to {finest.largest}.",
    ]
    lines += _ways(chosen, stamped, figures.maximum)
    if came.silent.any():
        lines.append(
            f"With stamps at {1e3 * stamped.macro_step:.4g} ms up to {came.silent.max()} macro steps in a row bring "
            f"nothing new, then up to {came.values.max()} values come in at once: latency.coast_steps = "
            f"{came.coast_steps}, burst = {came.burst}."
        )
    lines.append(
        f"Start at the same time (synchronised clocks): k = {chosen.largest} in this direction; one after the "
        f"other: k = 0 here and k = {round_trip_steps(chosen)} in the other direction, if that is alike."
    )
    if chosen.aligned is not None:
        effective = f"{1e3 * (chosen.aligned * chosen.macro_step + chosen.shift):.4g} ms"
        lines.append(
            f"Aligned time grids (receiver {1e3 * chosen.shift:.4g} ms later) give a constant latency of {effective}, "
            f"{1e3 * chosen.gain:.4g} ms less to compensate."
        )
    if abs(figures.drift) > _DRIFT:
        lines.append("The latency drifts: the clocks run apart; synchronise them (PTP) or use round-trip stamps.")
    return lines


def misfits(interface: Interface, name: str, measured: Latencies) -> list[str]:
    """Return where the settings of the signal `name` do not bear `measured` latencies, in sentences.

    Raise `UsageError` if the interface has no macro step of its own.
    """
    signal, step = interface.signals[name], interface.macro_step
    latency, choice = signal.latency, step_choice(measured, step, COVERED)
    if latency.mode == "constant":
        k = latency.constant_steps
        told = f"{name} takes {choice.smallest} to {choice.largest} macro steps of {step:g} s"
        fits = choice.smallest == choice.largest == k
        return [] if fits else [f'{told}, but latency.mode is constant with constant_steps = {k}: use "stamps"']
    came, lines = news(measured, step), list[str]()
    if share := came.beyond(latency.coast_steps):
        lines.append(
            f"nothing new of {name} comes in for up to {came.silent.max()} macro steps in a row, but "
            f"latency.coast_steps = {latency.coast_steps}: the output is held in {100.0 * share:.2g} % of all; "
            f"use {came.coast_steps}"
        )
    if signal.burst < came.burst:
        lines.append(
            f"up to {came.values.max()} values of {name} come in at once, but burst = {signal.burst}: those before the "
            f"newest are lost; use {came.burst}, and messages that repeat as many"
        )
    return lines


def _ways(chosen: StepChoice, stamped: StepChoice, longest: float) -> list[str]:
    """Name the macro steps that make k constant and that work from stamps, with their cost, the better one first."""
    beyond = latency_in_steps(longest / chosen.macro_step) > chosen.largest
    share = f" for {100 * chosen.coverage:.4g} % of the messages (later ones count as lost)" if beyond else ""
    step = f"macro step {1e3 * chosen.macro_step:.4g} ms"
    constant = f"{step}: k = {chosen.largest} is constant{share}, {_usable(chosen)}"
    spread = f"k {stamped.smallest} to {stamped.largest}"
    with_stamps = (
        f"macro step {1e3 * stamped.macro_step:.4g} ms and stamps (latency.mode = stamps): {spread}, {_usable(stamped)}"
        "; algorithm auto or irregular, and messages that repeat their last values (burst)"
    )
    if not chosen.constant:
        return [f"No macro step keeps k constant. Use {with_stamps}."]
    if stamped.macro_step >= chosen.macro_step or stamped.constant:
        return [f"Use {constant}."]
    first, second = (constant, with_stamps) if chosen.usable >= stamped.usable else (with_stamps, constant)
    return [f"Use {first}.", f"Or {second}."]


def _usable(choice: StepChoice) -> str:
    return f"EROS3 errs by less than {100 * USABLE_ERROR:.0f} % of a tone up to {choice.usable:.3g} rad/s"


def describe_lag(found: Lag, command: Samples, response: Samples, signal: str) -> Page:
    """Describe a lag, and give the settings of the `signal` that make up for it."""
    own = f"{1e3 * found.least:.4g} to {1e3 * found.most:.4g} ms in {found.parts} parts of the recording"
    lines = [
        f"{response.name} lags {1e3 * found.lag:.4g} ms behind {command.name} ({own}).",
        f"Gain {found.gain:.4g}; {100.0 * found.rest:.3g} % of {response.name} is neither lag nor gain.",
        *filter(None, [found.following(response.name)]),
    ]
    toml = tomlkit.dumps({"signals": {signal: {"latency": {"offset": found.offset}}}})
    return Page("lag", f"Lag of {response.name}", lines, toml=toml)


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
