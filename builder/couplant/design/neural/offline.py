"""Learning from recordings: what `couplant learn` does, judged on recordings that were not used."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import tomlkit

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.analysis.morphism import SHAPE, Shape, morphism
from couplant.analysis.signal.recording import Span
from couplant.analysis.system import System
from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.style import label, macro_steps, number
from couplant.config.frame.read import Content
from couplant.config.interface import STARTS
from couplant.config.rules.neural import generic_start
from couplant.design.from_recording import design_for
from couplant.design.judged import Judged, judge_span, weights_of
from couplant.design.neural.adam import Adam, better_by_adam, train_by_adam
from couplant.design.neural.loop import Loop, judge_loop, learn_for_loop, linear, with_learnt
from couplant.design.neural.ridge import FEW, Choice, Learnt, learn_linear
from couplant.design.neural.trainer import choose_prior, train
from couplant.design.recommendation import AUTO_DESIGNED, DESIGNED, LEARNT
from couplant.design.settings import change_signal
from couplant.tables import Recording
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.numbers import MOST_WEIGHTS
from couplant_runtime.learning.neural import Neural

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class NeuralWeights:
    """A neural network that was trained on recordings."""

    start: str  # algorithm that it came from
    origin: LinearAlgorithm  # its weights
    shape: Shape  # size of its hidden layers
    weights: Vector  # shape (P,): all weights, -
    prior: float | None  # expected change of a weight, as chosen, -; None after training by Adam


@dataclass(frozen=True, eq=False, repr=False)
class Lesson(Shows):
    """Result of learning: the algorithm and its errors."""

    steps: int  # latency k, macro steps
    timing: str  # event or step
    # the learnt linear algorithm, or what the neural network is on the mean of rising and falling signals
    algorithm: LinearAlgorithm
    choice: Choice | None  # how number of values and penalty were chosen; None for a neural network
    neural: NeuralWeights | None  # the trained neural network
    judged: dict[str, Judged]  # by file how all algorithms do on the part of it that judges
    loop: Loop  # what is known of the loop that it becomes part of

    def settings(self) -> dict[str, Any]:
        """Return the tables of a signal that has what was learnt."""
        return learnt_settings(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        found: dict[str, Any] = {"steps": self.steps, "timing": self.timing}
        found |= {"choice": self.choice and asdict(self.choice)}
        found |= {"a": list(self.algorithm.a), "A": list(self.algorithm.A), "network": self.settings().get("network")}
        found |= {"loop": asdict(self.loop), "judged": {name: list(one.seconds) for name, one in self.judged.items()}}
        return found | {"recordings": {name: [r.to_dict() for r in one.table] for name, one in self.judged.items()}}

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return the errors of the algorithms, a row for each of them and recording [signal unit]; needs pandas."""
        found = self.judged.items()
        return data_frame([{"recording": name, **row.to_dict()} for name, one in found for row in one.table])

    def _summary(self) -> Summary:
        """Return the errors of the algorithms, as it is shown."""
        errors = [(name, row) for name, one in self.judged.items() for row in one.table]
        rows = [[name, label(row.algorithm), *map(number, (row.mae, row.rms, row.worst))] for name, row in errors]
        title = f"Learnt at {macro_steps(self.steps)}, {self.timing} timing: {self.algorithm.m} past values"
        return Summary(title, ("recording", "algorithm", "MAE", "rms", "max"), rows)


def learn(
    recordings: Sequence[Recording], others: Sequence[tuple[str, Recording, Span]], k: int, timing: str,
    start: str | None, adam: Adam | None = None, peak: float | None = None, system: System | None = None,
    common: Content | None = None,
) -> Lesson:  # fmt: skip
    """Learn from recordings of one macro step, at the latency `k` [macro steps], and judge on parts of `others`.

    These have the name of the file and the part. `start` is the algorithm that a neural network starts as, linear for
    the one learnt first; None: a linear algorithm is learnt. `adam` tells how to train the neural network, None: by
    least squares. Linear weights have at most the gain `peak` [-], without it what the plant `system` bears or, without
    that, `gain_bound`; a network has no bound. All are judged with the tables `common` of the signal that gets the
    weights, as they are saved: a network goes on learning where these do not forbid it. Raises UsageError if the
    recordings differ in their macro step, or are too short.
    """
    steps = {f"{one.macro_step:.9g}" for one in (*recordings, *(r for _, r, _ in others))}
    if len(steps) > 1:
        raise UsageError(f"macro_step is missing: recordings have steps of {', '.join(sorted(steps))} s, allowed one")
    if start is None:
        learnt, plant = learn_for_loop(recordings, k, timing, peak, system)
        algorithm, choice, neural = linear(learnt), learnt.choice, None
    else:
        first = learn_for_loop(recordings, k, timing, peak, system, most=FEW)[0] if start == "linear" else None
        neural = learn_neural([one.value for one in recordings], k, timing, start, adam, first)
        algorithm, choice = effective(neural, k, timing), None
        plant = system and with_learnt(system, lambda _: algorithm, k, timing, recordings[0].macro_step)
    tables = _rivals(recordings[0], k, timing) if others else {}
    lesson = Lesson(k, timing, algorithm, choice, neural, {}, judge_loop(algorithm, plant))
    tables |= {LEARNT: learnt_settings(lesson)}
    found = {name: judge_span(one, span, k, timing, tables, common=common) for name, one, span in others}
    return replace(lesson, judged=found)


