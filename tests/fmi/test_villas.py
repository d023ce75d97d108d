"""A coupling FMU as the node `fmu` of VILLASnode calls it, by its source: branch node-fmu, lib/nodes/fmu.cpp, 2026."""

import ctypes as ct

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from tests.native import OK, Native

K, STEP, COUNT = 3, 0.01, 200


def build(folder, timing, latency, fmi):
    signal = {"algorithm": "foh", "latency": latency}
    interface = {"interface": {"name": "villas", "macro_step": STEP, "timing": timing}, "signals": {"s": signal}}
    return build_coupling_fmu(parse_interface(interface, "villas"), "s", folder / fmi, fmi=fmi)


class Node:
    """The calls of the node in their order: prepare, then `write` and `read` in turn, stop."""

    def __init__(self, path, folder, inputs, outputs):
        # the folder of the unpacked FMU stands for its resources; visible, event mode: no; logging, early return: yes
        self.fmu = Native(path, folder, resources=str(folder), logging=True, event_mode=False, early=True)
        self.inputs, self.outputs, self.now = inputs, outputs, 0.0
        # no tolerance, the start 0, no stop time; parameters are not set
        assert self.fmu.call("EnterInitializationMode", False, 0.0, 0.0, False, float(2**31 - 1)) == OK
        assert self.fmu.call("ExitInitializationMode") == OK

    def write(self, sample):
        """Set each input by a call of its own."""
        for name, value in zip(self.inputs, sample, strict=True):
            assert self.fmu.set(name, value) == OK

    def read(self):
        """Step from the sum of the steps before, until the step has been made; get each output by a call of its own."""
        target, left = self.now + STEP, STEP
        while left > 0.0:
            needed, terminate, early, last = ct.c_bool(), ct.c_bool(), ct.c_bool(), ct.c_double(self.now)
            answers = map(ct.byref, (needed, terminate, early, last))
            assert self.fmu.call("DoStep", self.now, STEP, True, *answers) == OK, self.fmu.messages
            assert not terminate.value
            if early.value:
                self.now = last.value
                left = target - self.now
            else:
                self.now, left = self.now + left, 0.0
        return [self.fmu.get(name) for name in self.outputs]

    def stop(self):
        assert self.fmu.call("Terminate") == OK
        self.fmu.free()


@pytest.mark.parametrize("timing", ["step", "event"])
def test_the_estimate_of_a_ramp_is_the_ramp(tmp_path, timing):
    path = build(tmp_path, timing, {"mode": "constant", "constant_steps": K}, "3")
    outputs = ("y_hat", "latency.steps", "quality.ok", "quality.error", "output.limited")
    node = Node(path, tmp_path / "node", ("y",), outputs)
    for n in range(COUNT):
        node.write([2.0 * (n - K) * STEP])
        y_hat, steps, *_ = node.read()
        if n > K + 2:
            assert y_hat == pytest.approx(2.0 * (n + 1) * STEP, abs=1e-12), n
            assert steps == K
    node.stop()


@pytest.mark.parametrize("timing", ["step", "event"])
def test_the_same_bits_as_by_the_other_version_of_the_standard(tmp_path, timing):
    latency = {"mode": "stamps"}
    node = Node(build(tmp_path, timing, latency, "3"), tmp_path / "node", ("y", "y_time", "y_valid"), ("y_hat",))
    usual = Native(build(tmp_path, "step", latency, "2"), tmp_path / "usual").initialise()
    now = 0.0
    for n in range(COUNT):
        sent = max(n - K - n % 3, 0)
        sample = [float((sent * 7919) % 101), sent * STEP, n % 5 > 0]
        node.write(sample)
        for name, value in zip(node.inputs, sample, strict=True):
            assert usual.set(name, value) == OK
        (found,) = node.read()
        assert usual.step(now, STEP) == OK
        now += STEP
        assert found == usual.get("y_hat"), n
    assert found != 0.0
    node.stop()
    usual.free()
