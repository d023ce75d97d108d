"""Both sides of a loop by the likelihood of the whole: against prototypes that are known, in recordings with noise."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from couplant.analysis.loop_likelihood import fit_idle, fit_loop, scale_data, with_least_noise
from couplant.analysis.prediction_error import fit_model
from couplant.analysis.signal.pieces import pieces
from couplant.cosim.fmu.prototype import Scene
from tests.sweep.loops import LOOPS, system

NOISE = np.array([0.002, 0.003, 0.03])
"""Of place, speed and force: about a hundredth of each."""


@cache
def cart(offset=0.0, steps=(600, 500)):
    """Return recordings of a cart and its controller, which rest at `offset` in one and at none in the other."""
    one, found = system("cart", 3, "event"), []
    for seed, count in enumerate(steps):
        scene, random = Scene(one, count, 100 + seed), np.random.default_rng(seed)
        noisy = [values + noise * random.standard_normal(count + 1) + offset * seed
                 for noise, values in zip(NOISE, scene.reference(1).values(), strict=True)]  # fmt: skip
        found.append((np.column_stack(noisy[:2]), noisy[2][:, None]))
    return pieces(found, one.macro_step)


def fit(data, states, through=None, louder=0.0):
    """Return the most likely loop near what each side by itself shows, beginning with so much noise more."""
    own, sizes = scale_data(data)
    models = [
        fit_model(side, count, through == i).rescale(*sizes[:: 1 - 2 * i])
        for i, (side, count) in enumerate(zip((own, own.mirror()), states, strict=True))
    ]
    return fit_loop(data, [replace(one, noise=one.noise + louder) for one in models], 0.1, 0.1)


@cache
def fitted(**more):
    return fit(cart(**more), (2, 1))


def gain(side, frequency):
    return (side.C @ np.linalg.solve(1j * frequency * np.eye(len(side.A)) - side.A, side.B) + side.D).ravel()


def true_gain(which, frequency):
    A, B, C, D = (np.array(LOOPS["cart"][which][part]) for part in "ABCD")
    return (C @ np.linalg.solve(1j * frequency * np.eye(len(A)) - A, B) + D).ravel()


@pytest.mark.parametrize("offset", [0.0, 50.0])
def test_both_sides_are_found_though_what_each_receives_is_noisy(offset):
    cart_found, controller = fitted(offset=offset).sides
    assert np.abs(gain(controller, 2.0) / true_gain("b", 2.0) - 1.0).max() < 0.15
    assert np.abs(gain(cart_found, 5.0) / true_gain("a", 5.0) - 1.0).max() < 0.3
    assert np.concatenate([cart_found.noise, controller.noise]) == pytest.approx(NOISE, rel=0.1)


def test_recordings_that_rest_elsewhere_are_as_likely():
    assert fitted(offset=50.0).unlikely == pytest.approx(fitted().unlikely, abs=2.0)


def test_a_search_that_begins_where_all_is_noise_finds_back():
    # far more than the bound of noise, where a step of it changes nothing
    assert fit(cart(), (2, 1), louder=1e4).unlikely == pytest.approx(fitted().unlikely, abs=2.0)


def test_what_chooses_the_states_only_is_no_parameter():
    # two states: 2 of A, 2 x 1 of B less their scale, .. (n (m + p + 1) by side), a bandwidth each, noises, rests
    assert fitted().count == 2 * (1 + 2 + 1) + 1 * (2 + 1 + 1) + 2 + 3 + 2 * 3


def test_a_side_that_does_not_answer_explains_far_less():
    for side in range(2):
        idle = fit_idle(cart(), fitted(), side)
        assert idle is None or idle.unlikely > fitted().unlikely + 20.0
        assert idle is None or not idle.sides[side].B.any()


def test_more_states_are_never_less_likely_than_none_that_swing():
    assert fit(cart(), (1, 1)).unlikely > fitted().unlikely + 20.0


def test_no_loop_that_is_found_grows():
    # three parts of a recording of a frame that swings with little damping: the most likely loop of all grows
    one, found = system("rths", 3, "event"), []
    for seed in (110, 111, 112):
        random, (d, R) = np.random.default_rng(seed), Scene(one, 1200, 100 + seed).reference(1).values()
        noisy = [part + 0.01 * np.sqrt(np.mean(part**2)) * random.standard_normal(1201) for part in (d, R)]
        found.append((noisy[0][:, None], noisy[1][:, None]))
    a, b = fit(pieces(found, one.macro_step), (1, 1)).sides
    closed = np.block([[a.A, a.B @ b.C], [b.B @ a.C, b.A]])
    assert -0.002 / one.macro_step < np.linalg.eigvals(closed).real.max() < 0.0


def test_recordings_are_scaled_by_their_deviations():
    scaled, (y, u) = scale_data(cart(offset=50.0))
    assert scaled.y[scaled.counts].std(axis=0) == pytest.approx(1.0)
    assert (*y, *u) == pytest.approx(np.concatenate(cart().sizes), rel=0.1)


def test_only_recordings_without_noise_get_some():
    smooth, noise = np.sin(0.1 * np.arange(400)), np.random.default_rng(1).standard_normal(400)
    both = np.column_stack([smooth, 5.0 * (smooth + 0.01 * noise)])
    data = pieces([(both, smooth[:, None]), (both[:300], smooth[:300, None])], 0.01)
    found = with_least_noise(data)
    added = (found.y - data.y)[..., 0]
    assert added[:, 0].std() == pytest.approx(0.005 * smooth.std(), rel=0.15)
    assert np.corrcoef(added[:300, 0], added[:300, 1])[0, 1] == pytest.approx(0.0, abs=0.2)
    assert not added[300:, 1].any(), "what has ended stays so"
    np.testing.assert_array_equal(found.y[..., 1], data.y[..., 1])
    np.testing.assert_array_equal(found.y, with_least_noise(data).y)
