"""The master steps on the grid, records at macro points and frees everything whatever happens."""

import numpy as np
import pytest

from couplant.config.ref import Ref
from couplant.cosim.run.master import Grid, Wiring, run
from couplant.cosim.wiring.order import Link, Value


def wiring(*parts, links=(), **more):
    return Wiring({part.name: part for part in parts}, list(links), **more)


def test_a_jacobi_run_by_hand(components):
    """x' = u held, with each integrator fed by the other: (x, z) -> (x + h z, z + h x)."""
    a, b = components["Integrator"]("a", 1.0), components["Integrator"]("b", 2.0)
    links = [Link(Value(Ref("a", "x")), Ref("b", "u")), Link(Value(Ref("b", "x")), Ref("a", "u"))]
    recording = run(wiring(a, b, links=links, watched=[Ref("a", "x"), Ref("b", "x")]), Grid(0.5, 2))
    assert recording.time.tolist() == [0.0, 0.5, 1.0]
    assert recording.watched[Ref("a", "x")].tolist() == [1.0, 2.0, 3.25]
    assert recording.watched[Ref("b", "x")].tolist() == [2.0, 2.5, 3.5]


def test_logged_values_belong_to_the_step_that_begins(components):
    a = components["Integrator"]("a", 1.0)
    a.values["u"] = 2.0
    recording = run(wiring(a, watched=[Ref("a", "x")], logged=[Ref("a", "x"), Ref("a", "u")]), Grid(0.5, 2))
    assert recording.watched[Ref("a", "x")].tolist() == [1.0, 2.0, 3.0]
    assert recording.logged[Ref("a", "x")].tolist() == [2.0, 3.0]
    assert recording.logged[Ref("a", "u")].tolist() == [2.0, 2.0]


@pytest.mark.parametrize("micro_steps", [1, 2, 5])
def test_micro_steps_divide_the_macro_step_and_only_macro_points_are_recorded(components, micro_steps):
    a = components["Integrator"]("a")
    grid = Grid(0.1, 3, micro_steps, start=1.0)
    recording = run(wiring(a, watched=[Ref("a", "x")], logged=[Ref("a", "x")]), grid)
    steps = [call[2:] for call in a.calls if call[1] == "step"]
    assert len(steps) == 3 * micro_steps
    assert np.allclose([t for t, _ in steps], 1.0 + 0.1 / micro_steps * np.arange(3 * micro_steps), rtol=0, atol=1e-12)
    assert recording.time.size == 4
    assert recording.logged[Ref("a", "x")].size == 3


def test_time_does_not_drift():
    assert Grid(0.1, 10000).points(9999) == [9999 * 0.1]


def test_all_are_freed_after_a_run_and_after_an_error_in_a_step(components):
    for fails_at in (None, 0.3):
        calls = []
        parts = [components["Integrator"](n, calls=calls, fails_at=fails_at if n == "b" else None) for n in "abc"]
        if fails_at is None:
            run(wiring(*parts), Grid(0.1, 5))
        else:
            with pytest.raises(ArithmeticError, match="b fails"):
                run(wiring(*parts), Grid(0.1, 5))
        assert {call[0] for call in calls if call[1] == "free"} == set("abc")


def test_all_are_freed_after_an_error_at_the_start(components):
    calls = []

    class Broken(components["Integrator"]):
        def start(self, t_0, parameters):
            raise OSError("cannot be loaded")

    parts = [components["Integrator"]("a", calls=calls), Broken("b", calls=calls)]
    with pytest.raises(OSError, match="cannot be loaded"):
        run(wiring(*parts), Grid(0.1, 5))
    assert ("a", "free") in calls
    assert ("b", "free") in calls


def test_progress_goes_from_nothing_to_nearly_all(components):
    told = []
    run(wiring(components["Integrator"]("a")), Grid(0.1, 1000), told.append)
    assert told[0] == 0.0
    assert told == sorted(told)
    assert 0.98 < told[-1] < 1.0
    assert len(told) == 100
