"""States whose content was changed and whose checksum was mended, through both runtimes side by side."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

from couplant_runtime.config import Settings
from couplant_runtime.state import Clock, State

from .pair import Pair, any_number
from .scenario import run, some_settings

LEAST = {"q": -(2**63), "i": -(2**31), "B": 0}
MOST = {"q": 2**63 - 1, "i": 2**31 - 1, "B": 255}
NEAR = (-65, -2, -1, 0, 1, 2, 3, 7, 8, 9, 12, 16, 32, 63, 64, 65, 66, 127, 128, 129, 256, 1000)


def places(s: State) -> list[tuple[str, str, str, int]]:
    """Return record, field, code of `struct` and count of all fields that a state has."""
    return [(name, *field) for name in s.names() for field in getattr(s, name).FIELDS]


def another(chance: random.Random, code: str, value: float) -> float:
    """Return a number that fits the place, near to the old one or anywhere."""
    if code == "d":
        return chance.choice((any_number(chance), any_number(chance), value + 1.0, -value, value * 1e3))
    wild = (LEAST[code], MOST[code], chance.randint(LEAST[code], MOST[code]), 9 * 10**15, int(value) ^ 1 << 5)
    number = chance.choice((*wild, chance.choice(NEAR), chance.choice(NEAR), int(value) + chance.choice(NEAR)))
    return min(max(number, LEAST[code]), MOST[code])


def changed(chance: random.Random, s: State) -> State:
    """Return a copy with one field changed, sometimes more."""
    s = s.copy()
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        name, field, code, count = chance.choice(places(s))
        record = getattr(s, name)
        value = getattr(record, field)
        if count == 1:
            setattr(record, field, another(chance, code, value))
        else:
            at = chance.choice((0, count - 1, chance.randrange(count)))
            value[at] = another(chance, code, value[at])
    return s


def go_on(pair: Pair, chance: random.Random, steps: int) -> None:
    """Step, read and ask for derivatives; initialise first where that was still to be done."""
    if not pair.running and not pair.init(pair.time):
        return
    kernel = pair.kernel
    for _ in range(steps):
        pair.set("y_valid", 1)
        pair.set("y", chance.uniform(-1.0, 1.0))
        late = pair.period * chance.choice((0.0, 1.0, 2.5, 6.0))
        pair.set("y_time", chance.choice((pair.time - late, any_number(chance))))
        pair.preview()
        kernel.lib.cp_coupling_gain(kernel.settings, ctypes.byref(kernel.seen), True)
        pair.step(pair.time, pair.period * chance.choice((1.0, 1.0, 0.3, 5.0)) or 0.01)
    pair.closing()


def run_changed(seed: int, tries: int, make: Callable[[random.Random], Settings] = some_settings) -> tuple[int, int]:
    """Change the state of a random run `tries` times; return how many were refused and how many accepted."""
    chance = random.Random(seed)
    pair = run(seed, chance.choice((0, 1, 5, 40, 150)), make)
    honest = State.copy(pair.state)
    clock = Clock(0.0, int(pair.running), 1)
    counts = [0, 0]
    for _ in range(tries):
        assert pair.restore(honest.serialise(pair.settings.fingerprint, clock))
        before = pair.state.pack()
        state = changed(chance, honest)
        running = chance.choice((clock.running, clock.running, 0, 1))
        if pair.restore(state.serialise(pair.settings.fingerprint, Clock(0.0, running, 1))):
            counts[1] += 1
            go_on(pair, chance, 6)
        else:
            counts[0] += 1
            assert pair.state.pack() == before == bytes(pair.kernel.state)
    return counts[0], counts[1]
