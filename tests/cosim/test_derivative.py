"""x1 of the two masses, sent with v1: what its FMU hears and what that is worth, in timings, versions and hosts."""

from functools import cache

import pytest

from couplant.base.errors import UsageError
from couplant.config.scenario import load_scenario
from couplant.cosim.judgement.verdict import STABLE
from tests.cosim.conftest import EXAMPLES, guessed
from tests.unwired import simulate

SCENARIO = EXAMPLES / "14_long_latency" / "scenario.toml"
OTHERS = ('signals.v1.coupling.algorithm="eros3"', 'signals.f.coupling.algorithm="eros3"')
DERIVED = ('signals.x1.derivative="v1"', 'signals.x1.coupling.algorithm="linear"', *OTHERS)
ALONE = ('signals.x1.coupling.algorithm="eros3"', *OTHERS)


@cache
def run(words, timing="event", *more):
    settings = ["network.latency_steps=3", 'algorithms=["configured"]', f'timing=["{timing}"]', *words, *more]
    with guessed(most=64):
        (found,) = simulate(SCENARIO, settings).runs
    return found


@pytest.mark.landing("long closed loops: 10 s of CPU each")
@pytest.mark.parametrize("timing", ["event", "step"])
def test_the_error_of_its_estimate_is_far_smaller_and_theory_knows_it(timing):
    derived, alone = run(DERIVED, timing), run(ALONE, timing)
    assert derived.metrics["mae"] < 0.6 * alone.metrics["mae"]
    assert derived.radius == pytest.approx(0.99989 if timing == "event" else 0.99992, abs=2e-5)


@pytest.mark.landing("long closed loops: 5 s of CPU")
def test_both_versions_of_the_standard_and_the_python_backend_agree():
    found = [run(DERIVED, "event", "duration=3.0", how) for how in ('coupling.fmi="2"', 'coupling.fmi="3"')]
    found.append(run(DERIVED, "event", "duration=3.0", 'coupling.backend="python"'))
    for one in found[1:]:
        assert one.traces["x1"].estimate == pytest.approx(found[0].traces["x1"].estimate, abs=1e-12)


@pytest.mark.night("long closed loops: 4 s of CPU each")
@pytest.mark.parametrize("more", ['host="jacobi"', 'host="sequential"', "network.jitter_steps=2", "network.loss=0.05"])
def test_hosts_and_networks(more):
    found = run(DERIVED, "step", more)
    assert found.verdict in (STABLE, run(ALONE, "step", more).verdict)
    assert found.metrics["mae"] <= 0.7 * run(ALONE, "step", more).metrics["mae"]


@pytest.mark.parametrize("name", ["f", "x1", "nobody"])
def test_a_derivative_is_a_signal_of_the_same_sender(name):
    with pytest.raises(UsageError, match=rf'signals\.x1\.derivative = "{name}", allowed v1'):
        load_scenario(SCENARIO, [f'signals.x1.derivative="{name}"'])
