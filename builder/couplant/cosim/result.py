"""What a co-simulation hands back: traces, metrics and their JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.style import label, macro_steps, number
from couplant.config.hosts import READS_AGAIN, HostLead
from couplant.config.scenario import flat
from couplant.cosim.judgement.columns import run_columns
from couplant.cosim.run.replayed import Replayed

if TYPE_CHECKING:
    import pandas

METRICS = ("mae", "max", "growth", "C", "M", "P")


@dataclass(frozen=True, eq=False)
class Trace:
    """One coupling signal of one run at the N macro points t_n.

    Attributes
    ----------
    time : ndarray, shape (N,)
        Macro points [s].
    reference : ndarray, shape (N,)
        The signal in the delay-free reference run [unit]; in open loop the column to judge against.
    sent : ndarray, shape (N,)
        y, the true signal of this coupled run [unit].
    received : ndarray, shape (N,)
        Newest value that came out of the network [unit]; NaN before the first arrival.
    estimate : ndarray, shape (N,)
        ŷ, valid at the macro point [unit].
    active : ndarray of int, shape (N,)
        Algorithm that made the estimate, the numbers of `algorithm.active`; of a blend the leading one; 0 none.
    state : ndarray of int, shape (N,)
        1 starting, 2 running, 3 holding, 4 lost; 0 when there is no coupling FMU.
    detected, limited : ndarray of bool, shape (N,)
        A discontinuity was flagged; the output was limited.
    offset : float
        Lag of the signal itself, `latency.offset`, that estimates make up for [s].
    since : int
        Macro point from which on figures count; of a recording the first that a received value has part in.
    recorded : bool
        The signal comes from a recording: that it grows says nothing about the coupling.
    """

    name: str
    unit: str
    time: NDArray[np.float64]
    reference: NDArray[np.float64]
    sent: NDArray[np.float64]
    received: NDArray[np.float64]
    estimate: NDArray[np.float64]
    active: NDArray[np.int64]
    state: NDArray[np.int64]
    detected: NDArray[np.bool_]
    limited: NDArray[np.bool_]
    offset: float = 0.0
    since: int = 0
    recorded: bool = False

    def judged(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return reference and estimate where figures count, shape (M,)."""
        return self.reference[self.since :], self.estimate[self.since :]

    def caught_up(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what was sent `offset` later, linear between macro points, and the estimates for it, shape (M,)."""
        if self.offset == 0.0:
            return self.sent[self.since :], self.estimate[self.since :]
        at = self.time + self.offset
        slack = 1e-6 * (self.time[-1] - self.time[0])
        known = (at >= self.time[0] - slack) & (at <= self.time[-1] + slack)
        known[: self.since] = False
        return np.interp(at[known], self.time, self.sent), self.estimate[known]


@dataclass(frozen=True, eq=False)
class Watched:
    """An output that is kept besides the signals, at the N macro points.

    Attributes
    ----------
    time : ndarray, shape (N,)
        Macro points [s].
    values, reference : ndarray, shape (N,)
        Of the run and of the delay-free reference [unit].
    unit : str
        That which the FMU gives; empty: none.
    """

    time: NDArray[np.float64]
    values: NDArray[np.float64]
    reference: NDArray[np.float64]
    unit: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure of the scenario's own, NaN where it is not known."""

    unit: str  # of the values; empty: not known
    value: float  # of the run [unit]
    time: float  # when it was so, of a largest or smallest value [s]
    reference: float  # of the run without delay [unit]
    reference_time: float  # when it was so there [s]

    @property
    def change(self) -> float:
        """Return by how much the run is above the one without delay, relative to that [-]."""
        return self.value / self.reference - 1.0 if self.reference else math.nan


@dataclass(frozen=True, eq=False)
class BondTrace:
    """One power bond of one run, in its N communication steps, those through coupling FMUs in macro steps.

    Attributes
    ----------
    time : ndarray, shape (N,)
        End of the step [s].
    step : ndarray, shape (N,)
        Its length h [s].
    power : ndarray, shape (N,)
        Power into the receiver of the effort at the end of the step [W].
    given_effort, given_flow : ndarray, shape (N,)
        Energy that the coupling gave to the receivers of effort and flow in the step; their sum was created [J].
    left_effort, left_flow : ndarray, shape (N,), or None
        What is left of the budget at the ends that receive effort and flow [J]; None without coupling FMU that tells.
    taken : ndarray, shape (N,), or None
        Energy that corrections of the effort have taken out since the start [J].
    limited : ndarray of bool, shape (N,), or None
        An estimate is kept within the budget.
    """

    name: str
    time: NDArray[np.float64]
    step: NDArray[np.float64]
    power: NDArray[np.float64]
    given_effort: NDArray[np.float64]
    given_flow: NDArray[np.float64]
    left_effort: NDArray[np.float64] | None = None
    left_flow: NDArray[np.float64] | None = None
    taken: NDArray[np.float64] | None = None
    limited: NDArray[np.bool_] | None = None

    @property
    def created(self) -> NDArray[np.float64]:
        """Return the residual energy of each step, shape (N,) [J]."""
        return self.given_effort + self.given_flow

    @property
    def residual(self) -> NDArray[np.float64]:
        """Return the residual energy since the start, shape (N,) [J]."""
        return np.cumsum(self.created)

    @property
    def transmitted(self) -> float:
        """Return the energy that went to and fro, mean of both ends [J]."""
        return 0.5 * float(np.abs(self.given_effort).sum() + np.abs(self.given_flow).sum())

    def figures(self) -> dict[str, float]:
        """Return what `energy_figures` does, energies and powers of the bond.

        Returns
        -------
        dict
            Besides: sent into the network by the sender of the effort, received by its receiver [J], mean and largest
            size of the residual power, mean power [W].
        """
        created, whole = np.abs(self.created), float(self.step.sum())
        return energy_figures([self]) | {
            "sent": 0.0 - float(self.given_flow.sum()),
            "received": float(self.given_effort.sum()),
            "residual_power": float(created.sum()) / whole if whole else math.nan,
            "residual_power_max": float((created / self.step).max(initial=0.0)),
            "power": float(self.power @ self.step) / whole if whole else math.nan,
        }


def energy_figures(bonds: Sequence[BondTrace]) -> dict[str, float]:
    """Return what `bonds` did to energy together, NaN where it is not known.

    Returns
    -------
    dict
        created [J], created_share of what was transmitted [-], taken out by corrections [J], limited_share of the steps
        in which an estimate was kept within the budget [-].
    """
    created, transmitted = (sum(one) for one in zip(*((b.created.sum(), b.transmitted) for b in bonds), strict=True))
    taken = [float(one.taken[-1]) for one in bonds if one.taken is not None and one.taken.size]
    limited = [one.limited for one in bonds if one.limited is not None and one.limited.size]
    return {
        "created": float(created),
        "created_share": float(created) / float(transmitted) if transmitted else math.nan,
        "taken": sum(taken) if taken else math.nan,
        "limited_share": float(np.any(limited, axis=0).mean()) if limited else math.nan,
    }


@dataclass(frozen=True, eq=False)
class Run:
    """One algorithm in one timing.

    Attributes
    ----------
    traces : dict of str to Trace
        The signals to judge, in the order of the scenario.
    metrics : dict of str to float or None
        mae, max, growth, C, M, P of the whole run (`couplant.cosim.judgement.metrics.combine`).
    per_signal : dict of str to dict
        The same figures for each signal.
    debug : dict or None
        For each signal with `debug = true` a dict of columns (arrays of shape (N,)) by variable name.
    radius : float or None
        Spectral radius of the macro map, by theory; None where the prototypes are not known to be linear [-].
    excess : float or None
        Growth of signals or estimates over that of the reference (`couplant.cosim.judgement.metrics.excess`) [-].
    proposed : tuple of str
        Signals for which a `latency.hold_lead` of `couplant.config.rules.hold_lead.PROPOSED` is proposed.
    to_try : tuple of str
        Signals for which it is worth trying: it helps most loops and harms stiff couplings.
    held : tuple of str
        Signals that have it by default.
    steps : int or None
        Number of communication steps of a direct run.
    bonds : dict of str to BondTrace
        The power bonds.
    watched : dict of str to Watched
        What else the scenario wants to be kept, by ``component.output``.
    figures : dict of str to Figure
        The scenario's own figures.
    said : tuple of str
        What FMUs warned of, the first 200 messages.
    learnt : dict of str to tuple of float
        Weights of the networks at the end, by signal [-].
    messages : dict of str to dict of str to int
        Messages lost, late and reordered on the way, by signal, where a network is there and its FMU counts them.
    """

    algorithm: str
    timing: str
    traces: dict[str, Trace]
    metrics: dict[str, float | None]
    per_signal: dict[str, dict[str, float | None]]
    debug: dict[str, dict[str, NDArray[Any]]] | None = None
    radius: float | None = None
    excess: float | None = None
    proposed: tuple[str, ...] = ()
    to_try: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    steps: int | None = None
    bonds: dict[str, BondTrace] = field(default_factory=dict)
    watched: dict[str, Watched] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    learnt: dict[str, tuple[float, ...]] = field(default_factory=dict)
    messages: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def recorded(self) -> bool:
        """Whether all signals come from recordings."""
        return bool(self.traces) and all(trace.recorded for trace in self.traces.values())

    @property
    def energy(self) -> dict[str, float]:
        """Return what all power bonds did to energy, as `energy_figures` does; nothing without bonds."""
        return energy_figures([*self.bonds.values()]) if self.bonds else {}

    @property
    def stable(self) -> bool | None:
        """Whether every mode dies out; None where theory does not tell, or the run does not show it (yet)."""
        if self.radius is None:
            return None
        dies_out = self.radius < 1.0
        return dies_out if self.excess is None or dies_out == (self.excess <= 1.0) else None

    def to_dataframe(self) -> pandas.DataFrame:
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

    def to_dataframe(self) -> pandas.DataFrame:
        """Return a row for each run, its figures by the names of `to_dict` with dots (``signals.x.mae``); needs pandas.

        Figures that are not known or not finite (a run that blew up) are NaN, `stable` None where theory is silent.
        """
        rows = [flat(run) for run in self.to_dict()["runs"]]
        return data_frame([{k: v if v is not None or k == "stable" else math.nan for k, v in r.items()} for r in rows])

    def _summary(self) -> Summary:
        """Return the figures of the runs, as it is shown."""
        rows = [
            [label(run.algorithm), run.timing, *(number(run.metrics.get(name)) for name in METRICS)]
            for run in self.runs
        ]
        title = f"{self.scenario_name}: macro step {self.macro_step:g} s, latency {self.latency}"
        return Summary(title, ("algorithm", "timing", *METRICS), rows)


def _figures(run: Run) -> dict[str, Any]:
    head = {"algorithm": run.algorithm, "timing": run.timing}
    signals = {name: _finite(metrics) for name, metrics in run.per_signal.items()}
    theory = {"stable": run.stable, "radius": _number(run.radius)}
    return head | _finite(run.metrics) | theory | {"signals": signals} | _further(run)


def _further(run: Run) -> dict[str, Any]:
    """Return what only direct runs and those with power bonds or figures of their own have."""
    found: dict[str, Any] = {} if run.steps is None else {"steps": run.steps, "bonds": {}}
    if run.bonds:
        found |= _numbers(run.energy) | {"bonds": {name: _numbers(one.figures()) for name, one in run.bonds.items()}}
    if run.figures:
        found["figures"] = {name: _numbers(_parts(one)) for name, one in run.figures.items()}
    if run.messages:
        found["messages"] = run.messages
    return found


def _parts(figure: Figure) -> dict[str, float]:
    return {key: getattr(figure, key) for key in ("value", "time", "reference", "reference_time")}


def _numbers(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {key: _number(value) for key, value in figures.items()}


def _finite(metrics: dict[str, float | None]) -> dict[str, float | None]:
    return {key: _number(metrics.get(key)) for key in METRICS}


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
