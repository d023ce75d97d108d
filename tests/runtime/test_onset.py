"""Signals that rest with noise and begin to move: what `auto` learnt of the noise has no say in the movement."""

import math

import numpy as np
import pytest

from couplant.config import parse_interface
from couplant.pack.kernel import Kernel
from couplant.pack.settings import runtime_settings
from tests.kernel.library import needs_compiler

pytestmark = needs_compiler

STEP = 0.01
MOVEMENTS = {
    "sine": lambda t: math.sin(2.0 * math.pi * t),
    "ramp": lambda t: t,
    "tones": lambda t: 0.5 * math.sin(2.6 * math.pi * t) + 0.5 * math.sin(6.2 * math.pi * t),
    "cosine": lambda t: 1.0 - math.cos(2.0 * math.pi * t),
}


def rms(sent, k, timing, algorithm, part):
    """Return the rms error of an algorithm in a part of the macro points."""
    signal = {"algorithm": algorithm, "latency": {"constant_steps": k}}
    head = {"name": "i", "macro_step": STEP, "timing": timing}
    settings = runtime_settings(parse_interface({"interface": head, "signals": {"y": signal}}, "test"), "y")
    n = np.arange(len(sent))
    inputs = {"y": sent[np.maximum(n - k, 0)], "y_valid": (n >= k).astype(float)}
    given = Kernel(settings).run(inputs, STEP * n, STEP, ("y_hat",))[:, 0]
    if timing == "step":
        given = np.concatenate([sent[:1], given[:-1]])
    return np.sqrt(np.mean((given - sent)[part] ** 2))


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("k", [3, 6])
@pytest.mark.parametrize("movement", MOVEMENTS)
def test_in_the_first_half_second_of_a_movement_auto_is_better_than_zoh(movement, k, timing):
    """Largest share .75; 1.27 where shares stay those of the noise."""
    for seconds in (2, 5, 10):
        rest, move = round(seconds / STEP), [MOVEMENTS[movement](STEP * n) for n in range(60)]
        sent = np.concatenate([np.zeros(rest), move]) + 1e-3 * np.random.default_rng(seconds).standard_normal(rest + 60)
        part = slice(rest + 1, rest + 51)
        assert rms(sent, k, timing, "auto", part) <= 0.9 * rms(sent, k, timing, "zoh", part)
