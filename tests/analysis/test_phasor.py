"""Phasors as a linear filter: the response of the kernel's, loops with them, and what is refused."""

import numpy as np
import pytest

from couplant.analysis import Phasor, frequency_response
from couplant.analysis.algorithms import lead_by
from couplant.analysis.arima import arima
from couplant.analysis.macro_map import recursion
from couplant.analysis.signal.recording import estimates as estimates_of
from couplant.analysis.stability import latency_ranges, stability
from couplant.analysis.system import Connection, Prototype, System
from couplant.analysis.system_file import parse_system
from couplant.base.errors import UsageError
from tests.kernel.library import needs_compiler
from tests.kernel.test_phasor import coupling
from tests.runtime.periodic import Wave, estimates

OFF = {"selected": "phasor", "frequency": 50.0, "follow": "off"}
STEP = 1e-3


def responses(one, count):
    """Return level and slope that follow a pulse of 1, by its recursion, shape (count, 2)."""
    part = recursion(one)
    z, found = np.zeros(len(part.F)), np.zeros((count, 2))
    for n in range(count):
        pulse = float(n == 0)
        found[n] = [part.h @ z + part.j[0] * pulse, part.h_slope @ z + part.j_slope[0] * pulse]
        z = part.F @ z + part.g[:, 0] * pulse
    return found


@pytest.mark.parametrize(("k", "harmonics"), [(0, 13), (1, 3), (5, 13), (20, 1)])
def test_the_filter_answers_a_pulse_as_the_runtime_does(k, harmonics):
    """A pulse on a wave that is followed, after ten periods of easing in: what it adds to the estimates."""
    at, size, count = 400, 1e-3, 60
    wave = Wave(harmonics=()).values(STEP * np.arange(at + count)) + 0.2
    pulse = wave + size * (np.arange(wave.size) == at)
    settings = {**OFF, "harmonics": harmonics}
    without, having = (estimates(values, k, STEP, settings) for values in (wave, pulse))
    found = (having - without)[at:] / size
    assert found == pytest.approx(responses(Phasor(k, 0.05, harmonics), count)[:, 0], abs=1e-10)
    assert np.abs(found).max() > 0.2


@pytest.mark.parametrize("timing", ["event", "step"])
def test_the_response_is_that_of_the_recursion(timing):
    one, share = Phasor(7, 0.06, 7), np.array([0.01, 0.12, 0.3, 0.36, 0.7])
    level, slope = responses(one, 2000).T
    q = np.exp(-1j * np.pi * share)
    turned = q[:, None] ** np.arange(2000)
    assert one.value(q) == pytest.approx(turned @ level, abs=1e-9)
    assert one.slope(q) == pytest.approx(turned @ slope, abs=1e-9)
    # a fundamental and its odd harmonics come out as they went in, but for the line inside a macro step
    assert one.value(np.exp(-1j * np.pi * np.array([0.0, 0.12, 0.36, 0.6, 0.84]))) == pytest.approx(1.0, abs=1e-9)
    assert np.all(np.isfinite(frequency_response(one, share, timing)))


def test_all_poles_lie_where_the_memory_puts_them():
    one = Phasor(4, 0.05)
    poles = np.abs(np.linalg.eigvals(one.kept))
    assert poles == pytest.approx(10.0 / 11.0, abs=1e-9)  # half a period of 20 macro steps


def test_a_lead_is_looked_ahead_too():
    wave = np.cos(2.0 * np.pi * 0.05 * np.arange(400.0))
    led = lead_by(lambda ahead: Phasor(ahead, 0.05), 6, 0.4)
    assert (led.k, led.lead) == (6, 0.4)
    found = estimates_of(led, wave)
    assert found[300:] == pytest.approx(np.cos(2.0 * np.pi * 0.05 * (np.arange(300.0, 400.0) + 0.4)), abs=1e-9)


def loop(ratio, k, make=lambda k: Phasor(k, 0.05)):
    """Return a voltage behind an impedance and a load of 1 ohm, both without states that matter."""
    still = [[-1e5]]
    grid = Prototype("grid", still, [[0.0, 0.0]], [[0.0]], [[1.0, -ratio]], ("e", "i"), ("v",))
    load = Prototype("load", still, [[0.0]], [[0.0]], [[1.0]], ("v",), ("i",))
    ways = Connection("grid.v", "load.v", make(k)), Connection("load.i", "grid.i", make(k))
    return System((grid, load), ways, STEP)


@needs_compiler
@pytest.mark.parametrize("k", [4, 20])
def test_a_loop_dies_out_as_fast_as_its_radius_says(k):
    """Two kernels on both sides, 50 Hz from rest: what is left of the start."""
    ratio, count = 0.5, 1100
    source = np.cos(2.0 * np.pi * 0.05 * np.arange(count))
    ends, sent = [coupling(k, follow="off") for _ in range(2)], np.zeros((2, count))
    for n in range(count):
        for end, value in zip(ends, sent[:, n - k] if n >= k else np.zeros(2), strict=True):
            end.state.input.y_valid, end.state.input.y = int(n >= k), value
            end.step(n * STEP, STEP)
        voltage, current = (end.state.algorithm.level for end in ends)
        sent[:, n] = source[n] - ratio * current, voltage
    left = np.abs(sent[0] - source / (1.0 + ratio))
    early, late = (float(np.sqrt(np.mean(left[first : first + 300] ** 2))) for first in (300, 600))
    radius = stability(loop(ratio, k)).radius
    assert (late / early) ** (1.0 / 300.0) == pytest.approx(radius, abs=2e-3)
    assert radius < 1.0


def test_a_loop_of_a_large_gain_grows_and_says_so():
    assert stability(loop(0.9, 20)).stable
    assert not stability(loop(1.3, 20)).stable
    *_, own = latency_ranges(loop(0.5, 3))
    assert (own.algorithm, own.largest) == ("phasor", 64)


def document(**algorithm):
    prototype = {"A": [[-1.0]], "B": [[1.0]], "C": [[0.1]], "inputs": ["u"], "outputs": ["y"]}
    ways = [{"from": "a.y", "to": "b.u"}, {"from": "b.y", "to": "a.u"}]
    head = {"macro_step": STEP, "timing": "event", "latency_steps": 3, "connections": ways}
    return head | {"prototypes": {"a": prototype, "b": prototype}, "algorithm": OFF | algorithm}


def test_a_system_has_phasors_with_the_keys_of_settings():
    one = parse_system(document(harmonics=5), "a.toml")
    assert {c.algorithm for c in one.connections} == {Phasor(3, 0.05, 5)}
    assert stability(one).stable


def test_what_no_theory_covers_is_refused_in_a_sentence():
    with pytest.raises(UsageError, match=r'follow = "frequency", allowed "off": theory covers phasor at its nominal'):
        parse_system(document(follow="frequency"), "a.toml")
    with pytest.raises(UsageError, match=r"phasor of 0.5 turns in a macro step, allowed 0.0009091 to below 0.4545"):
        parse_system(document(frequency=500.0), "a.toml")


def test_phasors_are_no_arima_model():
    with pytest.raises(UsageError, match="it continues waves"):
        arima(Phasor(0, 0.05))
