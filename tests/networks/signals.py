"""The signals on which algorithms and detectors are compared: 1500 values, ΔT = 0.02 s unless said."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path

import numpy as np

from tests.networks.loop import STEP, reference

COUNT = 1500
RECORDINGS = Path(__file__).resolve().parents[2] / "examples" / "03_recording"


@lru_cache
def signals() -> dict[str, np.ndarray]:
    """Return the values by name; the recordings of torque as far as the project carries them."""
    chance = np.random.default_rng(5)
    t = np.arange(COUNT) * STEP
    free = reference(False)
    force, place = free[:, 2], free[:, 0]
    tones = np.sin(1.5 * t) + 0.3 * np.sin(6.0 * t + 1.0)
    chirp = np.sin(np.cumsum(np.geomspace(0.3, 30.0, COUNT)) * STEP)
    third = COUNT // 3
    found = {
        "force": force,
        "place": place,
        "noisy force": force + 0.01 * force.std() * chance.standard_normal(force.size),
        "tones": tones,
        "noisy tones": tones + 0.03 * tones.std() * chance.standard_normal(COUNT),
        "chirp": chirp,
        "levels": np.repeat(chance.standard_normal(40), 38)[:COUNT],
        "walk": np.cumsum(chance.standard_normal(COUNT)),
        "noise": chance.standard_normal(COUNT),
        "sawtooth": (t % 2.0) / 2.0,
        "cusps": np.abs(np.sin(2.2 * t)),
        "changing": np.concatenate([np.ones(third), 1.0 + np.sin(6.0 * t[:third]), chance.standard_normal(third)]),
    }
    return found | {path.stem: _torque(path) for path in sorted(RECORDINGS.rglob("torque_*.csv"))}


def _torque(path: Path) -> np.ndarray:
    with path.open(encoding="utf-8", newline="") as file:
        return np.array([float(row["torque_Nm"]) for row in csv.DictReader(file)])
