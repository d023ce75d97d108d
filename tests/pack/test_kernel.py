"""The kernel in the process: the bits of the Python runtime, which is what the FMU gives out, and refusals in words."""

import math

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.pack import kernel
from couplant.pack.settings import runtime_settings
from couplant_runtime.algorithms import BY_NAME

STEP, MICRO_STEPS = 0.01, 4
OUTPUTS = ("y_hat", "latency.steps", "quality.error", "quality.skill", "state", "algorithm.active")
ALGORITHMS = [row.name for row in BY_NAME.values() if row.native and row.needs not in ("weights", "plant")]


@pytest.fixture
def without_library(monkeypatch):
    """Hide the library, as on a machine for which there is none and without a compiler."""
    monkeypatch.setattr(kernel, "has_library", lambda: False)


def settings(algorithm="eros3", timing="step", **signal):
    chosen = {"selected": algorithm, "frequency": 5.0} if algorithm == "phasor" else algorithm
    section = {"algorithm": chosen, "latency": {"mode": "constant", "constant_steps": 3}, "start": 0.3, **signal}
    head = {"name": "bench", "macro_step": STEP, "timing": timing}
    return runtime_settings(parse_interface({"interface": head, "signals": {"y": section}}, "test"), "y")


def walk(steps=300, micro_steps=1):
    """Return inputs at communication points, and these: a random walk, a jump, a gap without news, NaN."""
    value = 0.1 * np.cumsum(np.random.default_rng(5).normal(size=steps))
    value[steps // 2 :] += 4.0
    value[steps // 3] = math.nan
    news = np.ones(steps)
    news[steps // 4 : steps // 4 + 6] = 0.0
    rows = {"y": np.repeat(value, micro_steps), "y_valid": np.repeat(news, micro_steps)}
    return rows, STEP / micro_steps * np.arange(steps * micro_steps)


def bits(values):
    return np.ascontiguousarray(values).view(np.uint64)


@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_library_has_the_bits_of_the_python_runtime(algorithm, timing, monkeypatch):
    inputs, times = walk(120, MICRO_STEPS)
    one = settings(algorithm, timing)
    native = kernel.Kernel(one).run(inputs, times, STEP / MICRO_STEPS, OUTPUTS)
    monkeypatch.setattr(kernel, "has_library", lambda: False)
    python = kernel.Kernel(one).run(inputs, times, STEP / MICRO_STEPS, OUTPUTS)
    assert native.shape == (times.size, len(OUTPUTS))
    np.testing.assert_array_equal(bits(native), bits(python))


def test_stamps_count_wherever_a_run_begins():
    inputs, times = walk()
    later = 1000.0 + times
    stamps = {"y_time": later - 2.0 * STEP}
    found = kernel.Kernel(settings(latency={"mode": "stamps"})).run(inputs | stamps, later, STEP, ["latency.steps"])
    assert set(found[20:60, 0]) == {2.0}


def test_a_run_that_ends_itself_has_fewer_rows():
    inputs, times = walk()
    one = settings(quality={"action": "stop", "zeta": 0.0, "delta": 0.0})
    for _ in range(2):
        assert 0 < len(kernel.Kernel(one).run(inputs, times, STEP, OUTPUTS)) < times.size


@pytest.mark.usefixtures("without_library")
def test_without_the_library_it_ends_at_the_same_row(monkeypatch):
    inputs, times = walk()
    one = settings(quality={"action": "stop", "zeta": 0.0, "delta": 0.0})
    python = kernel.Kernel(one).run(inputs, times, STEP, OUTPUTS)
    monkeypatch.undo()
    np.testing.assert_array_equal(bits(kernel.Kernel(one).run(inputs, times, STEP, OUTPUTS)), bits(python))


def refusals():
    inputs, times = walk(20)
    one = settings()
    yield "step size = 0", (one, inputs, times, 0.0)
    yield "current time = ", (one, inputs, times[::-1].copy(), STEP)
    yield "start time", (one, inputs, times + math.inf, STEP)


@pytest.mark.parametrize(("said", "given"), list(refusals()))
def test_what_cannot_run_is_refused_in_words(said, given):
    with pytest.raises(UsageError, match=said):
        kernel.Kernel(given[0]).run(*given[1:], OUTPUTS)


@pytest.mark.parametrize(("said", "given"), list(refusals()))
@pytest.mark.usefixtures("without_library")
def test_without_the_library_in_the_same_words(said, given):
    with pytest.raises(UsageError, match=said):
        kernel.Kernel(given[0]).run(*given[1:], OUTPUTS)


def test_a_name_that_is_no_variable_is_an_error_of_the_caller():
    inputs, times = walk(20)
    with pytest.raises(KeyError, match="y_hats"):
        kernel.Kernel(settings()).run(inputs, times, STEP, ["y_hats"])
