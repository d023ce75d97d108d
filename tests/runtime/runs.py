"""Short ways to run a coupling on a signal in this process."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

from couplant.analysis.algorithms import generic
from couplant.analysis.limits import limit_frequencies
from couplant.config import parse_interface
from couplant_runtime.algorithms import ROWS
from couplant_runtime.algorithms.rows import PURE
from couplant_runtime.generated.numbers import ENUMERATIONS
from tests.drivers import PythonDriver
from tests.vectors.reader import Setup

STEP = 0.01
GENERIC = tuple(PURE)
DEGREE = defaultdict(int, foh=1, smb=1, eros3=2, eros4=2)
"""Of the polynomials that an algorithm continues without error at the end of a macro step; all keep constants."""
ALL = (*GENERIC, "smb")
ACTIVE = {0: "none"} | {number: row.name for number, row in ROWS.items()}
STATES = {number: name for name, number in ENUMERATIONS["State"].items()}


def interface(algorithm="foh", k=0, timing="step", macro_step=STEP, **sections):
    """Return the configuration of one signal `s`; `bond` is that of which it is an end."""
    latency = {"constant_steps": k, **sections.pop("latency", {})}
    bonds = {"bonds": {"b": sections.pop("bond")}} if "bond" in sections else {}
    signal = {"debug": True, "algorithm": algorithm, "latency": latency, **sections}
    common = {"name": "i", "macro_step": macro_step, "timing": timing}
    return parse_interface({"interface": common, "signals": {"s": signal}, **bonds}, "test")


def coupling(algorithm="foh", k=0, timing="step", macro_step=STEP, start_time=0.0, **sections) -> PythonDriver:
    """Return an initialised coupling in constant latency, or in stamps with `latency={"mode": "stamps"}`."""
    return PythonDriver(Setup(start_time=start_time), interface(algorithm, k, timing, macro_step, **sections))


def give(driver, y, stamp=None, valid=True):
    """Set the inputs."""
    driver.set("y", y)
    driver.set("y_valid", valid)
    if stamp is not None:
        driver.set("y_time", stamp)


def estimates(driver, values, drop=(), first=0) -> list[float]:
    """Return what is given out at the end of each macro step; the values at the steps in `drop` do not arrive."""
    out = []
    for n, y in enumerate(values, start=first):
        give(driver, y, valid=n not in drop)
        assert driver.step(n * STEP, STEP)
        out.append(driver.get("y_hat"))
    return out


def delayed(signal: Callable[[float], float], k: int, steps: int) -> list[float]:
    """Return the values that arrive k macro steps late: at macro step n the one of n - k."""
    return [signal(n - k) for n in range(steps)]


def shown(driver) -> list[str]:
    """Return the names of the variables."""
    return [variable.name for variable in driver.slave.settings.variables()]


def names(driver) -> tuple[str, str]:
    """Return active algorithm and state in words."""
    return ACTIVE[driver.get("algorithm.active")], STATES[driver.get("state")]


def limit(algorithm: str, k: int, timing: str = "step") -> float:
    """Return the limit frequency of an algorithm [rad per macro step]."""
    return limit_frequencies(generic(algorithm, k), timing).limit * math.pi


def rms(errors: list[float]) -> float:
    """Return the root mean square."""
    return math.sqrt(sum(error * error for error in errors) / len(errors))
