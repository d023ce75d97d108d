"""Training in numpy: the same network, gradient and method as in the step."""

import numpy as np
import pytest

from couplant.analysis.morphism import morphism
from couplant.base.errors import UsageError
from couplant.design.neural.trainer import choose_prior, gradients, outputs, train
from couplant_runtime.learning.neural import forward, gradient
from tests.learning.coupling import EROS3

SIGNAL = np.sin(0.11 * np.arange(400)) + 0.3 * np.sin(0.3 * np.arange(400) + 1.0)


def test_outputs_and_gradients_are_those_of_the_runtime(either, chance):
    weights, x = chance.normal(size=either.size), chance.normal(size=(20, either.inputs))
    found = [forward(either, list(weights), list(row)) for row in x]
    assert outputs(either, weights, x) == pytest.approx(found, rel=1e-12)
    expected = np.array([gradient(either, list(weights), list(row)) for row in x])
    assert gradients(either, weights, x) == pytest.approx(expected, rel=1e-12)


def test_training_halves_the_error_and_stays_near_its_start(net):
    base = morphism(np.array(EROS3[0]))
    weights = train(net, base, [SIGNAL], 3, 1.0)
    windows = np.lib.stride_tricks.sliding_window_view(SIGNAL[:-3], 6)[:, ::-1]
    x, t = windows[:, 1:] - windows[:, :1], SIGNAL[8:] - windows[:, 0]
    before, after = (np.abs(t - outputs(net, w, x)).mean() for w in (base, weights))
    assert after < 0.6 * before
    assert np.abs(weights - base).max() < 3.0


def test_a_smaller_prior_changes_less(net):
    base = morphism(np.array(EROS3[0]))
    changes = [np.abs(train(net, base, [SIGNAL], 3, prior) - base).max() for prior in (0.01, 0.1, 1.0)]
    assert changes == sorted(changes)


def test_a_few_jumps_do_not_decide(net):
    base = morphism(np.array(EROS3[0]))
    jumping = SIGNAL.copy()
    jumping[200:] += 5.0
    clean, found = train(net, base, [SIGNAL / 6.0], 3, 0.3), train(net, base, [jumping / 6.0], 3, 0.3)
    assert np.abs(found - clean).max() < 0.3 * np.abs(clean - base).max()


@pytest.mark.parametrize(("factor", "offset"), [(1e-3, 0.0), (1e3, 0.0), (1.0, 1e4)])
def test_unit_and_offset_do_not_matter(net, factor, offset):
    base = morphism(np.array(EROS3[0]))
    plain = train(net, base, [SIGNAL], 3, 0.3)
    assert train(net, base, [factor * SIGNAL + offset], 3, 0.3) == pytest.approx(plain, rel=1e-6, abs=1e-9)
    assert (train(net, base, [SIGNAL], 3, 0.3) == plain).all()


def test_signals_that_are_too_short_or_constant_are_refused(net):
    base = morphism(np.array(EROS3[0]))
    with pytest.raises(UsageError, match="too few"):
        train(net, base, [SIGNAL[:8]], 3, 0.3)
    with pytest.raises(UsageError, match="does not change"):
        train(net, base, [np.ones(50)], 3, 0.3)


def test_the_prior_is_chosen_on_what_was_left_out(net):
    base = morphism(np.array(EROS3[0]))
    assert choose_prior(net, base, [SIGNAL, SIGNAL[::-1].copy()], 3) >= 0.3
