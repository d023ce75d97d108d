"""Exact stability: the numbers of docs/reference.md 3, scatter, and what must not be accepted."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from couplant.analysis import GENERIC, LinearAlgorithm, SlidingModeObserver, generic
from couplant.analysis.macro_map import macro_map, recursion
from couplant.analysis.stability import latency_range, latency_ranges, stability, stable_share
from couplant.analysis.system import Connection, Prototype, System
from couplant.base.errors import CouplantError, UsageError

RADIUS = {"zoh": 1.001971066, "foh": 0.999968405, "smb": 0.999898237, "eros3": 0.999870486, "eros4": 0.999888093}


@pytest.mark.parametrize("name", RADIUS)
def test_spectral_radius_of_the_oscillator(name, oscillator):
    assert stability(oscillator(name)).radius == pytest.approx(RADIUS[name], abs=1e-8)


def test_zoh_without_latency(oscillator):
    assert stability(oscillator("zoh", 0)).radius == pytest.approx(1.000024572, abs=1e-8)


def test_largest_stable_latency(oscillator):
    """Dissertation table 4.2: ZOH none (slow mode), FOH 3, SMB 3, EROS3 5 (fast mode), EROS4 4 (above it)."""
    found = {r.algorithm: r for r in latency_ranges(oscillator())}
    assert {n: found[n].largest for n in RADIUS} == {"zoh": None, "foh": 3, "smb": 3, "eros3": 5, "eros4": 4}
    assert tuple(found) == GENERIC
    assert found["zoh"].frequency == pytest.approx(1.63, abs=0.01)
    for name in ("foh", "smb", "eros3"):
        assert found[name].frequency == pytest.approx(11.0, abs=0.1)
    assert found["eros4"].frequency > 50


def test_stable_islands_do_not_count(oscillator):
    assert stability(oscillator("eros3", 13)).stable and stability(oscillator("eros3", 14)).stable
    assert stability(oscillator("smb", 8)).stable
    assert not stability(oscillator("eros3", 6)).stable


def test_range_may_be_unlimited():
    calm = Prototype("p", [[-1.0]], [[0.1]], [[1.0]], [[0.0]])
    system = System((calm,), (Connection("p.y1", "p.u1", generic("zoh", 0)),), 0.01)
    found = latency_range(system, "zoh", most=8)
    assert (found.largest, found.frequency) == (8, None)


def test_share_of_stable_plants(oscillator):
    assert stable_share(oscillator("eros3")) == 1.0
    assert stable_share(oscillator("zoh")) == 0.0
    share = stable_share(oscillator("foh"), spread=0.3)
    assert 0.0 < share < 1.0
    assert share == stable_share(oscillator("foh"), spread=0.3)


def test_growth_rate_and_frequency_of_a_known_loop():
    """ẋ = u, u = -x held: x⁺ = (1 - ΔT) x."""
    integrator = Prototype("p", [[0.0]], [[-1.0]], [[1.0]], [[0.0]])
    system = System((integrator,), (Connection("p.y1", "p.u1", generic("zoh", 0)),), 0.1, "event")
    found = stability(system)
    assert found.radius == pytest.approx(0.9) and found.stable
    assert found.growth_rate == pytest.approx(np.log(0.9) / 0.1)
    late = stability(System((integrator,), system.connections, 2.5, "event"))
    assert late.radius == pytest.approx(1.5) and late.frequency == pytest.approx(np.pi / 2.5)


def test_step_timing_is_the_delayed_hold_of_both_ends(oscillator):
    """Step timing with (a, A) at k equals event timing with (a + A, 0) at k + 1, without feedthrough."""
    plant = Prototype("p", [[-0.1, 1.0], [-2.0, -0.2]], [[0.0], [1.5]], [[1.0, 0.3]], [[0.0]])
    a, A = (2.0, -1.5, 0.5), (0.7, -0.4, -0.3)
    merged = LinearAlgorithm(3, tuple(np.add(a, A)), (0.0, 0.0, 0.0))

    def radius(timing, algorithm):
        return stability(System((plant,), (Connection("p.y1", "p.u1", algorithm),), 0.05, timing)).radius

    assert radius("step", LinearAlgorithm(2, a, A)) == pytest.approx(radius("event", merged), abs=1e-12)


def test_hold_drops_the_slope_in_event_timing_only(oscillator):
    plant = Prototype("p", [[-0.1, 1.0], [-2.0, -0.2]], [[0.0], [1.5]], [[1.0, 0.3]], [[0.0]])
    flat = LinearAlgorithm(2, generic("foh", 2).a, (0.0, 0.0))

    def radius(timing, algorithm, hold):
        return stability(System((plant,), (Connection("p.y1", "p.u1", algorithm, hold),), 0.05, timing)).radius

    assert radius("event", generic("foh", 2), True) == radius("event", flat, False)
    assert radius("step", generic("foh", 2), True) == radius("step", generic("foh", 2), False)


@pytest.mark.parametrize("timing", ["event", "step"])
def test_algebraic_loop_is_solved(timing):
    """y1 = x - y2/2 at once, y2 = y1: without latency u = y2 solves u = x/1.5 at each event."""
    plant = Prototype("p", [[0.0]], [[-1.0]], [[1.0]], [[-0.5]])
    system = System((plant,), (Connection("p.y1", "p.u1", generic("zoh", 0)),), 0.1, timing)
    expected = 1 - 0.1 / 1.5 if timing == "event" else np.abs(np.linalg.eigvals([[1, -0.1], [1, -0.5]])).max()
    assert stability(system).radius == pytest.approx(expected)


def test_algebraic_loop_without_solution_is_refused():
    plant = Prototype("p", [[0.0]], [[-1.0]], [[1.0]], [[1.0]])
    with pytest.raises(CouplantError, match="algebraic loop"):
        stability(System((plant,), (Connection("p.y1", "p.u1", generic("zoh", 0)),), 0.1, "event"))


def test_prototypes_without_states_are_allowed():
    gain = Prototype("g", np.zeros((0, 0)), np.zeros((0, 1)), np.zeros((1, 0)), [[0.5]])
    back = Connection("g.y1", "g.u1", generic("zoh", 1))
    assert stability(System((gain,), (back,), 0.1, "step")).radius == pytest.approx(0.5 ** (1 / 2))
    assert stability(System((gain,), (back,), 0.1, "event")).radius == pytest.approx(0.5)


@pytest.mark.parametrize("name", GENERIC)
@pytest.mark.parametrize("k", [0, 1, 4])
def test_recursion_gives_the_estimates_of_the_equation(name, k):
    algorithm, y = generic(name, k), np.random.default_rng(3).standard_normal(40)
    part, state, found = recursion(algorithm), None, []
    state = np.zeros(part.F.shape[0])
    for value in y:
        found.append((part.h @ state + part.j[0] * value, part.h_slope @ state + part.j_slope[0] * value))
        state = part.F @ state + part.g[:, 0] * value
    assert np.array(found) == pytest.approx(np.array(by_equation(algorithm, y)), abs=1e-10)


def by_equation(algorithm, y):
    """Return (ŷ, slope) at each step by the equations of docs/reference.md 1, zero before the first value."""

    def past(n):
        return y[n] if n >= 0 else 0.0

    k, estimate, answer = algorithm.k, [], []
    for n in range(y.size):
        if isinstance(algorithm, SlidingModeObserver):
            error = (estimate[n - k] if n - k >= 0 else 0.0) - past(n - k) if k else 0.0
            slope = past(n - k) - past(n - k - 1) - algorithm.lambda_dt * error
            estimate.append(slope + (estimate[-1] if estimate else 0.0) if k else past(n))
        else:
            slope = sum(w * past(n - k - i) for i, w in enumerate(algorithm.A))
            estimate.append(sum(w * past(n - k - i) for i, w in enumerate(algorithm.a)))
        answer.append((estimate[-1], slope))
    return answer


def test_observer_transfer_function_has_no_recursion(oscillator):
    with pytest.raises(UsageError, match="allowed variant recursion"):
        macro_map(oscillator(SlidingModeObserver(3, "transfer")))


def simulated(system, steps):
    """Return the growth of a run in its second half, per macro step: every block by itself, as a host does it."""
    A, B, C, D = system.matrices()
    rng, targets, sources = np.random.default_rng(1), system.targets, system.sources
    nx, nu = A.shape[0], len(targets)
    whole = expm(np.block([[A, B[:, targets]], [np.zeros((nu, nx + nu))]]) * system.macro_step)
    x, held, before, past, norms = rng.standard_normal(nx), *np.zeros((2, len(targets))), [], []
    late = np.array([c.source in system.stale for c in system.connections])
    for _ in range(steps):
        through = D[np.ix_(sources, targets)]
        past.append(C[sources] @ x + np.where(late, through @ before, through @ held))
        x, before, estimate = whole[:nx, :nx] @ x + whole[:nx, nx:] @ held, held, np.zeros(len(targets))
        for i, c in enumerate(system.connections):
            for lag, (a, slope) in enumerate(zip(c.algorithm.a, c.algorithm.A, strict=True), start=c.algorithm.k):
                estimate[i] += (a + slope) * (past[-1 - lag][i] if lag < len(past) else 0.0)
        held = estimate
        norms.append(np.linalg.norm(np.concatenate([x, held])))
    levels = np.log(norms)
    return np.exp((levels[-500:].mean() - levels[steps // 2 - 500 : steps // 2].mean()) / (steps - steps // 2))


@pytest.mark.sample(1)
@pytest.mark.parametrize("leads", [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.25, 0.25, 1.25), (-0.5, -0.5, -0.5)])
@pytest.mark.parametrize("name", ["eros3", "eros4"])
def test_a_host_that_does_not_read_again(oscillator, name, leads):
    """Force of mass 2 with the inputs of the step before: the radius is the growth of a run stepped block by block."""
    system = oscillator(name, timing="step")
    connections = tuple(replace(c, lead=lead) for c, lead in zip(system.connections, leads, strict=True))
    stale = replace(system, connections=connections, stale=("mass_2.f",))
    jacobi = stale.with_algorithms(lambda k: generic(name, k), 3)
    assert stability(jacobi).radius == pytest.approx(simulated(jacobi, 20000), abs=2e-6)
    assert stability(jacobi).radius != pytest.approx(stability(replace(jacobi, stale=())).radius, abs=1e-5)


def test_leads_are_as_good_at_the_input_as_at_the_output(oscillator):
    """The loop has the same eigenvalues wherever the step is made up for."""
    system = replace(oscillator("eros3", timing="step"), stale=("mass_2.f",))

    def led_by(leads):
        connections = tuple(replace(c, lead=lead) for c, lead in zip(system.connections, leads, strict=True))
        return stability(replace(system, connections=connections).with_algorithms(lambda k: generic("eros3", k), 3))

    assert led_by((1.0, 1.0, 0.0)).radius == pytest.approx(led_by((0.0, 0.0, 1.0)).radius, abs=1e-9)


def test_stale_outputs_have_no_place_in_event_timing(oscillator):
    with pytest.raises(UsageError, match="event timing needs a host that reads outputs again"):
        replace(oscillator("eros3"), stale=("mass_2.f",))
