"""What is proposed for quantised signals and slow senders, in the runtime."""

import numpy as np
import pytest

from couplant.analysis.signal.sampling import proposed_floor, quantum, repeats
from couplant.tables import Recording
from tests.hostile.native import run
from tests.hostile.scenes import COUNT, STEP, Scene, pulses, quantised, saw, sines, slow, telegraph

N = np.arange(COUNT + 1)
SIGNALS = [
    *(np.round(size * np.sin(2 * np.pi * N / period + 0.3)) for size in (10, 20, 60) for period in (200, 450)),
    *(np.round(slope * N + 0.2) for slope in (0.05, 0.11, 0.37, 0.71)),
]
DETECTORS = ("spectral", "residual")


def scene(value, k=3):
    newest = np.maximum(N[:-1] - k, -1)
    return Scene("", k, 0, 0.0, 1, "event", False, np.ascontiguousarray(value, float), newest)


def flags(value, detector, floor, algorithm="eros3"):
    return run(scene(value), algorithm, discontinuity={"enabled": True, "detector": detector, "floor": floor}).flags


def proposal(value):
    return proposed_floor(quantum(Recording("y", STEP, value)))


@pytest.mark.parametrize("algorithm", ["eros3", "auto"])
@pytest.mark.parametrize("detector", DETECTORS)
def test_the_proposed_floor_silences_every_false_flag(detector, algorithm):
    before = [flags(value, detector, 0.0, algorithm) for value in SIGNALS]
    assert sum(count > 0 for count in before) >= 4
    assert [flags(value, detector, proposal(value), algorithm) for value in SIGNALS] == [0] * len(SIGNALS)


@pytest.mark.parametrize(("detector", "share"), [("spectral", 0.7), ("residual", 1.0)])
def test_larger_jumps_are_still_found_more_often_than_without_the_floor(detector, share):
    found = []
    for value in SIGNALS:
        with_jump = value + 12.0 * (N >= 417)
        silent = flags(with_jump, detector, proposal(value)) == flags(value, detector, proposal(value))
        hidden = flags(with_jump, detector, 0.0) == flags(value, detector, 0.0)
        found.append((not silent, not hidden))
    with_floor, without = np.mean(found, axis=0)
    assert with_floor >= share and with_floor >= without


@pytest.mark.parametrize("kind", [sines, telegraph, pulses, saw, quantised, slow])
def test_hostile_signals_are_told_apart(kind):
    found = [Recording("y", STEP, kind(np.random.RandomState(seed), N)) for seed in range(250)]
    stairs, stays = [quantum(one) is not None for one in found], [repeats(one) is not None for one in found]
    assert sum(stairs) >= 125 if kind is quantised else not any(stairs)
    assert all(stays) if kind is slow else not any(stays)


@pytest.mark.parametrize("period", [3, 7, 10])
def test_the_proposed_macro_step_is_better_than_repeated_values(period):
    value = np.sin(2 * np.pi * (N // period * period) / 150)
    found = repeats(Recording("y", STEP, value))
    assert found == period
    whole = scene(np.sin(2 * np.pi * N * found / 150), 1)
    repeated = scene(value)
    assert run(repeated, "eros3").rms > 0.8 * run(repeated, "zoh").rms
    assert run(whole, "auto").rms < min(0.4 * run(whole, "zoh").rms, 0.9 * run(repeated, "auto").rms)
