"""The two-mass oscillator of docs/reference.md 3 as a file and as a system."""

from pathlib import Path

import pytest

from couplant.analysis import generic
from couplant.analysis.system_file import read_system

OSCILLATOR = Path(__file__).with_name("oscillator.toml")


@pytest.fixture
def oscillator():
    """Return what makes the oscillator with one algorithm on all three signals."""

    def make(algorithm="eros3", k=3, timing="event"):
        chosen = generic(algorithm, k) if isinstance(algorithm, str) else algorithm
        return read_system(OSCILLATOR, [f'timing="{timing}"']).with_algorithm(chosen)

    return make
