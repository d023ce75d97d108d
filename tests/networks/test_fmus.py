"""Network and coupling FMUs together: clocks that differ, messages late, in disorder, twice or from the future."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from couplant.pack import build_coupling_fmu
from couplant.pack.models import build_model_fmu
from tests.native import Native
from tests.runtime.runs import interface
from tests.unwired import simulate

OSCILLATOR = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
ALGORITHMS = ("foh", "eros3", "irregular")
STEP = 0.1
DRIFT, OFFSET = 9e-4, -731.5
UNIFORM = 2
LATENCIES = {
    "round_trip": {"mode": "round_trip"},
    "known minimum": {"mode": "stamps", "clock": "free", "minimum": 2 * STEP},
}
INPUTS = {f"{y}{i}": f"{received}{i}" for i in ("", "[2]") for y, received in
          (("y", "received"), ("y_time", "stamp"), ("y_valid", "valid"))}  # fmt: skip


@pytest.fixture
def coupling(tmp_path, request):
    latency = {**LATENCIES[request.param], "coast_steps": 20}
    settings = interface("irregular", macro_step=STEP, latency=latency, burst=2)
    path = build_coupling_fmu(settings, "s", tmp_path / "coupling")
    yield (instance := Native(path, tmp_path / "c").initialise())
    instance.free()


@pytest.fixture
def networks(tmp_path):
    path = build_model_fmu("network", tmp_path, macro_step=STEP)
    line = {"latency.mode": UNIFORM, "latency.seconds": 2 * STEP, "latency.jitter_steps": 2, "loss": 0.05, "burst": 2}
    clock = {"clock.offset": OFFSET, "clock.drift": DRIFT}
    pair = [Native(path, tmp_path / "n").initialise(**line, seed=seed, **more) for seed, more in ((1, clock), (2, {}))]
    yield pair
    for instance in pair:
        instance.free()


class Ramp:
    """A sender of its own time, and a host that now and then repeats an old message or garbles a stamp."""

    def __init__(self, networks):
        self.forth, self.back = networks
        self.newest, self.old = 0.0, {}

    def message(self, n):
        """Send at macro step n; return the inputs of the coupling FMU, all that can be set."""
        self.forth.set("value", n * STEP)
        self.forth.set("echo", self.back.get("newest"))
        found = {name: self.forth.get(output) for name, output in INPUTS.items()}
        found["y_echo"] = self.forth.get("echoed")
        if not found["y_valid"] and self.old and n % 2:
            return self.old
        if n % 97 == 0:
            return {**found, "y": 1e9, "y_time": found["y_time"] + 3600.0}
        if found["y_valid"]:
            self.newest = max(self.newest, found["y"])
            self.old = dict(found) if n % 10 == 0 else self.old
        return found

    def step(self, n):
        for network in (self.forth, self.back):
            network.step(n * STEP, STEP)


@pytest.mark.parametrize("coupling", LATENCIES, indirect=True)
def test_latency_and_estimate_are_right_whatever_the_clocks_and_the_messages(coupling, networks):
    ramp, latency, estimate = Ramp(networks), [], []
    for n in range(4000):
        for name, value in ramp.message(n).items():
            if name in coupling.variables:
                coupling.set(name, value)
        assert coupling.step(n * STEP, STEP) == 0
        ramp.step(n)
        latency.append(coupling.get("latency.seconds") - (n * STEP - ramp.newest))
        estimate.append(coupling.get("y_hat") - (n + 1) * STEP)
    assert max(map(abs, latency[200:])) < 0.5 * STEP
    assert max(map(abs, estimate[200:])) < 0.5 * STEP
    assert coupling.get("latency.drift") == pytest.approx(DRIFT, rel=0.05)


@lru_cache
def oscillator(seed, *changes):
    """Return the runs of example 01 by algorithm, shortened, with 2 to 4 macro steps of latency at random."""
    network = ["network.latency_steps=2", "network.jitter_steps=2", f"network.seed={seed}"]
    words = [*network, "duration=6.0", 'timing=["event"]', f"algorithms={list(ALGORITHMS)}", *changes]
    return {run.algorithm: run for run in simulate(OSCILLATOR, words).runs}


@pytest.mark.landing("a network with bursts for all algorithms")
@pytest.mark.sample(1)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_messages_that_repeat_their_last_values_help(algorithm):
    one, three = (
        np.median([oscillator(seed, f"coupling.burst={values}")[algorithm].metrics["C"] for seed in (1, 2, 3)])
        for values in (1, 3)
    )
    assert three <= 0.95 * one


@pytest.mark.landing("every algorithm twice: 3 s of CPU")
def test_round_trips_through_a_network_with_another_clock_are_worth_as_much_as_common_time():
    clocks = ("network.clock_offset=-731.5", "network.clock_drift=5e-5", "coupling.latency.mode='round_trip'")
    common, other = (oscillator(1, "coupling.burst=1", *more) for more in ((), (*clocks, "signals.x1.debug=true")))
    for algorithm in ALGORITHMS:
        assert other[algorithm].metrics["mae"] <= 1.05 * common[algorithm].metrics["mae"]
    log = other["foh"].debug["x1"]
    sent = np.where(log["y_valid"], (log["y_time"] + 731.5) / (1.0 + 5e-5), -np.inf)
    error = log["latency.seconds"] - (log["time"] - np.maximum.accumulate(sent))
    assert np.abs(error[50:]).max() < 0.01 * 0.02
