"""Times of a step of entries on this machine: those of couplant as C in the kernel, all others in Python."""

import time
from collections.abc import Mapping, Sequence

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.style import WIRE
from couplant.config.load import parse_interface
from couplant.config.own import find_algorithm
from couplant.lab.arena.entries import OURS, Entry
from couplant.lab.arena.signals import GENERATORS
from couplant.pack.kernel import Kernel
from couplant.pack.settings import runtime_settings

_K, _MACRO_STEP, _COUNT, _ROUNDS = 4, 0.01, 1500, 3


def step_times(entries: Sequence[Entry]) -> Mapping[str, float]:
    """Return the time of a step of each entry [ns], the least of a few rounds over one signal.

    Of entries of couplant it is that of all stages in C, of others that of their own calls in Python. An entry that
    must know the loop is left out, for this is none; so is the wire, which takes none.
    """
    values = GENERATORS["multisine"][0](np.random.default_rng(1), _COUNT, _MACRO_STEP)
    there = [entry for entry in entries if entry.name != WIRE and entry.register(None)]
    return {
        entry.name: min((_kernel if entry.side == OURS else _python)(entry.name, values) for _ in range(_ROUNDS))
        for entry in there
    }


def _kernel(name: str, values: Vector) -> float:
    signal = {"algorithm": name, "latency": {"constant_steps": _K}}
    interface = {"name": "times", "macro_step": _MACRO_STEP, "timing": "event"}
    made = parse_interface({"interface": interface, "signals": {"y": signal}}, name)
    kernel = Kernel(runtime_settings(made, "y"))
    inputs, times = {"y": values, "y_valid": np.ones(_COUNT)}, _MACRO_STEP * np.arange(float(_COUNT))
    kernel.run(inputs, times, _MACRO_STEP, ("y_hat",))  # loads the library
    begin = time.perf_counter_ns()
    kernel.run(inputs, times, _MACRO_STEP, ("y_hat",))
    return (time.perf_counter_ns() - begin) / _COUNT


def _python(name: str, values: Vector) -> float:
    found = find_algorithm(name)
    if found is None:
        raise KeyError(name)
    one = found.runtime(_MACRO_STEP)
    m = one.values(_K)
    windows = [values[n : n + m][::-1].tolist() for n in range(_COUNT - m)]
    begin = time.perf_counter_ns()
    for past in windows:
        if one.learns:
            one.body.learn(past, _K)
        one.body.estimate(past, _K)
    return (time.perf_counter_ns() - begin) / len(windows)
