"""`auto` on signals of every kind: close to the best algorithm in hindsight, never much worse than no compensation."""

from functools import lru_cache

import numpy as np
import pytest

from couplant.pack.settings import runtime_settings
from couplant_runtime.generated.numbers import GOOD, HARMFUL, NEUTRAL, USEFUL
from tests.kernel.library import Kernel, needs_compiler
from tests.networks.loop import STEP
from tests.networks.signals import signals
from tests.runtime.runs import interface

pytestmark = needs_compiler
FIXED = ("zoh", "foh", "eros3", "eros4", "irregular")
RECENT = 256
"""Steps whose errors a grade tells about: `irregular` falls back where it was bad, and is another one then."""


@lru_cache
def settings(algorithm, k):
    return runtime_settings(interface(algorithm, k, "event", STEP), "s")


@lru_cache
def run(name, algorithm, k):
    """Return the root mean square error of the estimates at θ = 0, that of the last `RECENT`, and the last grade."""
    values = signals()[name]
    kernel = Kernel(settings(algorithm, k))
    kernel.init(0.0)
    s = kernel.state
    errors = []
    for n in range(values.size):
        s.input.y_valid = int(n >= k)
        s.input.y = float(values[n - k]) if n >= k else 0.0
        kernel.step(n * STEP, STEP)
        if n >= k:
            errors.append(s.algorithm.level - s.algorithm.slope * s.algorithm.shift - float(values[n]))
    whole, recent = (float(np.sqrt(np.mean(np.square(part)))) for part in (errors, errors[-RECENT:]))
    return whole, recent, s.quality.grade


@lru_cache
def ratios(k):
    """Return for each signal the error of `auto` over that of the best fixed algorithm, and over that of ZOH."""
    found = []
    for name in signals():
        fixed = {algorithm: run(name, algorithm, k)[0] for algorithm in FIXED}
        auto = run(name, "auto", k)[0]
        found.append((auto / min(fixed.values()), auto / fixed["zoh"]))
    return np.array(found)


@pytest.mark.parametrize("k", [3, 6])
def test_auto_is_nearly_the_best_in_hindsight(k):
    assert ratios(k)[:, 0].mean() <= 1.10


@pytest.mark.parametrize("k", [3, 6])
def test_auto_is_hardly_ever_harmful(k):
    assert ratios(k)[:, 1].max() <= 1.10


def worth(ratio):
    """Return the grade that an algorithm deserves whose error is `ratio` of that of ZOH."""
    if ratio > 1.1:
        return HARMFUL
    if ratio > 0.9:
        return NEUTRAL
    return USEFUL if ratio > 0.5 else GOOD


def test_grades_are_those_deserved_in_hindsight():
    steady = [name for name in signals() if name not in ("chirp", "changing", "levels", "sawtooth", "cusps")]
    off = [
        abs(run(name, algorithm, k)[2] - worth(run(name, algorithm, k)[1] / run(name, "zoh", k)[1]))
        for name in steady
        for algorithm in FIXED[1:]
        for k in (3, 6)
    ]
    assert np.mean(np.array(off) == 0) >= 0.85
    assert np.mean(np.array(off) <= 1) >= 0.95
