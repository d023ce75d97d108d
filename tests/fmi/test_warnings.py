"""Warnings about the quality of estimates: the same sentences in Python and in both FMI faces."""

from __future__ import annotations

import math
import re

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from tests.drivers import PythonDriver
from tests.native import OK, Native
from tests.vectors.reader import Setup

STEP, STEPS = 0.01, 700
NUMBER = re.compile(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?")


def interface(action):
    quality = {"action": action, "zeta": 0.0, "delta": 2.0}
    signal = {"algorithm": "zoh", "latency": {"constant_steps": 1}, "quality": quality}
    return parse_interface({"interface": {"name": "w", "macro_step": STEP}, "signals": {"s": signal}}, "w")


def signal(n):
    return math.sin(0.01 * n) + (3.0 if n in (100, 103, 260, 261) else 0.0)


def logged_in_python(action):
    driver = PythonDriver(Setup(), interface(action))
    for n in range(STEPS):
        driver.set("y", signal(n))
        driver.step(n * STEP, STEP)
    driver.close()
    return [(message.status, message.category, message.msg) for message in driver.slave.log_queue]


@pytest.mark.parametrize("action", ["warn", "ignore"])
def test_both_faces_log_what_the_python_runtime_logs(action, fmi, tmp_path):
    native = Native(build_coupling_fmu(interface(action), "s", tmp_path, fmi=fmi), tmp_path / "a", logging=True)
    native.initialise()
    for n in range(STEPS):
        assert native.set("y", signal(n)) == OK
        assert native.step(n * STEP, STEP) == OK
    assert native.call("Terminate") == OK
    expected = logged_in_python(action)
    assert len(expected) == (5 if action == "warn" else 0)
    assert len(native.messages) == len(expected)
    for ours, theirs in zip(expected, native.messages, strict=True):
        assert ours[:2] == theirs[:2]
        assert words(ours[2]) == words(theirs[2])
    native.free()


def words(text):
    """Return a sentence without its numbers, and them, of which 9 digits are written."""
    numbers = [float(f"{float(number):.7g}") for number in NUMBER.findall(text)]
    return NUMBER.sub("#", text), numbers


def test_nothing_is_told_of_a_run_that_never_began(fmi, tmp_path):
    native = Native(build_coupling_fmu(interface("warn"), "s", tmp_path, fmi=fmi), tmp_path / "a", logging=True)
    native.initialise()
    assert native.call("Terminate") == OK
    assert native.messages == []
    native.free()


@pytest.mark.parametrize("start", [0.3, 1.7e9])
def test_messages_tell_the_time_to_a_millisecond_far_from_zero_too(start, fmi, tmp_path):
    native = Native(build_coupling_fmu(interface("warn"), "s", tmp_path, fmi=fmi), tmp_path / "a", logging=True)
    driver = PythonDriver(Setup(start_time=start), interface("warn"))
    native.initialise(start)
    at = start + 0.125
    for time, size, y in ((start, 0.125, 0.0), (at, STEP, math.nan)):
        native.set("y", y)
        native.step(time, size)
        driver.set("y", y)
        driver.step(time, size)
    driver.close()
    ours = [message.msg for message in driver.slave.log_queue if "y is not" in message.msg]
    assert ours == [message[2] for message in native.messages if "y is not" in message[2]]
    assert ours[0].startswith(f"t = {at:.14g} s: ")
    native.free()
