"""Each chart shows what it should; Nyquist plots can be drawn."""

import numpy as np
import pytest

from couplant.analysis import GENERIC, LinearAlgorithm, generic
from couplant.analysis.open_loop import nyquist_curve
from couplant.analysis.signal.balance import Balance, Passage
from couplant.analysis.signal.latencies import step_choice
from couplant.analysis.signal.recording import Bands, spectrum
from couplant.base.style import DARK, label
from couplant.report.curves import (
    balance_charts,
    bode_chart,
    latencies_charts,
    open_loop_chart,
    open_loop_energy_charts,
    spectrum_chart,
)
from couplant.report.drawing import draw, nyquist_figure
from couplant.tables import Latencies, resample
from examples.published.oscillator import nyquist_figures


def labels(panel):
    return [one.label for one in (*panel.bands, *panel.lines, *panel.marks) if one.label]


def test_bode_has_a_curve_for_each_algorithm():
    names = [*(generic(n, 3) for n in GENERIC), LinearAlgorithm(2, (1.0,), (0.0,), "mine")]
    gain, phase = bode_chart(names, band=(0.01, 0.1)).panels
    assert labels(gain) == ["band", *(f"{label(name)}, k = 3" for name in GENERIC), "mine, k = 2"]
    assert len(phase.lines) == 1 + len(GENERIC)


def test_curves_of_one_colour_differ_in_their_strokes():
    gain, _ = bode_chart([generic("foh", k) for k in (1, 2, 3)]).panels
    assert len({tuple(line.dash) for line in gain.lines}) == 3


def test_nyquist_curve_is_fine_near_the_modes(oscillator):
    """The circle of the second mode, of diameter about 1.5, has no chord above its share."""
    omega, loop = nyquist_curve(oscillator("foh"), "mass_1.f")
    assert np.all(np.diff(omega) > 0)
    near = np.abs(loop) < 5
    assert np.abs(np.diff(loop))[near[1:] & near[:-1]].max() < 0.31


def test_loop_figures(oscillator):
    texts = nyquist_figure(oscillator(), "mass_1.f").axes[0].get_legend().get_texts()
    assert [text.get_text() for text in texts] == ["ideal coupling", "EROS3", "critical point"]
    assert len(nyquist_figures([oscillator()], "mass_1.f", DARK).axes) == 2
    gain, phase = open_loop_chart([oscillator()], "mass_1.f").panels
    assert labels(gain) == labels(phase) == ["ideal coupling", "EROS3"]


def test_spectrum_shows_limits_and_bands():
    recording = resample(np.arange(500) * 0.02, np.sin(np.arange(500) * 0.1), 0.02)
    (panel,) = spectrum_chart(spectrum(recording), Bands(6.0, ((20.0, 30.0),)), 0.02, [generic("foh", 3)]).panels
    assert labels(panel) == ["useful", "disturbance", "limit FOH"]


def test_latencies():
    data = Latencies(np.arange(3.0), np.array([0.01, np.nan, 0.02]), 1, 0)
    course, histogram = latencies_charts(data, step_choice(data, 0.01))
    assert histogram.panels[0].lines[0].y[:-1].sum() == 2 and len(draw([course, histogram]).axes) == 2


def test_energy_of_a_recording():
    time = 0.01 * np.arange(5000.0)
    effort, flow = np.sin(time), np.cos(time)
    found = Balance(Passage(0.01, time, np.sin(3.0 * time)), effort, flow)
    near, chart = balance_charts(found, ("f", "x1"))
    assert near.title.startswith(f"{chart.title}, ") and near.x != chart.x, "zoomed by itself"
    assert np.ptp(near.panels[0].lines[0].x) == pytest.approx(4.0 * np.pi, rel=0.02), "six periods of the power"
    assert labels(chart.panels[1]) == ["most is created here", "created", "by estimates of f", "by estimates of x1"]
    _, chart = open_loop_energy_charts(found.passage, {"zoh": found, "designed": found})
    assert labels(chart.panels[1]) == ["ZOH", "designed"]
    _, chart = balance_charts(Balance(found.passage, -time, -time), ("f", "x1"))
    assert "most is created here" not in labels(chart.panels[1])
