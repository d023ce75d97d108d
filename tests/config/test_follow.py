"""Settings of a lag that is learnt: what they must fulfil together, what becomes of them in the FMU."""

import pytest

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.config.hosts import HostLead
from couplant.config.leads import with_lead
from couplant.pack.settings import runtime_settings

FOLLOW = {"follow": "lag", "offset": 0.02, "offset_max": 0.05}


def document(latency, **signal):
    return {
        "interface": {"name": "bench", "macro_step": 0.01},
        "signals": {"f": {"latency": {**FOLLOW, **latency}, **signal}},
    }


@pytest.mark.parametrize(
    ("latency", "signal", "line"),
    [
        ({"offset_max": 0.0}, {}, "latency.offset_max = 0.0 s, allowed above offset_min = 0.0 s: the longest lag that"),
        ({"offset": 0.06}, {}, "latency.offset = 0.06 s, allowed 0.0 to 0.05 s, as offset_min and offset_max say"),
        ({"offset_max": 0.57}, {}, "latency.offset_max = 0.57 s, allowed up to 56 macro steps, 0.56 s"),
        ({"offset_max": 0.5, "constant_steps": 20}, {}, "latency.offset_max = 0.5 s, allowed up to 44 macro steps"),
        ({}, {"algorithm": {"selected": "linear", "a": [1.0], "A": [0.0]}}, 'follow = "lag", allowed "off" with'),
        ({}, {"algorithm": "network"}, 'latency.follow = "lag", allowed "off" with weights for one latency'),
        ({"follow": "lag_and_gain"}, {"signal": {"period": 1.0}}, 'allowed "off" and "lag" with a signal that wraps'),
        ({"follow": "both"}, {}, "latency.follow"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(latency, signal, line):
    with pytest.raises(UsageError) as error:
        parse_interface(document(latency, **signal), "b.toml")
    (said,) = str(error.value).splitlines()
    assert line in said


def test_only_a_signal_that_asks_for_it_has_the_variables():
    parts = {"latency.follow", "applied", "latency.offset_min", "latency.offset_max", "latency.lag"}
    for latency, there in ((FOLLOW, parts), ({"follow": "off"}, parts), ({"offset": 0.02}, set())):
        made = parse_interface({**document({}), "signals": {"f": {"latency": latency}}}, "b.toml")
        settings = runtime_settings(made, "f")
        assert {v.name for v in settings.variables()} & parts == there
        assert settings.follows == bool(there)


def test_what_the_host_adds_is_in_the_lag():
    for mode, lead in (("off", 2.0), ("lag", 0.0)):
        signal = parse_interface(document({"follow": mode}), "b.toml").signals["f"]
        assert with_lead(signal, HostLead(2), 1.0).latency.host_lead == lead
