"""Hits against false flags of both detectors of discontinuities, over the sensitivity, as CSV on standard output.

python benchmarks/detector_roc.py [PICTURE.png], with fmu_src, builder and the root of the project on the path.
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
VALUES = 10_000
DETECTORS = ("spectral", "residual")
SENSITIVITIES = (2.0, 3.0, 4.0, 5.0, 7.0, 10.0)


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


def measure() -> list[list[str | float]]:
    """Return one row for each detector and sensitivity."""
    rows: list[list[str | float]] = []
    for detector in DETECTORS:
        for sensitivity in SENSITIVITIES:
            wrong = len(flags(detector, sensitivity, tone(random.Random(1), VALUES, 0.01))) / VALUES
            shares = [hit_share(detector, sensitivity, size, noise) for size, noise in STEPS]
            rows.append([detector, sensitivity, wrong, *(round(share, 3) for share in shares)])
    return rows


def draw(rows: list[list[str | float]], path: str) -> None:
    """Write a picture: one plot a kind of step, hits over false flags, a line a detector."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.6, 3.0), dpi=120)
    axes = figure.subplots(1, len(STEPS), sharey=True)
    for column, (axis, (size, noise)) in enumerate(zip(axes, STEPS, strict=True), start=3):
        for detector, colour in zip(DETECTORS, ("#ad2119", "#2556d3"), strict=True):
            own = [row for row in rows if row[0] == detector]
            x, y = [max(row[2], 0.5 / VALUES) for row in own], [100.0 * row[column] for row in own]
            axis.plot(x, y, color=colour, marker="o", ms=3.5, label=detector)
            default = SENSITIVITIES.index(5.0)
            axis.plot(x[default], y[default], color=colour, marker="o", ms=9, mfc="none")
        axis.set(xscale="log", xlabel="false flags per value", ylim=(-4, 104))
        axis.set_title(f"step {size:g}, noise {noise:g}" if noise else f"step {size:g}, no noise", fontsize=10)
        axis.grid(color="#e4e7eb")
    axes[0].set_ylabel("steps flagged at once / %")
    axes[0].legend(frameon=False, fontsize=9)
    figure.tight_layout()
    figure.savefig(path, metadata={"Software": None})


def main() -> None:
    """Write the rows; with a file name draw them too."""
    rows = measure()
    out = csv.writer(sys.stdout, lineterminator="\n")
    hits = [f"hit_{size}_noise_{noise}" for size, noise in STEPS]
    out.writerow(["detector", "sensitivity", "false_per_value", *hits])
    out.writerows(rows)
    for path in sys.argv[1:2]:
        draw(rows, path)


if __name__ == "__main__":
    main()
