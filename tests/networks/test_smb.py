"""The observer where the sender skips macro steps or messages get lost: each error is subtracted once."""

from __future__ import annotations

import math
import random
from functools import lru_cache

import pytest

from couplant.pack.settings import runtime_settings
from tests.kernel.library import Kernel
from tests.runtime.runs import interface

STEP = 0.02
RATE = 3.0
COUNT = 1500
SKIPS = {
    "every second": lambda n, chance: n % 2 == 1,
    "two of three": lambda n, chance: n % 3 != 0,
    "half at random": lambda n, chance: chance.random() < 0.5,
    "seven in a row": lambda n, chance: n // 7 % 2 == 1,
}


@lru_cache
def settings(mode: str, k: int, timing: str):
    latency = {"latency": {"mode": "stamps"}} if mode == "stamps" else {}
    return runtime_settings(interface("smb", 0 if latency else k, timing, STEP, **latency), "s")


def run(mode: str, k: int, timing: str, skip: str, jitter: int = 0) -> tuple[float, float]:
    """Return the largest estimate of a sine of amplitude 1, and the rms error over that of the newest value."""
    chance, kernel = random.Random(k), Kernel(settings(mode, k, timing))
    kernel.init(0.0)
    given, under_way, newest = kernel.state, [], (-1, 0.0)
    largest, errors = 0.0, [0.0, 0.0]
    for n in range(COUNT):
        if not SKIPS[skip](n, chance):
            under_way.append((n + k + chance.randint(0, jitter), n))
        here = max((sent for arrival, sent in under_way if arrival <= n), default=None)
        under_way = [message for message in under_way if message[0] > n]
        given.input.y_valid = int(here is not None)
        if here is not None:
            given.input.y, given.input.y_time = math.sin(RATE * here * STEP), here * STEP
            newest = max(newest, (here, given.input.y))
        kernel.step(n * STEP, STEP)
        line = given.algorithm
        estimate, ahead = line.level - line.slope * line.shift, 0
        if timing == "step":
            estimate, ahead = given.reconstruction.y_hat, 1
        true = math.sin(RATE * (n + ahead) * STEP)
        largest = max(largest, abs(estimate))
        if n > 200:
            errors = [errors[0] + (estimate - true) ** 2, errors[1] + (newest[1] - true) ** 2]
    return largest, math.sqrt(errors[0] / errors[1])


@pytest.mark.parametrize("skip", SKIPS)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("mode", ["constant", "stamps"])
def test_skipped_steps(mode, timing, skip):
    for k in (1, 2, 3, 6):
        largest, share = run(mode, k, timing, skip)
        assert largest < 3.0, k
        assert share < 0.9, k


@pytest.mark.parametrize("skip", SKIPS)
def test_any_latency_with_jitter_is_bounded(skip):
    for k in (1, 12, 30, 62):
        assert run("stamps", k, "step", skip, jitter=5)[0] < 8.0, k
