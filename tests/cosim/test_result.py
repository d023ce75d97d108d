"""The JSON of a result."""

import json
import math

from couplant.config.hosts import JACOBI, HostLead
from couplant.cosim import METRICS, Result, Run


def test_json_has_the_figures_in_their_order_and_null_for_what_is_not_finite():
    figures = dict(zip(METRICS, (1.0, math.inf, None, math.nan, 2.0, 3.0), strict=True))
    result = Result("name", 0.02, 3, [Run("foh", "step", {}, figures, {"s": figures})])
    (run,) = json.loads(result.to_json())["runs"]
    expected = {"mae": 1.0, "max": None, "growth": None, "C": None, "M": 2.0, "P": 3.0}
    assert list(run.items())[:8] == [("algorithm", "foh"), ("timing", "step"), *expected.items()]
    assert run["signals"] == {"s": expected}


def test_json_names_the_host_and_what_it_adds():
    figures = json.loads(Result("name", 0.02, 3, [], host=JACOBI, added={"x": HostLead(1), "f": HostLead(0)}).to_json())
    assert figures == {"host": "jacobi", "host_steps": {"x": 1, "f": 0}, "runs": []}
