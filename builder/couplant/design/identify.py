"""A model of a prototype from recordings, for the algorithm `model`: found by prediction errors, judged on other data.

The recordings are mostly those of a loop, in which what goes to a prototype depends on what comes from it. Then many
models explain them alike, and some of these have learnt the loop instead of the prototype. So each is tried on the
others: that one is chosen which predicts best what was left out, of those whose loop is stable whichever is the truth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.analysis.prediction_error import Linear, fit_model, predictions
from couplant.analysis.signal.autoregressive import follow
from couplant.analysis.signal.pieces import Pieces
from couplant.analysis.signal.recording import MADE_OF
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import CouplantError, UsageError
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.design.both_sides import Side, radius, radius_without_delay
from couplant.tables import SHORTEST
from couplant_runtime.generated.numbers import COMPANIONS, MAX_STEPS, PLANT_INPUTS, PLANT_STATES

if TYPE_CHECKING:
    import pandas

MOST_USED = 10_000
"""Macro steps that are used in all."""
MOST_STATES = PLANT_STATES - 1
USUAL_STATES = 4
"""States up to which is tried if nothing else is said: more of them learn the loop."""
_GROUPS = 4
_PARSIMONY = 1.1
"""Error over that of the best, up to which fewer states are chosen."""
_THROUGH = 0.9
"""Error with feedthrough over that without, below which inputs act at once."""
_PLAUSIBLE = 1.25
"""Error over that of the best, up to which a model may be the truth."""
_STABLE = 2e-4
"""Growth in a macro step that still counts as none."""
WORTH = 0.95
"""Error over that of doing nothing from which on a model is worth nothing."""
LEAST_SHARE = 0.9
"""Share of the models that may be the truth on which the loop has to be stable."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A model with n states, and what it is worth on recordings that did not make it."""

    model: Linear  # of all recordings
    # one, ahead, zoh: shape (p,): errors of the outputs one step and `steps` ahead, and those of doing nothing (rms),
    # in signal units
    one: Vector
    ahead: Vector
    zoh: Vector
    others: tuple[Linear, ...]  # models of as many states of parts of the recordings
    # of the models that may be the truth: those on which the loop with this model is stable, at `steps` and at one more
    # [-]. None if the recordings show no loop
    share: float | None = None

    @property
    def states(self) -> int:
        """Return n."""
        return len(self.model.A)

    @property
    def fit(self) -> float:
        """Return the error one step ahead over that of doing nothing for `steps`, mean of the outputs [-]."""
        return float(np.mean(self.one / np.maximum(self.zoh, 1e-300)))

    @property
    def gain(self) -> float:
        """Return the error `steps` ahead over that of doing nothing, mean of the outputs [-]."""
        return float(np.mean(self.ahead / np.maximum(self.zoh, 1e-300)))


