"""The JSON of a result."""

import json
import math

import numpy as np

from couplant.config.hosts import JACOBI, HostLead
from couplant.cosim import METRICS, Result, Run
from couplant.cosim.result import Courses, Figures
from couplant.cosim.traces import BondTrace, energy_figures


def test_json_has_the_figures_in_their_order_and_null_for_what_is_not_finite():
    figures = dict(zip(METRICS, (5.0, 1.0, None, math.inf, math.nan, 2.0, 3.0), strict=True))
    result = Result("name", 0.02, 3, [Run("foh", "step", Courses({}), Figures(figures, {"s": figures}))])
    (run,) = json.loads(result.to_json())["runs"]
    expected = {"error": 5.0, "mae": 1.0, "growth": None, "max": None, "C": None, "M": 2.0, "P": 3.0}
    assert list(run.items())[:9] == [("algorithm", "foh"), ("timing", "step"), *expected.items()]
    assert run["signals"] == {"s": expected}


def test_json_names_the_host_and_what_it_adds():
    figures = json.loads(Result("name", 0.02, 3, [], host=JACOBI, added={"x": HostLead(1), "f": HostLead(0)}).to_json())
    assert figures == {"host": "jacobi", "host_steps": {"x": 1, "f": 0}, "runs": []}


def bond(given, taken=None, limited=None):
    steps = np.ones(4)
    stage = {} if taken is None else {"left_effort": steps, "left_flow": steps, "taken": np.array(taken) * steps}
    held = None if limited is None else np.array(limited)
    return BondTrace(
        "b", np.arange(1.0, 5.0), steps, steps, np.array(given), -0.5 * np.array(given), **stage, limited=held
    )


def test_bonds_are_added_up():
    one = bond([1.0, -1.0, 2.0, 4.0], 0.25, [True, False, False, False])
    other = bond([0.0, 4.0, 0.0, 0.0], 0.5, [True, True, False, False])
    assert one.figures()["created"] == 3.0
    assert one.figures()["created_share"] == 3.0 / (0.5 * (8.0 + 4.0))
    found = energy_figures([one, other])
    assert found == {"created": 5.0, "created_share": 5.0 / 9.0, "taken": 0.75, "limited_share": 0.5}


def test_what_nobody_tells_is_not_known():
    found = energy_figures([bond([0.0, 0.0, 0.0, 0.0])])
    assert found["created"] == 0.0
    assert all(math.isnan(found[key]) for key in ("created_share", "taken", "limited_share"))
