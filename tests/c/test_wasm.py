"""The kernel without any library, as WebAssembly: it imports nothing and gives the bits of this machine."""

import random

import pytest

from tests.c.signals import PERIOD, SIGNALS, interface_of
from tests.c.wasm import TOKEN, Module, WasmDriver, bits, module, module_of_page, number
from tests.kernel.beside import Beside
from tests.kernel.library import needs_compiler
from tests.vectors.reader import STAGES, read_stage
from tests.vectors.replay import differences

pytestmark = [pytest.mark.needs_system("node"), needs_compiler]
LARGEST, SMALLEST = 191_000, 148_000
"""Size of the module with all that there is, phasors too, made for speed as wheels have it and for size [byte]."""

HEAD = 32
"""Header of a saved state [byte]: the fingerprint and a checksum of what follows, which is compared itself."""

GENERIC = {"algorithm": "auto", "latency": {"mode": "stamps"}}
SETTINGS = f"couplant settings 1\ntoken {TOKEN}\nhash 0000000000000001\n"


@pytest.fixture(scope="module")
def compiled():
    return module()


@pytest.fixture
def running(compiled):
    with Module(compiled) as started:
        yield started


@pytest.mark.landing("compiles for WebAssembly: 4 s of CPU")
def test_it_imports_nothing_and_exports_what_it_says(compiled, running):
    assert running.call("imports") == "0"
    names = set(running.call("exports").split())
    assert {"memory", "calloc", "free", "fmi3InstantiateCoSimulation", "fmi3DoStep", "fmi3SetFMUState"} <= names
    own = {name for name in names if not name.startswith("fmi3")} - {"memory", "calloc", "free", "__stack_pointer"}
    calls = ("open", "reference", "set", "get", "write", "read", "step", "run", "log")
    assert own == {f"couplant_{name}" for name in calls}
    assert compiled.stat().st_size <= LARGEST


@pytest.mark.landing("compiles for the page once more")
def test_the_command_of_the_page_makes_the_same_module(compiled, running):
    """With other optimisations, but equal in all that is asked of it."""
    path = module_of_page()
    assert path.stat().st_size <= SMALLEST
    with Module(path) as by_hand:
        assert by_hand.call("imports") == "0"
        assert set(by_hand.call("exports").split()) == set(running.call("exports").split())
        drivers = [WasmDriver(one, interface=interface_of("everything")) for one in (by_hand, running)]
        found = [exchange(driver, random.Random(3), 3, 100) for driver in drivers]
        assert [*map(bits, found[0])] == [*map(bits, found[1])] and len(set(found[0])) > 50
        assert drivers[0].save() == drivers[1].save()


@pytest.mark.sample(2)
@pytest.mark.parametrize("stage", STAGES)
def test_the_reference_results_come_out(running, stage):
    found = [text for case in read_stage(stage) for text in differences(case, lambda setup: Held(running, setup))]
    assert found == []


class Held(Beside, WasmDriver):
    """A run beside the same in C for this machine: every output and the whole state have the same bits."""

    def committed(self, name):
        value = WasmDriver.get(self, name)  # nothing was set since the step
        assert bits(float(value)) == bits(float(self.here.committed(name))), name
        return value

    def close(self):
        start = HEAD + 16  # the clock says if a preview is due, which faces and kernel keep differently
        assert self.save()[start:] == self.here.save()[start:]
        super().close()


MORE = ("conjugate", "u[1]", "companion[1]", "given[1]", "energy.far_given", "energy.far_passed")
"""Inputs of bonds and models besides those of messages."""


