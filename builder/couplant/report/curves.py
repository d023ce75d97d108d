"""Pictures of the analysis. Each function returns a matplotlib Figure; nothing is shown or written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from couplant.analysis.algorithms import Algorithm, generic
from couplant.analysis.balance import Balance, Passage
from couplant.analysis.coupling_process import ErlangLatency, frequency_response
from couplant.analysis.latencies import StepChoice
from couplant.analysis.limits import GAIN_TOLERANCE, limit_frequencies
from couplant.analysis.open_loop import nyquist_curve, open_loop
from couplant.analysis.recording import Bands, PowerSpectrum
from couplant.analysis.system import System
from couplant.arrays import ComplexArray, Vector
from couplant.design.from_recording import Inspection
from couplant.design.neural.offline import Lesson
from couplant.design.optimal import Design
from couplant.design.request import Answer
from couplant.report.pictures import DPI
from couplant.report.signals import thin
from couplant.style import LIGHT, colour, label
from couplant.tables import Latencies
from couplant_runtime.algorithms import GENERIC

Pictures = list[tuple[str, Figure]]
"""Captions and pictures of a page."""

_BAND: dict[str, Any] = {"color": LIGHT.grid, "zorder": 0}
_STROKES = ("-", "--", ":", "-.")
_USEFUL, _DISTURBED = "#e8f1e4", "#f6dcd8"


def bode_figure(
    algorithms: Sequence[Algorithm],
    timing: str = "event",
    *,
    band: tuple[float, float] | None = None,
    lowest: float = 1e-3,
    latency: ErlangLatency | None = None,
) -> Figure:
    """Draw gain and phase of coupling processes with the tolerance of the limit frequencies.

    A `band` to mark and the `lowest` frequency that is drawn are shares of the Nyquist frequency [-]. A `latency` is
    that of the values, in place of k.
    """
    share = np.geomspace(lowest, 1.0, 3000)
    figure, (gain, phase) = _axes(2, height=6.2, sharex=True)
    for place, one in enumerate(algorithms):
        response = frequency_response(one, share, timing, latency)
        alike = sum(colour(other.name) == colour(one.name) for other in algorithms[:place])
        stroke = _STROKES[alike % len(_STROKES)]
        pen: dict[str, Any] = {"color": colour(one.name), "linewidth": 1.6, "linestyle": stroke}
        gain.plot(100 * share, _decibel(response), label=f"{label(one.name)}, k = {one.k}", **pen)
        phase.plot(100 * share, _degrees(response), **pen)
    gain.axhspan(_decibel(1 - GAIN_TOLERANCE), _decibel(1 + GAIN_TOLERANCE), **_BAND)
    phase.axhspan(-3.0, 3.0, **_BAND)
    for axis in (gain, phase):
        if band is not None:
            axis.axvspan(100 * band[0], 100 * band[1], color=_USEFUL, zorder=-1)
        axis.set_xscale("log")
    gain.set(ylabel="gain / dB", title=f"Coupling process, {timing} timing; grey: tolerance ±3 %, ±3°")
    gain.set_ylim(max(gain.get_ylim()[0], -25), None)
    phase.set(ylabel="phase / °", xlabel="frequency / % of Nyquist", xlim=(100 * lowest, 100))
    phase.set_ylim(*np.clip(phase.get_ylim(), -360, 360))
    gain.legend(loc="upper left", fontsize=8)
    return figure


def nyquist_figure(system: System, cut: str) -> Figure:
    """Draw the open loop cut at an input, ``prototype.signal``, beside the ideal one (dissertation figure 4.8)."""
    figure, (axis,) = _axes(1, height=5.6)
    name = next((c.algorithm.name for c in system.connections if c.target == cut), "")
    for ideal, text, shade in ((True, "ideal coupling", LIGHT.none), (False, label(name), colour(name))):
        loop = nyquist_curve(system, cut, ideal)[1]
        axis.plot(loop.real, loop.imag, color=shade, label=text, linewidth=1.4)
        axis.plot(loop.real, -loop.imag, color=shade, linewidth=0.9, linestyle="--")
    axis.plot(-1, 0, "x", color=LIGHT.ink, markersize=9, markeredgewidth=2, label="critical point")
    axis.set(xlim=(-3.5, 3.5), ylim=(-3.0, 3.0), xlabel="real part", ylabel="imaginary part")
    axis.set_aspect("equal")
    axis.set_title(f"Open loop cut at {cut}, {system.timing} timing")
    axis.legend(fontsize=8, loc="upper right")
    return figure


def open_loop_figures(systems: Sequence[System], cut: str) -> Figure:
    """Draw gain and phase of the open loop of one plant with several algorithms (dissertation figure 4.7)."""
    omega = np.pi / systems[0].macro_step * np.geomspace(1e-3, 1.0, 4000)
    figure, (gain, phase) = _axes(2, height=6.2, sharex=True)
    curves = [(open_loop(systems[0], cut, omega, True), "ideal coupling", LIGHT.none)]
    curves += [(open_loop(one, cut, omega), label(_name(one)), colour(_name(one))) for one in systems]
    for loop, text, shade in curves:
        gain.semilogx(omega, _decibel(loop), color=shade, label=text)
        phase.semilogx(omega, _degrees(loop), color=shade)
    gain.axhline(0.0, color=LIGHT.muted, linewidth=0.8)
    gain.set(ylabel="gain / dB", title=f"Open loop cut at {cut}, {systems[0].timing} timing")
    phase.set(ylabel="phase / °", xlabel="frequency / (rad/s)", ylim=(-1080, 180))
    gain.legend(fontsize=8)
    return figure


def nyquist_figures(systems: Sequence[System], cut: str) -> Figure:
    """Draw Nyquist plots of one plant with several algorithms, the ideal coupling first (dissertation figure 4.8)."""
    rows = (len(systems) + 3) // 3
    figure = Figure(figsize=(9.0, 3.1 * rows), dpi=DPI, layout="constrained", facecolor=LIGHT.background)
    loops = [(nyquist_curve(systems[0], cut, True)[1], "ideal coupling", LIGHT.muted)]
    loops += [(nyquist_curve(one, cut)[1], label(_name(one)), colour(_name(one))) for one in systems]
    for place, (loop, text, shade) in enumerate(loops, start=1):
        axis = figure.add_subplot(rows, 3, place)
        axis.plot(loop.real, loop.imag, color=shade, linewidth=1.3)
        axis.plot(loop.real, -loop.imag, color=shade, linewidth=0.8, linestyle="--")
        axis.plot(-1, 0, "x", color=LIGHT.ink, markersize=8, markeredgewidth=2)
        axis.plot(loop.real[0], loop.imag[0], "o", color=LIGHT.ink, markersize=4)
        axis.set(xlim=(-3, 3), ylim=(-3, 3), title=text)
        axis.set_aspect("equal")
        axis.grid(True, color=LIGHT.grid, linewidth=0.8)
    return figure


def spectrum_figure(
    spectrum: PowerSpectrum, bands: Bands, macro_step: float, algorithms: Sequence[Algorithm], timing: str = "event"
) -> Figure:
    """Draw a power spectrum with the bands proposed and the limit frequencies of algorithms; `macro_step` is ΔT, s."""
    figure, (axis,) = _axes(1, height=4.6)
    axis.loglog(spectrum.omega, np.maximum(spectrum.power, 1e-9 * spectrum.power.max() or 1e-300), color=LIGHT.ink)
    axis.axvspan(spectrum.omega[0], bands.useful, **_BAND)
    place: dict[str, Any] = {"transform": axis.get_xaxis_transform(), "fontsize": 8, "ha": "center", "va": "bottom"}
    axis.text(np.sqrt(spectrum.omega[0] * bands.useful), 0.02, "useful", **place)
    for low, high in bands.disturbances:
        axis.axvspan(low, high, color=_DISTURBED, zorder=0)
        axis.text(np.sqrt(low * high), 0.02, "disturbance", **place)
    for one in algorithms:
        limit = limit_frequencies(one, timing).limit
        if limit:
            text = f"limit {label(one.name)}"
            axis.axvline(limit * np.pi / macro_step, color=colour(one.name), linestyle="--", label=text)
    axis.set(xlabel="frequency / (rad/s)", ylabel="power density", title=f"Spectrum, {timing} timing")
    axis.legend(fontsize=8, loc="upper right")
    return figure


def latencies_figure(latencies: Latencies, choice: StepChoice) -> Figure:
    """Draw measured latencies over time and as a histogram, with the borders of the macro steps."""
    figure, (course, histogram) = _axes(2, height=6.0)
    shown = np.linspace(0, latencies.sent.size - 1, min(latencies.sent.size, 20_000)).astype(int)
    course.plot(latencies.sent[shown], 1e3 * latencies.latency[shown], ".", color=colour("eros3"), markersize=2)
    course.set(xlabel="send time / s", ylabel="latency / ms")
    histogram.hist(1e3 * latencies.arrived, bins=80, color=colour("eros3"), log=True)
    histogram.set(xlabel="latency / ms", ylabel="messages")
    for k in range(max(choice.smallest - 1, 0), choice.largest + 1):
        course.axhline(1e3 * k * choice.macro_step, color=LIGHT.muted, linewidth=0.8, linestyle="--")
        histogram.axvline(1e3 * k * choice.macro_step, color=LIGHT.muted, linewidth=0.8, linestyle="--")
    course.set_title(f"Latencies; dashed: multiples of the macro step {1e3 * choice.macro_step:g} ms")
    return figure


def inspection_pictures(found: Inspection) -> Pictures:
    """Return spectrum and coupling processes for the page of a recording."""
    algorithms = [generic(name, found.k) for name in GENERIC]
    designed = [found.design.algorithm] if found.design else []
    spectrum = spectrum_figure(found.spectrum, found.bands, found.recording.macro_step, algorithms, found.timing)
    return [("Spectrum", spectrum), ("Coupling process", bode_figure([*algorithms, *designed], found.timing))]


def design_pictures(answers: Mapping[int, Answer]) -> Pictures:
    """Return the coupling process of each of the `answers`, with its band."""
    return [(f"Coupling process, k = {k}", _design_figure(one.design)) for k, one in answers.items()]


def _design_figure(one: Design) -> Figure:
    low, high = (edge * one.task.macro_step / np.pi for edge in one.task.band)
    curves = [*(generic(name, one.task.k) for name in ("zoh", "eros3", "eros4")), one.algorithm]
    return bode_figure(curves, one.task.timing, band=(low, high))


def lesson_pictures(lesson: Lesson) -> Pictures:
    """Return the coupling process before and after learning."""
    before = lesson.neural.origin if lesson.neural else generic("eros3", lesson.steps)
    curves = [generic("zoh", lesson.steps), before, lesson.algorithm]
    return [(f"Coupling process before ({before.name}) and after learning", bode_figure(curves, lesson.timing))]


def balance_pictures(found: Balance, names: Sequence[str]) -> Pictures:
    """Return power and created energy of a recorded coupling over time; `names` of the signals, effort first."""
    figure, (power, energy) = _axes(2, height=6.2, sharex=True)
    _draw_power(found.passage, power)
    most = found.largest
    if most.created > 0.0:
        energy.axvspan(most.start, most.end, color=_DISTURBED, zorder=0, label="most is created here")
    shades = (LIGHT.ink, colour("foh"), colour("eros3"))
    labels = ("created", f"by estimates of {names[0]}", f"by estimates of {names[1]}")
    for values, text, shade in zip((found.created, found.effort, found.flow), labels, shades, strict=True):
        energy.plot(*_thinned(found.passage.time, values), color=shade, label=text, linewidth=1.4)
    return [("Energy over time", _finished(figure))]


def open_loop_energy_pictures(sent: Passage, table: Mapping[str, Balance]) -> Pictures:
    """Return the power that is `sent` and the energy that algorithms would create, in open loop, over time."""
    figure, (power, energy) = _axes(2, height=6.2, sharex=True)
    _draw_power(sent, power)
    for name, one in table.items():
        time = one.passage.time + sent.time[0]
        energy.plot(*_thinned(time, one.created), color=colour(name), label=label(name), linewidth=1.4)
    return [("Energy over time, open loop", _finished(figure))]


def _draw_power(sent: Passage, axis: Axes) -> None:
    axis.plot(*_thinned(sent.time[1:], sent.power), color=LIGHT.muted, linewidth=1.0)
    axis.set(ylabel="transmitted power / W")
    axis.axhline(0.0, color=LIGHT.ink, linewidth=0.6)


def _finished(figure: Figure) -> Figure:
    energy = figure.axes[-1]
    energy.axhline(0.0, color=LIGHT.ink, linewidth=0.6)
    energy.set(xlabel="time / s", ylabel="created energy / J")
    for axis in figure.axes:
        axis.margins(x=0.0)
    energy.legend(fontsize=8, frameon=False)
    return figure


def _thinned(time: Vector, values: Vector) -> tuple[Vector, Vector]:
    """Return at most 8000 points of a curve that look the same."""
    group = -(-2 * values.size // 8000)
    if group <= 2:
        return time, values
    return np.repeat(time[::group], 2), thin(values, group)


def _axes(count: int, height: float, sharex: bool = False) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(8.0, height), dpi=DPI, layout="constrained", facecolor=LIGHT.background)
    axes: list[Axes] = list(figure.subplots(count, 1, sharex=sharex, squeeze=False).flat)
    for axis in axes:
        axis.grid(True, which="major", color=LIGHT.grid, linewidth=0.8)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _name(system: System) -> str:
    return system.connections[0].algorithm.name


def _decibel(response: ArrayLike) -> Any:
    return 20 * np.log10(np.maximum(np.abs(response), 1e-6))


def _degrees(response: ComplexArray) -> Vector:
    degrees: Vector = np.rad2deg(np.unwrap(np.angle(response)))
    return degrees
