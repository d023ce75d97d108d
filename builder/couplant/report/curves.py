"""Charts of the analysis, for pages and pictures."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from couplant.analysis.algorithms import Algorithm, generic
from couplant.analysis.coupling_process import ErlangLatency, frequency_response
from couplant.analysis.limits import GAIN_TOLERANCE, limit_frequencies
from couplant.analysis.open_loop import open_loop
from couplant.analysis.signal.balance import Balance, Passage
from couplant.analysis.signal.latencies import StepChoice
from couplant.analysis.signal.recording import Bands, PowerSpectrum
from couplant.analysis.system import System
from couplant.base.arrays import ComplexArray, Vector
from couplant.base.style import WIRE, axis_label, colour, label
from couplant.design.ask_signals import Energy
from couplant.design.inspection import Inspection
from couplant.design.judged import Judged
from couplant.design.neural.offline import Lesson
from couplant.design.optimal import Design
from couplant.design.recommendation import DESIGNED, LEARNT, candidate_label
from couplant.design.request import Answer
from couplant.report.chart import BAD, GOOD, Band, Chart, Line, Mark, Panel, look_closer
from couplant.report.signals import PERIODS, period
from couplant.tables import Latencies
from couplant_runtime.algorithms import GENERIC

_STROKES = ((), (7, 4), (2, 3), (9, 3, 2, 3))
_PHASE_TOLERANCE = 3.0
_DEEPEST, _TURN = -25.0, 360.0
_DYNAMIC = 1e-9  # power density under which a spectrum is noise of the arithmetic, over the largest [-]
_BINS = 80
_DOTS = 20_000
_BEST, _MOST_JUMPS = 3, 200


def bode_chart(
    algorithms: Sequence[Algorithm],
    timing: str = "event",
    *,
    band: tuple[float, float] | None = None,
    lowest: float = 1e-3,
    latency: ErlangLatency | None = None,
    title: str = "Coupling process",
) -> Chart:
    """Return gain and phase of coupling processes with the tolerance of the limit frequencies.

    A `band` to mark and the `lowest` frequency that is drawn are shares of the Nyquist frequency [-]. A `latency` is
    that of the values, in place of k.
    """
    share = np.geomspace(lowest, 1.0, 3000)
    gains, phases = [], []
    for place, one in enumerate(algorithms):
        response = frequency_response(one, share, timing, latency)
        alike = sum(colour(other.name) == colour(one.name) for other in algorithms[:place])
        pen: dict[str, Any] = {"colour": one.name, "width": 1.6, "dash": _STROKES[alike % len(_STROKES)]}
        name = f"{label(one.name)}, k = {one.k}"
        gains.append(Line(name, 100 * share, _decibel(response), **pen))
        phases.append(Line(name, 100 * share, _degrees(response), **pen))
    marked = [] if band is None else [Band(100 * band[0], 100 * band[1], GOOD, "band")]
    low, high = (float(_decibel(1 + side * GAIN_TOLERANCE)) for side in (-1, 1))
    gain = Panel("gain / dB", gains, [Band(low, high, upwards=True), *marked], limits=(_DEEPEST, np.inf))
    tolerance = Band(-_PHASE_TOLERANCE, _PHASE_TOLERANCE, label="tolerance ±3 %, ±3°", upwards=True)
    phase = Panel("phase / °", phases, [tolerance, *marked], limits=(-_TURN, _TURN))
    return Chart(f"{title}, {timing} timing", "frequency / % of Nyquist", [gain, phase], log=True)


def open_loop_chart(systems: Sequence[System], cut: str) -> Chart:
    """Return gain and phase of the open loop of one plant with several algorithms (dissertation figure 4.7)."""
    omega = np.pi / systems[0].macro_step * np.geomspace(1e-3, 1.0, 4000)
    curves = [(open_loop(systems[0], cut, omega, True), "ideal coupling", "none")]
    curves += [(open_loop(one, cut, omega), label(_name(one)), _name(one)) for one in systems]
    gain = [Line(text, omega, _decibel(loop), shade) for loop, text, shade in curves]
    phase = [Line(text, omega, _degrees(loop), shade) for loop, text, shade in curves]
    panels = [
        Panel("gain / dB", gain, marks=[Mark(0.0, upwards=True)]),
        Panel("phase / °", phase, limits=(-3.0 * _TURN, 0.5 * _TURN)),
    ]
    return Chart(f"Open loop cut at {cut}, {systems[0].timing} timing", "frequency / (rad/s)", panels, log=True)


def spectrum_chart(
    spectrum: PowerSpectrum, bands: Bands, macro_step: float, algorithms: Sequence[Algorithm], timing: str = "event"
) -> Chart:
    """Return a power spectrum with proposed bands and limit frequencies of algorithms; `macro_step` is ΔT, s."""
    power = np.maximum(spectrum.power, _DYNAMIC * spectrum.power.max() or 1e-300)
    places = [Band(float(spectrum.omega[0]), bands.useful, GOOD, "useful")]
    places += [Band(low, high, BAD, "disturbance") for low, high in bands.disturbances]
    limits = {one.name: limit_frequencies(one, timing).limit for one in algorithms}
    marks = [Mark(limit * np.pi / macro_step, name, f"limit {label(name)}") for name, limit in limits.items() if limit]
    panel = Panel("power density", [Line("", spectrum.omega, power, "ink")], places, marks, log=True, height=260)
    return Chart(f"Spectrum, {timing} timing", "frequency / (rad/s)", [panel], log=True)


def latencies_charts(latencies: Latencies, choice: StepChoice) -> list[Chart]:
    """Return measured latencies over time and as a histogram, with the borders of the macro steps."""
    shown = np.linspace(0, latencies.sent.size - 1, min(latencies.sent.size, _DOTS)).astype(int)
    steps = [1e3 * k * choice.macro_step for k in range(max(choice.smallest - 1, 0), choice.largest + 1)]
    text = f"multiples of the macro step {1e3 * choice.macro_step:g} ms"
    course = Line("", latencies.sent[shown], 1e3 * latencies.latency[shown], "eros3", width=0)
    counts, edges = np.histogram(1e3 * latencies.arrived, bins=_BINS)
    histogram = Line("", edges, np.append(counts, counts[-1]).astype(float), "eros3", steps=True)
    across, down = ([Mark(at, label=text, upwards=upwards) for at in steps] for upwards in (True, False))
    sent = "send time / s" if latencies.timed else "message"
    return [
        Chart("Latencies", sent, [Panel("latency / ms", [course], marks=across)]),
        Chart("How often they occur", "latency / ms", [Panel("messages", [histogram], marks=down, log=True)]),
    ]


def judged_chart(found: Judged, k: int, names: Sequence[str], jumps: Sequence[float] = (), title: str = "") -> Chart:
    """Return a recorded signal, what arrives `k` macro steps late, estimates and their errors.

    `names` are algorithms to draw besides the best ones, `jumps` times at which the signal jumps [s].
    """
    recording, period = found.recording, found.recording.macro_step
    value, span, m = recording.value, found.span, found.micro_steps
    time: Vector = period * np.arange(value.size, dtype=float)
    part: Vector = period / m * span.points(m).astype(float)
    true = found.value
    late = Line("late value", time[k:], value[: value.size - k], "muted", dash=_STROKES[2])
    lines, errors = [Line("signal", time, value, "ink", width=2.0), late], []
    drawn: list[str] = []
    best = [row.algorithm for row in found.table[:_BEST]]
    for name in [*dict.fromkeys(one for one in names if one not in best), *reversed(best)]:
        pen: dict[str, Any] = {"colour": name, "dash": _STROKES[drawn.count(colour(name)) % len(_STROKES)]}
        drawn.append(colour(name))
        lines.append(Line(candidate_label(name), part, found.estimates[name], **pen))
        errors.append(Line(candidate_label(name), part, found.estimates[name] - true, **pen))
    bands = [Band(*found.seconds, GOOD, "judged")]
    marks = [Mark(at, BAD, "jump") for at in jumps[:_MOST_JUMPS]]
    unit = recording.unit
    panels = [
        Panel(axis_label(recording.name, unit), lines, bands, marks, height=300.0),
        Panel(axis_label("error", unit), errors, bands, marks),
    ]
    return Chart(title or "Signal and estimates", "time / s", panels)


def _judged_charts(
    found: Judged, k: int, names: Sequence[str], jumps: Sequence[float] = (), title: str = ""
) -> list[Chart]:
    """Return a closer look at a judged recording, where the wire errs most, and all of it; see `judged_chart`."""
    every = judged_chart(found, k, names, jumps, title)
    first, last = found.seconds
    length = PERIODS * period(found.value) * found.recording.macro_step / found.micro_steps
    if not 0.0 < length < 0.5 * (last - first):
        return [every]
    error = (found.estimates[WIRE] - found.value) ** 2
    size = max(1, round(error.size * length / (last - first)))
    power = np.cumsum(np.concatenate([[0.0], error]))
    begin = first + int(np.argmax(power[size:] - power[:-size])) * (last - first) / max(error.size - 1, 1)
    return [look_closer(every, begin, begin + length), every]


def inspection_charts(found: Inspection) -> list[Chart]:
    """Return signal with estimates, spectrum and coupling processes for the page of a recording."""
    own = [] if found.judged.other else [float(at) for at in found.jumps * found.recording.macro_step]
    signal = _judged_charts(found.judged, found.k, (WIRE, found.recommended), own)
    algorithms = [generic(name, found.k) for name in GENERIC]
    designed = [found.design.algorithm] if found.design else []
    spectrum = spectrum_chart(found.spectrum, found.bands, found.recording.macro_step, algorithms, found.timing)
    return [*signal, spectrum, bode_chart([*algorithms, *designed], found.timing)]


def design_charts(answers: Mapping[int, Answer]) -> list[Chart]:
    """Return charts of each of the `answers` on the recording, if there is one, and of its coupling process."""
    judged = {k: one.judged for k, one in answers.items() if one.judged}
    titles = {k: f"On the recording, k = {k}" for k in judged}
    signals = [_judged_charts(one, k, (WIRE, DESIGNED), title=titles[k]) for k, one in judged.items()]
    return [*chain(*signals), *(_design_chart(k, one.design) for k, one in answers.items())]


def _design_chart(k: int, one: Design) -> Chart:
    low, high = (edge * one.task.macro_step / np.pi for edge in one.task.band)
    curves = [*(generic(name, one.task.k) for name in ("zoh", "eros3", "eros4")), one.algorithm]
    return bode_chart(curves, one.task.timing, band=(low, high), title=f"Coupling process, k = {k}")


def lesson_charts(lesson: Lesson) -> list[Chart]:
    """Return charts of the learnt algorithm on recordings, and of the coupling process before and after learning."""
    judged = lesson.judged.items()
    signals = [_judged_charts(one, lesson.steps, (WIRE, LEARNT), title=f"On {name}") for name, one in judged]
    before = lesson.neural.origin if lesson.neural else generic("eros3", lesson.steps)
    curves = [generic("zoh", lesson.steps), before, lesson.algorithm]
    title = f"Coupling process before ({label(before.name)}) and after learning"
    return [*chain(*signals), bode_chart(curves, lesson.timing, title=title)]


def energy_charts(found: Energy) -> list[Chart]:
    """Return power and created energy of a recorded coupling over time."""
    if found.balance is not None:
        return balance_charts(found.balance, found.recording.columns.signals)
    return open_loop_energy_charts(found.sent, found.open_loop)


def balance_charts(found: Balance, names: Sequence[str]) -> list[Chart]:
    """Return power and created energy of a recorded coupling over time; `names` of the signals, effort first."""
    most, time = found.largest, found.passage.time
    bands = [Band(most.start, most.end, BAD, "most is created here")] if most.created > 0.0 else []
    labels = ("created", f"by estimates of {names[0]}", f"by estimates of {names[1]}")
    courses = zip(labels, (found.created, found.effort, found.flow), ("ink", "foh", "eros3"), strict=True)
    lines = [Line(text, time, values, shade) for text, values, shade in courses]
    return _energy_charts("Energy over time", found.passage, lines, bands)


def open_loop_energy_charts(sent: Passage, table: Mapping[str, Balance]) -> list[Chart]:
    """Return the power that is `sent` and the energy that algorithms would create, in open loop, over time."""
    lines = [Line(label(name), one.passage.time + sent.time[0], one.created, name) for name, one in table.items()]
    return _energy_charts("Energy over time, open loop", sent, lines)


def _energy_charts(title: str, sent: Passage, lines: Sequence[Line], bands: Sequence[Band] = ()) -> list[Chart]:
    """Return a closer look, at the first of the `bands` or at the end, and the whole."""
    zero = [Mark(0.0, upwards=True)]
    power = Panel("transmitted power / W", [Line("", sent.time[1:], sent.power, "muted", 1.0)], bands, zero)
    every = Chart(title, "time / s", [power, Panel("created energy / J", lines, bands, zero)])
    # power swings twice as fast as the signals
    length = 2.0 * PERIODS * period(sent.power) * sent.macro_step
    start, end = float(sent.time[0]), float(sent.time[-1])
    if not 0.0 < length < 0.5 * (end - start):
        return [every]
    begin = min(bands[0].low if bands else end, end - length)
    return [look_closer(every, begin, begin + length), every]


def _name(system: System) -> str:
    return system.connections[0].algorithm.name


def _decibel(response: ArrayLike) -> Any:
    return 20 * np.log10(np.maximum(np.abs(response), 1e-6))


def _degrees(response: ComplexArray) -> Vector:
    degrees: Vector = np.rad2deg(np.unwrap(np.angle(response)))
    return degrees
