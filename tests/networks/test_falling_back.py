"""What models fall back to in loops that do not bear everything: right ones do not harm, wrong ones do not go on."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from couplant.analysis.system import System, scatter
from couplant.base.errors import UsageError
from couplant.cosim.fmu.prototype import Scene
from couplant.cosim.wiring.loops import bare_loop
from couplant.design.models import design_models
from couplant.design.observers import observers
from couplant.sweep.candidates import Candidate, fallback_among
from tests.kernel.library import needs_compiler
from tests.networks.sides import settings, simulate
from tests.sweep.loops import LOOPS, system

pytestmark = needs_compiler

OBSERVERS = ("plain", "thumb", "designed")
GROWS = 3.0
PATIENCE = 400
"""Macro steps, 2 s at 5 ms, within which a model leaves a loop whose signals are three times too large."""
WRONG = {
    "sign": lambda p: replace(p, B=-p.B, D=-p.D),
    "input x 0.3": lambda p: replace(p, B=0.3 * p.B, D=0.3 * p.D),
    "input x 3": lambda p: replace(p, B=3.0 * p.B, D=3.0 * p.D),
    "output x 0.3": lambda p: replace(p, C=0.3 * p.C, D=0.3 * p.D),
    "output x 3": lambda p: replace(p, C=3.0 * p.C, D=3.0 * p.D),
    "half as fast": lambda p: replace(p, A=0.5 * p.A),
    "twice as fast": lambda p: replace(p, A=2.0 * p.A),
}


def tables(kind: str, one: System):
    """Return observers: with drive 1 and the noise as it is, by the rule of thumb, or designed for the loop."""
    if kind == "designed":
        chosen = design_models(bare_loop(one), plants=20, spread=0.1).chosen.weights
        return {name: {k: v for k, v in vars(w).items() if v is not None} for name, w in chosen.items()}
    found = dict(observers(one, Scene(one, 1500).sizes))[""]
    return found if kind == "thumb" else {name: table | {"drive": 1.0} for name, table in found.items()}


@lru_cache
def borne(name: str, k: int, noise: float) -> str:
    """Return what models fall back to in a loop, as advice has it: by runs, as given and with plants 10 % off."""
    one, found = system(name, k, "event", noise=noise), []
    plants = [one, *(replace(p, excitation=one.excitation) for p in scatter(one, 3, 0.1))]
    for algorithm in ("auto", "zoh"):
        runs = [simulate(plant, settings(one, {}, algorithm)) for plant in plants]
        errors = tuple(run.error() if steady(run) else np.inf for run in runs)
        margin = 0.1 if np.isfinite(errors).all() else -1.0
        found.append(Candidate(algorithm, margin=margin, errors={"": errors[0]}, varied=errors[1:]))
    return fallback_among(found)


def steady(run) -> bool:
    """Tell whether errors do not grow in the last third."""
    third = len(run.given) // 3
    return run.error(slice(2 * third, None)) < GROWS * max(run.error(slice(third, 2 * third)), 0.02)


@pytest.mark.sample(3, rest="night")
@pytest.mark.parametrize("kind", OBSERVERS)
@pytest.mark.parametrize("noise", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("k", [3, 6, 10])
@pytest.mark.parametrize("name", LOOPS)
def test_right_models_never_leave_for_what_their_loop_does_not_bear(name, k, noise, kind):
    one = system(name, k, "event", noise=noise)
    try:
        observed = tables(kind, one)
        run = simulate(one, settings(one, observed))
    except UsageError:  # no observer follows it, or it is too large
        return
    if run.fell is not None:
        run = simulate(one, settings(one, observed, fallback=borne(name, k, noise)))
    assert steady(run)
    assert run.error() < 1.2


@pytest.mark.sample(2, rest="night")
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("kind", OBSERVERS[:2])
@pytest.mark.parametrize("k", [3, 6])
@pytest.mark.parametrize("name", LOOPS)
def test_models_that_make_their_loop_grow_leave_it(name, k, kind, wrong):
    one = system(name, k, "event")
    for which in ("a", "b", "ab"):
        believed = replace(one, prototypes=tuple(WRONG[wrong](p) if p.name in which else p for p in one.prototypes))
        try:
            run = simulate(one, settings(believed, tables(kind, one)))
        except UsageError:  # no observer follows it
            continue
        large = run.leaves(3.0)
        assert large is None or run.fell is not None or large + PATIENCE >= len(run.given)
        assert large is None or run.fell is None or run.fell <= large + PATIENCE


def test_a_loop_that_grows_though_its_model_foresees_well_is_left():
    """Believed in 0.3 times the force that acts: the model errs less than holding, and the signals grow for ever."""
    one = system("shaft3", 6, "event")
    believed = replace(one, prototypes=tuple(WRONG["input x 0.3"](p) for p in one.prototypes))
    observed = tables("thumb", one)
    left, stays = (simulate(one, settings(believed, observed, fallback=to), 600) for to in ("auto", "model"))
    assert left.fell is not None and left.fell < left.leaves(3.0) + PATIENCE
    assert stays.fell is None
    assert stays.leaves(1e3) is not None
