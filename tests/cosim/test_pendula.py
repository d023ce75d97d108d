"""Example 11: what both bonds of two pendula tell, beside the energy that the pendula really gain."""

import cmath
import json
import math
import re
from functools import lru_cache

import pytest

from tests.cosim.conftest import EXAMPLES
from tests.unwired import simulate

FOLDER = EXAMPLES / "11_pendula"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
ROWS = EXPECTED["runs"]
IDS = [f"{1e3 * row['macro_step']:g} ms" for row in ROWS]
L, FAR, K, REST, G = 2.0, 10.5, 100.0, 8.756, 9.81


def turn(rod, force, h):
    """Take a step of symplectic Euler with a pendulum of 1 kg, angle and rate, under a force [N]."""
    angle, rate = rod
    rate += h / L * ((force.conjugate() * cmath.exp(1j * angle)).real - G * math.sin(angle))
    return angle + h * rate, rate


@lru_cache
def plain(macro_step, parts):
    """Return the energy gained in 10 s and the residual energies across and upright [J]; points are complex numbers."""
    rods, h, residual = [(math.pi / 4, 0.0), (-math.pi / 18, 0.0)], macro_step / parts, 0j

    def tip(i):
        return i * FAR - 1j * L * cmath.exp(1j * rods[i][0])

    def force(point):  # of the spring from the left tip, on the point
        d = point - tip(0)
        return -K * (abs(d) - REST) * d / abs(d)

    def energy():
        lifted = sum(0.5 * (L * rod[1]) ** 2 + G * tip(i).imag for i, rod in enumerate(rods))
        return lifted + 0.5 * K * (abs(tip(1) - tip(0)) - REST) ** 2

    start, held, point, v = energy(), force(tip(1)), tip(1), 0j
    for _ in range(round(10.0 / macro_step)):
        for _ in range(parts):
            rods = [turn(rods[0], -force(point), h), turn(rods[1], held, h)]
        shown, new = force(point), L * rods[1][1] * cmath.exp(1j * rods[1][0])
        across, upright = held.real * new.real - shown.real * v.real, held.imag * new.imag - shown.imag * v.imag
        residual += macro_step * complex(across, upright)
        held, point, v = shown, tip(1), new
    return energy() - start, residual.real, residual.imag


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_the_bonds_tell_what_the_equations_say(row):
    words = [f"{key}={row[key]}" for key in ("macro_step", "parts")]
    (run,) = simulate(FOLDER / "scenario.toml", [*words, "signals.x.judge=false"]).runs
    found = [run.bonds[name].residual[-1] for name in ("across", "upright")]
    gained, *residual = plain(row["macro_step"], row["parts"])
    assert found == pytest.approx(residual, rel=1e-4)
    told = [row[name] for name in ("gained", "across", "upright")]
    assert [gained, *found] == pytest.approx(told, rel=EXPECTED["tolerance"])


def test_the_readme_tells_what_was_found():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| ([\d.]+) ms, \d+ \| ([\d.]+) J \| ([\d.]+) J \| (-?[\d.]+) J \|$", text, re.MULTILINE)
    rows = [(1e3 * row["macro_step"], row["gained"], row["across"], row["upright"]) for row in ROWS]
    assert [[float(cell) for cell in line] for line in told] == [pytest.approx(row, rel=0.02) for row in rows]