@dataclass(frozen=True, eq=False, repr=False)
class Identification(Shows):
    """A model from recordings."""

    # inputs, outputs: signals
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    macro_step: float  # ΔT, s
    steps: int  # latency for which it was judged [macro steps]
    candidates: tuple[Candidate, ...]  # by the number of states
    chosen: Candidate  # one of them
    left_out: str  # what it was judged on, in words
    assumed: tuple[str, ...] = ()  # about the recordings

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON, without the table of the model."""
        head = {"macro_step": self.macro_step, "steps": self.steps, "judged_on": self.left_out}
        return head | {"states": self.chosen.states, "candidates": self.rows(), "refused": self.refused or None}

    def rows(self) -> list[dict[str, Any]]:
        """Return the errors of each number of states [signal units]."""
        return [
            {"states": one.states, "one_step": one.one.tolist(), "ahead": one.ahead.tolist(), "zoh": one.zoh.tolist()}
            | {"ratio": one.gain, "stable_share": one.share}
            for one in self.candidates
        ]

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return the errors of each number of states, by output (``ahead.w``) [signal units]; needs pandas."""
        found = []
        for row in self.rows():
            errors = {k: dict(zip(self.outputs, row.pop(k), strict=True)) for k in ("one_step", "ahead", "zoh")}
            found.append(row | {f"{kind}.{name}": e for kind, by in errors.items() for name, e in by.items()})
        return data_frame(found, "states")

    def _summary(self) -> Summary:
        """Return the errors of each number of states, as it is shown."""
        heads = ("states", "1 step ahead", f"{self.steps} steps ahead", "of doing nothing", "stable on")
        rows = [[str(c.states), _texts(c.one), _texts(c.ahead), f"{c.gain:.3g}", _share(c)] for c in self.candidates]
        named = f"Errors (rms) of {', '.join(self.outputs)} on {self.left_out}; chosen: {self.chosen.states} states."
        unknown = "The inputs do not follow the outputs: nothing is known of a loop with them, simulate it."
        notes = [named, *([unknown] if self.chosen.share is None else []), *([self.refused] if self.refused else [])]
        return Summary(f"Model of what sends {', '.join(self.outputs)}", heads, rows, notes)

    @property
    def refused(self) -> str:
        """Return why the model must not be used at this latency, empty if it may."""
        one = self.chosen
        if not one.gain < WORTH:
            return (
                f"{self.steps} macro steps ahead the model errs {one.gain:.3g} times as much as doing nothing, allowed "
                f"below {WORTH}: something else than {', '.join(self.inputs)} moves {', '.join(self.outputs)}"
            )
        if one.share is not None and one.share < LEAST_SHARE:
            share, least = (f"{100 * part:.0f} %" for part in (one.share, LEAST_SHARE))
            return (
                f"at {self.steps} macro steps and one more the loop with this model is stable on {share} of the models "
                f"that explain the recordings as well, allowed {least}: what helps is a shorter latency, or recordings "
                f"in which {', '.join(self.inputs)} is excited by itself"
            )
        return ""

    def settings(self) -> dict[str, Any]:
        """Return the table of the model for settings files."""
        model = self.chosen.model
        found: dict[str, Any] = {part: round_matrix(getattr(model, part)) for part in "ABC"}
        found |= {"D": round_matrix(model.D)} if model.D.any() else {}
        found |= {"inputs": list(self.inputs), "outputs": list(self.outputs)}
        found |= {"disturbance": round_matrix(model.disturbance), "order": 1, "leak": float(f"{model.leak:.9g}")}
        return found | {"drive": float(f"{model.drive:.6g}"), "noise": [float(f"{one:.4g}") for one in model.noise]}


def _texts(values: Vector) -> str:
    return " ".join(f"{value:.3g}" for value in values)


def _share(one: Candidate) -> str:
    return "-" if one.share is None else f"{100 * one.share:.0f} %"


@dataclass(frozen=True, eq=False)
class Learnt:
    """Models of several numbers of states from the same recordings."""

    data: Pieces  # what was used of the recordings
    # inputs, outputs: signals
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    # by the number of states: of all recordings, and of each part in `folds`
    models: tuple[tuple[Linear, tuple[Linear, ...]], ...]
    choosable: int  # states at most; a model of more is there to be a truth only
    folds: tuple[tuple[Pieces, Pieces], ...]  # what made a model, and what judges it
    left_out: str  # the latter in words
    other: Linear | None  # what makes the inputs from the outputs; None if they do not follow them


def learn(
    data: Pieces, inputs: Sequence[str], outputs: Sequence[str], states: Sequence[int] = (),
    progress: Callable[[float], None] | None = None,
) -> Learnt:  # fmt: skip
    """Learn models of what sends `outputs` and receives `inputs`, names of at most 4 signals each.

    In `data` y are the outputs, u the inputs; `states` are the numbers of states to try, 1 to 7, 1 to 4 if none is
    given, and `progress` is told the share that is done. Raises UsageError if a number is out of range, a signal never
    changes, or the recordings are too short, CouplantError if no model is found.
    """
    check_wanted(inputs, outputs, states)
    check_data(data, inputs, outputs)
    tried = sorted(set(states)) or list(range(1, USUAL_STATES + 1))
    data, found = use_beginnings(data), []
    through, (folds, left_out) = _acts_at_once(data), _folds(data)
    # one state more than may be chosen: what it explains shows how far the models are from the truth
    for i, count in enumerate([*tried, tried[-1] + 1]):
        if progress:
            progress((i + 1) / (len(tried) + 2))
        # more states than the FMU has room for are none
        if count <= MOST_STATES:
            found += _models(data, folds, count, through)
    if not found or len(found[0][0].A) > tried[-1]:
        raise CouplantError("no model is found: no observer follows any of those that were tried.")
    # what makes the inputs of the outputs: only one of both can act at once, else nothing is a loop
    other = _other_side(data.mirror(), folds, not through)
    return Learnt(data, tuple(inputs), tuple(outputs), tuple(found), tried[-1], tuple(folds), left_out, other)


