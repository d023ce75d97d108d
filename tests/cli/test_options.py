"""Sentences of errors name quantities; the command line adds the options that give them."""

import pytest
import typer

from couplant.cli import app
from couplant.cli.options import OPTIONS, assumption_with_option, offered_by, with_options

ROOT = typer.main.get_command(app)


def test_every_option_of_the_table_is_one_of_a_verb():
    verbs = [verb for verb in ROOT.commands] + ["ssp insert", "helics run"]
    offered = set().union(*(offered_by(ROOT, verb.split()) for verb in verbs))
    assert set(OPTIONS.values()) <= offered


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("steps = 0, allowed 1 to 64.", "steps = 0, allowed 1 to 64 (--steps)."),
        ("macro_step is missing: give it", "macro_step is missing: give it (--macro-step)"),
        ("steps are missing", "steps are missing (--steps)"),
        ("signals.x.latency.steps = 0, allowed 1 to 64", "signals.x.latency.steps = 0, allowed 1 to 64"),
        ("three steps are allowed", "three steps are allowed"),
        ("workers = 0, allowed 1 or more", "workers = 0, allowed 1 or more"),
        ("steps = 0\nmacro_step = 0", "steps = 0 (--steps)\nmacro_step = 0 (--macro-step)"),
        ("jitter_steps = -1, allowed 0 to 64", "jitter_steps = -1, allowed 0 to 64 (--jitter)"),
    ],
)
def test_options_that_the_verb_has_are_added(message, told):
    assert with_options(message, {"--steps", "--macro-step", "--jitter"}) == told


def test_a_verb_in_a_group_has_its_own_options():
    assert "--drop-signatures" in offered_by(ROOT, ["ssp", "remove", "a.ssp"])
    assert "--drop-signatures" not in offered_by(ROOT, ["build", "a.toml"])


def test_assumptions_name_the_option_that_says_otherwise():
    assert assumption_with_option("latency 0.03 s, 3 macro steps") == "latency 0.03 s, 3 macro steps (--latency)"
    assert assumption_with_option("times in ms") == "times in ms"
