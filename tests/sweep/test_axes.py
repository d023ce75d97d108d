"""Axes: lists, ranges, the table sweep; everything that is wrong at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from couplant.base.errors import UsageError
from couplant.sweep.axes import Axes, Point, document_at, read_axes

RANGES = [
    ("latency", "3", (3,)),
    ("latency", "1:4", (1, 2, 3, 4)),
    ("latency", "0,1:7:3,2", (0, 1, 4, 7, 2)),
    ("latency", "2,2,2:3", (2, 3)),
    ("jitter", "0, 2", (0.0, 2.0)),
    ("loss", "0:0.3:0.1", (0.0, 0.1, 0.2, 0.3)),
    ("seeds", "3", (1, 2, 3)),
    ("seeds", "7:7", (7,)),
    ("seeds", "7,9", (7, 9)),
    ("algorithms", "zoh, eros3", ("zoh", "eros3")),
    ("timing", "step,event", ("step", "event")),
]


@pytest.mark.parametrize(("key", "text", "values"), RANGES)
def test_lists_and_ranges(loaded, key, text, values):
    assert getattr(read_axes(loaded(), {key: text}), key) == values


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 9))
def test_a_range_is_that_of_python_with_its_end(loaded, first, length, step):
    axes = read_axes(loaded(), {"latency": f"{first}:{first + length}:{step}"})
    assert axes.latency == tuple(range(first, first + length + 1, step))


def test_what_is_not_given_comes_from_the_table_then_from_the_scenario(loaded):
    table = (
        'sweep.latency="1:3"',
        "sweep.jitter=[0, 2]",
        "sweep.loss=0.05",
        "sweep.seeds=2",
        'sweep.algorithms=["foh"]',
    )
    axes = read_axes(loaded(*table, "network.seed=9"), {"jitter": "1"})
    assert axes == Axes(("foh",), ("event",), (1, 2, 3), (1.0,), (0.05,), (1, 2))
    plain = read_axes(loaded("network.seed=9"), {})
    assert plain == Axes(("zoh", "foh", "smb", "eros3", "eros4"), ("event",), (3,), (0,), (0.0,), (9,))


def test_the_wire_is_the_first_unless_it_is_there_or_not_wanted(loaded):
    asked = {"algorithms": "zoh,wire"}
    assert read_axes(loaded("wire=true"), {"algorithms": "zoh"}).algorithms == ("wire", "zoh")
    assert read_axes(loaded("wire=true"), asked).algorithms == read_axes(loaded(), asked).algorithms == ("zoh", "wire")


WRONG = [
    ("latency", "1:", "latency = 1:, allowed numbers with commas between them or a range first:last[:step]"),
    ("latency", "", "latency = , allowed numbers"),
    ("latency", "4:1", "allowed first:last[:step] with last not below first"),
    ("latency", "1:4:0", "step above 0"),
    ("latency", "1.5", "latency = 1.5, allowed whole numbers"),
    ("latency", "65", "latency: network.latency_steps = 65, allowed 0 to 64"),
    ("latency", "1:99999", "has 99999 values, allowed up to 10000"),
    ("latency", "nan", "latency = nan, allowed numbers"),
    ("jitter", "0.5", 'jitter_steps = 0.5, allowed whole numbers with distribution = "uniform"'),
    ("loss", "1.5", "loss: network.loss = 1.5, allowed 0 to 1"),
    ("seeds", "-1:1", "seed = -1, allowed 0 to 2147483647"),
    ("seeds", "0", "seeds = 0, allowed first:last"),
    ("algorithms", "fho", 'algorithms: algorithms[1] = "fho", allowed "zoh"'),
    ("algorithms", "zoh,,foh", "allowed names with commas between them"),
    ("algorithms", "network_server", "network_server cannot be swept"),
    ("timing", "later", 'timing: timing[1] = "later", allowed "step" or "event"'),
]


@pytest.mark.parametrize(("key", "text", "sentence"), WRONG)
def test_what_is_wrong_is_named_with_what_is_allowed(loaded, key, text, sentence):
    with pytest.raises(UsageError) as error:
        read_axes(loaded(), {key: text})
    assert sentence in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_all_that_is_wrong_is_told_at_once(loaded):
    scenario = loaded('sweep.latncy="1:3"', 'sweep.loss=["x"]')
    with pytest.raises(UsageError) as error:
        read_axes(scenario, {"latency": "70,80", "seeds": "a"})
    lines = str(error.value).splitlines()
    assert [line.split(": ")[-1].split(",")[0] for line in lines] == [
        "allowed are algorithms",
        "network.latency_steps = 70",
        "network.latency_steps = 80",
        "sweep.loss = x",
        "seeds = a",
    ]


def test_a_sweep_beyond_a_million_points_is_refused(loaded):
    with pytest.raises(UsageError, match="the sweep has 1241240 points, allowed up to 1000000"):
        read_axes(loaded(), {"algorithms": "zoh", "latency": "1:40", "jitter": "0:30", "loss": "0:1:0.001"})


def test_replayed_latencies_cannot_vary(loaded):
    words = r"latency cannot vary: network\.replay, latencies or shape gives the latencies"
    with pytest.raises(UsageError, match=words):
        read_axes(loaded('network.replay="x.csv"'), {"latency": "1,2", "loss": "0,0.1"})


def test_the_seed_counts_only_where_something_is_random():
    axes = Axes(("zoh",), ("step",), (1,), (0.0, 2.0), (0.0,), (4, 5))
    points = list(axes.points(lambda jitter, loss: jitter > 0))
    assert points == [Point("step", "zoh", 1, 0.0, 0.0, 4), *(Point("step", "zoh", 1, 2.0, 0.0, s) for s in (4, 5))]


def test_a_point_replaces_the_values_of_the_scenario_and_nothing_else(loaded):
    document = loaded("sweep.seeds=3").document
    changed = document_at(document, Point("step", "foh", 2, 1.0, 0.1, 8)._asdict())
    assert changed["network"] == {"latency_steps": 2, "jitter_steps": 1.0, "loss": 0.1, "seed": 8}
    assert (changed["algorithms"], changed["timing"]) == (["foh"], ["step"])
    assert {k for k in document if changed.get(k) != document[k]} == {"algorithms", "timing", "network", "sweep"}
    assert document == loaded("sweep.seeds=3").document
