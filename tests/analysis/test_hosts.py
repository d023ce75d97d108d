"""Theory in every host against the oracle: the same modes, and the same sign as runs of 100 s."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis.algorithms import LinearAlgorithm, generic
from couplant.analysis.stability import stability
from couplant.analysis.system_file import read_system
from couplant.design import DesignTask, design
from tests.analysis.hosts_oracle import DT, NOMINAL, Case, Loop, growth
from tests.unwired import simulate

OSCILLATOR = Path(__file__).parent / "oscillator.toml"
EXAMPLE = Path(__file__).parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
ALGORITHMS = ("zoh", "foh", "smb", "eros3", "eros4", "designed")
SLOW = 0.02
"""Growth in 5 s that a run of 100 s does not tell from none."""


def designed(k):
    one = design(DesignTask(DT, k, (0.5, 12.0), "step", peak=6.0)).algorithm
    return LinearAlgorithm(k, one.a, one.A)


def system(case, name):
    """Return the case as theory sees it."""
    settings = [f"parameters.{key}={value}" for key, value in case.plant.items()]
    plain = read_system(OSCILLATOR, [*settings, f'timing="{case.timing}"'])
    wires = tuple(replace(c, lead=lead) for c, lead in zip(plain.connections, case.leads, strict=True))
    stale = ("mass_2.f",) if case.host == "jacobi" else ()
    make = designed if name == "designed" else lambda k: generic(name, k)
    return replace(plain, connections=wires, stale=stale).with_algorithms(make, case.k)


def case(name, k, host, timing="step", leads=(0, 0, 0), plant=None):
    """Return what the oracle runs; weights of a design hold for the latency rounded up."""
    ahead = [int(np.ceil(k + lead)) for lead in leads]
    algorithm = [designed(steps).a for steps in ahead] if name == "designed" else name
    return Case(algorithm, k, host, timing, leads, plant or {})


def drawn(seed):
    """Return a case with everything at random, and the name of its algorithm."""
    rng = np.random.default_rng(seed)
    name, k = str(rng.choice(ALGORITHMS)), int(rng.integers(0, 9))
    host, timing = [("reads_again", "step"), ("reads_again", "event"), ("jacobi", "step")][rng.integers(3)]
    name = "eros3" if name == "designed" and timing == "event" else name
    leads = tuple((rng.integers(-2 * min(k, 1), 7, 3) / 4).tolist())
    plant = {key: round(value * 2 ** rng.uniform(-1.5, 1.5), 6) for key, value in NOMINAL.items()}
    return case(name, k, host, timing, leads, plant), name


@pytest.mark.parametrize("seed", range(60))
def test_modes_are_those_of_the_components_stepped_one_by_one(seed):
    one, name = drawn(seed)
    assert stability(system(one, name)).radius == pytest.approx(Loop(one).radius(), abs=2e-9)


def verdict(one, name):
    """Return 1 where theory says that the run grows, -1 that it dies out, 0 where it takes longer than 100 s to see."""
    found = stability(system(one, name)).radius ** (5 / DT)
    return int(found > 1 + SLOW) - int(found < 1 - SLOW)


def grows(one, forces, seconds=100.0):
    with np.errstate(over="ignore", invalid="ignore"):
        found = growth(Loop(one).run(forces, seconds))
    return not found < 1.0


HOSTS = [("reads_again", "step", (0, 0, 0)), ("reads_again", "event", (0, 0, 0)), ("jacobi", "step", (0, 0, 0)),
         ("jacobi", "step", (1, 1, 0))]  # fmt: skip
RUNS = [(name, *host) for name in ALGORITHMS for host in HOSTS
        if (name, host[1]) != ("designed", "event")]  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "host", "timing", "leads"), RUNS)
def test_runs_of_100_s_have_the_sign_of_theory(name, host, timing, leads):
    """A mode that starts small may take longer to show: then the run is made longer."""
    for k in range(9):
        one = case(name, k, host, timing, leads)
        said = verdict(one, name)
        for forces in ((1.0, 0.0), (1.0, 1.0)) if said else ():
            assert grows(one, forces) == (said > 0) or (said > 0 and grows(one, forces, 500.0)), (k, forces)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "k", "host", "offset"), [("eros3", 3, "jacobi", 0.0), ("smb", 2, "jacobi", 0.025),
                         ("eros4", 2, "jacobi", 0.025), ("foh", 4, "reads_again", 0.005)])  # fmt: skip
def test_fmus_do_what_the_oracle_does(name, k, host, offset):
    assigned = [f'algorithms=["{name}"]', 'timing=["step"]', f"network.latency_steps={k}", "force_on_mass_2=1.0"]
    assigned += [f"signals.{signal}.coupling.latency.offset={offset}" for signal in ("x1", "v1")] if offset else []
    assigned += ["components.mass_2.feedthrough={f=[]}"] if host == "jacobi" else []
    traces = simulate(EXAMPLE, assigned).runs[0].traces
    found = np.column_stack([getattr(traces[s], part) for part in ("sent", "estimate") for s in ("x1", "v1", "f")])
    expected = Loop(case(name, k, host, leads=(offset / DT, offset / DT, 0.0))).run((1.0, 1.0), 25.0)
    assert found == pytest.approx(expected, abs=1e-9)
