"""The two-mass oscillator in step timing, 100 s, in hosts that read outputs again and in those that do not."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from couplant.pack.settings import runtime_settings
from tests.kernel.library import Kernel
from tests.networks.loop import CC, DC, MASS_1, MASS_2, STEP, Link, Network, force_at, reference
from tests.runtime.runs import interface

COUNT = 5001
WINDOW = 250
HOST_LEAD = {"reads_again": (0.0, 0.0, 0.0), "jacobi": (1.0, 1.0, 0.0)}


@lru_cache
def settings(algorithm: str, jitter: int, k: int, host_lead: float, hold_lead: float):
    """Return the runtime settings of a signal, with stamps where the latency varies."""
    latency = {"mode": "stamps"} if jitter else {}
    latency |= {"host_lead": host_lead, "hold_lead": hold_lead}
    return runtime_settings(interface(algorithm, 0 if jitter else k, "step", STEP, latency=latency), "s")


class Coupling:
    """The C kernel on one signal; tests/twin holds that the Python runtime gives the same bits."""

    def __init__(self, known) -> None:
        self.kernel = Kernel(known)
        self.kernel.init(0.0)

    def estimate(self, n: int, messages: list[tuple[int, float]]) -> float:
        """Return the estimate for the end of macro step n."""
        given = self.kernel.state.input
        given.y_valid = 1
        given.y, given.y_time = (messages[0][1], messages[0][0] * STEP) if messages else (0.0, -1.7976931348623157e308)
        self.kernel.step(n * STEP, STEP)
        return self.kernel.state.reconstruction.y_hat


@lru_cache
def step_loop(
    algorithm: str, host: str, k: int, jitter: int = 0, hold_lead: float = 0.0, both: bool = False, seed: int = 1
):
    """Return MAE against the reference and the growth of signals and of estimates over the last 5 s."""
    leads = HOST_LEAD[host]
    couplings = [Coupling(settings(algorithm, jitter, k, lead, hold_lead)) for lead in leads]
    links = [Link(Network(k, k + jitter), 100 * seed + i) for i in range(3)]
    x, z, now, before = np.zeros(2), np.zeros(2), np.zeros(3), np.zeros(3)
    sent, given = np.zeros((2, COUNT, 3))
    for n in range(COUNT):
        given[n] = now
        there = now if host == "reads_again" else before
        sent[n] = *x, CC * (z[0] - there[0]) + DC * (z[1] - there[1])
        force = force_at(n)
        x = MASS_1 @ np.concatenate([x, now[2:], [0.0], force])
        z = MASS_2 @ np.concatenate([z, now[:2], [0.0, 0.0], force if both else [0.0] * 3])
        before = now
        now = np.array([couplings[i].estimate(n, links[i].pass_on(n, sent[n, i])) for i in range(3)])
    mae = float(np.abs(given - reference(both, COUNT)).mean(axis=0).sum())
    return mae, _growth(sent), _growth(given)


def _growth(values) -> float:
    with np.errstate(over="ignore"):
        last, earlier = values[-WINDOW:], values[-2 * WINDOW : -WINDOW]
        return float(np.sqrt((last**2).mean() / (earlier**2).mean()))
