"""Observers for the algorithm `model`: which weights follow the prototypes of a coupled system best.

Candidates differ in the order of the disturbance, its drive over the noise and its leak. Each is judged by what it does
in the loop: the error of the estimates against the system without delay, and the share of stable plants.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from couplant.analysis.loop_error import close_undelayed, undelayed_radius
from couplant.analysis.macro_map import discretise
from couplant.analysis.model_map import macro_step, senders_of, sent_of
from couplant.analysis.senders import Weights, acting, coupled_signals, with_models
from couplant.analysis.stability import stability
from couplant.analysis.system import System, scatter
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import CouplantError, UsageError

CORNER = 0.2  # corner frequency of the excitation unless said otherwise, over that of the macro steps [rad]
QUIET = 1e-4  # noise that is counted at least: values are rounded somewhere [share of the rms of a signal]

_ORDERS = (1, 2)
_DECADES = range(-4, 3)
_LEAKS = (0.0, 0.3, 3.0)
_PROCESS = 1e-9
_STEPS, _SEEDS = 1000, 2
_LEAST = 0.1  # effect of an excitation that observers follow at least, over that of the first prototype [-]


@dataclass(frozen=True)
class Candidate:
    """Weights of the observers of all prototypes, and what they do in the loop."""

    weights: Mapping[str, Weights]  # by prototype
    order: int  # of the disturbance, -
    decade: int  # power of ten by which the drive differs from that of the stated excitation, -
    leak: float  # of the disturbance, 1/s
    # rms of the error of the estimates against the system without delay, over that of the signals: mean over signals
    # and runs, -
    error: float


@dataclass(frozen=True, eq=False)
class ModelDesign:
    """The observers that were chosen."""

    system: System  # the coupled system with the models
    chosen: Candidate  # weights by prototype, and what they do
    errors: Mapping[str, float]  # error by connection, ``prototype.output``, as in `Candidate`, -
    # errors of the same kind of the plain wire on the true signals, without the growth that it gives the loop, -
    wire: Mapping[str, float]
    stable_share: float  # share of stable plants, 0 to 1
    radius: float  # spectral radius of the nominal plant, -
    tried: Sequence[Candidate]  # all that were judged, the least error first
    asked: "Asked"  # excitation and noise

    def to_dict(self) -> dict[str, Any]:
        """Return the design for JSON."""
        one = self.chosen
        row = {"timing": self.system.timing, "macro_step": self.system.macro_step, "corner": self.asked.corner}
        row |= {"steps": {c.source: c.algorithm.k for c in self.system.connections}, "noise": dict(self.asked.noise)}
        row["excited"] = dict(self.asked.excited)
        row |= {"order": one.order, "decade": one.decade, "leak": one.leak, "error": one.error}
        row |= {"errors": dict(self.errors), "wire": dict(self.wire)}
        row |= {"radius": self.radius, "stable_share": self.stable_share}
        row["models"] = {name: asdict(weights) for name, weights in one.weights.items()}
        return row | {"tried": [{k: getattr(t, k) for k in ("order", "decade", "leak", "error")} for t in self.tried]}


def design_models(
    system: System, *, noise: float | Mapping[str, float] | None = None, corner: float | None = None,
    excited: Mapping[str, float] | None = None, plants: int = 100, spread: float = 0.05, seed: int = 0,
) -> ModelDesign:  # fmt: skip
    """Return observers for models of all prototypes of a system.

    Of all candidates with the largest share of stable plants it is the one with the least error. Connections of the
    `system` have latency and lead; their algorithms do not matter. `noise` is the standard deviation of the noise of
    the outputs, of all or by ``prototype.output``, as a share of their rms; that of the system if not given. `corner`
    is that of the excitation, white noise through two lags in half the runs, in the others a push of one period
    [rad/s], 0.2 by macro step unless given. `excited` says how large the signals are that the excitation of each
    prototype causes, against each other [-]; one that is not named is not excited, all are alike if it is not given.
    Where neither is given and the system tells the excitation of all prototypes that send, that is taken as it is.
    `plants`, `spread` and `seed` scatter parameters as in `scatter`. Raises UsageError if a number is out of range, or
    a prototype has no model: too many states, no observer.
    """
    if plants < 0:
        raise UsageError(f"plants = {plants}, allowed 0 and more")
    asked = Asked.of(system, noise, corner, excited)
    trial = _Trial(system, asked)
    tried = sorted(trial.candidates(), key=lambda one: one.error)
    if not tried:
        raise UsageError("no observer: what excites a prototype does not show in its outputs, whatever the leak")
    # by share of stable plants; of equals by error, which sorted them
    # what is unstable without any delay tells nothing about an observer
    scattered = [one for one in scatter(system, plants, spread, seed) if undelayed_radius(one) < 1.0]
    best, share = _most_stable(tried, system, scattered)
    coupled = with_models(system, best.weights, bool(system.stale))
    errors = dict(zip([c.source for c in system.connections], trial.errors(coupled).tolist(), strict=True))
    return ModelDesign(coupled, best, errors, trial.wire_errors(), share, stability(coupled).radius, tried, asked)


@dataclass(frozen=True)
class Asked:
    """Corner [rad/s], noise by output [share of its rms] and relative effect of the excitation by prototype [-].

    `told` if the excitation of the system counts in place of corner and effects.
    """

    corner: float
    noise: Mapping[str, float]
    excited: Mapping[str, float]
    told: bool = False

    @classmethod
    def of(
        cls, system: System, noise: float | Mapping[str, float] | None, corner: float | None,
        excited: Mapping[str, float] | None,
    ) -> "Asked":  # fmt: skip
        """Return a checked request: `noise`, `corner` [rad/s] and `excited` are those of `design_models`."""
        unsaid = corner is None and excited is None
        # white noise up to this corner, then falling: most prototypes are driven so
        corner, highest = CORNER / system.macro_step if corner is None else corner, np.pi / system.macro_step
        if not 0.0 < corner <= highest:
            raise UsageError(f"corner = {corner:g}, allowed above 0 to {highest:g} rad/s")
        sent = sent_of(system)
        noise = {name: system.noise_of(name) for name in sent} if noise is None else noise
        shares = dict(noise) if isinstance(noise, Mapping) else dict.fromkeys(sent, noise)
        for name, share in shares.items():
            if name not in sent or not 0.0 <= share < 1.0:
                raise UsageError(f"noise of {name} = {share:g}, allowed 0 to below 1 for {', '.join(sent)}")
        senders = list(dict.fromkeys(c.source.partition(".")[0] for c in system.connections))
        levels = dict.fromkeys(senders, 1.0) if excited is None else dict(excited)
        for name, level in levels.items():
            if name not in senders or not 0.0 <= level < np.inf:
                raise UsageError(f"excitation of {name} = {level:g}, allowed 0 and more for {', '.join(senders)}")
        if not any(levels.values()):
            raise UsageError("nothing is excited, allowed above 0 for at least one prototype")
        # what is not named is not excited
        every = {name: levels.get(name, 0.0) for name in senders}
        told = unsaid and all(name in system.excitation for name in senders)
        return cls(corner, {name: shares.get(name, 0.0) for name in sent}, every, told)


def _most_stable(tried: Sequence[Candidate], system: System, plants: Sequence[System]) -> tuple[Candidate, float]:
    """Return the candidate that fails on the fewest plants, of several the first, and its share of stable ones."""
    best, fewest, hard = tried[0], len(plants) + 1, list(plants)
    for one in tried:
        coupled, failed = with_models(system, one.weights, bool(system.stale)), []
        for plant in hard:
            if not stability(replace(coupled, prototypes=plant.prototypes)).stable:
                failed.append(plant)
            if len(failed) >= fewest:
                break
        hard.sort(key=lambda plant: plant not in failed)  # what fails once fails again
        if len(failed) < fewest:
            best, fewest = one, len(failed)
        if fewest == 0:
            break
    return best, 1.0 - fewest / max(1, len(plants))


class _Trial:
    """The excitation that all candidates are judged by, and what the system does with it without delay."""

    def __init__(self, system: System, asked: Asked) -> None:
        self._system, self._asked = system, asked
        self._take_told() if asked.told else self._level_out()
        # errors are judged against the deviation of each signal
        self._size = np.sqrt(np.mean(self._truth**2, axis=0))
        sent = sent_of(system)
        # counted at least: quantisation is everywhere
        sigma, places = np.zeros((len(sent), self._size.shape[1])), [sent.index(c.source) for c in system.connections]
        sigma[places] = self._size
        sigma *= np.array([max(QUIET, asked.noise[name]) for name in sent])[:, None]
        self._v = np.random.default_rng(1).standard_normal((_STEPS, *sigma.shape)) * sigma
        self._sigma = dict(zip(sent, np.sqrt(np.mean(sigma**2, axis=1)).tolist(), strict=True))

    def _take_told(self) -> None:
        """Take the excitation that the system tells."""
        told, step = self._system.excitation, self._system.macro_step
        courses = [[one.course(step, _STEPS, np.random.default_rng([seed, i])) for seed in range(2 * _SEEDS)]
                   for i, one in enumerate(told.values())]  # fmt: skip
        self._excitation, self._w = self._system.excited, np.array(courses).transpose(2, 0, 1)
        self._truth = _undelayed_signals(self._system, self._excitation, self._w)
        least = np.finfo(float).tiny
        self._drives = {name: (max(one.deviation**2, least), one.bandwidth) for name, one in told.items()}
        self._acting: dict[str, tuple[float, ...] | None] = {name: one.states for name, one in told.items()}

    def _level_out(self) -> None:
        """Excite each prototype so that all make signals of like size, or as asked."""
        system, asked, names = self._system, self._asked, list(self._asked.excited)
        # each prototype's excitation alone, to see how much of its signals it makes
        self._excitation = _excitation(system, names)
        courses = _courses(len(names), asked.corner * system.macro_step)
        alone = [courses * (np.arange(len(names)) == i)[:, None] for i in range(len(names))]
        effects = np.array([_undelayed_signals(system, self._excitation, one) for one in alone])
        # geometric mean: no connection of large numbers decides
        sizes = np.exp(np.log(np.sqrt(np.mean(effects**2, axis=(1, 3))) + np.finfo(float).tiny).mean(axis=1))
        # levels so that all excitations make signals of like size
        level = np.array(list(asked.excited.values())) * sizes[0] / sizes
        # the noise the observer counts with has a least part of each
        density = (np.maximum(level, _LEAST * sizes[0] / sizes)) ** 2
        self._drives = {name: (float(one), asked.corner) for name, one in zip(names, density, strict=True)}
        self._acting = dict.fromkeys(names)
        self._w, self._truth = courses * level[:, None], np.tensordot(level, effects, 1)

    def candidates(self) -> Iterator[Candidate]:
        """Yield all candidates for which each prototype has an observer."""
        for order, decade, leak in product(_ORDERS, _DECADES, _LEAKS):
            weights = {}
            for name in self._asked.excited:
                density, corner = self._drives[name]
                # above the corner a chain of `order` integrators has the variance drive / corner^(2 order - 1)
                drive = _short(density * corner ** (2 * order - 1) * 10.0**decade)
                noise = tuple(_short(self._sigma[one]) for one in coupled_signals(self._system, name)[0])
                weights[name] = Weights(order, drive, noise, leak, _PROCESS, self._acting[name])
            try:
                coupled = with_models(self._system, weights, bool(self._system.stale))
            except UsageError:
                continue
            yield Candidate(weights, order, decade, leak, float(self.errors(coupled).mean()))

    def errors(self, coupled: System) -> Vector:
        """Return the error of each connection, shape (connections,)."""
        one = macro_step(coupled, self._excitation)
        n, nw, _, _ = one.split
        rows = np.vstack([one.state, one.estimates])
        # all runs side by side, columns of one product
        z = np.zeros((rows.shape[1], self._w.shape[2]))
        squares = np.zeros_like(self._size)
        for step in range(_STEPS):
            z[n : n + nw], z[n + nw : n + 2 * nw], z[n + 2 * nw :] = self._w[step], self._w[step + 1], self._v[step]
            after = rows @ z
            # against what the coupling without delay does
            squares += (after[n:] - self._truth[step]) ** 2
            z[:n] = after[:n]
        return np.asarray(np.mean(np.sqrt(squares / _STEPS) / self._size, axis=1))

    def wire_errors(self) -> dict[str, float]:
        """Return the error of values as they come, k macro steps late in either timing."""
        found = {}
        for i, c in enumerate(self._system.connections):
            k = c.algorithm.k
            late = np.concatenate([np.zeros_like(self._truth[:k, i]), self._truth[: _STEPS - k, i]])
            error = np.sqrt(np.mean((late - self._truth[:, i]) ** 2, axis=0))
            found[c.source] = float(np.mean(error / self._size[i]))
        return found


def _short(value: float) -> float:
    """Return a weight as it stands in settings."""
    return float(f"{value:.3g}")


def _excitation(system: System, names: Sequence[str]) -> Matrix:
    """Return how what excites each of the prototypes `names` acts on the states of all, shape (nx, len(names))."""
    columns = np.zeros((sum(len(p.A) for p in system.prototypes), len(names)))
    first = 0
    for one in system.prototypes:
        if one.name in names:
            inputs = coupled_signals(system, one.name)[1]
            if not inputs:
                raise UsageError(f"model of {one.name}: nothing is sent to it, what it sends follows from nothing here")
            columns[first : first + len(one.A), names.index(one.name)] = acting(one, Weights(), inputs)
        first += len(one.A)
    return columns


def _courses(count: int, corner: float) -> Matrix:
    """Return excitations of rms 1 of `count` prototypes, shape (steps + 1, count, 2 seeds).

    In half of the runs they are white noise through two lags of the `corner` [rad by macro step], in the others a push
    each, a raised cosine of one period, one after the other.
    """
    from scipy.signal import lfilter  # takes long to load

    white = np.random.default_rng(0).standard_normal((_STEPS + 1, count, _SEEDS))
    kept, found = float(np.exp(-corner)), np.zeros((_STEPS + 1, count, 2 * _SEEDS))
    # second order, both poles at exp(-corner): smooth in value and slope
    found[:, :, :_SEEDS] = lfilter([(1.0 - kept) ** 2], [1.0, -2.0 * kept, kept**2], white, axis=0)
    # then one bump 1 - cos over a period, alternating in sign
    push = 1.0 - np.cos(corner * np.arange(round(2.0 * np.pi / corner)))
    for i in range(count):
        first = 2 * i * len(push)
        found[first : first + len(push), i, _SEEDS:] = (-1) ** i * push[: _STEPS + 1 - first, None]
    # all courses of rms 1, so that levels are comparable
    return np.asarray(found / np.sqrt(np.mean(found**2, axis=0)))


def _undelayed_signals(system: System, excited: Matrix, w: Matrix) -> Matrix:
    """Return the signals of prototypes that are coupled without delay, shape (steps, connections, runs)."""
    try:
        closed, seen = close_undelayed(system)
    except CouplantError:
        # without a coupling without delay there is no truth to judge against
        raise UsageError("coupled without delay the system has an algebraic loop without a unique solution") from None
    phi, level, change = discretise(closed, excited, system.macro_step)
    x, found = np.zeros((len(closed), w.shape[2])), np.zeros((_STEPS, len(seen), w.shape[2]))
    # an exact step of the closed continuous system
    for n in range(_STEPS):
        found[n] = seen @ x
        x = phi @ x + level @ w[n] + change @ (w[n + 1] - w[n])
    return found


def model_tables(
    system: System, chosen: Mapping[str, Weights], signals: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Return the tables ``[models.NAME]`` of a system with models, as `with_models` made it.

    The observers are `chosen` by prototype; `signals` are the names of signals by ``prototype.output``.
    """
    tables = {}
    late = [one for sender in senders_of(system) if sender.plant.late for one in sender.outputs]
    for name, weights in chosen.items():
        one = next(p for p in system.prototypes if p.name == name)
        outputs, inputs = coupled_signals(system, name)
        rows, columns = ([names.index(s.partition(".")[2]) for s in of] for names, of in
                         ((one.outputs, outputs), (one.inputs, inputs)))  # fmt: skip
        sent = {c.target: signals[c.source] for c in system.connections}
        table: dict[str, Any] = {"A": one.A.tolist(), "B": one.B[:, columns].tolist(), "C": one.C[rows].tolist()}
        D = one.D[np.ix_(rows, columns)]
        table |= {"D": D.tolist()} if D.any() else {}
        table |= {"inputs": [sent[i] for i in inputs], "outputs": [signals[o] for o in outputs]}
        table |= {"late": True} if outputs[0] in late else {}
        table |= {"disturbance": list(weights.disturbance)} if weights.disturbance is not None else {}
        tables[name] = table | {"order": weights.order, "leak": weights.leak, "drive": weights.drive,
                                "process": weights.process, "noise": list(weights.noise)}  # fmt: skip
    return tables