def identify(learnt: Learnt, steps: int) -> Identification:
    """Choose from `learnt` models the one for a latency of `steps`, 1 to 64 [macro steps].

    Raises UsageError if the number is out of range, or too large for the recordings.
    """
    check_wanted(learnt.inputs, learnt.outputs, steps=steps)
    # the first steps do not count, `steps` more are not known
    shortest = min(len(judged.y) for _, judged in learnt.folds)
    if shortest < SHORTEST + steps:
        text = f"{shortest} macro steps are left to judge the model, allowed at least {SHORTEST + steps}"
        raise UsageError(f"{text} for steps = {steps}: longer recordings, or more of them")
    found = [_candidate(learnt, model, others, steps) for model, others in learnt.models]
    allowed = _with_shares([one for one in found if one.states <= learnt.choosable], _truths(found), learnt, steps)
    names = learnt.inputs, learnt.outputs
    return Identification(*names, learnt.data.macro_step, steps, tuple(allowed), _best(allowed), learnt.left_out)


def check_wanted(inputs: Sequence[str], outputs: Sequence[str], states: Sequence[int] = (), steps: int = 1) -> None:
    """Refuse signals `inputs` and `outputs`, numbers of `states` and of `steps` as in `learn` and `identify`.

    Raises UsageError if one is not allowed.
    """
    for key, names, most in (("inputs", inputs, PLANT_INPUTS), ("outputs", outputs, COMPANIONS + 1)):
        if not 1 <= len(names) <= most:
            raise UsageError(f"{key} = {len(names)} signals, allowed 1 to {most}")
    both = [*inputs, *outputs]
    for name in both:
        if both.count(name) > 1:
            raise UsageError(f"{name} is named {both.count(name)} times among inputs and outputs, allowed once")
    for one in states:
        if not 1 <= one <= MOST_STATES:
            raise UsageError(f"states = {one}, allowed 1 to {MOST_STATES}")
    if not 1 <= steps <= MAX_STEPS:
        raise UsageError(f"steps = {steps}, allowed 1 to {MAX_STEPS}")


