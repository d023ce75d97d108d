"""Example 8: energy of the masses without correction, with the published one and with the take-back of the FMUs."""

import json
import re
from functools import lru_cache

import pytest

from examples.published.correction import EXACT, through_fmus
from examples.published.energy import Damper, Oscillator, Published, Schedule, co_simulate, published_mu
from tests.cosim.conftest import EXAMPLES
from tests.unwired import simulate

FOLDER = EXAMPLES / "08_oscillators"
SCENARIO = FOLDER / "scenario.toml"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
CASES = {name: case for name, *case in EXACT}
ROWS = {row["case"]: row for row in EXPECTED["rows"]}


@lru_cache
def left_over(name, what):
    oscillator, schedule, words = CASES[name]
    if what == "published":
        energies = co_simulate(oscillator, schedule, Published())
    else:
        energies = through_fmus(SCENARIO, oscillator, [*words, f"bonds.spring.take_back={0.02 * (what != 'without')}"])
    return energies[-1000:].mean()


@pytest.mark.landing("long runs of oscillators")
@pytest.mark.sample(1)
@pytest.mark.parametrize("name", CASES)
def test_the_fmus_take_back_what_the_coupling_creates(name):
    row = ROWS[name]
    assert left_over(name, "without") == pytest.approx(row["without"], rel=0.01)
    assert left_over(name, "take_back") == pytest.approx(row["take_back"], abs=EXPECTED["tolerance"])


@pytest.mark.landing("simulates what the page tells: 4 s of CPU")
@pytest.mark.parametrize("name", CASES)
def test_the_readme_tells_what_was_found(name):
    lines = re.findall(
        r"^\| [^|]* \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", (FOLDER / "README.md").read_text("utf-8"), re.M
    )
    told = dict(zip(CASES, [[float(cell) for cell in line] for line in lines], strict=True))
    assert told[name][1] == pytest.approx(left_over(name, "published"), rel=5e-3)
    assert told[name][1] == pytest.approx(ROWS[name]["published"], rel=5e-3)
    assert told[name][2] == pytest.approx(left_over(name, "take_back"), abs=5e-3)


OTHERS = {
    "R = 10": (Oscillator(), (1, 10), Published(published_mu(10.0, line=False)), Damper(velocities=False)),
    "R = 1/10": (Oscillator(), (10, 1), Published(published_mu(0.1, line=False)), Damper()),
    "3 masses": (Oscillator(left=2), (1, 1), Published(cap=0.25), Damper()),
    "5 masses": (Oscillator(left=4), (1, 1), Published(cap=0.25), Damper()),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", OTHERS)
def test_the_readme_tells_of_other_rates_and_more_masses(name):
    text = (FOLDER / "README.md").read_text("utf-8")
    told = re.search(rf"^\| {name} \|[^|]*\| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", text, re.M)
    oscillator, parts, *corrections = OTHERS[name]
    runs = [co_simulate(oscillator, Schedule(parts=parts), one) for one in (None, *corrections)]
    assert [run[-1000:].mean() for run in runs] == pytest.approx([float(cell) for cell in told.groups()], rel=4e-3)


def test_the_energy_of_the_masses_is_what_the_bond_has_booked():
    words = ["duration=2.0", "network.latency_steps=3", "bonds.spring.take_back=0.0"]
    (run,) = simulate(SCENARIO, [*words, "signals.x.judge=false", "signals.f.judge=false"]).runs
    energies = through_fmus(SCENARIO, CASES["force read again"][0], words)
    booked = 1.0 + run.bonds["spring"].residual / 1e4
    assert booked[-1000:].mean() == pytest.approx(energies[-1000:].mean(), rel=0.02)
    assert booked[-1000:].mean() > 1.5
