"""`design --model` on systems that tell their excitation: no worse than the rule of thumb, and its promise holds."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.analysis.loop_error import loop_errors, undelayed_radius
from couplant.analysis.senders import Weights, with_models
from couplant.analysis.stability import stability
from couplant.analysis.system import scatter
from couplant.base.errors import UsageError
from couplant.cosim.fmu.prototype import Scene
from couplant.design.models import design_models
from couplant.design.observers import observers
from tests.sweep.loops import LOOPS, system

PROMISE = 1.5
CASES = [(name, k) for name in LOOPS for k in (3, 6)]


def error(one, seed):
    """Return the mean error of a loop with models, of other courses than those of the design."""
    scene = Scene(one, 1500, seed)
    noise = [scene.noise(p.name)[:1500] for p in one.prototypes]
    return float(loop_errors([one], scene.excitations[None], np.hstack(noise)[None]).mean())


def rule_of_thumb(one, tables):
    """Return the mean error of a loop with the observers in `tables`, and the share of plants on which it is stable."""
    weights = {
        n: Weights(**{k: tuple(v) if isinstance(v, list) else v for k, v in t.items()}) for n, t in tables.items()
    }
    try:
        thumb = with_models(one, weights)
    except UsageError as refusal:  # w without a leak does not show where a constant one moves no output
        assert "a leak above 0 helps" in str(refusal)
        return np.inf, 0.0
    plants = [replace(thumb, prototypes=p.prototypes) for p in scatter(one, 20, 0.1) if undelayed_radius(p) < 1.0]
    return np.mean([error(thumb, seed) for seed in (7, 8, 9)]), np.mean([stability(plant).stable for plant in plants])


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "k"), CASES)
def test_observers_are_no_worse_than_the_rule_of_thumb_and_keep_their_promise(name, k):
    one = system(name, k, "event")
    found = design_models(one, plants=20, spread=0.1)
    sizes = Scene(one, 1500).sizes
    ours = [error(found.system, seed) for seed in (7, 8, 9)]
    rule, bears = rule_of_thumb(one, dict(observers(one, sizes))[""])
    # what bears more plants comes first; by other courses two observers that are alike differ by chance
    assert bears < found.stable_share or np.mean(ours) <= 1.1 * rule
    promised = float(np.mean(list(found.errors.values())))
    assert promised / PROMISE <= np.mean(ours) <= PROMISE * promised
    assert found.asked.told
    assert found.stable_share >= bears


def test_a_corner_that_is_given_counts_in_place_of_what_the_system_tells():
    one = system("dcmotor", 3, "event")
    found = design_models(one, corner=20.0, plants=0)
    assert not found.asked.told
    assert found.asked.noise == {"a.w": 0.01, "b.u": 0.01}
