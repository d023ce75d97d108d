"""How algorithms would do on a recording: their FMUs are fed with it, late, and what they give out is judged.

It is the runtime of the FMU that runs, in this process, with the settings that it would be built with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from couplant.analysis.signal.recording import Span
from couplant.base.arrays import Vector
from couplant.config.frame.read import Content
from couplant.config.interface import Interface
from couplant.config.load import parse_interface
from couplant.config.models import MODEL, companions, model_of
from couplant.pack.settings import runtime_settings
from couplant.tables import Recording
from couplant_runtime import step
from couplant_runtime.state import State

_BEFORE = 4000
"""Macro steps that a run begins before the first one that is judged, at most: nothing remembers longer."""

_SIGNAL = "y"


def trials(recording: Recording, span: Span, k: int, timing: str, tables: Mapping[str, Content]) -> dict[str, Vector]:
    """Return the estimates of algorithms for each macro step of a `span`, by name, each of shape (`span.size`,).

    Parameters
    ----------
    k : int
        Latency, macro steps.
    timing : {"event", "step"}
        When estimates take effect.
    tables : mapping of str to dict
        What differs from the default settings of a signal, by the name of the row.

    Raises
    ------
    UsageError
        If an algorithm cannot run with these settings.
    """
    latency = {"mode": "constant", "constant_steps": k}
    interface = {"name": "trial", "macro_step": recording.macro_step, "timing": timing}
    found = {}
    for name, table in tables.items():
        signal = {**table, "latency": latency | table.get("latency", {}), "start": float(recording.value[0])}
        made = parse_interface({"interface": interface, "signals": {_SIGNAL: signal}}, name)
        found[name] = trial(recording, span, made, _SIGNAL)
    return found


def channels_beside(interface: Interface, signal: str) -> tuple[str, ...]:
    """Return the channels that the FMU of a `signal` needs besides: companions, and what goes to their prototype."""
    heard, inputs = _beside(interface, signal)
    return *heard, *inputs


def _beside(interface: Interface, signal: str) -> tuple[Sequence[str], Sequence[str]]:
    model, derivative = model_of(interface.models, signal), interface.signals[signal].derivative
    if model is not None and interface.signals[signal].algorithm.selected == MODEL:
        return companions(model, signal), model.inputs
    return [derivative] if derivative else [], ()


def trial(
    recording: Recording, span: Span, interface: Interface, signal: str, beside: Mapping[str, Vector] | None = None
) -> Vector:
    """Return the estimates of the FMU of a `signal` for each macro step of a `span`, shape (`span.size`,).

    Its latency is constant, and the recording is on its macro steps, as are the channels `beside` it, by name [their
    units].
    """
    settings, late = runtime_settings(interface, signal), int(interface.timing == "step")
    k, period = interface.signals[signal].latency.constant_steps, recording.macro_step
    state = step.reset(settings)
    step.init(settings, state, 0.0)
    first = max(0, span.first - _BEFORE)
    value, given = recording.value.tolist(), np.empty(span.last - first)
    given[0] = value[first]
    tell = _teller(interface, signal, beside or {}, period)
    for n in range(span.last - first - late):
        sent = first + n - k
        state.input.y, state.input.y_valid = value[max(sent, 0)], int(sent >= 0)
        tell(state, first + n, max(sent, 0))
        step.step(settings, state, n * period, period)
        given[n + late] = state.reconstruction.given
    return given[span.first - first :]


def _teller(
    interface: Interface, signal: str, beside: Mapping[str, Vector], period: float
) -> Callable[[State, int, int], None]:
    """Return a function that sets inputs from other channels at a macro step, and when the message was sent."""
    needed = _beside(interface, signal)
    heard, inputs = ([beside[name].tolist() for name in names if name in beside] for names in needed)

    def tell(state: State, now: int, sent: int) -> None:
        for i, one in enumerate(heard):
            state.plant.companion[i] = one[sent]
        for i, one in enumerate(inputs):
            state.plant.u[i], state.plant.given[i] = one[now], one[sent]
            state.plant.given_slope[i] = (one[min(sent + 1, now)] - one[sent]) / period

    return tell
