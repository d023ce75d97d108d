"""Example 04 and 30 variations of it: what learning inside the step is worth, with default settings."""

import json
from functools import cache

import numpy as np
import pytest

from couplant.base import paths
from tests.kernel.library import needs_compiler
from tests.learning.stop import Plant, error

pytestmark = needs_compiler

EXAMPLE = paths.root() / "examples" / "04_learning"
VARIATIONS = 30


@cache
def ratio(plant, safe=True):
    """Return the mean absolute error of the learning network over that of EROS3."""
    return error(plant, "network", safe) / error(plant, "eros3")


@cache
def ratios(safe=True):
    return np.array([ratio(Plant.varied(seed), safe) for seed in range(VARIATIONS)])


def test_the_example_is_what_it_says():
    """An independent plant, and the same figures."""
    expected = json.loads((EXAMPLE / "expected.json").read_text(encoding="utf-8"))
    figures = {run["algorithm"]: run["mae"] for run in expected["runs"]}
    assert error(Plant(), "eros3") == pytest.approx(figures["eros3"], rel=expected["tolerance"])
    assert error(Plant(), "network") == pytest.approx(figures["network_embedded"], rel=expected["tolerance"])


def test_learning_takes_a_quarter_off_the_error_of_eros3():
    assert ratio(Plant()) <= 0.75


@pytest.mark.landing("many learning loops")
def test_most_variations_of_force_and_masses_gain():
    assert np.median(ratios()) <= 0.90


@pytest.mark.landing("many learning loops")
def test_few_variations_lose_and_none_much():
    assert np.sum(ratios() > 1.1) <= 2
    assert np.max(ratios()) <= 1.3


@pytest.mark.landing("many learning loops")
def test_the_test_of_new_weights_is_worth_it():
    """Safe learning off: less gain in the example, and in the median of the variations."""
    assert ratio(Plant()) < ratio(Plant(), False)
    assert np.median(ratios()) < np.median(ratios(False))


@pytest.mark.landing("many closed loops: 5 s of CPU")
def test_the_page_of_the_example_tells_these_figures():
    text = " ".join((EXAMPLE / "README.md").read_text(encoding="utf-8").split())
    figures = f"{np.median(ratios()):.2f} and the worst value {np.max(ratios()):.2f}".replace("0.", ".")
    assert f"the ratio of `network_embedded` to EROS3 has the median {figures}" in text
