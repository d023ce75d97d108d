"""The reference result by the Python runtime."""

from __future__ import annotations

from collections.abc import Iterator

from couplant.pack.reference import Row
from couplant_runtime import step as runtime
from couplant_runtime.checks import get_value, put_value
from couplant_runtime.config import Settings


def python_run(settings: Settings, rows: list[Row]) -> list[list[float]]:
    """Return the outputs at each row, as `couplant.pack.reference.Run` says."""
    return list(_outputs(settings, rows))


def _outputs(settings: Settings, rows: list[Row]) -> Iterator[list[float]]:
    variables = {variable.name: variable for variable in settings.variables()}
    outputs = [variable for variable in variables.values() if variable.causality == "output"]
    state = runtime.reset(settings)
    runtime.init(settings, state, 0.0)
    for row in rows:
        for name, value in row.inputs.items():
            variable = variables[name]
            put_value(state, variable, value if variable.kind == "real" else int(value))
        if settings.event:
            ahead = runtime.preview(settings, state, True)
            yield [get_value(ahead, variable) for variable in outputs]
        runtime.step(settings, state, row.time, row.step_size)
        if state.quality.stopped:
            return
        if not settings.event:
            yield [get_value(state, variable) for variable in outputs]
