"""Hits against false flags of both detectors of discontinuities, over the sensitivity, as CSV on standard output.

python benchmarks/detector_roc.py, with fmu_src, builder and the root of the project on the path.
"""

from __future__ import annotations

import csv
import math
import random
import sys

from tests.runtime.runs import STEP, coupling, give, limit

TURN = limit("eros3", 3, "event")
STEPS = ((0.1, 0.0), (0.3, 0.01), (1.0, 0.01), (1.0, 0.1))
TRIALS = 60


def flags(detector: str, sensitivity: float, values: list[float]) -> list[int]:
    """Return the values that are flagged."""
    driver = coupling("zoh", 0, discontinuity={"enabled": True, "detector": detector, "sensitivity": sensitivity})
    found = []
    for n, y in enumerate(values):
        give(driver, y)
        driver.step(n * STEP, STEP)
        found += [n] * driver.get("discontinuity.detected")
    return found


def tone(chance: random.Random, count: int, noise: float) -> list[float]:
    """Return a noisy sine at the limit of EROS3 at k = 3."""
    phase = chance.uniform(0.0, 6.28)
    return [math.sin(TURN * n + phase) + noise * chance.gauss(0.0, 1.0) for n in range(count)]


def hit_share(detector: str, sensitivity: float, size: float, noise: float) -> float:
    """Return the share of steps that are flagged at once."""
    chance, found = random.Random(7), 0
    for _ in range(TRIALS):
        at = chance.randint(50, 90)
        values = tone(chance, at + 1, noise)
        values[at] += size * chance.choice((-1.0, 1.0))
        found += at in flags(detector, sensitivity, values)
    return found / TRIALS


def main() -> None:
    """Write one row for each detector and sensitivity."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    hits = [f"hit_{size}_noise_{noise}" for size, noise in STEPS]
    out.writerow(["detector", "sensitivity", "false_per_value", *hits])
    for detector in ("spectral", "residual"):
        for sensitivity in (2.0, 3.0, 4.0, 5.0, 7.0, 10.0):
            wrong = len(flags(detector, sensitivity, tone(random.Random(1), 10000, 0.01))) / 10000
            shares = [hit_share(detector, sensitivity, size, noise) for size, noise in STEPS]
            out.writerow([detector, sensitivity, wrong, *(round(share, 3) for share in shares)])


if __name__ == "__main__":
    main()
