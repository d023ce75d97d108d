"""Finished FMUs in hosts that add up their time, and at times far from zero; events of FMI 3 always lie ahead."""

import math

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from tests.fmi.test_event_mode import Component
from tests.native import ERROR, OK, Native

UNIX = 1.7e9
STEP, K = 1e-3, 3


@pytest.fixture(scope="module")
def couplings(tmp_path_factory):
    folder, kept = tmp_path_factory.mktemp("grid"), {}

    def build(fmi, timing="step", macro_step=STEP):
        key = (fmi, timing, macro_step)
        signal = {"algorithm": "eros3", "latency": {"constant_steps": K}, "debug": True}
        head = {"name": "grid", "macro_step": macro_step, "timing": timing}
        interface = parse_interface({"interface": head, "signals": {"s": signal}}, "grid")
        if key not in kept:
            kept[key] = build_coupling_fmu(interface, "s", folder / str(len(kept)), fmi=fmi, backend="native")
        return kept[key]

    return build


@pytest.mark.parametrize("start", [12345.6, UNIX])
def test_a_host_that_adds_up_its_time_loses_no_value(couplings, fmi, tmp_path, start):
    one = Native(couplings(fmi), tmp_path / "a").initialise(start)
    t = start
    for n in range(5000):
        assert one.set("y", math.sin(0.05 * (n - K))) == OK
        assert one.step(t, STEP) == OK, one.messages
        t = t + STEP
        if n > 3 * K:
            assert one.get("debug.slot") == n - K
            assert one.get("y_hat") == pytest.approx(math.sin(0.05 * (n + 1)), abs=0.02)
    assert one.messages == []
    one.free()


@pytest.mark.parametrize("start", [1e8, UNIX])
def test_a_host_that_multiplies_its_time_is_not_refused(couplings, fmi, tmp_path, start):
    one = Native(couplings(fmi), tmp_path / "a").initialise(start)
    for n in range(1000):
        assert one.step(start + n * STEP, STEP) == OK, one.messages
    wrong = start + 1000 * STEP + 1e-5
    assert one.step(wrong, STEP) == ERROR
    message = one.messages[-1][2]
    assert "current time" in message and message.split(" s")[0].split()[-1] != message.split(" s")[1].split()[-1]
    one.free()


def test_macro_steps_finer_than_time_are_refused_at_initialisation(couplings, fmi, tmp_path):
    one = Native(couplings(fmi, macro_step=1e-6), tmp_path / "a")
    assert one.enter(UNIX) == OK
    assert one.call("ExitInitializationMode") == ERROR
    assert "macro_step = 0.000001 s, allowed" in one.messages[-1][2] or "macro_step = 1e-6 s" in one.messages[-1][2]
    one.free()


@pytest.mark.parametrize("start", [0.0, 12345.6, 1e8, UNIX, -UNIX])
def test_the_next_event_always_lies_ahead(couplings, tmp_path, start):
    """A host that goes from event to event, as it is told, is at one macro point after the other."""
    one = Component(couplings("3", "event"), tmp_path / "a", start=start)
    t = start
    for n in range(3000):
        assert one.set("y", float(n)) == OK
        ahead = one.update()
        assert ahead > t
        assert one.call("EnterStepMode") == OK
        assert one.step(t, ahead - t) == OK, one.messages
        assert one.answers[0].value and not one.answers[2].value
        assert one.call("EnterEventMode") == OK
        t = t + (ahead - t)
        assert one.get("debug.slot") == max(n + 1 - K, 0)
    assert t == pytest.approx(start + 3.0, abs=1e-6)
    one.free()


@pytest.mark.parametrize("start", [12345.6, UNIX])
def test_steps_that_add_up_end_at_events(couplings, tmp_path, start):
    one = Component(couplings("3", "event"), tmp_path / "a", start=start)
    t = start
    for n in range(8000):
        if n % 2 == 0:
            assert one.update() > t
            assert one.call("EnterStepMode") == OK
        assert one.step(t, STEP / 2) == OK, one.messages
        t = t + STEP / 2
        assert (one.answers[0].value, one.answers[2].value) == (n % 2 == 1, False)
        if n % 2:
            assert one.call("EnterEventMode") == OK
    one.free()


@pytest.mark.parametrize("start", [0.0, 1e8, UNIX])
def test_the_next_sample_of_a_network_lies_ahead(built, tmp_path, start):
    path = built("network", "3", **{"sample_time": STEP, "latency.seconds": 0.0025})
    one = Component(path, tmp_path / "a", start=start)
    t = start
    for _ in range(2000):
        ahead = one.update()
        assert ahead > t
        assert one.call("EnterStepMode") == OK
        assert one.step(t, ahead - t) == OK, one.messages
        assert one.call("EnterEventMode") == OK
        t = t + (ahead - t)
    one.free()


@pytest.mark.sample(4)
@pytest.mark.parametrize("parts", [1, 4])
@pytest.mark.parametrize("start", [0.0, 12345.6, UNIX])
def test_a_network_sends_each_sample_of_a_host_that_adds_up_its_time(built, fmi, tmp_path, start, parts):
    path = built("network", fmi, **{"sample_time": STEP, "latency.seconds": 0.0})
    one = Native(path, tmp_path / "a").initialise(start)
    t = start
    for n in range(6000):
        assert one.set("value", float(n)) == OK
        for part in range(parts):
            assert one.step(t, STEP / parts) == OK, one.messages
            t = t + STEP / parts
            assert one.get("valid") == (part == 0)
        assert one.get("received") == n
    one.free()
