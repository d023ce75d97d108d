"""Each picture can be drawn and shows what it should."""

import numpy as np
import pytest

from couplant.analysis import GENERIC, LinearAlgorithm, generic
from couplant.analysis.balance import Balance, Passage
from couplant.analysis.latencies import step_choice
from couplant.analysis.open_loop import nyquist_curve
from couplant.analysis.recording import Bands, spectrum
from couplant.errors import UsageError
from couplant.report.curves import (
    balance_pictures,
    bode_figure,
    latencies_figure,
    nyquist_figure,
    open_loop_energy_pictures,
    open_loop_figures,
    spectrum_figure,
)
from couplant.report.pictures import write_figure
from couplant.style import label
from couplant.tables import Latencies, resample


def labels(axis):
    return [text.get_text() for text in axis.get_legend().get_texts()]


def test_bode_has_a_curve_for_each_algorithm():
    figure = bode_figure(
        [*(generic(n, 3) for n in GENERIC), LinearAlgorithm(2, (1.0,), (0.0,), "mine")], band=(0.01, 0.1)
    )
    gain, phase = figure.axes
    assert labels(gain) == [*(f"{label(name)}, k = 3" for name in GENERIC), "mine, k = 2"]
    assert len(phase.lines) == 1 + len(GENERIC)


def test_nyquist_curve_is_fine_near_the_modes(oscillator):
    """The circle of the second mode, of diameter about 1.5, has no chord above its share."""
    omega, loop = nyquist_curve(oscillator("foh"), "mass_1.f")
    assert np.all(np.diff(omega) > 0)
    near = np.abs(loop) < 5
    assert np.abs(np.diff(loop))[near[1:] & near[:-1]].max() < 0.31


def test_loop_figures(oscillator):
    assert labels(nyquist_figure(oscillator(), "mass_1.f").axes[0]) == ["ideal coupling", "EROS3", "critical point"]
    assert len(open_loop_figures([oscillator()], "mass_1.f").axes) == 2


def test_spectrum_shows_limits_and_bands():
    recording = resample(np.arange(500) * 0.02, np.sin(np.arange(500) * 0.1), 0.02)
    figure = spectrum_figure(spectrum(recording), Bands(6.0, ((20.0, 30.0),)), 0.02, [generic("foh", 3)])
    assert labels(figure.axes[0]) == ["limit FOH"]


def test_latencies_picture():
    data = Latencies(np.arange(3.0), np.array([0.01, np.nan, 0.02]), 1, 0)
    assert len(latencies_figure(data, step_choice(data, 0.01)).axes) == 2


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_files(tmp_path, kind):
    assert write_figure(bode_figure([generic("foh", 1)]), tmp_path / f"x.{kind}").stat().st_size > 1000


def test_unknown_format(tmp_path):
    with pytest.raises(UsageError, match="ends in"):
        write_figure(bode_figure([generic("foh", 1)]), tmp_path / "x.gif")


def test_energy_of_a_long_recording_is_thinned_and_keeps_its_extremes():
    time = 0.01 * np.arange(50_000.0)
    effort, flow = np.sin(time), np.cos(time)
    effort[12_345] = 7.0
    found = Balance(Passage(0.01, time, np.sin(3.0 * time)), effort, flow)
    ((_, figure),) = balance_pictures(found, ("f", "x1"))
    power, energy = figure.axes
    assert all(len(line.get_xdata()) <= 8002 for axis in (power, energy) for line in axis.lines)
    assert labels(energy) == ["most is created here", "created", "by estimates of f", "by estimates of x1"]
    assert max(energy.lines[1].get_ydata()) == 7.0
    ((_, figure),) = open_loop_energy_pictures(found.passage, {"zoh": found, "designed": found})
    assert labels(figure.axes[1]) == ["ZOH", "designed"]
    ((_, figure),) = balance_pictures(Balance(found.passage, -time, -time), ("f", "x1"))
    assert "most is created here" not in labels(figure.axes[1])
