"""Models in a SYSTEM.toml, and random latencies: one constant latency is what the macro map says."""

import json

import pytest
from typer.testing import CliRunner

from couplant.analysis.assessment import assess
from couplant.analysis.monte_carlo import time_varying_models
from couplant.analysis.open_loop import margins
from couplant.analysis.stability import stability
from couplant.analysis.system_file import read_system
from couplant.base.errors import UsageError
from couplant.cli import app
from tests.analysis.conftest import OSCILLATOR

MODELS = ('algorithm="model"', "models.mass_1={order=2, drive=10.0}", "models.mass_2={order=2, drive=10.0}")
TWINS = ("models.mass_1.echo=false", "models.mass_2.echo=false")
STEP = ('timing="step"',)


def system(k, *words):
    return read_system(OSCILLATOR, [f"latency_steps={k}", *MODELS, *words])


@pytest.mark.parametrize("words", [(), STEP, (*STEP, 'host="jacobi"')])
def test_one_constant_latency_is_that_of_the_macro_map(words):
    one = system(15, *TWINS, *words)
    found = time_varying_models(one, [15], runs=2, steps=2000)
    assert stability(one).growth_rate > 1.0
    assert found.growth_rates == pytest.approx(stability(one).growth_rate, rel=1e-3)


def test_random_latencies_are_stable_with_echo():
    assert time_varying_models(system(3), [2, 3, 4, 5], loss=0.05, runs=4, steps=2000).stable_share == 1.0


def test_models_stay_nominal_where_plants_are_scattered():
    found = assess(system(8), plants=10)
    assert (found.stable, found.share) == (True, 1.0)
    assert assess(system(8, *TWINS, "models.mass_1.drive=1e5", "models.mass_2.drive=1e5"), plants=4).share == 0.0
    assert "margins" in found._repr_html_()


def test_receivers_hold_is_made_up_for_in_step_timing():
    assert stability(system(3, *STEP)).radius == stability(system(3, *STEP, "hold_lead=0.5")).radius
    assert stability(system(3, *STEP, "hold_lead=0.0")).radius > 1.0


def test_the_command_knows_them():
    words = [word for change in ("latency_steps=8", *MODELS) for word in ("--set", change)]
    asked = ["stability", str(OSCILLATOR), "--plants", "2", "--json", "--latencies", "2,3"]
    done = CliRunner().invoke(app, [*asked, *words])
    figures = json.loads(done.stdout)
    assert (figures["stable"], figures["stable_share"], figures["random_latencies"]["stable_share"]) == (True, 1.0, 1.0)


def test_what_models_cannot_do_is_told():
    with pytest.raises(UsageError, match="mass_3: there is no such prototype"):
        system(3, "models.mass_3={order=1}")
    with pytest.raises(UsageError, match="disturbance has 1 numbers, allowed 2"):
        system(3, "models.mass_1.disturbance=[1.0]")
    with pytest.raises(UsageError, match="its loop is not cut"):
        margins(system(3), "mass_1.f")
    with pytest.raises(UsageError, match="allowed from 1 macro step on"):
        time_varying_models(system(3), [0, 1], runs=1, steps=10)
