"""A short scenario for all sweeps: the oscillator of example 01 for one second, pushed at once."""

from pathlib import Path

import pytest

from couplant.cosim import load_scenario

OSCILLATOR = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
SHORT = ("wire=false", "duration=1.0", 'timing=["event"]', "components.mass_1.parameters.force.start=0.0")


@pytest.fixture(scope="session")
def oscillator():
    return OSCILLATOR


@pytest.fixture(scope="session")
def loaded():
    """Return a function that loads the short scenario with changes."""
    return lambda *changes: load_scenario(OSCILLATOR, (*SHORT, *changes))


@pytest.fixture(scope="session")
def short():
    """Return the assignments that make the scenario short."""
    return SHORT
