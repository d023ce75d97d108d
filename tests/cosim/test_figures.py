"""Figures of a scenario's own, and power bonds whose flow passes no network."""

import json
import math

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.config.components import FigureTable
from couplant.config.scenario import load_scenario
from couplant.cosim.judgement.metrics import figures_of
from couplant.cosim.traces import Watched
from couplant.sweep import Where, sweep
from couplant.sweep.table import read_table
from tests.unwired import simulate

TIME = np.arange(0.0, 10.05, 0.1)
HILL = np.where(TIME < 4.0, 8.0 - 2.0 * np.abs(TIME - 2.0), -TIME)

SCENARIO = """
name = "two masses"
macro_step = 0.02
micro_step = 0.01
duration = 2.0
timing = ["event"]
algorithms = ["zoh", "foh"]
watch = ["a.v1", "b.f"]
components.a = { model = "mass_1", parameters = { x1.start = 1.0, force.amplitude = 0.0 } }
components.b.model = "mass_2"
network.latency_steps = 2
signals.f = { from = "b.f", to = ["a.f"], unit = "N" }
connections = { "b.x1" = "a.x1", "b.v1" = "a.v1" }
bonds.spring = { effort = "f", flow = "a.v1", flow_is = "velocity" }
figures.push = { of = "f.received", from = 0.5, until = 1.5, mean = 0.1 }
figures.way = { of = "a.v1", take = "last" }
"""


def of(values=HILL, **keys):
    table = FigureTable.model_validate({"of": "a.y", **keys})
    return figures_of({"one": table}, {}, {"a.y": Watched(TIME, values, values, "m")})["one"]


@pytest.mark.parametrize(
    ("keys", "value", "time"),
    [
        ({}, 8.0, 2.0),
        ({"from": 2.5}, 7.0, 2.5),
        ({"until": 1.5}, 7.0, 1.5),
        ({"take": "smallest"}, -10.0, 10.0),
        ({"take": "smallest", "until": 4.05}, -4.0, 4.0),
        ({"take": "last"}, -10.0, math.nan),
        ({"take": "last", "until": 3.0}, 6.0, math.nan),
        ({"take": "mean", "from": 5.0, "until": 6.0}, -5.5, math.nan),
        ({"mean": 0.3}, 8.0 - 0.4 / 3.0, 2.0),
        ({"mean": 0.3, "until": 1.5}, 6.8, 1.4),
    ],
)
def test_of_a_course_that_is_known(keys, value, time):
    found = of(**keys)
    assert (found.value, found.time, found.unit) == (pytest.approx(value), pytest.approx(time, nan_ok=True), "m")
    assert found.change == pytest.approx(0.0)


def test_what_is_not_known_is_left_out():
    late = np.where(TIME < 3.0, np.nan, HILL)
    assert of(late).time == pytest.approx(3.0)
    nothing = of(np.full(TIME.size, np.nan))
    assert math.isnan(nothing.value) and math.isnan(nothing.change)


def test_of_a_run_in_json_and_in_a_sweep(scenario, rough, tmp_path):
    path = scenario(SCENARIO)
    result = simulate(path, ["wire=true"])
    for run, told in zip(result.runs, json.loads(result.to_json())["runs"], strict=True):
        trace = run.traces["f"]
        means = np.convolve(trace.received, np.full(5, 0.2), "valid")
        middle = middles(trace.time, 5)
        chosen = (middle > 0.535) & (middle < 1.465)
        assert run.figures["push"].value == pytest.approx(means[chosen].max())
        assert (run.figures["push"].unit, run.figures["way"].unit) == ("N", "m/s")
        assert run.figures["way"].value == run.watched["a.v1"].values[-1]
        assert run.figures["way"].reference == run.watched["a.v1"].reference[-1]
        assert told["figures"]["way"] == {
            "value": run.figures["way"].value,
            "time": None,
            "reference": run.figures["way"].reference,
            "reference_time": None,
        }
    done = sweep(path, tmp_path / "out", where=Where(1))
    kept = read_table(tmp_path / "out" / "sweep.csv").rows
    for run in result.runs:
        (row,) = (row for point, row in kept.items() if point.algorithm == run.algorithm)
        assert row.own["figures.way"] == run.figures["way"].value
        assert row.own["figures.push.time"] == run.figures["push"].time
        assert row.own["bonds.spring.sent"] == run.bonds["spring"].figures()["sent"]
        assert "figures.way.time" not in row.own
    assert len(done.table.rows) == len(result.runs)


