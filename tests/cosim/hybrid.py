"""Scenarios of the hybrid vehicle and the figures of its two studies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from couplant.cosim.result import Run
from tests.cosim.conftest import EXAMPLES
from tests.unwired import simulate

FOLDER = EXAMPLES / "12_hybrid_vehicle"
BENCH, VEHICLE = "components.bench.parameters.", "components.vehicle.parameters."
SHIFT, RELEASE = 3.2, 8.0
NINE = {
    "base": (),
    "light engine": (f"{BENCH}inertia=0.05",),
    "heavy engine": (f"{BENCH}inertia=0.13",),
    "light clutch": (f"{VEHICLE}clutch.inertia=0.12",),
    "slow driver": (f"{VEHICLE}driver.gain=0.35", f"{VEHICLE}driver.integral=0.25", f"{VEHICLE}driver.lag=0.2"),
    "quick driver": (f"{VEHICLE}driver.gain=0.8", f"{VEHICLE}driver.integral=0.6", f"{VEHICLE}driver.lag=0.05"),
    "heavy vehicle": (
        f"{VEHICLE}mass=1800.0",
        f"{VEHICLE}pedal.start=0.0964",
        f"{BENCH}torque.start=6.863",
        "signals.torque.coupling.start=6.863",
    ),
    "slow air": (f"{BENCH}air.lag=0.3",),
    "soft shafts": (f"{VEHICLE}shaft.stiffness=5000.0", f"{VEHICLE}shaft.damping=60.0"),
}
"""Plants and drivers that no recommendation may make unstable."""

LEARNT = 'signals.torque.coupling.configuration="learnt.toml"'
"""Weights that were learnt on an earlier run, in place of the designed ones."""

ONLINE = (
    'signals.torque.coupling.network={start="linear"}',
    "signals.torque.coupling.learning={cycle_steps=600,judge_steps=500,prior=0.05}",
)
"""Learning that starts as the design, from cycles of 6 s, which have a shift in them, with tests of 5 s."""


class Story(NamedTuple):
    """What a run did to the vehicle."""

    peak: float  # largest moving mean over 80 ms of the torque at the input before the shift, N.m
    at: float  # when, s
    engine: float  # energy from the engine until the release, J
    vehicle: float  # energy into the vehicle until then, J
    distance: float  # m

    @property
    def loss(self) -> float:
        """Return what the coupling added on the way to the vehicle, relative to the energy of the engine [-]."""
        return self.vehicle / self.engine - 1.0


def story(run: Run, kind: str = "values") -> Story:
    """Return the story of a run, with `kind` = reference that of the run without delay."""
    trace = run.traces["torque"]
    torque = (trace.estimate if kind == "values" else trace.reference)[trace.time < SHIFT - 1e-6]
    means = np.convolve(torque, np.full(8, 1 / 8), "valid")
    shown = {name: getattr(one, kind) for name, one in run.watched.items()}
    end = int(np.argmin(np.abs(trace.time - RELEASE)))
    engine, vehicle = (float(shown[f"{name}.energy"][end]) for name in ("bench", "vehicle"))
    first = int(np.argmax(means))
    return Story(means[first], trace.time[first] + 0.035, engine, vehicle, float(shown["vehicle.distance"][-1]))


def runs(name: str, *words: str) -> dict[str, Run]:
    """Return the runs of a scenario of the example by algorithm."""
    return {run.algorithm: run for run in simulate(FOLDER / name, words).runs}
