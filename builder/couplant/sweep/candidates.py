"""Candidates of an advice for a loop, and the choice between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.analysis.system import System
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.style import WIRE, label, number, plain
from couplant.config.frame.read import Content
from couplant.config.models import AUTO, MODEL
from couplant.config.scenario import flat
from couplant.cosim.result import Run
from couplant.design.observers import Tables
from couplant.sweep.advised import STEPS, Setup, files_of

if TYPE_CHECKING:
    import pandas

NEEDED = 0.1  # relative deviation of all parameters at which what is advised is stable, and better than the wire [-]
IN_DOUBT = 0.2  # the same of models, where recordings do not show that a side answers to the other at all [-]
_BETTER = 0.95  # error over that of the wire up to which an FMU is worth its place [-]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A configuration of all signals of a loop, and what it does there."""

    name: str  # algorithm of all signals, ``wire`` without FMUs
    detail: str = ""  # what observer a model has, in words
    models: Tables = field(default_factory=dict)  # its tables ``[models.NAME]`` of a system file
    radius: float | None = None  # spectral radius with the prototypes as given; None where no theory covers it, -
    # largest deviation of all parameters at which all scattered plants are stable; 0: as given only; -1: not even so, -
    margin: float = -1.0
    # rms error of the estimates over the size of each signal, by output, mean of several excitations and noises; of
    # `auto` that of the simulation; infinite where the loop diverges, -
    errors: Mapping[str, float] = field(default_factory=dict)
    # mean errors on other loops that may be the truth, then on scattered plants within `NEEDED`, -
    varied: tuple[float, ...] = ()
    run: Run | None = None  # what `couplant simulate` shows of it, if it was simulated
    simulated: float | None = None  # mean error in this run, at all communication points, -
    settings: Content = field(default_factory=dict)  # of the algorithm, besides its name

    @property
    def error(self) -> float:
        """Return the mean error over the signals [-]."""
        return float(np.mean(list(self.errors.values()))) if self.errors else np.inf

    @property
    def worst(self) -> float:
        """Return the largest error as given and on scattered plants [-]."""
        return max(self.error, *self.varied) if self.varied else self.error

    @property
    def stable(self) -> bool:
        """Return whether the loop is stable as given."""
        shown = self.simulated is None or np.isfinite(self.simulated)
        return bool(self.margin >= 0.0 and np.isfinite(self.error) and shown)


