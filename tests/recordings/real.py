"""The real signals of README.md through the kernel of the FMU, one after the other."""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from couplant.config.load import parse_interface
from couplant.pack.settings import runtime_settings
from tests.kernel.library import Kernel

FOLDER = Path(__file__).parent


class Channel(NamedTuple):
    """One channel: what it is of, its values, macro step [s] and latency [macro steps]."""

    name: str
    kind: str
    recording: str
    value: np.ndarray
    macro_step: float
    k: int

    def share(self, algorithm: str, after: float = 0.0) -> float:
        """Return the rms error of an algorithm at macro points over that of ZOH, `after` a share of the values, -."""
        first = max(self.k, int(after * self.value.size))
        true, held = self.value[first:], self.value[first - self.k : -self.k]
        error = self.estimates(algorithm)[first:] - true
        return float(np.sqrt(np.mean(error**2) / np.mean((held - true) ** 2)))

    def estimates(self, algorithm: str) -> np.ndarray:
        """Return what the kernel gives out at macro points with default settings, event timing."""
        latency = {"mode": "constant", "constant_steps": self.k}
        signal = {"algorithm": algorithm, "latency": latency, "start": float(self.value[0])}
        interface = {"name": "real", "macro_step": self.macro_step, "timing": "event"}
        parsed = parse_interface({"interface": interface, "signals": {"y": signal}}, "real")
        kernel = Kernel(runtime_settings(parsed, "y"))
        kernel.init(0.0)
        found = np.empty(self.value.size)
        for n in range(found.size):
            kernel.state.input.y, kernel.state.input.y_valid = self.value[max(n - self.k, 0)], int(n >= self.k)
            kernel.step(n * self.macro_step, self.macro_step)
            found[n] = kernel.state.reconstruction.given
        return found


def channels() -> list[Channel]:
    """Return all channels of the list."""
    value = np.load(FOLDER / "real.npz")
    with (FOLDER / "channels.csv").open(encoding="utf-8") as file:
        return [
            Channel(row["name"], row["kind"], row["recording"], value[row["name"]].astype(float),
                    float(row["sample_time"]), int(row["k"]))
            for row in csv.DictReader(file)
        ]  # fmt: skip