def check_data(data: Pieces, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Refuse recordings of signals, y the `outputs` and u the `inputs`, from which nothing can be learnt.

    Raises UsageError if a signal never changes, or they are too short.
    """
    for names, values in ((outputs, data.y), (inputs, data.u)):
        for name, size in zip(names, np.ptp(values[data.counts], axis=0), strict=True):
            if not size > 0.0:
                raise UsageError(f"{name} never changes, allowed signals that do")
    if len(data.y) < 3 * SHORTEST:
        raise UsageError(f"the recordings have {len(data.y)} macro steps at most, allowed at least {3 * SHORTEST}")


def use_beginnings(data: Pieces) -> Pieces:
    """Return the beginnings of the recordings, as much as is used of them."""
    # all recordings by as much: each is another experiment
    each = MOST_USED // data.y.shape[1]
    return data.span(0, each) if len(data.y) > each else data


def _acts_at_once(data: Pieces) -> bool:
    """Tell whether inputs act on outputs at once: only if it shows with two states and with three.

    In a loop an input and an output of the same moment belong together whether or not one follows the other.
    """
    # with three states too: one state too few looks like feedthrough
    for count in (2, 3):
        without, through = (_try_model(data, count, how) for how in (False, True))
        if not through[1] <= _THROUGH * without[1]:
            return False
    return True


def _try_model(data: Pieces, states: int, through: bool) -> tuple[Linear | None, float]:
    """Return a model and its error one step ahead over the sizes of the outputs [-]; none and infinity if none fits."""
    try:
        model = fit_model(data, states, through)
        return model, float(np.mean(_rms(predictions(data, model, 1)) / data.sizes[0]))
    except UsageError:
        return None, np.inf


def _folds(data: Pieces) -> tuple[list[tuple[Pieces, Pieces]], str]:
    """Return the parts that make and judge: recordings are left out in turn; of a single one it is the last part."""
    count = data.y.shape[1]
    if count == 1:
        # a single recording: what comes later judges
        cut = int(MADE_OF * len(data.y))
        return [(data.span(0, cut), data.span(cut, len(data.y)))], "the last two fifths of the recording"
    # at most four groups: each model is found once per group
    groups = np.array_split(np.arange(count), min(count, _GROUPS))
    pairs = [(data.only(np.setdiff1d(range(count), group).tolist()), data.only(group.tolist())) for group in groups]
    return pairs, "recordings that were left out in turn"


def _models(
    data: Pieces, folds: Sequence[tuple[Pieces, Pieces]], states: int, through: bool
) -> list[tuple[Linear, tuple[Linear, ...]]]:
    """Return the model with a number of `states`, and those of parts of the recordings; none without an observer."""
    try:
        model = fit_model(data, states, through)
        # models of the parts start from that of the whole: the same minimum
        return [(model, tuple(fit_model(made, states, through, model) for made, _ in folds))]
    except UsageError:
        return []


def _candidate(learnt: Learnt, model: Linear, others: tuple[Linear, ...], steps: int) -> Candidate:
    errors: dict[str, list[Matrix]] = {"one": [], "ahead": [], "zoh": []}
    for other, (_, judged) in zip(others, learnt.folds, strict=True):
        ahead, zoh = predictions(judged, other, steps), np.full(judged.y.shape, np.nan)
        # doing nothing: the output as it was `steps` ago
        zoh[steps:] = judged.y[steps:] - judged.y[: len(judged.y) - steps]
        errors["one"].append(predictions(judged, other, 1))
        errors["ahead"].append(ahead)
        # on the same steps as the model
        errors["zoh"].append(np.where(np.isnan(ahead), np.nan, zoh))
    p = len(learnt.outputs)
    rms = {key: _rms(np.concatenate([one.reshape(-1, p) for one in parts])) for key, parts in errors.items()}
    return Candidate(model, rms["one"], rms["ahead"], rms["zoh"], others)


def _rms(errors: Matrix) -> Vector:
    """Return the size of errors by output, without those that are not known."""
    # NaN: before the observer has settled
    return np.asarray(np.sqrt(np.nanmean(errors.reshape(-1, errors.shape[-1]) ** 2, axis=0)))


def _truths(found: Sequence[Candidate]) -> list[Linear]:
    """Return the models that explain the recordings nearly as well as the best: any of them may be the prototype."""
    # by one step, which all data judge; what is a bit worse may still be the truth
    least = min(one.fit for one in found)
    return [model for one in found if one.fit <= _PLAUSIBLE * least for model in (one.model, *one.others)]


def _other_side(data: Pieces, folds: Sequence[tuple[Pieces, Pieces]], through: bool) -> Linear | None:
    """Return a model of what makes the inputs of the prototype from its outputs, with as few states as needed."""
    if not follow([(made.mirror(), judged.mirror()) for made, judged in folds]):
        return None
    # fewest states: a feigned controller of many states is stable with anything
    tried = [_try_model(data, count, through) for count in range(1, USUAL_STATES + 1)]
    least = min(error for _, error in tried)
    return next((model for model, error in tried if model is not None and error <= _PARSIMONY * least), None)


def _with_shares(found: Sequence[Candidate], truths: Sequence[Linear], learnt: Learnt, steps: int) -> list[Candidate]:
    """Return the candidates with the share of the truths on which the loop with them is stable, a step later too."""
    other, macro_step = learnt.other, learnt.data.macro_step
    if other is None:
        return list(found)
    end = Side(other, other.observer(macro_step))
    # what the ideal coupling grows by is not the model's fault
    allowed = [max(1.0, radius_without_delay(truth, other, macro_step)) + _STABLE for truth in truths]
    counted = []
    for one in found:
        own = one.model.observer(macro_step)
        # a step later too: latencies of a real network are not constant
        sizes = [[radius(Side(truth, own), end, k, macro_step) for truth in truths] for k in (steps, steps + 1)]
        counted.append(replace(one, share=float(np.mean(np.array(sizes) <= allowed, axis=1).min())))
    return counted


def _best(found: Sequence[Candidate]) -> Candidate:
    """Return the candidate with the fewest states that errs as little as any of those that are robust."""
    shares = [1.0 if one.share is None else one.share for one in found]
    # all are unstable on some: the most robust ones then
    most = min(LEAST_SHARE, max(shares))
    robust = [one for one, share in zip(found, shares, strict=True) if share >= most]
    least = min(one.gain for one in robust)
    # candidates stand by number of states: the first that is nearly as good
    return next(one for one in robust if one.gain <= _PARSIMONY * least)


def round_matrix(matrix: Matrix) -> Any:
    """Return the `matrix` as lists, to nine digits."""
    return np.vectorize(lambda value: float(f"{value:.9g}"))(matrix).tolist()
