"""Networks from Python: each form is the network that a table says, and what is wrong is a sentence."""

import math

import numpy as np
import pytest

import couplant
from couplant.base.errors import UsageError
from couplant.config.scenario import load_scenario
from tests.lab.scenes import courses, matrices, scenario

STEP = 0.01


def run(network, **more):
    return couplant.simulate(scenario(matrices, ["auto"], ["step"], network=network, **more))


def test_a_whole_number_is_macro_steps():
    assert np.array_equal(courses(run(3)), courses(run({"latency_steps": 3})))


def test_every_other_form_is_the_latency_of_each_message_in_seconds():
    listed = [0.02 + STEP * (n % 3) for n in range(61)]
    forms = [listed, np.array(listed), lambda n, t: listed[n], {"latencies": listed}]
    first, *others = (courses(run(form)) for form in forms)
    assert all(np.array_equal(first, one) for one in others)
    assert np.array_equal(courses(run(0.02)), courses(run([0.02])))


def test_a_list_is_what_a_replayed_file_is(tmp_path):
    listed = [0.02, 0.03, 0.05, 0.025]
    path = tmp_path / "latencies.csv"
    path.write_text("latency_s\n" + "".join(f"{one}\n" for one in listed))
    assert np.array_equal(courses(run(listed)), courses(run({"replay": str(path)})))


@pytest.mark.parametrize("lost", [None, math.nan], ids=["none", "nan"])
def test_a_message_may_be_lost(lost):
    result = run(lambda n, t: lost if n % 10 == 3 else 0.02)
    trace = result.runs[0].traces["x"]
    received = np.round((trace.time - 0.02) / STEP).astype(int)
    missing = received[(received >= 0) & (received % 10 == 3)]
    for n in missing:  # the value before stays
        assert trace.received[n + 2] == trace.sent[n - 1]
    assert result.runs[0].messages["x"]["lost"] == len([n for n in range(59) if n % 10 == 3])


def test_what_is_lost_holds_nothing_up_where_messages_keep_their_order():
    listed = [0.02, None, 0.02, 0.02]
    found = run({"latencies": listed, "reordering": False})
    trace = found.runs[0].traces["x"]
    assert trace.received[4] == trace.sent[2]


def test_the_function_hears_number_and_time_of_all_messages():
    heard = []
    load_scenario(scenario(matrices, network=lambda n, t: heard.append((n, t)) or 0.02))
    assert heard == [(n, n * STEP) for n in range(61)]


def test_a_signal_may_have_its_own():
    document = scenario(matrices, ["foh"], ["step"], network=[0.05])
    document["signals"]["v"]["network"] = 2
    loaded = load_scenario(document)
    assert loaded.networks["v"].is_constant and loaded.networks["v"].latency_steps == 2
    assert loaded.networks["x"].latencies == (0.05,)
    document["network"], document["signals"]["v"]["network"] = {"replay": "no.csv"}, lambda n, t: 0.03
    assert load_scenario(document).networks["v"].latencies == (0.03,) * 61


def test_assignments_count_before_the_function_is_asked():
    heard = []
    document = scenario(matrices, network=lambda n, t: heard.append(n) or 0.02)
    load_scenario(document, ["duration=0.1"])
    assert len(heard) == 11


REFUSED = [
    ("x", "network[0] = 'x', allowed a time of at least 0 s"),
    (-1.0, "network = -1.0, allowed a time"),
    ([0.02, -2], "network[1] = -2, allowed a time"),
    ([0.02, math.inf], "network[1] = inf, allowed a time"),
    (True, "network = True, allowed a number of macro steps"),
    (lambda n, t: 1 / n, "network(0, 0) raises ZeroDivisionError"),
    (lambda n, t: "a", "network(0, 0) = 'a', allowed a time"),
    ([None], "network.latencies = "),
    ([], "network.latencies = "),
    ({"latencies": [0.02], "shape": "5g"}, "allowed without"),
    (65, "network.latency_steps = 65, allowed 0 to 64"),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_is_wrong_is_one_sentence(place):
    network, words = REFUSED[place]
    with pytest.raises(UsageError) as error:
        load_scenario(scenario(matrices, network=network))
    assert words in str(error.value)
    assert str(error.value).startswith("settings: ")
    assert len(str(error.value).splitlines()) == 1


def test_a_function_needs_to_know_how_many_messages_there_are():
    document = scenario(matrices, network=lambda n, t: 0.02)
    del document["duration"]
    with pytest.raises(UsageError, match="it needs macro_step and duration"):
        load_scenario(document)
