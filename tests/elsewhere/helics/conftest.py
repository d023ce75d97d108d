"""What the tests of federations share: example 1 made short, and an address that no other test uses."""

from pathlib import Path

import pytest

from couplant.elsewhere.helics.course import free_port
from couplant.elsewhere.helics.link import Address
from couplant.elsewhere.helics.plan import load_federation

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "01_two_mass_oscillator" / "scenario.toml"
FOREIGN = EXAMPLE.parent / "helics_mass_2.py"


def settings(*more, duration=0.5, steps=0, algorithms=("eros3",), timing="step"):
    """Return the changes that make example 1 a short federation."""
    listed = ", ".join(f'"{name}"' for name in algorithms)
    chosen = (f"duration={float(duration)}", f"network.latency_steps={steps}", f"algorithms=[{listed}]")
    return [*chosen, f'timing=["{timing}"]', *more]


def loaded(*more, **chosen):
    return load_federation(EXAMPLE, settings(*more, **chosen))


@pytest.fixture
def address():
    return Address("127.0.0.1", free_port())
