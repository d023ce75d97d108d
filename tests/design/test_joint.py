"""Joint weights for a known plant: the loop of the two masses, and the verb."""

import json

import pytest
import tomlkit

from couplant.analysis.algorithms import hermite
from couplant.analysis.stability import stability
from couplant.analysis.system_file import read_system
from couplant.base.errors import UsageError
from couplant.cli import main
from couplant.config import load_interface
from couplant.design.closed_loop import mode_error
from couplant.design.joint import joint_design
from couplant.design.settings import weights_text, write_weights
from tests.analysis.conftest import OSCILLATOR
from tests.networks.test_derivative import error, loop, oscillator


def test_the_plant_chooses_weights_that_keep_it_stable_where_the_usual_ones_do_not():
    """Seven macro steps, of which `eros3`, alone or beside the usual weights, bears five or six."""
    assert not stability(loop(7)).stable
    found = joint_design(loop(7), count=30)
    assert found.robustness.stable_share == 1.0
    assert found.robustness.radius < 1.0
    assert found.algorithm == hermite(7, found.prior)


@pytest.mark.parametrize(("derived", "timing"), [("x", "event"), ("xvf", "event"), ("xvf", "step")])
def test_they_are_nearer_to_the_ideal_modes_than_the_usual_ones(derived, timing):
    system = loop(5, timing=timing, derived=derived)
    found = joint_design(system, count=20)
    assert found.robustness.stable_share == 1.0
    assert found.robustness.mode_error < mode_error(system, 12.0)
    assert (found.lead > 0.0) == (timing == "step")


@pytest.mark.parametrize(("k", "clean", "noisy"), [(3, 0.0025, 0.013), (5, 0.014, 0.03)])
def test_what_they_are_worth_in_the_loop(k, clean, noisy):
    found = joint_design(loop(k, derived="xvf"), count=10).algorithm
    row = {"steps": k, **{name: getattr(found, name) for name in "aAbB"}}
    own = json.dumps({"selected": "linear", "table": [row]})
    assert error("xvf", k, k, own=own) <= clean
    assert error("xvf", k, k, own=own, noise=0.01) <= noisy


def test_a_plant_without_a_derivative_is_refused():
    with pytest.raises(UsageError, match="with a derivative: none"):
        joint_design(read_system(OSCILLATOR))


def test_the_verb_writes_them_for_the_fmu(capsys, tmp_path):
    def verb(*words):
        status = main([str(word) for word in words])
        return status, capsys.readouterr().out

    system, settings = tmp_path / "system.toml", tmp_path / "interface.toml"
    system.write_text(tomlkit.dumps(oscillator(3)), encoding="utf-8")
    head = '[interface]\nname = "i"\nmacro_step = 0.02\ntiming = "event"\n[signals.x]\nderivative = "v"\n'
    settings.write_text(head + 'latency.mode = "stamps"\n', encoding="utf-8")
    words = ("design", "--system", system, "--derivatives")
    status, out = verb(*words, "--steps", "2", "--steps", "3", "--config", settings, "--signal", "x")
    assert (status, out.count("100%")) == (0, 2)
    first, second = load_interface(settings).signals["x"].algorithm.table
    status, out = verb(*words, "--json")
    printed = json.loads(out)
    assert (first.steps, second.steps, printed["designs"][0]["steps"]) == (2, 3, 3)
    assert [list(getattr(second, name)) for name in "aAbB"] == [printed[name] for name in "aAbB"]
    assert verb("design", "--derivatives")[0] == 2


def test_the_lead_of_the_weights_goes_into_the_settings(tmp_path):
    settings = tmp_path / "interface.toml"
    head = '[interface]\nname = "i"\nmacro_step = 0.02\n[signals.x]\nderivative = "v"\n'
    settings.write_text(head + "latency.constant_steps = 3\n", encoding="utf-8")
    weights = {4: hermite(4)}
    write_weights(settings, "x", weights, 0.25)
    assert load_interface(settings).signals["x"].latency.hold_lead == 0.25
    assert "hold_lead = 0.25" in weights_text("x", weights, 0.25)
    assert "hold_lead" not in weights_text("x", weights, 0.0)
