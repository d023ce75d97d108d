"""Simulate a scenario: the reference once, then every algorithm in every timing."""

import logging
import math
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.isolation import call_isolated
from couplant.config.components import SEED
from couplant.config.frame.read import Source
from couplant.config.hosts import READS_AGAIN, HostLead
from couplant.config.ref import Ref
from couplant.config.rules.steps import DIRECT
from couplant.config.scenario import Loaded, load_scenario
from couplant.cosim.fmu.foreign import has_foreign
from couplant.cosim.fmu.instance import Messages, kept_messages
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.judgement.judging import judge_run
from couplant.cosim.judgement.output import write_run
from couplant.cosim.result import Result, Run
from couplant.cosim.run import master
from couplant.cosim.run.direct import run_direct
from couplant.cosim.run.master import Grid
from couplant.cosim.run.reference import solve
from couplant.cosim.traces import Replayed
from couplant.cosim.wiring.bonds import bond_advice
from couplant.cosim.wiring.components import Workshop
from couplant.cosim.wiring.network import listed_latencies
from couplant.cosim.wiring.order import unit_advice

Progress = Callable[[float, str], None]

_ON_GRID, _MOST_PARTS = 1e-6, 100  # parts of a macro step by which samples may miss them; these parts at most

_log = logging.getLogger(__name__)
_LATE = (
    "%s goes on by a direct connection and follows %s one communication step late in this host: nothing makes up for "
    "that; smaller communication steps (micro_step) make it less."
)


def simulate(
    path: Source, assignments: Sequence[str] = (), output: str | Path | None = None, progress: Progress | None = None
) -> Result:
    """Simulate a scenario.

    Parameters
    ----------
    path : str, Path or mapping
        The scenario file, or what it would contain.
    assignments : sequence of str
        Changes in the form ``key=TOML value``, for instance ``network.latency_steps=4``.
    output : str or Path, optional
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
        If a component refuses to run, or an FMU that this process did not build ends the process that runs it.
    """
    told = progress or (lambda share, text: None)
    with _serve(load_scenario(path, assignments)) as loaded:
        work = loaded, None if output is None else Path(output)
        result: Result = call_isolated(_simulate, *work, told=told) if has_foreign(loaded) else _simulate(*work, told)
    if output is not None:
        for run in result.runs:
            write_run(run, Path(output) / "runs")
    return result


def _simulate(loaded: Loaded, output: Path | None, progress: Progress) -> Result:
    with _folder(output) as folder, FmuLibrary() as library:
        workshop = Workshop(loaded, library, Builder(folder / "fmus", reference=output is not None))
        for source, inputs in workshop.late.items():
            _log.warning(_LATE, source, ", ".join(sorted(map(str, inputs))))
        for line in (*unit_advice(loaded), *bond_advice(loaded)):
            _log.warning("%s", line)
        # whether receivers count between macro points too: all senders are recordings, or the system is linear
        scenario = loaded.scenario
        senders = [scenario.components[signal.source.component] for signal in scenario.signals.values()]
        replayed = all(one.recording is not None for one in senders)
        grid = replace(workshop.grid(), fine=scenario.micro_steps > 1 and (replayed or workshop.scene() is not None))
        found = result_of(loaded, list(_runs(workshop, loaded, grid, progress)), workshop.added)
        # the latencies of the messages of the signals that replay them
        again = {}
        for name, network in loaded.networks.items() if scenario.algorithms != [DIRECT] else ():
            listed = listed_latencies(network, scenario.macro_step, name, loaded.file)
            if latencies := [one for one in (listed or ())[: grid.count + 1] if not math.isnan(one)]:
                again[name] = Replayed(min(latencies), statistics.median(latencies), max(latencies))
        return replace(found, replayed=again)


@contextmanager
def _serve(loaded: Loaded) -> Iterator[Loaded]:
    """Give the scenario the address of a learning server of its own if one of its runs needs it."""
    if "network_server" not in loaded.scenario.algorithms:
        yield loaded
        return
    from couplant.design.neural.server import learning_server

    with learning_server() as address:
        coupling = dict(loaded.scenario.coupling)
        coupling["learning"] = {**coupling.get("learning", {}), "host": address.host, "port": address.port}
        yield replace(loaded, scenario=loaded.scenario.model_copy(update={"coupling": coupling}))


@contextmanager
def _folder(output: Path | None) -> Iterator[Path]:
    if output is not None:
        yield Path(output)
        return
    with tempfile.TemporaryDirectory(prefix="couplant-") as folder:
        yield Path(folder)