def _rivals(recording: Recording, k: int, timing: str) -> dict[str, Content]:
    if recording.constant or k + (timing == "step") == 0:
        return {}
    one = design_for(recording, k, timing).algorithm
    return {DESIGNED: weights_of(one), AUTO_DESIGNED: weights_of(one, "auto")}


def learn_neural(
    signals: Sequence[Vector], k: int, timing: str, start: str, adam: Adam | None = None, learnt: Learnt | None = None
) -> NeuralWeights:
    """Return a neural network trained on recordings, at the latency `k` [macro steps].

    `signals` have one value a macro step [signal unit]. In event timing the neural network stands for the start of the
    macro step, in step timing for its end. It starts as zoh, foh, eros3, eros4, or linear for the `learnt` algorithm,
    that of `learn_linear` if not given. `adam` tells how to train, then with offsets; None: by least squares near
    the start. Where training makes the error on what was left out larger, it stays what it starts as. Raises UsageError
    if the neural network would be too large or the recordings are too short.
    """
    origin = _origin(signals, k, start, learnt)
    row, late, offsets = origin.m - 1 + SHAPE.second, int(timing == "step"), adam is not None
    # as many neurons as the FMU has room for
    first = next((n for n in (SHAPE.first, 2) if n * row + SHAPE.second * (1 + offsets) <= MOST_WEIGHTS), 1)
    shape = Shape(first=first, offsets=offsets)
    net = _neural(origin, shape, start)
    # the network starts as the linear predictor of the end that the timing gives out
    base = morphism(np.array(origin.a) + late * np.array(origin.A), shape)
    if adam is not None:
        weights = train_by_adam(net, base, signals, k + late, adam)
        # kept only if it was better where it was not trained
        better = better_by_adam(net, base, signals, k + late, adam)
        return NeuralWeights(start, origin, shape, weights if better else base, None)
    prior = choose_prior(net, base, signals, k + late)
    return NeuralWeights(start, origin, shape, train(net, base, signals, k + late, prior), prior)


def _origin(signals: Sequence[Vector], k: int, start: str, learnt: Learnt | None) -> LinearAlgorithm:
    if start == "linear":
        return linear(learnt or learn_linear(signals, k, most=FEW), "linear")
    if start not in STARTS:
        raise UsageError(f"start = {start}, allowed {', '.join(STARTS)}")
    return LinearAlgorithm(k, *generic_start(start, k), start)


def _neural(origin: LinearAlgorithm, shape: Shape, start: str) -> Neural:
    number = BY_NAME[start].number
    return Neural(origin.k, shape.first, shape.second, shape.leak, False, number, origin.a, origin.A, shape.offsets)


def effective(neural: NeuralWeights, k: int, timing: str) -> LinearAlgorithm:
    """Return the linear algorithm at latency `k` [macro steps] that a neural network is on the mean of all patterns.

    With offsets it is the one near rest.
    """
    origin, shape, inputs = neural.origin, neural.shape, neural.origin.m - 1
    middle, last = shape.first * inputs, shape.first * (inputs + shape.second)
    first = neural.weights[:middle].reshape(shape.first, inputs)
    second = neural.weights[middle:last].reshape(shape.second, shape.first)
    # a leaky unit passes 1 on one side, the leak on the other: the mean of both
    mean = np.full(shape.second, (1.0 + shape.leak) / 2.0)
    if shape.offsets:
        mean = np.where(neural.weights[last + shape.second :] >= 0.0, 1.0, shape.leak)
    w = (mean * neural.weights[last : last + shape.second]) @ second @ first
    slope = np.array(origin.A)
    # weights of differences: the newest has what is left to 1
    near = np.concatenate([[1.0 - w.sum()], w])
    return LinearAlgorithm(k, tuple(near - slope * int(timing == "step")), origin.A, "learnt")


def learnt_settings(lesson: Lesson) -> dict[str, Any]:
    """Return the tables of a signal that a lesson changes."""
    if lesson.neural is None:
        line = lesson.algorithm
        weights = {"steps": lesson.steps, "a": list(line.a), "A": list(line.A)}
        return {"algorithm": {"selected": "linear", **weights}}
    net = lesson.neural
    one = net.shape
    shape: dict[str, Any] = {"start": net.start, "first": one.first, "second": one.second, "leak": one.leak}
    if one.offsets:
        shape["offsets"] = True
    algorithm: dict[str, Any] = {"selected": "network"}
    if net.start == "linear":
        algorithm |= {"steps": lesson.steps, "a": list(net.origin.a), "A": list(net.origin.A)}
    return {"algorithm": algorithm, "network": {**shape, "weights": [float(w) for w in net.weights]}}


def settings_text(signal: str, lesson: Lesson) -> str:
    """Return the tables of a signal as TOML to paste."""
    latency = {"mode": "constant", "constant_steps": lesson.steps}
    return tomlkit.dumps({"signals": {signal: {"latency": latency, **learnt_settings(lesson)}}})


def write_settings(path: str | Path, signal: str, lesson: Lesson) -> Path:
    """Write learnt weights into a configuration file; comments and everything else stay.

    Raises UsageError if the file is wrong, before or after, or has no such signal; it is then unchanged.
    """
    return change_signal(path, signal, lambda section: section.update(learnt_settings(lesson)))