def middles(time, size):
    return np.convolve(time, np.full(size, 1.0 / size), "valid")


def test_a_bond_with_a_direct_flow_tells_what_was_sent_and_received(scenario, rough):
    """Against the work of both forces along the way of the mass, from a run with fine macro points."""
    fine = simulate(scenario(SCENARIO), ["macro_step=0.005", "micro_step=0.005", "network.latency_steps=8"]).runs
    for run in fine:
        trace, v = run.traces["f"], run.watched["a.v1"].values
        sent = np.trapezoid(trace.sent * v, trace.time)
        held = trace.estimate[:-1] if run.algorithm == "zoh" else (trace.estimate[1:] + trace.estimate[:-1]) / 2
        received = float(held @ (v[1:] + v[:-1])) / 2 * 0.005
        found = run.bonds["spring"].figures()
        assert found["sent"] == pytest.approx(sent, rel=1e-4, abs=1e-5)
        assert found["received"] == pytest.approx(received, rel=2e-3, abs=1e-4)
        assert found["created"] == pytest.approx(found["received"] - found["sent"], abs=1e-12)


def test_a_bond_may_end_before_the_run(scenario, rough):
    (whole,) = simulate(scenario(SCENARIO), ['algorithms=["foh"]']).runs
    (cut,) = simulate(scenario(SCENARIO), ['algorithms=["foh"]', "bonds.spring.until=1.0"]).runs
    found, all_of = cut.bonds["spring"], whole.bonds["spring"]
    assert np.array_equal(found.residual[:50], all_of.residual[:50])
    assert np.all(found.residual[50:] == found.residual[49]) and all_of.residual[-1] != found.residual[-1]


def test_energy_is_taken_back_with_a_direct_flow(scenario, rough):
    words = ['algorithms=["zoh"]', "duration=20.0", "network.latency_steps=6"]
    (free,) = simulate(scenario(SCENARIO), words).runs
    (held,) = simulate(scenario(SCENARIO), [*words, "bonds.spring.take_back=0.1"]).runs
    assert abs(held.bonds["spring"].residual[-1]) < 0.5 * abs(free.bonds["spring"].residual[-1])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ('figures.push.of="f.sentt"', 'figures.push.of = "f.sentt", allowed f.sent, f.received, f.estimate, a.v1, b.f'),
        ('figures.push.of="a.x1"', 'figures.push.of = "a.x1", allowed'),
        ("figures.push.until=0.5", "figures.push.until = 0.5 s is not after from = 0.5 s"),
        ('figures.push.take="middle"', "figures.push.take"),
        ('bonds.spring.flow="b.f"', 'bonds.spring.flow = "b.f", allowed a signal, or an output of the one component'),
        ('bonds.spring.flow="x"', 'bonds.spring.flow = "x", allowed f'),
    ],
)
def test_what_is_wrong_is_one_sentence(scenario, change, told):
    with pytest.raises(UsageError) as caught:
        load_scenario(scenario(SCENARIO), [change])
    assert told in str(caught.value) and str(caught.value).count("\n") == 0


def test_a_flow_that_is_no_output_is_refused(scenario, rough):
    with pytest.raises(UsageError, match="v9"):
        simulate(scenario(SCENARIO), ['bonds.spring.flow="a.v9"'])
