"""Simulate a scenario: the reference once, then every algorithm in every timing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.config.scenario import Loaded, Ref, load_scenario
from couplant.cosim import master, metrics
from couplant.cosim.building import Builder
from couplant.cosim.fmu import FmuLibrary
from couplant.cosim.master import Grid, Recording
from couplant.cosim.output import write_run
from couplant.cosim.reference import solve
from couplant.cosim.result import Result, Run, Trace
from couplant.cosim.wiring import LEADING, STATUS, Workshop, coupling_name, network_name, reference_of
from couplant.errors import UsageError
from couplant_runtime.algorithms import NAMES

_AUTO = 1 + NAMES.index("auto")

Progress = Callable[[float, str], None]


def simulate(
    path: str | Path, assignments: Sequence[str] = (), output: Path | None = None, progress: Progress | None = None
) -> Result:
    """Simulate a scenario file.

    Parameters
    ----------
    assignments : sequence of str
        Changes in the form ``key=TOML value``, for instance ``network.latency_steps=4``.
    output : Path, optional
        Folder for the FMUs (`fmus`) and a CSV file for each run (`runs`).
    progress : callable, optional
        Told the share that is done, 0 to 1, and what is being done.

    Returns
    -------
    Result
        Traces and figures of all runs.

    Raises
    ------
    UsageError
        If the scenario is wrong.
    CouplantError
        If a component refuses to run.
    """
    loaded = load_scenario(path, assignments)
    with _folder(output) as folder, FmuLibrary() as library, _served(loaded) as loaded:
        workshop = Workshop(loaded, library, Builder(folder / "fmus"))
        runs = _runs(workshop, loaded, grid_of(workshop, loaded), progress or (lambda share, text: None))
        result = _result(loaded, list(runs))
        if output is not None:
            for run in result.runs:
                write_run(run, folder / "runs")
    return result


@contextmanager
def _served(loaded: Loaded) -> Iterator[Loaded]:
    """Give the scenario the address of a learning server of its own if one of its runs needs it."""
    if "network_server" not in loaded.scenario.algorithms:
        yield loaded
        return
    from couplant.design.neural.companion import learning_server

    with learning_server() as address:
        coupling = dict(loaded.scenario.coupling)
        coupling["learning"] = {**coupling.get("learning", {}), **asdict(address)}
        yield replace(loaded, scenario=loaded.scenario.model_copy(update={"coupling": coupling}))


@contextmanager
def _folder(output: Path | None) -> Iterator[Path]:
    if output is not None:
        yield Path(output)
        return
    with tempfile.TemporaryDirectory(prefix="couplant-") as folder:
        yield Path(folder)


def grid_of(workshop: Workshop, loaded: Loaded) -> Grid:
    """Return the times of the runs of a scenario.

    Raises
    ------
    UsageError
        If the duration is longer than a recording or shorter than a macro step.
    """
    scenario, spans = loaded.scenario, {name: series.span for name, series in workshop.series.items()}
    duration = min(spans.values()) if scenario.duration is None else scenario.duration
    short = next((name for name, span in spans.items() if duration > span * (1 + 1e-9)), None)
    if short is not None:
        raise UsageError(f"{loaded.path}: duration = {duration} s, allowed up to {spans[short]} s by recording {short}")
    count = scenario.steps(duration)
    if count < 1:
        raise UsageError(f"{loaded.path}: duration = {duration} s is shorter than macro_step = {scenario.macro_step} s")
    return Grid(scenario.macro_step, count, scenario.micro_steps)


def _runs(workshop: Workshop, loaded: Loaded, grid: Grid, progress: Progress) -> Iterator[Run]:
    cases = [(t, a) for t in loaded.scenario.timing for a in loaded.scenario.algorithms]
    total = len(cases) + 1
    reference = solve(workshop.direct, grid.macro_step, grid.count, lambda share: progress(share / total, "reference"))
    for done, (timing, algorithm) in enumerate(cases, start=1):
        wiring = workshop.coupled(algorithm, timing)
        told = _told(progress, done, total, f"{algorithm}, {timing}")
        yield judged(loaded, reference.values, master.run(wiring, grid, told), algorithm, timing)
    progress(1.0, "done")


def _told(progress: Progress, done: int, total: int, text: str) -> Callable[[float], None]:
    return lambda share: progress((done + share) / total, text)


def judged(
    loaded: Loaded, reference: Mapping[Ref, NDArray[np.float64]], recording: Recording, algorithm: str, timing: str
) -> Run:
    """Return traces and figures of a run.

    Parameters
    ----------
    reference : mapping of Ref to ndarray, shape (N,)
        The delay-free solution at the macro points.
    recording : Recording
        What the run recorded.
    """
    tables = loaded.scenario.signals.items()
    known = {name: reference[reference_of(table)] for name, table in tables if table.judge}
    traces = {name: _trace(loaded, name, recording, values) for name, values in known.items()}
    per_signal = {name: metrics.judge(trace) for name, trace in traces.items()}
    debug = {name: _log(name, recording) for name, table in tables if table.debug}
    from couplant.cosim.stability import stability_of  # loads scipy, which the processes of a bench do without

    found = stability_of(loaded, algorithm, timing)
    return Run(
        algorithm,
        timing,
        traces,
        metrics.combine([*traces.values()], [*per_signal.values()]),
        per_signal,
        debug or None,
        None if found is None else found.radius,
    )


def _trace(loaded: Loaded, name: str, recording: Recording, reference: NDArray[np.float64]) -> Trace:
    table, coupling = loaded.scenario.signals[name], coupling_name(name)
    zero = np.zeros(recording.time.size)
    active, state, detected, limited = (recording.watched.get(Ref(coupling, v), zero) for v in STATUS)
    sent = recording.watched[Ref.parse(table.source)]
    return Trace(
        name,
        table.unit,
        recording.time,
        reference,
        sent,
        _received(name, recording, sent),
        recording.watched[Ref(coupling, "y_hat")],
        _leading(active, recording.watched.get(Ref(coupling, LEADING), zero)).astype(np.int64),
        state.astype(np.int64),
        detected.astype(np.bool_),
        limited.astype(np.bool_),
    )


def _leading(active: NDArray[Any], leading: NDArray[Any]) -> NDArray[Any]:
    """Return the active algorithm, of a blend the one with the largest share."""
    return np.where((active == _AUTO) & (leading > 0), leading, active)


def _received(name: str, recording: Recording, sent: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the newest value out of the network, NaN before the first."""
    network = network_name(name)
    if Ref(network, "received") not in recording.watched:
        return sent
    arrived = np.logical_or.accumulate(recording.watched[Ref(network, "valid")] > 0.0)
    return np.where(arrived, recording.watched[Ref(network, "received")], np.nan)


def _log(name: str, recording: Recording) -> dict[str, NDArray[Any]]:
    """Return what the macro steps of a coupling FMU did; the last macro point has no step."""
    columns: dict[str, NDArray[Any]] = {"time": recording.time[:-1]}
    logged = recording.logged.items()
    return columns | {ref.variable: values for ref, values in logged if ref.component == coupling_name(name)}


def _result(loaded: Loaded, runs: list[Run]) -> Result:
    scenario = loaded.scenario
    recordings = [str(table.recording) for table in scenario.components.values() if table.recording is not None]
    settings = dict(loaded.document)
    if recordings and not any(table.to for table in scenario.signals.values()):
        settings["recording"] = ", ".join(recordings)
    return Result(scenario.name, scenario.macro_step, scenario.network.latency_steps, runs, settings)
