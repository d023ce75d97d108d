"""Judge a run: from its recording to traces and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import Vector
from couplant.base.style import WIRE
from couplant.config import Interface
from couplant.config.latency import proposal, worth_trying
from couplant.config.models import MODEL
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.judgement import metrics
from couplant.cosim.judgement.bond_traces import bond_traces
from couplant.cosim.judgement.metrics import figures_of
from couplant.cosim.result import Courses, Energy, Figures, Run, Theory
from couplant.cosim.run.master import Recording
from couplant.cosim.traces import Trace, Watched
from couplant.cosim.wiring.components import LEADING, STATUS, Coupled
from couplant.cosim.wiring.coupling import InProcess, offset_of
from couplant.cosim.wiring.links import COUNTS, WEIGHTS, arrival, coupling_name, network_name
from couplant_runtime.algorithms import ALL
from couplant_runtime.algorithms.rows import PLACE
from couplant_runtime.generated.algorithms import AUTO

OWN = len(ALL) + 1
"""Number that stands for the algorithm of the user's that a run is named after, where numbers tell what was active."""

_SLACK = 1e-6  # share of a macro step by which a time may be off [-]


def judge_run(
    loaded: Loaded, coupled: Coupled, reference: Mapping[Ref, Vector], recording: Recording, said: Sequence[str] = ()
) -> Run:
    """Return the records of a run; `reference` is the delay-free solution at the recorded points, shape (N,).

    `said` are the warnings of its FMUs.
    """
    tables = loaded.scenario.signals.items()
    points = round(loaded.scenario.macro_step / float(recording.time[1] - recording.time[0]))
    late = points if coupled.timing == "step" else 0
    traces = {}
    for name, table in tables:
        if table.judge:
            in_process = isinstance(coupled.settings[name], InProcess)
            trace = _since(loaded, _trace(loaded, name, recording, reference[table.judged_against], in_process), late)
            traces[name] = replace(trace, offset=offset_of(coupled.settings[name], name))
    watched = watched_of(loaded, reference, recording)
    debug = {name: _log(name, recording) for name, table in tables if table.debug and coupled.algorithm != WIRE}
    learnt, messages = {}, {}
    for name in (name for name, one in coupled.settings.items() if isinstance(one, Interface | InProcess)):
        # at the end of the run: weights in use, and counts of messages
        last = {ref.variable: v[-1] for ref, v in recording.watched.items() if ref.component == coupling_name(name)}
        if weights := tuple(float(value) for key, value in last.items() if key.startswith(WEIGHTS)):
            learnt[name] = weights
        if counts := {key: int(last[f"messages.{key}"]) for key in COUNTS if f"messages.{key}" in last}:
            messages[name] = counts
    own = figures_of(loaded.scenario.figures, traces, watched)
    numbers = replace(run_figures(traces), own=own, learnt=learnt, messages=messages)
    courses = Courses(traces, watched, debug or None, tuple(said))
    energy = Energy(bond_traces(loaded, recording, coupled.timing))
    in_process = any(isinstance(one, InProcess) for one in coupled.settings.values())
    return Run(coupled.algorithm, coupled.timing, courses, numbers, _theory(loaded, coupled), energy, in_process)


def _theory(loaded: Loaded, coupled: Coupled) -> Theory:
    """Return the spectral radius of a run, and what is said about leads for the receiver's hold."""
    from couplant.cosim.judgement.stability import (
        stability_of,  # loads scipy, which the processes of a bench do without
    )

    found = stability_of(loaded, coupled.settings, coupled.timing)
    made = {name: one for name, one in coupled.settings.items() if isinstance(one, Interface)}
    given = [(name, one.signals[name]) for name, one in made.items() if coupled.timing == "step"]
    proposed = tuple(name for name, s in given if proposal(s.latency, s.algorithm.selected) > 0.0)
    to_try = tuple(name for name, s in given if worth_trying(s.latency, s.algorithm.selected) and name not in proposed)
    held = tuple(n for n, s in given if made[n].added[n].hold and s.algorithm.selected != MODEL)
    return Theory(None if found is None else found.radius, proposed, to_try, held)


def _since(loaded: Loaded, trace: Trace, late: int) -> Trace:
    """Return a trace that knows from when on it is judged, in step timing `late` by the points of a macro step."""
    scenario = loaded.scenario
    recorded = scenario.components[scenario.signals[trace.name].source.component].recording is not None
    first = int(np.isfinite(trace.received).argmax()) + late if recorded else 0
    if scenario.judge_from is not None:
        first = max(first, int(np.searchsorted(trace.time, scenario.judge_from - _SLACK * scenario.macro_step)))
    return replace(trace, since=min(first, trace.time.size - 1), recorded=recorded)


def watched_of(loaded: Loaded, reference: Mapping[Ref, Vector], recording: Recording) -> dict[str, Watched]:
    """Return the outputs that a scenario wants to be kept besides its signals.

    `reference` is the delay-free solution at the macro points, shape (N,), and `recording` has what was kept there.
    """
    return {
        str(ref): Watched(recording.time, recording.watched[ref], reference[ref], recording.units.get(ref, ""))
        for ref in loaded.scenario.watch
    }


def run_figures(traces: Mapping[str, Trace]) -> Figures:
    """Return the figures of the signals of a run."""
    per_signal = {name: metrics.judge(trace) for name, trace in traces.items()}
    return Figures(metrics.combine([*traces.values()], [*per_signal.values()]), per_signal)


def _trace(loaded: Loaded, name: str, recording: Recording, reference: Vector, in_process: bool) -> Trace:
    table, coupling = loaded.scenario.signals[name], coupling_name(name)
    zero = np.zeros(recording.time.size)
    active, state, detected, limited = (recording.watched.get(Ref(coupling, v), zero) for v in STATUS)
    # of a blend the algorithm with the largest share is the active one
    leading = recording.watched.get(Ref(coupling, LEADING), zero)
    active = np.where(active == PLACE, OWN, active) if in_process else active
    received = sent = recording.watched[table.source]
    if (came := Ref(network_name(name), "received")) in recording.watched:
        # the newest value out of the network, NaN before the first
        arrived = np.logical_or.accumulate(recording.watched[Ref(network_name(name), "valid")] > 0.0)
        received = np.where(arrived, recording.watched[came], np.nan)
    estimate = Ref(coupling, "y_hat")
    estimate = estimate if estimate in recording.watched else arrival(loaded, name)
    return Trace(
        name, table.unit, recording.time, reference, sent, received, recording.watched[estimate],
        np.where((active == AUTO) & (leading > 0), leading, active).astype(np.int64), state.astype(np.int64),
        detected.astype(np.bool_), limited.astype(np.bool_),
    )


def _log(name: str, recording: Recording) -> dict[str, NDArray[Any]]:
    """Return the values of the macro steps of a coupling FMU; the last macro point has no step."""
    columns: dict[str, NDArray[Any]] = {"time": recording.time[:-1]}
    shown = recording.logged | {r: v[:-1] for r, v in recording.watched.items() if r not in recording.logged}
    return columns | {ref.variable: values for ref, values in shown.items() if ref.component == coupling_name(name)}
