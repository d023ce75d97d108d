"""Network and coupling FMUs together: clocks that differ, messages late, in disorder, twice or from the future."""

import pytest

from couplant.pack import build_coupling_fmu
from couplant.pack.models import build_model_fmu
from tests.native import Native
from tests.runtime.runs import interface

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
    path = build_coupling_fmu(interface("irregular", macro_step=STEP, latency=latency, burst=2), "s", tmp_path / "coupling")
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
