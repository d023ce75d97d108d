"""The result of a co-simulation: traces, metrics and their JSON."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.style import WIRE, Look, looks, macro_steps, number
from couplant.config.hosts import READS_AGAIN, HostLead
from couplant.config.scenario import flat
from couplant.cosim.judgement.metrics import HEADINGS, METRICS
from couplant.cosim.judgement.verdict import OPEN_LOOP, Judgement, is_open_loop, judge
from couplant.cosim.traces import BondTrace, Figure, Replayed, Trace, Watched, energy_figures, run_columns
from couplant_runtime.algorithms import ALL

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")

IN_PROCESS = "in process, Python"
"""How results call runs of algorithms of the user's, which no FMU has."""


@dataclass(frozen=True, eq=False)
class Courses:
    """The record of a run over time."""

    traces: dict[str, Trace]  # the signals to judge, in the order of the scenario
    # what else the scenario wants to be kept, by ``component.output``
    watched: dict[str, Watched] = field(default_factory=dict)
    # for each signal with `debug = true` a dict of columns (arrays of shape (N,)) by variable name
    debug: dict[str, dict[str, NDArray[Any]]] | None = None
    said: tuple[str, ...] = ()  # what FMUs warned of, the first 200 messages


@dataclass(frozen=True, eq=False)
class Figures:
    """The record of a run in numbers."""

    # error, mae, growth, max, C, M, P of the whole run, as `couplant.cosim.judgement.metrics.combine` says
    metrics: dict[str, float | None]
    per_signal: dict[str, dict[str, float | None]]  # the same for each signal
    own: dict[str, Figure] = field(default_factory=dict)  # those of the scenario
    steps: int | None = None  # communication steps of a direct run
    learnt: dict[str, tuple[float, ...]] = field(default_factory=dict)  # weights of networks at the end, by signal, -
    # messages lost, late and reordered on the way, by signal, where a network is there and its FMU counts them
    messages: dict[str, dict[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Theory:
    """Theory of a run: known without running it."""

    radius: float | None = None  # spectral radius of the macro map, -; None where prototypes are not known to be linear
    # signals for which a `latency.hold_lead` of `couplant.config.latency.PROPOSED` communication steps is proposed
    proposed: tuple[str, ...] = ()
    to_try: tuple[str, ...] = ()  # signals for which it is worth trying: it helps most loops and harms stiff couplings
    held: tuple[str, ...] = ()  # signals that have it by default


@dataclass(frozen=True, eq=False)
class Energy:
    """The power bonds of a run by name."""

    bonds: dict[str, BondTrace] = field(default_factory=dict)

    @property
    def figures(self) -> dict[str, float]:
        """Return the figures of all bonds together, as `energy_figures` does; none without bonds."""
        return energy_figures([*self.bonds.values()]) if self.bonds else {}


class _Member(Generic[T]):
    """A member of one of the records of a run, which the run has too."""

    def __init__(self, path: str) -> None:
        self._read: Callable[[object], T] = attrgetter(path)

    def __get__(self, run: object, owner: type) -> T:
        return self._read(run)


@dataclass(frozen=True, eq=False)
class Run:
    """One algorithm in one timing: four records, and what they are judged to be."""

    algorithm: str
    timing: str
    courses: Courses
    numbers: Figures
    theory: Theory = Theory()
    power: Energy = field(default_factory=Energy)
    in_process: bool = False  # whether some signal has an algorithm of the user's, in Python, and no FMU

    @cached_property
    def judgement(self) -> Judgement:
        """Return the verdict of the run and what it is ranked and called by, worked out once."""
        found = judge(self.algorithm, self.metrics, [*self.traces.values()], self.radius)
        return replace(found, label=f"{found.label} (Python)") if self.in_process else found

    verdict = _Member[str]("judgement.verdict")  # stable, borderline, unstable or unknown (too short a run)
    label = _Member[str]("judgement.label")  # the name of the algorithm for readers
    # growth over that of the reference (`couplant.cosim.judgement.metrics.excess`) [-]
    excess = _Member[float | None]("judgement.excess")
    # whether every mode dies out; None where theory does not tell, or the run does not show it (yet)
    stable = _Member[bool | None]("judgement.stable")
    traces = _Member[dict[str, Trace]]("courses.traces")
    watched = _Member[dict[str, Watched]]("courses.watched")
    debug = _Member[dict[str, dict[str, NDArray[Any]]] | None]("courses.debug")
    said = _Member[tuple[str, ...]]("courses.said")
    metrics = _Member[dict[str, float | None]]("numbers.metrics")
    per_signal = _Member[dict[str, dict[str, float | None]]]("numbers.per_signal")
    figures = _Member[dict[str, Figure]]("numbers.own")
    steps = _Member[int | None]("numbers.steps")
    learnt = _Member[dict[str, tuple[float, ...]]]("numbers.learnt")
    messages = _Member[dict[str, dict[str, int]]]("numbers.messages")
    radius = _Member[float | None]("theory.radius")
    proposed = _Member[tuple[str, ...]]("theory.proposed")
    to_try = _Member[tuple[str, ...]]("theory.to_try")
    held = _Member[tuple[str, ...]]("theory.held")
    bonds = _Member[dict[str, BondTrace]]("power.bonds")
    energy = _Member[dict[str, float]]("power.figures")

    @property
    def recorded(self) -> bool:
        """Return whether all signals come from recordings."""
        return bool(self.traces) and all(trace.recorded for trace in self.traces.values())

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return its courses: a row for each macro point by its time [s], columns as in `runs/*.csv`; needs pandas."""
        columns = run_columns(self.traces, self.watched)
        return data_frame(columns, "time" if columns else None)


@dataclass(frozen=True, eq=False, repr=False)
class Result(Shows):
    """All runs of a scenario.

    Attributes
    ----------
    macro_step : float
        ΔT [s].
    latency_steps : int
        Constant latency k of the network [macro steps].
    runs : list of Run
        Timing by timing, in each the algorithms in the order of the scenario.
    settings : dict
        The scenario as it was run, assignments included.
    host : str
        The importer whose way of stepping the runs have.
    added : dict of str to HostLead
        What it adds to the latency of each signal; empty for one that adds nothing by its kind.
    replayed : dict of str to Replayed
        The latencies that ran of the signals whose network replays them.
    """

    scenario_name: str
    macro_step: float
    latency_steps: int
    runs: list[Run]
    settings: dict[str, Any] = field(default_factory=dict)
    host: str = READS_AGAIN
    added: dict[str, HostLead] = field(default_factory=dict)
    replayed: dict[str, Replayed] = field(default_factory=dict)

    @cached_property
    def open_loop(self) -> bool:
        """Return whether nothing comes back to a sender, so that no run can become unstable."""
        return is_open_loop(self.settings)

    @cached_property
    def looks(self) -> dict[str, Look]:
        """Return the look of each run in pictures, by its algorithm.

        Algorithms that made an estimate at times keep their colours, as far as there are others.
        """
        codes = {int(code) for run in self.runs for trace in run.traces.values() for code in np.unique(trace.active)}
        names = list(dict.fromkeys(run.algorithm for run in self.runs))
        return looks(names, [ALL[code - 1] for code in sorted(codes) if 0 < code <= len(ALL)])

    @property
    def timings(self) -> list[str]:
        """Return the timings of the runs, in their order."""
        return list(dict.fromkeys(run.timing for run in self.runs))

    def ranked(self, timing: str) -> list[Run]:
        """Return the runs of one timing, best first: those that are not unstable before the others, then by error.

        The plain wire comes before what is as good.
        """
        runs = [run for run in self.runs if run.timing == timing]
        return sorted(runs, key=lambda run: (run.judgement.rank(self.open_loop), run.algorithm != WIRE))

    def is_wire_best(self, timing: str) -> bool:
        """Tell whether no FMU is better than the plain wire in one timing, in which both were run."""
        runs = self.ranked(timing)
        return len(runs) > 1 and runs[0].algorithm == WIRE and math.isfinite(runs[0].judgement.error)

    @cached_property
    def unit(self) -> str | None:
        """Return the unit that all signals have; None where they differ, so that their errors cannot be added up."""
        units = {(name if trace.unit == "" else "", trace.unit) for r in self.runs for name, trace in r.traces.items()}
        return units.pop()[1] if len(units) == 1 else None

    @property
    def shown(self) -> tuple[str, ...]:
        """Return the names of the figures that say something, in the order of tables: recordings grow by themselves."""
        absent = {"growth"} if all(run.recorded for run in self.runs) else set()
        absent |= {"mae", "max"} if self.unit is None else set()
        return tuple(name for name in METRICS if name not in absent)

    @property
    def headings(self) -> tuple[str, ...]:
        """Return the headings of a table of runs: algorithm, timing, the figures `shown`."""
        return ("algorithm", "timing", *(HEADINGS.get(name, name) for name in self.shown))

    def outcome(self, run: Run) -> str:
        """Return the verdict of a run, ``open loop`` where there is no loop to judge."""
        return OPEN_LOOP if self.open_loop else run.verdict

    def title(self, run: Run) -> str:
        """Return the name of a run for readers: its algorithm, and its timing where there are several."""
        return f"{run.label}, {run.timing}" if len(self.timings) > 1 else run.label

    @property
    def communication_step(self) -> float | None:
        """Return the communication step of the runs [s]; None where a control chooses it."""
        controlled = any(run.steps is not None for run in self.runs)
        return None if controlled else float(self.settings.get("micro_step") or self.macro_step)

    @property
    def stepping(self) -> str:
        """Return macro step and communication step in words."""
        step = self.communication_step
        return f"macro step {self.macro_step:g} s" + ("" if step is None else f", communication step {step:g} s")

    @property
    def latency(self) -> str:
        """Return the latency of the network in words: the constant one, and those that were replayed."""
        whole = f"{macro_steps(self.latency_steps)} ({number(1e3 * self.latency_steps * self.macro_step)} ms)"
        if not self.replayed:
            return whole
        words = {name: one.words(self.macro_step) for name, one in self.replayed.items()}
        signals = {name for run in self.runs for name in run.traces}
        if len(set(words.values())) == 1 and not signals - words.keys():
            return next(iter(words.values()))
        others = [f"others {whole}"] if signals - words.keys() else []
        return "; ".join([*(f"{name} {text}" for name, text in words.items()), *others])

    def to_dict(self) -> dict[str, Any]:
        """Return the figures: ``{"host", "host_steps", "runs": [{"algorithm", "timing", "mae", .., "signals"}, ..]}``.

        `host_steps` has what the host adds to the latency of each signal, in communication steps.
        """
        added = {name: lead.steps for name, lead in self.added.items()}
        return {"host": self.host, "host_steps": added, "runs": [_figures(run) for run in self.runs]}

    def to_json(self) -> str:
        """Return `to_dict` as JSON text; a figure that is not finite (a run that blew up) is null."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a row for each run, its figures by the names of `to_dict` with dots (``signals.x.mae``); needs pandas.

        Figures that are not known or not finite (a run that blew up) are NaN, `stable` None where theory is silent.
        """
        rows = [flat(run) for run in self.to_dict()["runs"]]
        return data_frame([{k: v if v is not None or k == "stable" else math.nan for k, v in r.items()} for r in rows])

    def _summary(self) -> Summary:
        """Return the figures of the runs, as it is shown."""
        rows = [[run.label, run.timing, *(number(run.metrics.get(name)) for name in self.shown)] for run in self.runs]
        title = f"{self.scenario_name}: {self.stepping}, latency {self.latency}"
        return Summary(title, self.headings, rows)


def _figures(run: Run) -> dict[str, Any]:
    head = {"algorithm": run.algorithm, "timing": run.timing} | ({"runs": IN_PROCESS} if run.in_process else {})
    signals = {name: _finite(metrics) for name, metrics in run.per_signal.items()}
    theory = {"stable": run.stable, "radius": _number(run.radius)}
    # the entries that only direct runs and those with power bonds or figures of their own have
    found: dict[str, Any] = {} if run.steps is None else {"steps": run.steps, "bonds": {}}
    if run.bonds:
        found |= _numbers(run.energy) | {"bonds": {name: _numbers(one.figures()) for name, one in run.bonds.items()}}
    if run.figures:
        found["figures"] = {name: _numbers(_parts(one)) for name, one in run.figures.items()}
    if run.messages:
        found["messages"] = run.messages
    return head | _finite(run.metrics) | theory | {"signals": signals} | found


def _parts(figure: Figure) -> dict[str, float]:
    return {key: getattr(figure, key) for key in ("value", "time", "reference", "reference_time")}


def _numbers(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {key: _number(value) for key, value in figures.items()}


def _finite(metrics: dict[str, float | None]) -> dict[str, float | None]:
    return {key: _number(metrics.get(key)) for key in METRICS}


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
