"""How algorithms would do on a recording: their FMUs are fed with it, late, and what they give out is judged.

It is the kernel of the FMU that runs, in this process, with the settings that it would be built with.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from couplant.analysis.signal.recording import Span
from couplant.analysis.signal.way import Way
from couplant.base.arrays import IndexArray, Vector
from couplant.config.frame.read import Content
from couplant.config.interface import Interface
from couplant.config.load import parse_interface
from couplant.config.models import MODEL, companions, model_of
from couplant.config.network import NetworkTable, latency_in
from couplant.pack.kernel import Kernel
from couplant.pack.settings import runtime_settings
from couplant.tables import Recording

_BEFORE = 4000  # macro steps that a run begins before the first one that is judged, at most: nothing remembers longer

_SIGNAL = "y"


def trials(
    recording: Recording, span: Span, way: Way, timing: str, tables: Mapping[str, Content], micro_steps: int = 1
) -> dict[str, Vector]:
    """Return the estimates of algorithms for the communication points of a `span`, by name, as `trial` does.

    `tables` say, by the name of the row, what differs from the default settings of a signal; `micro_steps` are the
    communication steps in a macro step. Raise `UsageError` if an algorithm cannot run with these settings.
    """
    latency = latency_in(way.network)["latency"]
    interface = {"name": "trial", "macro_step": recording.macro_step, "timing": timing}
    found, received = {}, (way.latest(span.last), way.arrivals(span.last))
    for name, table in tables.items():
        signal = {**table, "latency": latency | table.get("latency", {}), "start": float(recording.value[0])}
        document = {"interface": interface, "signals": {_SIGNAL: signal}}
        made, kernel = _prepare(json.dumps(document), name)
        found[name] = _trial(kernel, recording, span, made, _SIGNAL, {}, micro_steps, received)
    return found


@lru_cache(maxsize=32)
def _prepare(document: str, name: str) -> tuple[Interface, Kernel]:
    """Return the settings in a `document` as JSON, kept: recordings are played at many speeds."""
    made = parse_interface(json.loads(document), name)
    return made, Kernel(runtime_settings(made, _SIGNAL))


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
    recording: Recording,
    span: Span,
    interface: Interface,
    signal: str,
    beside: Mapping[str, Vector] | None = None,
    micro_steps: int = 1,
    way: Way | None = None,
) -> Vector:
    """Return the estimates of the FMU of a `signal` for the communication points of a `span`, shape (N,) [signal unit].

    They are what a receiver has at each point from the first to the last macro step, `micro_steps` points in each. The
    recording is on its macro steps, as are the channels `beside` it, by name [their units]. Values pass the network of
    the `way`; without one the latency is the constant one of the settings.
    """
    kernel = Kernel(runtime_settings(interface, signal))
    way = way or Way(NetworkTable(latency_steps=interface.signals[signal].latency.constant_steps))
    received = way.latest(span.last), way.arrivals(span.last)
    return _trial(kernel, recording, span, interface, signal, beside or {}, micro_steps, received)


def _trial(
    kernel: Kernel, recording: Recording, span: Span, interface: Interface, signal: str, beside: Mapping[str, Vector],
    micro_steps: int, received: tuple[IndexArray, IndexArray],
) -> Vector:  # fmt: skip
    """Run the kernel; `received` are the latest and the newly arrived values at each macro step, as a way has them."""
    first = max(0, span.first - _BEFORE)
    now = np.arange(first, span.last)
    sent, news = np.maximum(received[0][first:], 0), received[1][first:] >= first
    inputs = {"y": recording.value[sent], "y_time": recording.macro_step * (sent - first)}
    # channels beside the signal: companions come with the message that was sent
    needed, period = _beside(interface, signal), interface.macro_step
    heard, acting = ([beside[name] for name in names if name in beside] for names in needed)
    inputs |= {f"companion[{i}]": one[sent] for i, one in enumerate(heard, start=1)}
    for i, one in enumerate(acting, start=1):
        slope = (one[np.minimum(sent + 1, now)] - one[sent]) / period
        inputs |= {f"u[{i}]": one[now], f"given[{i}]": one[sent], f"given_slope[{i}]": slope}
    rows = {name: np.repeat(values, micro_steps) for name, values in inputs.items()}
    # a value is news at the first communication point that has it; what was sent before the run began is none
    rows["y_valid"] = np.zeros(now.size * micro_steps)
    rows["y_valid"][::micro_steps] = news
    micro_step = recording.macro_step / micro_steps
    times = micro_step * np.arange(float(now.size * micro_steps))
    found = kernel.run(rows, times, micro_step, ("y_hat",))[:, 0]
    if interface.timing == "step":
        # what a step gives out is for its end: a receiver begins with the value that it starts from
        found = np.concatenate([recording.value[first : first + 1], found[:-1]])
    return found[span.points(micro_steps) - first * micro_steps]
