"""Sentences of errors name quantities; the command line adds the options that give them."""

import pytest
import typer

from couplant.cli import app
from couplant.cli.options import OPTIONS, assumption_with_option, offered_by, seconds, with_options

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


@pytest.mark.parametrize(
    ("text", "time"),
    [("45ms", 0.045), ("0.045", 0.045), ("0.045s", 0.045), (" 200 us ", 2e-4), ("200µs", 2e-4), ("1e-3", 1e-3)],
)
def test_times_are_spoken_in_seconds_or_parts_of_them(text, time):
    assert seconds(text) == time


@pytest.mark.parametrize("text", ["20min", "", "ms", "1,5ms", "three", "1e", "--"])
def test_what_is_no_time_is_told(text):
    with pytest.raises(typer.BadParameter, match=rf"^'{text}' is no time, allowed 45ms, 200us or 0\.045 \(s\)\.$"):
        seconds(text)


def test_every_option_that_is_a_time_takes_milliseconds():
    names = ("--macro-step", "--micro-step", "--latency", "--longest")
    found = [p for verb in ROOT.commands.values() for p in verb.params if set(p.opts) & set(names)]
    assert len(found) >= 12
    assert {option.metavar for option in found} == {"TIME", "LIST"}  # lists of latencies are macro steps