@dataclass(frozen=True, eq=False, repr=False)
class Advice(Shows):
    """Advice for a loop."""

    system: System  # the prototypes, with an excitation
    candidates: tuple[Candidate, ...]  # all, the best first
    chosen: Candidate  # what is advised
    assumed: tuple[str, ...] = ()  # what was assumed about recordings
    network: Content = field(default_factory=dict)  # what it does besides the latency, as a scenario has it
    others: int = 0  # other loops that may be the truth as well
    drive: Content = field(default_factory=dict)  # recordings that drive it, as parts of a scenario

    @property
    def wire(self) -> Candidate:
        """Return the candidate without any FMU."""
        return next(one for one in self.candidates if one.name == WIRE)

    @property
    def second(self) -> Candidate | None:
        """Return the best other algorithm that is stable, None if there is none."""
        others = (one for one in self.candidates if one.name not in (self.chosen.name, WIRE) and one.stable)
        return next(others, None)

    @property
    def fallback(self) -> str:
        """Return the algorithm that models fall back to in this loop."""
        return fallback_among(self.candidates)

    @property
    def is_worth_it(self) -> bool:
        """Return whether an FMU is advised."""
        return self.chosen.name != WIRE

    def files(self) -> dict[str, str]:
        """Return the texts of the files of what is advised; its scenario runs `STEPS` macro steps beside the wire."""
        return dict(self._files)

    @cached_property
    def _files(self) -> dict[str, str]:
        # observers of models are worked out for them: once, however many ask
        one = self.chosen
        parts = self.network, self.fallback, one.settings, self.drive
        return files_of(Setup(self.system, one.name, one.models, *parts), STEPS)

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a row for each candidate, errors by signal (``errors.w``) [-]; needs pandas."""
        rows = []
        for one in self.candidates:
            figures = {key: value for key, value in _figures(one).items() if key not in ("models", "settings")}
            rows.append({"advised": one is self.chosen, **flat(figures)})
        return data_frame(rows)

    def _summary(self) -> Summary:
        """Return the candidates, as it is shown."""
        rows = [
            [label(one.name), one.detail or "-", plain(one.radius), _margin(one.margin), number(one.error)]
            for one in self.candidates
        ]
        title = f"Advised: {label(self.chosen.name)}" if self.is_worth_it else "Advised: no FMU, the plain wire"
        heads = ("algorithm", "observer", "spectral radius", "stable within / %", "error / size of signals")
        return Summary(title, heads, rows, self.assumed)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        rows = [_figures(one) for one in self.candidates]
        second = self.second
        head = {"network": dict(self.network), "advised": _figures(self.chosen), "second": second and _figures(second)}
        others = list(self.chosen.varied[: self.others])
        return head | {"fallback": self.fallback, "others": others, "candidates": rows}


def _margin(margin: float) -> str:
    return "-" if margin < 0.0 else f"{100.0 * margin:g}"


def _figures(one: Candidate) -> dict[str, Any]:
    head = {"algorithm": one.name, "observer": one.detail, "radius": one.radius, "margin": one.margin}
    errors = {"error": one.error, "simulated": one.simulated, "worst": one.worst, "errors": dict(one.errors)}
    return head | errors | {"models": one.models, "settings": dict(one.settings)}


def rank(one: Candidate) -> tuple[bool, float]:
    """Return the place of the candidate `one` in a list: what is stable first, then by error."""
    return not one.stable, one.error


def fallback_among(candidates: Sequence[Candidate]) -> str:
    """Return the algorithm that models are to fall back to: `auto` or `zoh` of the `candidates`, whichever errs less.

    Only one counts that is stable on all plants, with errors below the size of the signal; where none is, models stay.
    """
    others = [one for one in candidates if one.name in (AUTO, "zoh") and one.margin >= NEEDED and one.worst < 1.0]
    return min(others, key=lambda one: one.error).name if others else MODEL


def choose(candidates: Sequence[Candidate], wire: Candidate, doubtful: bool = False) -> Candidate:
    """Return the best of the candidates that are stable on all plants and better than the `wire`, else the wire.

    Where it is `doubtful` whether both sides answer to each other, models have to bear more (`IN_DOUBT`).

    Where none is stable on all of them, as where the loop without delay is not, the margin decides first, then how many
    plants it is stable on. The cost is the error as given times the worst: today and where the plant is a little other.
    """
    stable = [one for one in candidates if one.name != WIRE and one.stable and not _is_harmful(one, wire)]
    stable = [one for one in stable if not doubtful or one.name != MODEL or one.margin >= IN_DOUBT]
    if not stable:
        return wire
    most = min(NEEDED, max(one.margin for one in stable))
    bearing = (one for one in stable if one.margin >= most)
    return min(bearing, key=lambda one: (np.count_nonzero(np.isinf(one.varied)), one.error * one.worst))


def _is_harmful(one: Candidate, wire: Candidate) -> bool:
    """Tell whether a candidate is not clearly better than the wire, or worse on a plant that the wire bears."""
    if not wire.stable:
        return False
    if one.simulated is not None and wire.simulated is not None and one.simulated > wire.simulated:
        return True
    # what is simulated has fewer of the same plants
    pairs = zip(one.varied, wire.varied, strict=False)
    worse = any(ours > theirs for ours, theirs in pairs)
    return one.error > _BETTER * wire.error or worse or one.margin < min(NEEDED, wire.margin)
