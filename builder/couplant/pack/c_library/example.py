"""The program that goes along: it couples a sine that comes late, and its first line says what it prints."""

import math
import string
from dataclasses import dataclass

import numpy as np

from couplant.base.paths import resource
from couplant.config import Interface
from couplant.config.interface import Signal
from couplant.pack.c_library.settings import Coded
from couplant.pack.kernel import Kernel
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.guard import UNLIMITED

_LATE = 3  # macro steps, of a signal whose latency stamps tell
_PERIOD = 100  # macro steps in a period of the sine
_STEPS = 200
_SIMPLE = BY_NAME["eros3"]
_USUAL = 0.01  # macro step where the settings leave it to the first step [s]


@dataclass(frozen=True)
class Example:
    """A run that C and Python make with the same numbers."""

    one: Coded
    event: bool
    stamped: bool
    step: float  # macro step and communication step [s]
    late: int  # macro steps
    middle: float  # signal unit
    size: float  # signal unit
    simple: bool  # whether another algorithm runs, for a model of the sender does not foresee a sine

    @property
    def delay(self) -> float:
        """How late the signal is [s]."""
        return round(self.late * self.step, 12)

    @property
    def omega(self) -> float:
        """Angular frequency of the sine [1/s], with few digits."""
        return float(f"{2.0 * math.pi / (_PERIOD * self.step):.3g}")

    def value(self, time: float) -> float:
        """Return the signal at its sender, signal unit, at a `time` [s]."""
        return self.middle + self.size * math.sin(self.omega * time)

    def line(self) -> str:
        """Return the line that the program prints."""
        times = [n * self.step for n in range(_STEPS)]
        inputs = {"y": np.array([self.value(time - self.delay) for time in times])}
        if self.stamped:
            inputs["y_time"] = np.array([time - self.delay for time in times])
        if self.simple:
            inputs["algorithm.selected"] = np.full(_STEPS, float(_SIMPLE.number))
        found = Kernel(self.one.settings).run(inputs, np.array(times), self.step, ["y_hat"])
        true = self.value(times[-1] if self.event else _STEPS * self.step)
        return f"received {inputs['y'][-1]:.3f}, estimated {found[-1, 0]:.3f}, true {true:.3f}"

    def words(self) -> dict[str, str]:
        """Return the words that stand in templates of programs, by their names there."""
        sine = "sin" if (self.middle, self.size) == (0.0, 1.0) else f"{self.middle!r} + {self.size!r} * sin"
        names = self.one.handles()
        get = f"couplant_get(c, {names['y_hat']}, &y_hat);"
        step = f"couplant_step(c, t, {self.step!r});"
        calls = [f"couplant_set(c, {names['y']}, y = {sine}({self.omega!r} * (t - {self.delay!r})));"]
        calls += [f"couplant_set(c, {names['y_time']}, t - {self.delay!r});"] if self.stamped else []
        calls += [get, step] if self.event else [step, get]
        more = f" || couplant_set(c, {names['algorithm.selected']}, {_SIMPLE.number})" if self.simple else ""
        true = f"{sine}({self.omega!r} * {f'(t - {self.step!r})' if self.event else 't'})"
        return {
            "settings": self.one.name, "macro": self.one.macro, "late": str(self.late), "printed": self.line(),
            "steps": str(_STEPS), "step": repr(self.step), "calls": "\n        ".join(calls), "true": true,
            "more": more,
        }  # fmt: skip


def example(interface: Interface, one: Coded) -> Example:
    """Return the example of a signal of an `interface`."""
    section = interface.signals[one.signal]
    middle, size = _range(section)
    stamped = section.latency.mode != "constant"
    late = _LATE if stamped else section.latency.constant_steps
    step = interface.macro_step or _USUAL
    simple = BY_NAME[section.algorithm.selected].needs == "plant"
    return Example(one, interface.timing == "event", stamped, step, late, middle, size, simple)


def _range(section: Signal) -> tuple[float, float]:
    """Return middle and size of a sine that stays within the limits of a signal, signal unit."""
    low, high = section.output.min, section.output.max
    if section.signal.period > 0.0:
        low = low if low > -UNLIMITED else 0.0
        high = low + section.signal.period
    if low > -UNLIMITED and high < UNLIMITED and (low > -1.0 or high < 1.0):
        return 0.5 * (low + high), 0.4 * (high - low)
    if low > -1.0:
        return low + 1.0, 1.0
    return (high - 1.0, 1.0) if high < 1.0 else (0.0, 1.0)


def program(words: dict[str, str], file: str, template: str) -> str:
    """Return the text of a program for the header `file`, from a `template` by its name."""
    text = resource(f"templates/c_library/{template}").read_text(encoding="utf-8")
    return string.Template(text).substitute(words, header=f"{file}.h")
