"""The torque recordings (docs/reference.md 9), k = 6, ΔT = 0.01 s: what a design must reach, what not to propose."""

from functools import cache
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis import generic
from couplant.analysis.signal.recording import compare
from couplant.design.from_recording import design_for
from couplant.design.inspection import inspect_recording
from couplant.design.neural.loop import learn_for_loop, linear
from couplant.tables import read_recording

FOLDER = Path(__file__).parents[2] / "examples" / "03_recording"
ORDINARY = ("a", "b", "c")


@cache
def torque(name):
    return read_recording(FOLDER / f"torque_{name}.csv", column="torque_Nm")


@cache
def designed(name, timing="event"):
    return design_for(torque(name), 6, timing)


def ratio(one, name, timing="event"):
    """Return C of a design or an algorithm over C of ZOH."""
    algorithm = getattr(one, "algorithm", one)
    zoh, other = compare(torque(name), [generic("zoh", 6), algorithm], timing)
    return other.combined / zoh.combined


@cache
def trained(judge):
    """Weights learnt on the two ordinary runs that `judge` is not."""
    return linear(learn_for_loop([torque(name) for name in ORDINARY if name != judge], 6, "event", None, None)[0])


def shares(made, timing="event"):
    """Return the means of C over that of ZOH on runs that took no part; `made` has what was made, by name."""
    pairs = {"ordinary": permutations(ORDINARY, 2), **{n: product(ORDINARY, [n]) for n in ("high", "low")}}
    return {kind: np.mean([ratio(made(one), name, timing) for one, name in chosen]) for kind, chosen in pairs.items()}


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("name", ["b", "c"])
def test_design_made_on_a_holds_on_others(name, timing):
    """Without any fit to values."""
    assert ratio(designed("a", timing), name, timing) <= 0.60


def test_untrained_on_runs_that_made_nothing():
    found = shares(designed)
    assert found["ordinary"] <= 0.58 and found["high"] <= 0.79 and found["low"] <= 0.44


@pytest.mark.landing("trains networks")
def test_trained_on_runs_that_taught_nothing():
    """On two ordinary runs, judged on the third; the best linear predictor there is reaches .539."""
    found, own = shares(trained), [ratio(trained(name), name) for name in ORDINARY]
    assert np.mean(own) <= 0.57 and found["high"] <= 0.76 and found["low"] <= 0.45


@pytest.mark.parametrize("name", ["low", "high"])
def test_own_designs_are_never_above_zoh(name):
    assert ratio(designed(name), name) < 1.0


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["a", "b", "c", "high"])
def test_eros3_is_not_proposed(name):
    found = inspect_recording(torque(name), 6)
    assert found.recommended in ("auto", "auto_designed", "auto_learnt")
    assert "EROS3" in found.reason and "worse than doing nothing" in found.reason


@pytest.mark.parametrize(("name", "foh", "eros3", "eros4"), [("a", 0.93, 1.72, 3.46), ("low", 0.50, 0.78, 1.95)])
def test_generic_algorithms(name, foh, eros3, eros4):
    """docs/reference.md 9: FOH about ZOH on a to c, EROS3 1.7 and EROS4 3.6 times ZOH; on low FOH and EROS3 help."""
    zoh, *others = compare(torque(name), [generic(n, 6) for n in ("zoh", "foh", "eros3", "eros4")])
    assert [one.combined / zoh.combined for one in others] == pytest.approx([foh, eros3, eros4], rel=0.02)


@pytest.mark.landing("designs for five recordings: 5 s of CPU")
def test_bands_of_the_recordings():
    """Useful signal below 13 rad/s; the disturbance lies in 30 to 55 rad/s."""
    for name in ("a", "b", "c", "high"):
        found = inspect_recording(torque(name), 6).bands
        assert 5 < found.useful < 13
        assert any(low < 42 < high for low, high in found.disturbances)
