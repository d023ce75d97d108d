"""Figures of a federation as those of `simulate`, from the records of its federates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import Vector
from couplant.base.errors import CouplantError
from couplant.base.isolation import call_isolated
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.foreign import has_foreign
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.judgement.judging import judge_run
from couplant.cosim.result import Run
from couplant.cosim.run.master import Recording
from couplant.cosim.run.reference import solve
from couplant.cosim.wiring.components import Coupled, Workshop
from couplant.cosim.wiring.links import network_name
from couplant.elsewhere.helics.part import cut, receivers
from couplant.elsewhere.helics.record import PartRecord


@dataclass(frozen=True)
class Frame:
    """Facts that are known without the federation."""

    reference: dict[Ref, Vector]  # the delay-free solution at the N macro points, shape (N,)
    coupled: list[Coupled]  # what each run is made of, without components

    @property
    def points(self) -> int:
        """Return the number of macro points."""
        return next(iter(self.reference.values())).size


def frame_of(loaded: Loaded, folder: Path, scratch: Path, told: Callable[[float], None]) -> Frame:
    """Build all FMUs into a `folder`, check the parts of all federates, solve the reference.

    What is unpacked goes to the folder `scratch`; `told` hears the share of the run at hand that is done, 0 to 1. Raise
    `UsageError` if the scenario is wrong, or a connection reaches across federates at one instant, `CouplantError` if
    an FMU cannot be built, refuses to run or ends the process that runs it.
    """
    if not has_foreign(loaded):
        return _frame(loaded, folder, scratch, told)
    found: Frame = call_isolated(_frame, loaded, folder, scratch, told=told)
    return found


def _frame(loaded: Loaded, folder: Path, scratch: Path, told: Callable[[float], None]) -> Frame:
    with FmuLibrary(scratch) as library:
        workshop = Workshop(loaded, library, Builder(folder / "fmus", reference=True))
        coupled = []
        for timing, algorithm in loaded.scenario.cases:
            whole = workshop.couple(algorithm, timing)
            for name in loaded.scenario.components:
                cut(loaded, whole, name)
            coupled.append(replace(whole, components={}, links=[], parameters={}))
        grid = workshop.grid()
        return Frame(solve(workshop.reference, grid.macro_step, grid.count, told).values, coupled)


def judged_parts(loaded: Loaded, frame: Frame, records: Sequence[PartRecord]) -> Run:
    """Return traces and figures of a run from what its federates recorded.

    Where the record of a federate is missing, signals to it are not judged, and what it sent is what arrived of it,
    which is not known of the last macro points: the run ends before. Raise `CouplantError` if a federate left the run
    before its end and none of its signals diverged.
    """
    ended = {record.federate for record in records if record.points < frame.points and not record.left}
    for record in records:
        if record.left and not ended:
            time = (record.points - 1) * loaded.scenario.macro_step
            raise CouplantError(f"{record.left} left the federation before its end: nothing came after t = {time:g} s.")
    known = {record.federate for record in records}
    # all that was recorded, until the first federate ended
    points = min(record.points for record in records)
    watched: dict[Ref, NDArray[Any]] = {}
    logged: dict[Ref, NDArray[Any]] = {}
    units: dict[Ref, str] = {}
    for record in records:
        watched |= {ref: _until(values, points) for ref, values in record.recording.watched.items()}
        logged |= {ref: _until(values, points) for ref, values in record.recording.logged.items()}
        units |= record.recording.units
    recording, reference = Recording(records[0].recording.time, watched, logged, units), frame.reference
    if missing := loaded.scenario.components.keys() - known:
        recording, reference = _with_arrived(loaded, recording, missing), dict(reference)
        reference = {ref: values[: recording.time.size] for ref, values in reference.items()}
        scenario = loaded.scenario
        signals = {
            name: table.model_copy(update={"judge": False, "debug": False})
            if receivers(loaded, name)[0] in missing
            else table
            for name, table in scenario.signals.items()
        }
        if not any(table.judge for table in signals.values()):
            raise CouplantError("no signal that a federate of couplant receives is judged: there are no figures.")
        watch = [ref for ref in scenario.watch if ref.component not in missing]
        changes: dict[str, Any] = {"signals": signals, "watch": watch, "bonds": {}, "figures": {}}
        loaded = replace(loaded, scenario=scenario.model_copy(update=changes))
    said = [line for record in records for line in record.said]
    return judge_run(loaded, frame.coupled[records[0].run], reference, recording, said)


def _until(values: NDArray[Any], points: int) -> NDArray[Any]:
    """Return a copy that shows nothing after a number of macro points, as after the end of a run that diverged."""
    values = values.copy()
    values[points:] = np.nan if values.dtype.kind == "f" else 0
    return values


def _with_arrived(loaded: Loaded, recording: Recording, missing: set[str]) -> Recording:
    """Return a recording that takes what the federates `missing` sent from what arrived, as far as it is known."""
    watched, last = dict(recording.watched), recording.time.size
    for name, table in loaded.scenario.signals.items():
        arrived = recording.watched.get(Ref(network_name(name), "received"))
        if table.source.component in missing and arrived is not None:
            steps = loaded.networks[name].latency_steps
            watched[table.source] = arrived[steps:]
            last = min(last, arrived.size - steps)
    if last < 2:
        raise CouplantError(f"the run is too short to judge what {', '.join(sorted(missing))} sent.")
    watched = {ref: values[:last] for ref, values in watched.items()}
    logged = {ref: values[: last - 1] for ref, values in recording.logged.items()}
    return Recording(recording.time[:last], watched, logged, recording.units)
