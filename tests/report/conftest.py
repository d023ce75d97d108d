"""Results with known contents: decaying sines, errors of known size, unstable runs that double every 5 s."""

from __future__ import annotations

import numpy as np
import pytest

from couplant.cosim.result import Courses, Figures, Result, Run
from couplant.cosim.traces import Trace
from tests.analysis.conftest import oscillator  # noqa: F401
from tests.bench.conftest import bench, library, reference  # noqa: F401
from tests.sweep.conftest import loaded  # noqa: F401

CODES = {"zoh": 1, "foh": 2, "smb": 3, "eros3": 4, "eros4": 5, "linear": 6}
UNITS = {"f": "N", "x1": "m", "v1": "m/s"}


def build_trace(name, algorithm, error, rate, rows, step=0.02):
    time = np.arange(rows) * step
    course = np.sin(1.4 * time) * np.exp(-0.01 * time)
    estimate = (course + error * np.cos(9.0 * time)) * np.exp((rate + 0.01) * time)
    received = np.full(rows, np.nan)
    received[3:] = course[:-3]
    return Trace(
        name=name,
        unit=UNITS.get(name, "1"),
        time=time,
        reference=course,
        sent=course,
        received=received,
        estimate=estimate,
        active=np.full(rows, CODES.get(algorithm, 6)),
        state=np.full(rows, 2),
        detected=np.zeros(rows, dtype=bool),
        limited=np.zeros(rows, dtype=bool),
    )


def build_metrics(trace, rate):
    error = np.abs(trace.estimate - trace.reference)
    long = len(trace.time) * 0.02 > 10.0
    growth = float(np.exp(5.0 * rate)) if long else None
    mae, size = float(error.mean()), float(np.sqrt(np.mean(trace.reference**2)))
    figures = {"error": 100.0 * mae / size if size > 0.0 else None, "mae": mae, "max": float(error.max())}
    return figures | {"growth": growth, "C": 1.5, "M": 0.5, "P": None}


def build_run(algorithm, timing, error, rate=-0.01, rows=1251, signals=("f", "x1", "v1")):
    traces = {name: build_trace(name, algorithm, error, rate, rows) for name in signals}
    per_signal = {name: build_metrics(trace, rate) for name, trace in traces.items()}
    first = next(iter(per_signal.values()))
    total = first | {"mae": sum(figures["mae"] for figures in per_signal.values())}
    return Run(algorithm, timing, Courses(traces), Figures(total, per_signal))


CLOSED_LOOP = {
    "components": {"mass_1": {"model": "mass_1"}, "mass_2": {"model": "mass_2"}},
    "signals": {"f": {"from": "mass_2.f", "to": ["mass_1.f"]}},
}


def build_result(runs, name="two masses", settings=None):
    return Result(name, 0.02, 3, list(runs), CLOSED_LOOP if settings is None else settings)


@pytest.fixture
def canonical():
    """Ten runs of three signals, ZOH unstable, EROS4 best."""
    errors = {"zoh": 0.4, "foh": 0.02, "smb": 0.021, "eros3": 0.004, "eros4": 0.002}
    runs = [
        build_run(name, timing, error, rate=np.log(2.0) / 5.0 if name == "zoh" else -0.01)
        for timing in ("event", "step")
        for name, error in errors.items()
    ]
    return build_result(runs)


@pytest.fixture
def make_run():
    return build_run


@pytest.fixture
def make_result():
    return build_result
