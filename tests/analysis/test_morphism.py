"""Morphism in the builder; what it means for the coupling is in test_network."""

import numpy as np

from couplant.analysis.morphism import Shape, morphism


def test_equal_seeds_give_equal_weights_and_others_do_not():
    near = np.array([2.0, -1.0, 0.5])
    assert (morphism(near, seed=4) == morphism(near, seed=4)).all()
    assert (morphism(near, seed=4) != morphism(near, seed=5)).any()


def test_the_number_of_weights():
    assert morphism(np.ones(6), Shape(4, 2)).shape == (4 * 5 + 2 * 4 + 2,)
