"""Numbers that nobody means are refused by name, and what the system refuses is said in its words."""

import pytest

from couplant.base.errors import CouplantError
from couplant.base.files import in_words
from couplant.base.grid import micro_steps_in
from couplant.base.paths import demonstration

SCENARIO = demonstration() / "scenario.toml"
SHORT = ("--set", "duration=0.2", "--set", 'algorithms=["zoh"]', "--set", 'timing=["step"]')


@pytest.mark.parametrize(
    ("assignment", "sentence"),
    [
        ("micro_step=5e-324", "micro_step must divide macro_step"),
        ("micro_step=1e-300", "micro_step must divide macro_step"),
        ("coupling.latency.offset=1e18", "latency.offset = 1e+18 s makes the latency longer"),
        ("coupling.latency.offset=-1.0", "latency.offset = -1.0 s makes the lead"),
        (f"coupling.start=1{'0' * 400}", "coupling.start = 1" + 36 * "0" + ".., allowed a finite number"),
    ],
)
def test_a_scenario_with_an_extreme_number(couplant, assignment, sentence):
    done = couplant("simulate", SCENARIO, *SHORT, "--set", assignment)
    assert done.status == 2 and sentence in done.err and "couplant itself" not in done.err
    assert len(done.err) < 500 * len(done.err.splitlines())


@pytest.mark.parametrize("value", ["1e308", "5e-324"])
def test_an_interface_with_an_extreme_macro_step(couplant, bench, tmp_path, value):
    done = couplant("build", bench, "-o", tmp_path / "out", "--set", f"interface.macro_step={value}")
    assert done.status == 2 and "allowed 0 or 1e-12 to 1e+09 s" in done.err and not (tmp_path / "out").exists()


def test_more_than_a_million_communication_steps_are_no_grid():
    assert [micro_steps_in(0.01, step) for step in (1e-8, 1e-9, 5e-324, None)] == [1_000_000, 0, 0, 1]


def test_errors_are_told_in_the_words_of_the_system():
    assert in_words(OSError(28, "No space left on device", "x.fmu")) == "x.fmu: no space left on device"
    assert in_words(OSError("odd")) == "odd"
    assert in_words(CouplantError("the run\n failed.")) == "the run failed"
    assert in_words(ValueError()) == "ValueError"