def exchange(driver, chance, burst, steps=250):
    """Run noise and arcs with jumps, lost and late messages; return all estimates."""
    found, more = [], [name for name in MORE if name in driver.references]
    for n in range(steps):
        late = chance.randint(2, 4)
        for i in range(burst):
            sent = max(n - late - i, 0)
            y = (sent % 60 / 30.0 - 1.0) ** 2 + 0.05 * chance.random() + 3.0 * (sent // 150 % 2)
            for name, value in (("y", y), ("y_time", sent * PERIOD), ("y_valid", n >= late + i and n % 53 != 0)):
                driver.set(f"{name}[{i + 1}]" if i else name, value)
        for name in more:
            driver.set(name, chance.uniform(-1.0, 1.0))
        assert driver.step(n * PERIOD, PERIOD)
        found.append(driver.committed("y_hat"))
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("signal", [*SIGNALS, GENERIC], ids=[*SIGNALS, "auto"])
def test_every_part_gives_the_bits_of_this_machine(running, signal, timing):
    interface = interface_of(signal, timing)
    driver = Held(running, interface=interface)
    found = exchange(driver, random.Random(5), interface.signals["s"].burst)
    assert len({bits(value) for value in found}) > 100
    driver.close()


def test_a_saved_state_continues_as_if_nothing_had_been(running):
    driver = WasmDriver(running, interface=interface_of("everything"))
    exchange(driver, random.Random(1), 3, 100)
    state = driver.save()
    driver.set("y", 5.0)
    assert driver.step(100 * PERIOD, PERIOD)
    after = driver.save()
    driver.restore(state)
    driver.set("y", 5.0)
    assert driver.step(100 * PERIOD, PERIOD) and driver.save() == after
    driver.restore(state)
    running.log()
    damaged = bytes([*state[:-1], state[-1] ^ 1])
    assert running.call("restore", damaged.hex()) == "3"
    assert running.log() == "state: state refused: it is damaged\n"
    assert driver.save() == state


def test_memory_is_used_again(running):
    sizes = []
    for _ in range(20):
        driver = WasmDriver(running, interface=interface_of("everything"))
        driver.save()
        driver.close()
        sizes.append(int(running.call("size")))
    assert sizes[1] == sizes[-1] < 4_000_000


def opened(running, text, token=TOKEN):
    return running.call("open", token, text.encode().hex())


def test_what_is_wrong_is_said_in_one_sentence(running):
    assert opened(running, "{}") == "0"
    wrong = "settings: couplant: settings.txt is not a settings file of this version of couplant\n"
    assert running.log() == wrong and running.log() == ""
    assert opened(running, SETTINGS, "another") == "0"
    assert "token is not that of this FMU" in running.log()
    assert opened(running, f"{SETTINGS}start 1 ten\n") == "0"
    assert running.log().count("\n") == 1


def test_several_variables_pass_with_one_call(running):
    driver = WasmDriver(running, interface=interface_of("everything"))
    references = [driver.references[name] for name in ("y", "y_time", "y_valid")]
    words = [part for pair in zip(references, (0.25, 0.0, 1.0), strict=True) for part in (pair[0], bits(pair[1]))]
    assert running.call("write", *words) == "0"
    assert [number(word) for word in running.call("read", *references).split()] == [0.25, 0.0, 1.0]
    words[-1] = bits(0.5)
    assert running.call("write", *words) == "3" and running.log().endswith("y_valid = 0.5, allowed whole numbers\n")
    assert running.call("read", 0) == "refused" and "value reference 0" in running.log()


def test_values_and_steps_that_are_wrong_are_refused(running):
    driver = WasmDriver(running, interface=interface_of("everything"))
    assert running.call("reference", "nonsense") == "0"
    assert running.call("set", 0, bits(1.0)) == "3" and "no variable has the value reference 0" in running.log()
    assert running.call("get", 4711) == bits(float("nan")) and "4711" in running.log()
    selected = driver.references["algorithm.selected"]
    assert running.call("set", selected, bits(99.0)) == "3" and "algorithm.selected = 99" in running.log()
    assert running.call("set", selected, bits(2.5)) == "3" and "algorithm.selected = 2.5" in running.log()
    assert running.call("step", bits(7.0), bits(PERIOD)) == "3" and "current time = 7 s, allowed 0 s" in running.log()
    assert running.call("step", bits(0.0), bits(PERIOD)) == "3" and "not allowed in this state" in running.log()


def test_a_log_that_nobody_reads_does_no_harm(running):
    WasmDriver(running, interface=interface_of("everything"))
    for _ in range(500):
        assert running.call("set", 0, bits(1.0)) == "3"
    told = running.log()
    assert 4000 < len(told) < 4096 and told.startswith("call: no variable")


@pytest.mark.parametrize("name", ["calloc", "free"])
def test_memory_is_all_that_is_exported_of_the_library(running, name):
    assert name in running.call("exports").split()
    assert not {"memcpy", "memset", "strlen"} & set(running.call("exports").split())
