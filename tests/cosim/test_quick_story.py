"""The first table of the results: two masses, in step timing first."""

import json
import re

import pytest

from couplant.cli import main
from tests.cosim.conftest import EXAMPLES

PAGE = (EXAMPLES.parent / "docs" / "results.md").read_text(encoding="utf-8")
ALONE = ("zoh", "auto", "eros3", "eros4", "irregular", "smb", "foh")
LEAD = "coupling.latency.hold_lead=0.25"


def shown(name):
    """Return the error in step timing and the verdict of a row."""
    (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| {name} |"))
    cells = [cell.strip() for cell in row.split("|")]
    return cells[3].removesuffix(" %"), cells[4]


@pytest.fixture
def weights(capsys):
    (words,) = re.findall(r"`couplant (design --macro-step 0.02 .*?)`", PAGE)
    assert main([*words.split(), "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["timing"], one["lead"]) == ("step", 0.25)
    table = json.dumps({"steps": one["fmu_steps"], "a": one["a"], "A": one["A"]})
    return "coupling.algorithm=" + table.replace('":', '" =')


def compared(row, run):
    """Compare a row with a run, to the digits shown."""
    error, verdict = shown(row)
    digits = len(error.partition(".")[2])
    assert f"{run.metrics['error']:.{digits}f}" == error
    stable = {"unstable": False, "stable": True, "grows slowly": False}.get(verdict)
    assert stable is None or (run.radius < 1.0) is stable


def simulated(example, algorithms, *words):
    step = ('timing=["step"]', f"algorithms={json.dumps(algorithms)}")
    return example("01_two_mass_oscillator", *step, *words).runs


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ALONE)
def test_the_errors_of_step_timing_are_those_of_the_table(example, name):
    runs = {run.algorithm: run for run in simulated(example, ALONE)}
    compared(f"`{name}`", runs[name])


@pytest.mark.landing("a design and its simulation")
def test_the_design_and_auto_make_up_for_the_hold(example, weights):
    auto, linear = simulated(example, ("auto", "linear"), LEAD, weights)
    compared("`linear`, a design", linear)
    assert auto.metrics["error"] < 2.8
    (alone,) = simulated(example, ("auto",), LEAD)
    compared("the same, `hold_lead`", alone)
