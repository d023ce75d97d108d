"""`irregular` and `auto` in step timing, 100 s: stable in signals and estimates, in both kinds of host."""

import pytest

from tests.kernel.library import needs_compiler
from tests.networks.step_loop import step_loop

pytestmark = needs_compiler
HOSTS = ("reads_again", "jacobi")
ALGORITHMS = ("irregular", "auto")
QUARTER = 0.25
"""Lead for the receiver's hold, macro steps."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_stable_at_constant_latencies(algorithm, host, k):
    mae, signals, estimates = step_loop(algorithm, host, k, hold_lead=QUARTER)
    assert signals < 1.0 and estimates < 1.0
    assert mae <= {1: 0.04, 2: 0.04, 3: 0.04, 5: 0.06}.get(k, 0.1)


@pytest.mark.sample(3)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_stable_with_two_macro_steps_of_jitter(algorithm, host, k):
    """One course of the jitter may err more: `auto` in a Jacobi host .069 at k = 3, .17 at 5; most err half of it."""
    courses = [step_loop(algorithm, host, k, jitter=2, hold_lead=QUARTER, seed=seed) for seed in (1, 2, 3)]
    assert all(signals < 1.0 and estimates < 1.0 for _, signals, estimates in courses)
    errors = sorted(mae for mae, _, _ in courses)
    assert errors[1] <= (0.06 if k <= 3 else 0.1)
    assert errors[2] <= (0.08 if k <= 3 else 0.2)


@pytest.mark.sample(2)
@pytest.mark.parametrize("k", [3, 5, 6])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_without_a_lead_nothing_ripples_in_a_host_that_reads_again(algorithm, k):
    """At k = 3 the estimates of `irregular` grew 1.72 times in 5 s, at 6 3.76 times."""
    _, signals, estimates = step_loop(algorithm, "reads_again", k)
    assert signals < 1.0 and estimates < 1.0


@pytest.mark.parametrize("host", HOSTS)
def test_what_build_says_of_six_steps_and_two_of_jitter(host):
    """Neither lead helps there; the observer with a lead of half a step does. `auto` learns them: on the edge."""
    for hold_lead in (0.0, QUARTER):
        _, signals, estimates = step_loop("irregular", host, 6, jitter=2, hold_lead=hold_lead)
        assert max(signals, estimates) > 1.0
    assert max(step_loop("auto", host, 6, jitter=2, hold_lead=QUARTER)) < 1.01
    _, signals, estimates = step_loop("smb", host, 6, jitter=2, hold_lead=0.5)
    assert signals < 1.0 and estimates < 1.0
