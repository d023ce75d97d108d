"""Direct runs: prototypes that exchange their values as they are, in communication steps that a control chooses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.config.ref import Ref
from couplant.config.rules.steps import CONSTANT, DIRECT_RUNS, PREDICTOR_CORRECTOR
from couplant.config.scenario import Loaded
from couplant.cosim.judgement.judging import run_figures, watched_of
from couplant.cosim.judgement.metrics import figures_of
from couplant.cosim.result import Courses, Energy, Run
from couplant.cosim.run import master
from couplant.cosim.run.bonds import Bonds, bonds_of
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.run.master import Grid, Recording, Wiring
from couplant.cosim.run.steps import Controlled, Observer, Prediction, control_of
from couplant.cosim.traces import Trace
from couplant.cosim.wiring.order import Value


def run_direct(
    loaded: Loaded,
    wiring: Wiring,
    grid: Grid,
    control: str,
    reference: Mapping[Ref, Vector],
    progress: Callable[[float], None] = lambda share: None,
    said: Sequence[str] = (),
) -> Run:
    """Return a run of connected prototypes with a step `control` by name.

    Figures are those at the macro points of the `grid`, where cubic splines tell outputs between communication points;
    `reference` has the delay-free solution there, shape (N,). `progress` hears the share that is done, 0 to 1;
    `said` gets the warnings of FMUs while they run. Raises UsageError if a component cannot step as the control wants;
    CouplantError if a component refuses a step or ends the run.
    """
    scenario = loaded.scenario
    _refuse_fixed_steps(wiring, control)
    sources = [table.source for table in scenario.signals.values()]
    watched = list(dict.fromkeys([*wiring.watched, *sources]))
    wiring = replace(wiring, watched=watched, signals=sources, host=scenario.host)
    noted: list[Bonds] = []

    def observe(exchange: Exchange) -> Observer:
        noted.append(bonds_of(scenario, exchange))
        if control != PREDICTOR_CORRECTOR:
            return noted[-1].note
        slots = [exchange.slot(Value(source)) for source in dict.fromkeys(sources)]
        prediction = Prediction(slots, scenario.steps_table.tolerance or 1.0)
        return lambda *step: (noted[-1].note(*step), prediction.note(*step))[1]

    chosen = control_of(scenario.steps_table, control, grid.macro_step)
    recording = master.run(wiring, Controlled(grid.start, grid.end, chosen, observe, []), progress)
    shown = _at_macro_points(recording, grid)
    courses = Courses(_traces(loaded, shown, reference), watched_of(loaded, reference, shown), said=tuple(said))
    own = figures_of(scenario.figures, courses.traces, courses.watched)
    numbers = replace(run_figures(courses.traces), own=own, steps=recording.time.size - 1)
    energy = Energy(noted[-1].traces(grid.start))
    return Run(DIRECT_RUNS[control], "step", courses, numbers, power=energy)


def _refuse_fixed_steps(wiring: Wiring, control: str) -> None:
    for component in wiring.components.values():
        if control != CONSTANT and not component.variable_steps:
            raise UsageError(
                f"{component.name}: the FMU allows no communication steps of varying length "
                f"(canHandleVariableCommunicationStepSize), and steps.control = {control} needs them."
            )


def _at_macro_points(recording: Recording, grid: Grid) -> Recording:
    """Return the values of a run at macro points, NaN after its end."""
    points = grid.macro_points()
    if recording.time.size == points.size and np.allclose(recording.time, points, rtol=0.0, atol=1e-6 * grid.h):
        return Recording(points, recording.watched, {}, recording.units)
    found = {ref: _between(recording.time, v, points) for ref, v in recording.watched.items()}
    return Recording(points, found, {}, recording.units)


def _between(time: Vector, values: Vector, points: Vector) -> Vector:
    """Return `values` at the times of `points` [s] by a cubic spline, NaN beyond the last time."""
    from scipy.interpolate import CubicSpline  # takes long to load

    known = np.isfinite(values)
    if known.sum() < 2:
        return np.full(points.size, np.nan)
    found = CubicSpline(time[known], values[known])(np.minimum(points, time[-1]))
    return np.where(points <= time[-1] * (1.0 + 1e-12), found, np.nan)


def _traces(loaded: Loaded, recording: Recording, reference: Mapping[Ref, Vector]) -> dict[str, Trace]:
    none, never = np.zeros(recording.time.size, np.int64), np.zeros(recording.time.size, np.bool_)
    found = {}
    for name, table in loaded.scenario.signals.items():
        if table.judge:
            sent, truth = recording.watched[table.source], reference[table.judged_against]
            found[name] = Trace(name, table.unit, recording.time, truth, sent, sent, sent, none, none, never, never)
    return found
