"""Calls of the C library, their order and their sentences; what an FMU does too is held by vectors."""

import pytest

from couplant.config import parse_interface
from couplant.pack.settings import runtime_settings
from tests.c.signals import interface_of
from tests.c.wasm import bits, number
from tests.kernel.library import needs_compiler
from tests.library.driver import ENDED, NOTHING, OK, REFUSED, LibraryDriver, Served

pytestmark = needs_compiler


@pytest.fixture(scope="module")
def served():
    with Served("plain") as started:
        yield started


def signal(timing="step", **section):
    head = {"name": "bench", "macro_step": 0.01, "timing": timing}
    return parse_interface({"interface": head, "signals": {"s": {"algorithm": "foh", **section}}}, "tests")


def opened(served, preview=True, timing="step", **section):
    """Open a signal that has not started; return its handles."""
    settings = runtime_settings(signal(timing, **section), "s")
    assert served.open(settings.lists(), preview) == (OK, "")
    return {variable.name: i for i, variable in enumerate(settings.variables(), start=1)}


def read(served, handle):
    status, word = served.call("get", handle)
    assert status == OK
    return number(word)


def refused(served, *words):
    assert served.call(*words)[0] == REFUSED
    return served.call("why")[1]


def start(served, time=0.0):
    assert served.call("start", bits(time))[0] == OK


def step(served, n):
    return served.call("step", bits(n * 0.01), bits(0.01))[0]


def test_calls_in_a_wrong_order_are_refused_and_say_so(served):
    opened(served)
    assert refused(served, "step", bits(0.0), bits(0.01)) == "couplant_step before couplant_start"
    assert refused(served, "slope") == "couplant_slope before couplant_start"
    start(served)
    assert "after the start" in refused(served, "start", bits(0.0))
    assert "current time = 5 s, allowed 0 s" in refused(served, "step", bits(5.0), bits(0.01))
    assert "step size = 0 s" in refused(served, "step", bits(0.0), bits(0.0))
    assert step(served, 0) == OK, "a refused step does not end a run"
    assert served.call("close")[0] == OK
    assert refused(served, "get", 1) == "couplant_get after couplant_close, allowed is couplant_open"
    assert served.call("message")[0] == NOTHING


def test_values_out_of_range_are_refused_and_fixed_parameters_stay(served):
    handles = opened(served)
    assert served.call("set", handles["latency.constant_steps"], bits(4.0))[0] == OK
    start(served)
    assert "is fixed" in refused(served, "set", handles["latency.constant_steps"], bits(5.0))
    assert "is an output" in refused(served, "set", handles["y_hat"], bits(5.0))
    assert "allowed whole numbers" in refused(served, "set", handles["algorithm.selected"], bits(2.5))
    served.call("set", handles["output.max"], bits(0.0))
    sentence = refused(served, "set", handles["output.min"], bits(1.0))
    assert sentence == "output.min = 1, allowed up to output.max = 0"
    assert read(served, handles["output.min"]) < -1e300 and read(served, handles["output.max"]) == 0.0
    assert refused(served, "get", 4711) == f"handle = 4711, allowed 1 to {len(handles)}"


def test_parameters_that_are_wrong_together_do_not_start(served):
    handles = opened(served)
    served.call("set", handles["output.min"], bits(2.0))
    served.call("set", handles["output.max"], bits(1.0))
    assert "output.min = 2, allowed up to output.max = 1" in refused(served, "start", bits(0.0))
    served.call("set", handles["output.max"], bits(3.0))
    assert "start time" in refused(served, "start", bits(float("inf")))
    start(served)


@pytest.mark.parametrize("preview", [True, False])
def test_outputs_follow_what_is_set_where_there_is_room(served, preview):
    handles = opened(served, preview, start=1.0)
    start(served)
    assert step(served, 0) == OK
    assert served.call("set", handles["y"], bits(5.0))[0] == OK
    assert served.call("set", handles["bypass"], bits(1.0))[0] == OK
    assert read(served, handles["y_hat"]) == (5.0 if preview else 1.0)
    assert step(served, 1) == OK and read(served, handles["y_hat"]) == 5.0


def test_event_timing_has_room_without_asking(served):
    handles = opened(served, preview=False, timing="event")
    start(served)
    served.call("set", handles["y"], bits(7.0))
    assert read(served, handles["y_hat"]) == 7.0
    assert number(served.call("next")[1]) == 0.01


def test_messages_wait_until_they_are_read(served):
    handles = opened(served, output={"max": 2.0}, quality={"action": "warn"})
    start(served)
    assert served.call("message")[0] == NOTHING
    for n in range(12):
        served.call("set", handles["y"], bits(float("nan") if n == 3 else float(n * n)))
        assert step(served, n) == OK
    found = []
    while (answer := served.call("message"))[0] == OK:
        found.append(answer[1])
    assert any(text.startswith("1 input 0.11 y is not a finite number") for text in found)
    assert any("the output is limited" in text for text in found) and len(found) == len(set(found)) >= 2


def test_a_run_ends_where_the_settings_ask_for_it(served):
    handles = opened(served, quality={"action": "stop"})
    start(served)
    n, status = 0, OK
    while status == OK and n < 200:
        served.call("set", handles["y"], bits(0.0 if n < 60 else 100.0 * (n % 2)))
        status, n = step(served, n), n + 1
    assert status == ENDED
    assert refused(served, "step", bits(n * 0.01), bits(0.01)).startswith("couplant_step after the end of the run")
    state = served.call("save")[1]
    assert served.call("reset")[0] == OK
    assert served.call("restore", state)[0] == OK
    assert "after the end" in refused(served, "step", bits(n * 0.01), bits(0.01))
    assert served.call("message")[0] == NOTHING


def test_a_saved_state_goes_on_in_another_signal_of_the_same_settings(served):
    handles = opened(served)
    start(served)
    for n in range(20):
        served.call("set", handles["y"], bits(n * n * 1.0))
        step(served, n)
    state, value = served.call("save")[1], read(served, handles["y_hat"])
    opened(served)
    assert served.call("restore", state)[0] == OK and read(served, handles["y_hat"]) == value
    assert step(served, 20) == OK
    assert "damaged or not from this version" in refused(served, "restore", state[:-2] + "77")
    assert f"has 10 bytes, allowed {len(state) // 2}" in refused(served, "restore", "00" * 10)


def test_settings_for_another_library_are_refused(served):
    settings = runtime_settings(interface_of("effort"), "s").lists()
    status, why = served.open(settings)
    assert status == REFUSED and why.startswith("settings are damaged: ")
    assert served.open({})[0] == REFUSED


def test_the_slope_is_that_of_the_estimate(served):
    driver = LibraryDriver(served, interface=signal(latency={"constant_steps": 2}))
    for n in range(30):
        driver.set("y", 3.0 * n)
        assert driver.step(n * 0.01, 0.01)
    assert number(served.call("slope")[1]) == pytest.approx(300.0)
    assert number(served.call("gain")[1]) == 0.0
