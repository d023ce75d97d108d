"""The C library against vectors and kernel, bit for bit: on this machine, and at night on others."""

import random

import pytest

from tests.c.signals import SIGNALS, interface_of
from tests.c.test_wasm import exchange
from tests.c.wasm import bits
from tests.kernel.beside import Beside
from tests.kernel.library import needs_compiler
from tests.library.driver import MACHINES, LibraryDriver, Served
from tests.vectors.reader import STAGES, read_stage
from tests.vectors.replay import differences

pytestmark = needs_compiler


class Held(Beside, LibraryDriver):
    """A run beside the same in the kernel of this process: every output and the whole state have the same bits."""

    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        assert self.save() == self.here.save()

    def close(self):
        assert self.save() == self.here.save()
        super().close()


def replay(served, stage):
    cases = read_stage(stage)
    assert [text for case in cases for text in differences(case, lambda setup: Held(served, setup))] == []
    assert len(cases) > 3


def run_signal(served, signal, timing):
    """Run one of the signals that leave no part of the kernel out."""
    interface = interface_of(signal, timing)
    driver = Held(served, interface=interface)
    found = exchange(driver, random.Random(5), interface.signals["s"].burst)
    assert len({bits(value) for value in found}) > 100
    driver.close()


@pytest.fixture(scope="module")
def served():
    with Served() as started:
        yield started


@pytest.mark.parametrize("stage", STAGES)
def test_the_reference_results_come_out(served, stage):
    replay(served, stage)


@pytest.mark.sample(1)
@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage != "energy"])
def test_the_reference_results_come_out_of_the_smallest_library(stage):
    with Served("plain") as small:
        replay(small, stage)


@pytest.mark.sample(2)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("signal", SIGNALS)
def test_every_part_gives_the_bits_of_the_kernel(served, signal, timing):
    run_signal(served, signal, timing)


@pytest.mark.night("programs for other machines, run by qemu and node")
@pytest.mark.parametrize("machine", MACHINES)
def test_other_machines_give_the_same_bits(machine):
    with Served(machine=machine) as elsewhere:
        for stage in STAGES:
            replay(elsewhere, stage)
        for signal in SIGNALS:
            for timing in ("step", "event"):
                run_signal(elsewhere, signal, timing)
