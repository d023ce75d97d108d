"""The reference result that a coupling FMU carries: inputs, and the outputs that the runtime gives to them.

Both are CSV files with one row for each communication step. Inputs are set at `time`. In step timing outputs are read
after the step, their `time` is its end; in event timing they are read before it, once the inputs are set, and both
times are the same. Real numbers are written so that reading them gives the same bits. If the run ends itself, there are
no outputs from the end of that step on.
"""

from collections.abc import Callable
from dataclasses import dataclass

from couplant.base.written import real
from couplant_runtime.config import Settings
from couplant_runtime.guard import UNLIMITED

INPUTS, OUTPUTS = "extra/couplant/inputs.csv", "extra/couplant/outputs.csv"
TIME, STEP_SIZE = "time", "step_size"

_STEPS = 70
_HALVED = range(64, 70)
_JUMP = 42
_NO_NEWS = range(54, 60)
_COSINE, _SINE = 0.96, 0.28
_LATENCIES = (3, 3, 4, 2, 3)
_EARLIER = 0.25
_PERIOD = 0.01


@dataclass(frozen=True)
class Row:
    """One communication step and its inputs."""

    time: float  # communication point, s
    step_size: float  # communication step, s
    inputs: dict[str, float]  # values by name


Run = Callable[[Settings, list[Row]], list[list[float]]]
"""Gives the outputs, in the order of the variables, at each row up to that in which the run ends itself."""


def reference_files(settings: Settings, run: Run) -> dict[str, bytes]:
    """Return `INPUTS` and `OUTPUTS` of an FMU; the same on every machine, because only + - × ÷ are used.

    Who calls says how settings `run`.
    """
    rows = _rows(settings)
    kinds = {variable.name: variable.kind for variable in settings.variables()}
    names = [name for name in rows[0].inputs if name in kinds]
    outputs = [variable for variable in settings.variables() if variable.causality == "output"]
    inputs = [[real(r.time), real(r.step_size), *(_text(r.inputs[key], kinds[key]) for key in names)] for r in rows]
    results = []
    for row, values in zip(rows, run(settings, rows), strict=False):
        time = row.time if settings.event else row.time + row.step_size
        results.append([real(time), *(_text(one, v.kind) for one, v in zip(values, outputs, strict=True))])
    return {
        INPUTS: _csv([TIME, STEP_SIZE, *names], inputs),
        OUTPUTS: _csv([TIME, *(variable.name for variable in outputs)], results),
    }


def _rows(settings: Settings) -> list[Row]:
    """Return a tone, a jump, steps without news, and macro steps in two halves at the end."""
    start = dict(zip((v.name for v in settings.variables()), settings.start, strict=True))
    period, stamped = start["macro_step"] or _PERIOD, start["latency.mode"] != 1.0
    values, rows = _signal(start), []
    for n in range(_STEPS):
        k = _LATENCIES[n % len(_LATENCIES)] if stamped else 0
        inputs = {"y": values[max(n - k, 0)], "y_valid": float(n >= k and n not in _NO_NEWS)}
        if stamped:
            inputs["y_time"] = (n - k - _EARLIER) * period
        inputs |= {name: values[n] for name in ("u", "conjugate") if name in start}
        parts = 2 if n in _HALVED else 1
        rows += [Row((n + i / parts) * period, period / parts, inputs) for i in range(parts)]
    return rows


def _signal(start: dict[str, float]) -> list[float]:
    """Return a tone of 22 macro steps that jumps by four times its amplitude, beyond limits if there are two.

    The tone turns a vector by an angle whose cosine and sine are exact fractions, so no libm has a part in it.
    """
    low, high = start["output.min"], start["output.max"]
    bounded = low > -UNLIMITED and high < UNLIMITED
    middle = low / 2 + high / 2 if bounded else start["y"]
    amplitude = (high / 2 - low / 2) / 4 if bounded and high > low else 1.0
    values, cosine, sine = [], 1.0, 0.0
    for n in range(_STEPS):
        value = middle + amplitude * (sine + (4.0 if n >= _JUMP else 0.0))
        values.append(min(max(value, -UNLIMITED), UNLIMITED))  # wide limits reach beyond what a double holds
        cosine, sine = _COSINE * cosine - _SINE * sine, _SINE * cosine + _COSINE * sine
    return values


def _text(value: float, kind: str) -> str:
    return real(value) if kind == "real" else str(int(value))


def _csv(headings: list[str], rows: list[list[str]]) -> bytes:
    return "".join(",".join(row) + "\n" for row in [headings, *rows]).encode()
