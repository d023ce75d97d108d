"""Margins of gain, phase and delay against python-control, and the margin of delay against the macro map."""

import control
import numpy as np
import pytest

from couplant.analysis import generic
from couplant.analysis.open_loop import margins, nyquist_curve, open_loop
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System, transfer_prototype
from couplant.base.errors import UsageError

DENOMINATOR = [1.0, 3.0, 2.0, 0.0]
"""s (s + 1)(s + 2): with the gain 2 it may rise by 3, at √2 rad/s."""


def textbook(macro_step=0.005, k=0):
    """Return the loop 2/(s (s + 1)(s + 2)), closed by a gain of -1 that knows no latency."""
    plant = transfer_prototype("plant", [2.0], DENOMINATOR)
    gain = Prototype("gain", np.zeros((0, 0)), np.zeros((0, 1)), np.zeros((1, 0)), [[-1.0]])
    ways = Connection("plant.y1", "gain.u1", generic("zoh", 0)), Connection("gain.y1", "plant.u1", generic("zoh", k))
    return System((plant, gain), ways, macro_step)


def test_a_textbook_loop():
    found = margins(textbook(), "plant.u1", ideal=True)
    rise, phase, distance, at_rise, at_phase, _ = control.stability_margins(control.tf([2.0], DENOMINATOR))
    assert (found.rise.value, found.rise.frequency) == pytest.approx((rise, at_rise))
    assert (rise, at_rise) == pytest.approx((3.0, np.sqrt(2)))
    assert (found.phase.value, found.phase.frequency) == pytest.approx((phase, at_phase))
    assert found.delay.value == pytest.approx(np.deg2rad(phase) / at_phase)
    assert found.distance.value == pytest.approx(distance, rel=1e-3)
    assert found.fall.value is None


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "timing"), [("eros3", "event"), ("foh", "event"), ("eros4", "step")])
@pytest.mark.parametrize("cut", ["mass_1.f", "mass_2.x"])
def test_the_oscillator_with_algorithms(oscillator, name, timing, cut):
    system = oscillator(name, timing=timing)
    omega, _ = nyquist_curve(system, cut)
    omega = np.sort(np.concatenate([omega[1:], (omega[1:] + omega[:-1]) / 2]))
    loop, found = open_loop(system, cut, omega), margins(system, cut)
    every = control.stability_margins((np.abs(loop), np.rad2deg(np.unwrap(np.angle(loop))), omega), returnall=True)
    factors, phases, _, at_factor, at_phase, _ = every
    rises, falls = (np.flatnonzero(chosen) for chosen in (factors > 1, (factors < 1) & (factors > 0)))
    for margin, places, pick in ((found.rise, rises, np.argmin), (found.fall, falls, np.argmax)):
        place = places[pick(factors[places])] if places.size else None
        expected = (None, None) if place is None else pytest.approx((factors[place], at_factor[place]), rel=2e-2)
        assert (margin.value, margin.frequency) == expected
    turns = np.array([(p + 180) % 360 - 180 for p in phases])
    assert abs(found.phase.value) == pytest.approx(np.abs(turns).min(), rel=2e-2)
    assert found.delay.value == pytest.approx(np.min(np.deg2rad(turns % 360) / at_phase), rel=2e-2)


def test_the_delay_is_what_the_exact_loop_bears():
    delay = margins(textbook(), "plant.u1").delay.value
    largest = int(delay / 0.005)
    assert largest > 50
    assert [stability(textbook(k=k // 8, macro_step=0.04)).stable for k in (largest - 8, largest + 8)] == [True, False]


def test_unknown_cut(oscillator):
    with pytest.raises(UsageError, match=r"cut = 'x', allowed mass_2.x"):
        margins(oscillator(), "x")
