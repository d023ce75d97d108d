"""The latency of a signal in macro steps and its own weights."""

import pytest

from couplant.config import Latency, parse_interface
from couplant.config.latency import latency_steps, own_weights

A, B = ((1.0, 0.0), (1.0, -1.0)), ((2.0, -1.0), (1.0, -1.0))


def signal(**algorithm):
    document = {"interface": {"name": "b", "macro_step": 0.01}, "signals": {"x": {"algorithm": algorithm}}}
    return parse_interface(document, "b.toml").signals["x"]


@pytest.mark.parametrize(
    ("steps", "offset", "macro_step", "k"),
    [
        (3, 0.0, 0.01, 3),
        (3, 0.01, 0.01, 4),
        (3, 0.001, 0.01, 4),
        (3, 1e-9, 0.01, 3),  # below 1e-6 macro steps
        (0, 0.0, 0.01, 0),
        (3, 0.5, 0.0, 3),
        (3, 0.07, 0.01, 10),  # 0.07 / 0.01 is 7.000000000000001
        (0, 1e300, 1e-300, 130),
    ],
)
def test_latency_in_macro_steps(steps, offset, macro_step, k):
    assert latency_steps(Latency(constant_steps=steps, offset=offset), macro_step) == k


@pytest.mark.parametrize(
    ("latency", "macro_step", "k"),
    [
        ({"constant_steps": 3, "host_lead": 1.0}, 0.01, 4),
        ({"constant_steps": 3, "host_lead": 1.0, "hold_lead": 0.25}, 0.01, 5),
        ({"constant_steps": 3, "host_lead": -1.0, "hold_lead": 0.25}, 0.01, 3),
        ({"constant_steps": 3, "host_lead": 1.0, "offset": 0.5}, 0.0, 4),  # macro steps count where dT is not known yet
        ({"constant_steps": 3, "offset": -0.0125}, 0.01, 2),
        ({"constant_steps": 0, "host_lead": -2.0}, 0.01, 0),
        ({"constant_steps": 0, "offset": -1e300}, 1e-300, 0),
    ],
)
def test_leads_count_in_macro_steps(latency, macro_step, k):
    assert latency_steps(Latency(**latency), macro_step) == k


def test_weights_by_latency():
    assert own_weights(signal(), 3) == {}
    single = {"selected": "eros3", "a": A[0], "A": A[1]}
    assert own_weights(signal(**single), 3) == {3: A}
    assert own_weights(signal(**single, steps=5), 3) == {5: A}
    table = [{"steps": 4, "a": B[0], "A": B[1]}, {"steps": 0, "a": A[0], "A": A[1]}]
    assert own_weights(signal(table=table), 3) == {4: B, 0: A}
