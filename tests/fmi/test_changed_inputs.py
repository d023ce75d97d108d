"""A host that sets only what changed reads, bit for bit, what a host reads that sets everything: event timing."""

from __future__ import annotations

import random
import struct

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant_runtime.algorithms import BY_NAME
from tests.drivers import PythonDriver
from tests.native import OK, Native

STEP = 0.02
ALGORITHMS = [name for name, row in BY_NAME.items() if row.native and name != "none"]
NETWORKS = {
    "constant": {"latency": {"constant_steps": 3}},
    "jitter and loss": {"latency": {"mode": "stamps"}, "burst": 2, "quality": {"action": "warn"}},
}
MODEL = {"A": [[0.0, 1.0], [-4.0, -0.1]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0]], "inputs": ["u"], "outputs": ["s"]}
CASES = [(a, n) for a in ALGORITHMS for n in NETWORKS if n == "constant" or a != "network"]  # it takes no other
OUTPUTS = ("y_hat", "latency.steps", "latency.seconds", "quality.error", "quality.ok", "state", "algorithm.active")


def interface(algorithm, network, k=3):
    weights = {"a": [2.0, -1.0], "A": [1.0, -1.0], "steps": k} if algorithm == "linear" else {}
    steady = {"latency": {"mode": "resequenced", "constant_steps": k}} if weights and network != "constant" else {}
    weights |= {"frequency": 2.0} if algorithm == "phasor" else {}
    section = {"algorithm": {"selected": algorithm, **weights}, **NETWORKS[network], **steady}
    head = {"name": "changed", "macro_step": STEP, "timing": "event"}
    models = {"models": {"sender": MODEL}} if algorithm == "model" else {}
    return parse_interface({"interface": head, "signals": {"s": section}, **models}, "test")


def messages(network, steps, micro):
    """Return the inputs at each communication point; many stay as they are, and not a few points bring nothing new."""
    chance, rows, newest = random.Random(7), [], {"y": 0.0, "y_time": -1.7976931348623157e308, "y_valid": True}
    for n in range(steps * micro):
        if n % micro == 0 or network != "constant":
            value = 0.25 * (n // (5 * micro) % 4)  # a staircase: often the same value
            if network == "constant":
                newest = newest | {"y": value}
            elif chance.random() < 0.5:
                sent = max(n // micro - chance.randint(1, 3), 0)
                newest = newest | {"y": 0.25 * (sent // 5 % 4), "y_time": sent * STEP, "y_valid": True}
        rows.append(newest)
    return rows


class EventMode(Native):
    """FMI 3 in Event Mode, entered at every communication point."""

    def __init__(self, path, folder):
        super().__init__(path, folder, event_mode=True)
        self.initialise()

    def step(self, time, size):
        assert self.call("EnterStepMode") == OK
        assert super().step(time, size) == OK, self.messages
        return self.call("EnterEventMode")


def bits(driver):
    return [struct.pack("<d", float(driver.get(name))) for name in OUTPUTS for _ in range(2)]


def course(driver, rows, size, everything):
    """Return what the driver shows at each communication point once the inputs are set."""
    seen, before = [], {}
    for n, row in enumerate(rows):
        for name, value in row.items():
            if everything or before.get(name) != value:
                driver.set(name, value)
        before = row
        seen.append(bits(driver))
        driver.step(n * size, size)
    return seen


def drivers(kind, settings, folder):
    """Return a function that makes one more running FMU."""
    if kind == "python":
        return lambda: PythonDriver(interface=settings)
    path = build_coupling_fmu(settings, "s", folder, fmi=kind)
    return lambda: EventMode(path, folder / "x") if kind == "3" else Native(path, folder / "x").initialise()


@pytest.mark.sample(7)
@pytest.mark.parametrize("micro", [1, 4])
@pytest.mark.parametrize(("algorithm", "network"), CASES)
@pytest.mark.parametrize("kind", ["2", "3", "python"])
def test_a_host_that_sets_only_what_changed_reads_what_one_reads_that_sets_everything(
    kind, algorithm, network, micro, tmp_path
):
    make = drivers(kind, interface(algorithm, network), tmp_path)
    rows = messages(network, 40, micro)
    changed, whole = (course(make(), rows, STEP / micro, everything) for everything in (False, True))
    assert changed == whole
    assert len({tuple(row) for row in whole}) > 10, "the run moves"