def _runs(workshop: Workshop, loaded: Loaded, grid: Grid, progress: Progress) -> Iterator[Run]:
    if loaded.scenario.algorithms == [DIRECT]:
        controls = loaded.scenario.steps_table.control
        total = len(controls) + 1
        truth = {}
        if loaded.scenario.watch or any(table.judge for table in loaded.scenario.signals.values()):
            told = _part_of_progress(progress, 0, total, "reference")
            truth = solve(workshop.reference, grid.macro_step, grid.count, told).values
        for done, control in enumerate(controls, start=1):
            told = _part_of_progress(progress, done, total, f"{DIRECT}, {control}")
            with _told_messages(DIRECT, control) as said:
                run = run_direct(loaded, workshop.direct(), grid, control, truth, told, said.lines)
            yield run
        progress(1.0, "done")
        return
    cases = [(t, a) for t in loaded.scenario.timing for a in loaded.scenario.compared]
    total = len(cases) + 1
    told = _part_of_progress(progress, 0, total, "reference")
    fine = grid.micro_steps if grid.fine else 1
    values = _exact(workshop, fine) or _follow_drive(workshop, loaded, grid, fine)
    if values is None:
        values = solve(workshop.reference, grid.macro_step / fine, grid.count * fine, told).values
    for done, (timing, algorithm) in enumerate(cases, start=1):
        coupled = workshop.couple(algorithm, timing)
        told = _part_of_progress(progress, done, total, f"{algorithm}, {timing}")
        with _told_messages(timing, algorithm) as said:
            recording = master.run(coupled, grid, told)
        yield judge_run(loaded, coupled, values, recording, said.lines)
    progress(1.0, "done")


def _exact(workshop: Workshop, fine: int) -> Mapping[Ref, Vector] | None:
    """Return the delay-free signals of a linear system at `fine` points in a macro step, None where it has none."""
    scene = workshop.scene()
    if scene is None:
        return None
    wanted = workshop.reference()
    if any(one.get(SEED) for one in wanted.parameters.values()):
        return None
    found = {Ref.parse(name): values for name, values in scene.reference(fine).items()}
    return found if found.keys() >= set(wanted.watched) else None


def _follow_drive(workshop: Workshop, loaded: Loaded, grid: Grid, fine: int) -> Mapping[Ref, Vector] | None:
    """Return the delay-free signals of a linear system that recordings drive, None where there is none.

    They are at `fine` points in a macro step, and exact: a straight line leads from sample to sample.
    """
    scenario = loaded.scenario
    if not scenario.connections or not all(one.system or one.recording for one in scenario.components.values()):
        return None
    from couplant.analysis.loop_error import follow_driven  # loads scipy, which most runs do without

    system, wanted = workshop.systems.driven_system(), workshop.reference()
    columns = [workshop.series[ref.component].columns[ref.variable] for ref in scenario.connections.values()]
    parts = _parts_of_step(np.concatenate([time for time, _ in columns]) / grid.macro_step, fine)
    if system is None or parts is None or any(one.get(SEED) for one in wanted.parameters.values()):
        return None
    step = grid.macro_step / parts
    points = step * np.arange(grid.count * parts + 1)
    given = np.array([np.interp(points, *one) for one in columns]).T
    rows = follow_driven(system, [str(to) for to in scenario.connections], given, step)[:: parts // fine]
    found = {Ref.parse(c.source): row for c, row in zip(system.connections, rows.T, strict=True)}
    return found if found.keys() >= set(wanted.watched) else None


def _parts_of_step(times: Vector, fine: int) -> int | None:
    """Return the number of parts of a macro step on which all `times` [macro steps] lie, a multiple of `fine`.

    None where that takes too many.
    """
    whole = range(fine, _MOST_PARTS + 1, fine)
    return next((n for n in whole if float(np.abs(n * times - np.round(n * times)).max()) < _ON_GRID), None)


@contextmanager
def _told_messages(timing: str, algorithm: str) -> Iterator[Messages]:
    """Give a keeper of the messages of FMUs in a run; the first of them is logged in the end, with their number."""
    with kept_messages() as said:
        try:
            yield said
        finally:
            if said.summary:
                _log.warning("%s, %s: %s", algorithm, timing, said.summary)


def _part_of_progress(progress: Progress, done: int, total: int, text: str) -> Callable[[float], None]:
    return lambda share: progress((done + share) / total, text)


def result_of(loaded: Loaded, runs: list[Run], added: dict[str, HostLead]) -> Result:
    """Return the result of a scenario: its `runs`, with what the host `added` to the latency of each signal."""
    scenario = loaded.scenario
    recordings = [str(table.recording) for table in scenario.components.values() if table.recording is not None]
    settings = dict(loaded.document)
    if recordings and not any(table.to for table in scenario.signals.values()):
        settings["recording"] = ", ".join(recordings)
    steps = scenario.network.latency_steps
    told = added if scenario.host != READS_AGAIN and scenario.algorithms != [DIRECT] else {}
    return Result(scenario.name, scenario.macro_step, steps, runs, settings, scenario.host, told)
