"""The loop gain at a cut against a loop worked by hand, and Nyquist against the spectral radius."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.analysis import LinearAlgorithm, frequency_response, generic
from couplant.analysis.open_loop import open_loop
from couplant.analysis.system import Connection, Prototype, System, transfer_prototype
from couplant.base.errors import UsageError


def test_oscillator_cut_at_the_force(oscillator):
    """Dissertation (4-27): G_RVP = g_2 diag(G_p, G_p) g_1 G_p."""
    omega = np.array([0.4, 1.3, 9.0, 30.0])
    s = 1j * omega
    g1 = 1 / (s**2 + 0.01 * s + 1)
    g2 = (2 + 0.001 * s) * ((2 + 0.001 * s) / 0.1 / (s**2 + 0.02 * s + 120) - 1)
    gp = frequency_response(generic("eros3", 3), omega * 0.02 / np.pi)
    expected = -g2 * gp * g1 * gp
    assert open_loop(oscillator(), "mass_1.f", omega) == pytest.approx(expected)
    assert open_loop(oscillator(), "mass_1.f", omega, ideal=True) == pytest.approx(-g2 * g1)


def test_any_cut_has_the_same_critical_frequencies(oscillator):
    """1 + L is the same determinant up to the loops that stay closed: zero together, never apart."""
    omega = np.linspace(0.2, 60, 500)
    at_force, at_x = (1 + open_loop(oscillator("zoh"), cut, omega) for cut in ("mass_1.f", "mass_2.x"))
    assert np.all(np.abs(at_force) > 1e-3) and np.all(np.abs(at_x) > 1e-6)


def test_unknown_cut(oscillator):
    with pytest.raises(UsageError, match=r"cut = 'mass_3.x', allowed mass_2.x, mass_2.v, mass_1.f"):
        open_loop(oscillator(), "mass_3.x", [1.0])


def test_a_held_estimate_has_no_slope(oscillator):
    foh, omega = generic("foh", 3), [0.5, 5.0, 50.0]
    held = oscillator(foh)
    held = replace(held, connections=tuple(replace(c, hold=True) for c in held.connections))
    same = oscillator(LinearAlgorithm(3, foh.a, (0.0, 0.0)))
    assert open_loop(held, "mass_1.f", omega) == pytest.approx(open_loop(same, "mass_1.f", omega))


def test_feedthrough_that_the_host_reads_too_early_is_one_step_more():
    """A prototype that is feedthrough alone: late as if the latency behind it were longer by a step."""
    gain = Prototype("gain", np.zeros((0, 0)), np.zeros((0, 1)), np.zeros((1, 0)), [[-2.0]])
    plant, omega = transfer_prototype("plant", [1.0], [1.0, 0.3, 4.0]), [0.5, 2.0, 9.0]

    def loop(k, stale):
        ways = Connection("plant.y1", "gain.u1", generic("foh", 2)), Connection("gain.y1", "plant.u1", k)
        return open_loop(System((gain, plant), ways, 0.1, "step", stale=stale), "plant.u1", omega)

    late = LinearAlgorithm(4, generic("foh", 3).a, generic("foh", 3).A)
    assert loop(generic("foh", 3), ("gain.y1",)) == pytest.approx(loop(late, ()))
