"""Training by Adam in numpy: what it makes small, what it leaves out, what it refuses."""

import numpy as np
import pytest

from couplant.analysis.morphism import Shape, morphism
from couplant.base.errors import UsageError
from couplant.design.neural.adam import Adam, train_by_adam
from couplant.design.neural.trainer import outputs, samples_over_range
from tests.learning.coupling import EROS3

BASE = morphism(np.array(EROS3[0]), Shape(offsets=True))
TONES = np.sin(0.11 * np.arange(500)) + 0.3 * np.sin(0.3 * np.arange(500) + 1.0)
SAWTOOTH = np.mod(0.01 * np.arange(900), 1.0)


def errors(net, weights, signal):
    x, t = samples_over_range(net, [signal], 3)
    return np.abs(t - outputs(net, weights, x))


@pytest.mark.parametrize("relative", [False, True])
def test_it_learns_tones(bent, relative):
    found = train_by_adam(bent, BASE, [TONES], 3, Adam(relative=relative))
    assert errors(bent, found, TONES).mean() < 0.1 * errors(bent, BASE, TONES).mean()


def test_it_learns_what_comes_after_a_jump_and_not_the_time_of_the_jump(bent):
    """For absolute errors; for relative ones the ramp is what counts."""
    before = errors(bent, BASE, SAWTOOTH)
    unforeseen, after = np.abs(before - 1.0) < 0.05, {}
    for relative in (False, True):
        after[relative] = errors(bent, train_by_adam(bent, BASE, [SAWTOOTH], 3, Adam(relative=relative)), SAWTOOTH)
    assert before.max() > 3.5
    assert after[False][~unforeseen].max() < 0.1
    assert after[False][unforeseen].min() > 0.9
    assert np.median(after[True]) < 1e-4 < np.median(after[False])


def test_equal_input_gives_equal_weights(bent):
    one, other = (train_by_adam(bent, BASE, [TONES], 3, Adam(epochs=4)) for _ in range(2))
    assert one.tobytes() == other.tobytes()


def test_recordings_in_pieces_and_a_range_of_its_own(bent):
    """Twice the range, twice the signal: the same samples."""
    one = train_by_adam(bent, BASE, [TONES[:250], TONES[250:]], 3, Adam(epochs=4), span=2.0)
    other = train_by_adam(bent, BASE, [2.0 * TONES[:250], 2.0 * TONES[250:]], 3, Adam(epochs=4), span=4.0)
    assert one == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize(
    ("signal", "how", "words"),
    [
        (np.ones(400), {}, "0 samples in which the signal changes, 50 are needed"),
        (TONES[:40], {}, "32 samples in which the signal changes"),
        (np.tile(TONES, 20), {"epochs": 1000, "batch": 8}, "epochs = 1000 of 9992 samples, allowed up to 50000"),
    ],
)
def test_too_little_and_too_much_are_refused(bent, signal, how, words):
    with pytest.raises(UsageError, match=words):
        train_by_adam(bent, BASE, [signal], 3, Adam(**how))


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"rate": 0.0}, "rate = 0.0, allowed 1e-09 to 1"),
        ({"epochs": 0}, "epochs = 0, allowed 1 to 1000"),
        ({"batch": 7}, "batch = 7, allowed 8 to 4096"),
    ],
)
def test_settings_out_of_range_are_refused(how, words):
    with pytest.raises(UsageError) as found:
        Adam(**how)
    assert str(found.value) == words
