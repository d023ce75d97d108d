"""The design as a whole: published figures to beat, its weights, and the choice of m."""

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.design.optimal import choose_taps, design
from couplant.design.task import DesignTask, Spectrum
from tests.design.canonical import combined, mae, run

BAND = (0.5, 12.0)


@pytest.mark.parametrize(("peak", "slope", "figure"), [(6, 1, 0.191), (4, 2, 0.121), (6, 2, 0.095)])
def test_canonical_run_in_event_timing(peak, slope, figure):
    """EROS4 reaches .619."""
    one = design(DesignTask(0.02, 3, BAND, peak=peak, slope=slope))
    assert combined(*run(one.algorithm)) == pytest.approx(figure, abs=1e-3)


@pytest.mark.parametrize(("lead", "figure"), [(0.0, 0.029), (0.25, 0.0103), (0.5, 0.043)])
def test_canonical_run_in_step_timing(lead, figure):
    """EROS3 reaches .0244."""
    one = design(DesignTask(0.02, 3, BAND, "step", peak=6, lead=lead))
    assert mae(run(one.algorithm, "step")[1]) == pytest.approx(figure, rel=0.02)


def test_default_beats_the_generic_algorithms():
    """Issue figure: C at most 0.2 of EROS4's, without a plant, all defaults."""
    one = design(DesignTask(0.02, 3, BAND))
    assert combined(*run(one.algorithm)) <= 0.2 * 0.6189


def test_weights_of_both_timings():
    event, step = design(DesignTask(0.02, 3, BAND)), design(DesignTask(0.02, 3, BAND, "step"))
    for one in (event, step):
        assert sum(one.algorithm.a) == pytest.approx(1.0, abs=1e-11)
        assert sum(one.algorithm.A) == pytest.approx(0.0, abs=1e-11)
    assert np.add(event.algorithm.a, event.algorithm.A) == pytest.approx(step.algorithm.a, abs=1e-9)
    assert not np.any(step.algorithm.A)


def test_lead_moves_the_table_by_one_step():
    one = design(DesignTask(0.02, 3, BAND, "step", lead=0.25))
    assert one.fmu_steps == 4 and one.offset == pytest.approx(0.005)
    assert one.predictors[0].horizon == 4.25
    assert design(DesignTask(0.02, 3, BAND, "step")).fmu_steps == 3


def test_neutral_gain_in_the_band_of_disturbances():
    """Dissertation (6-1), (6-2): phase up to 10 rad/s, gain up to 55 rad/s, k = 6, ΔT = 0.01 s."""
    one = design(DesignTask(0.01, 6, (0.1, 10.0), m=14, degree=0, gain_band=55.0, gain_limit=1.2))
    omega = np.linspace(10, 55, 300)
    for predictor in one.predictors:
        gain = np.abs(np.exp(-0.01j * np.outer(omega, np.arange(14))) @ predictor.h)
        assert gain.max() < 1.22
    assert one.violation < 0.02


def test_spectrum_as_weight():
    """A tone alone in the spectrum is predicted exactly, beyond what the band design does there."""
    tone = Spectrum(np.array([8.0]), np.array([3.0]))
    focused = design(DesignTask(0.02, 3, BAND, degree=0, spectrum=tone))
    assert focused.rms_error < 1e-4
    with pytest.raises(UsageError, match="constant signal"):
        design(DesignTask(0.02, 3, BAND, spectrum=Spectrum(np.array([8.0]), np.array([0.0]))))


def test_the_error_grows_with_the_latency():
    one, two, three = (design(DesignTask(0.02, k, BAND)) for k in range(1, 4))
    assert (one.algorithm.k, two.algorithm.k, three.algorithm.k) == (1, 2, 3)
    assert one.rms_error < two.rms_error < three.rms_error


def test_fewest_values_after_which_nothing_improves():
    errors = {4: 0.5, 5: 0.2, 6: 0.104, 7: 0.1, 8: 0.1, 9: 0.099, 10: 0.12}
    task = DesignTask(0.02, 3, BAND)
    assert choose_taps(task, 10, lambda one: errors[one.task.m]).task.m == 6
    assert choose_taps(task, 10, lambda one: errors[one.task.m], floor=0.25).task.m == 5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"macro_step": 0.0}, "macro_step = 0.0"),
        ({"k": 65}, "allowed 0 to 64"),
        ({"band": (5.0, 2.0)}, "band = 5.0 to 2.0 rad/s, allowed low below high"),
        ({"band": (0.5, 200.0)}, r"\(Nyquist\)"),
        ({"peak": 0.5}, "peak = 0.5"),
        ({"slope": -1.0}, "slope = -1.0"),
        ({"lead": 0.5}, "lead is for step timing"),
        ({"lead": 1.5, "timing": "step"}, "lead = 1.5"),
        ({"gain_band": 5.0}, "gain_band = 5.0"),
        ({"gain_limit": 0.9}, "gain_limit = 0.9"),
        ({"noise": -0.1}, "noise = -0.1"),
        ({"timing": "now"}, "timing = 'now'"),
    ],
)
def test_refusals(changes, message):
    with pytest.raises(UsageError, match=message):
        DesignTask(**({"macro_step": 0.02, "k": 3, "band": BAND} | changes))
