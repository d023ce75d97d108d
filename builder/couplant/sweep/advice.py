"""Advice for a loop: every algorithm in it, by exact stability, by its errors, and on plants that are a little other.

Both sides are linear prototypes. What is linear, the algorithms that look at one signal and the models of the senders,
is judged exactly: spectral radius, and errors with the excitation and the noise of the system, nominal and on scattered
plants. `auto` is simulated. So is everything where the network makes values vary in age or loses some, for no theory
covers that: as given, and the best on scattered plants with other courses of the network; and where recordings of a
scenario drive the prototypes, for theory does not know what they do: what is unstable by theory is no candidate then,
and `phasor` is one if they are periodic. What is advised is stable on
all plants and better than the plain wire on each of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import tomlkit

from couplant.analysis.loop_error import loop_errors, noise_of_sent, undelayed_radius
from couplant.analysis.model_map import sent_of
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, System, scatter
from couplant.analysis.system_file import parse_system
from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.config.frame.read import Content
from couplant.config.models import AUTO, MODEL, PHASOR
from couplant.config.network import NetworkTable, Seconds, jitter_in, network_of, rounding_of
from couplant.cosim.fmu.prototype import Scene
from couplant.cosim.result import Run
from couplant.cosim.simulate import Progress, simulate
from couplant.cosim.wiring.loops import bare_loop, signal_names
from couplant.design.models import design_models
from couplant.design.observers import Tables, observers, with_usual_excitation
from couplant.sweep.advised import SCENARIO, STEPS, SYSTEM, Setup, files_of, system_document
from couplant.sweep.candidates import NEEDED, Advice, Candidate, choose, fallback_among, rank
from couplant.sweep.loop_source import Recorded, loop_in, wave_of
from couplant.sweep.point import quiet
from couplant.tables import PLAIN, Reading
from couplant_runtime.algorithms import GENERIC

SPREADS = (0.05, 0.1, 0.2)  # relative deviations of all parameters at which stability is asked [-]
_RUNS = 3  # courses of excitation and noise by which each is judged as given
_PLANTS, _DRIVEN, _SIMULATED = 20, 6, 3
"""Plants of each spread, those of them that are driven, and those on which what no theory covers is simulated."""
_SURE, _TRIED = 2, 6  # candidates that are to bear all plants in a network, of the first so many
_SHORT = 400  # macro steps of a run by which a candidate in a network is judged; what is chosen runs on
_GROWS, _LEAST = 3.0, 0.02
"""Error of the last third over that of the one before from which a run grows; share of a signal that counts. [-]"""
_BAND = 0.1  # usual bandwidth of the excitation where none is told, over that of the macro step [rad]


def ask(
    source: str | Path | Sequence[str | Path], *, sends: Sequence[str] = (), receives: Sequence[str] = (),
    steps: int | None = None, macro_step: float | None = None, timing: str | None = None, host: str | None = None,
    micro_step: float | None = None, noise: float | None = None, latency: float | None = None,
    jitter: int | Seconds | None = None, loss: float | None = None, seed: int | None = None, how: Reading = PLAIN,
    progress: Progress | None = None,
) -> Advice:  # fmt: skip
    """Return which algorithm the signals of a loop are to have: each is tried in it.

    Parameters
    ----------
    source : str, Path or sequence of them
        A system file, a scenario, or recordings of the signals both ways.
    sends, receives : sequence of str
        Columns of recordings that one side sends, and that it receives.
    steps : int, optional
        Latency of all signals; else as the file says, of recordings 3 [macro steps].
    macro_step : float, optional
        ΔT of recordings; else as recorded [s].
    timing, host : str, optional
        ``step`` or ``event``, and the importer; else as the file says.
    micro_step : float, optional
        Communication step in step timing; else as the file says [s].
    noise : float, optional
        Noise of what is sent over its rms; else as the file says, of recordings as they show [-].
    latency : float, optional
        Of all signals, in place of `steps` [s].
    jitter : int, optional
        Largest extra latency, which varies from value to value; else as a scenario says, or 0 [macro steps].
    loss : float, optional
        Share of the values that are lost; else as a scenario says, or 0 [-].
    seed : int, optional
        Of both; else as a scenario says, or 1.
    how : Reading
        What is told about recordings.
    progress : callable, optional
        Hears the share that is done, 0 to 1, and what is being done.

    Raises
    ------
    UsageError
        If a file is wrong, has components that no linear prototype can be made of, or a column is missing.
    CouplantError
        If a side cannot be identified from recordings.
    """
    files = [Path(source)] if isinstance(source, (str, Path)) else [Path(one) for one in source]
    given = {"latency_steps": steps, "timing": timing, "host": host, "micro_step": micro_step, "noise": noise}
    changes = {key: value for key, value in given.items() if value is not None}
    recorded = Recorded(files, sends, receives, how, macro_step, latency)
    document, network, drive, others, said, doubtful = loop_in(files, recorded, changes)
    late = document.get("latency_steps", 0) if latency is None else Seconds(latency)
    said += tuple(rounding_of(late, jitter or 0, step := document["macro_step"]))
    more = {"jitter_steps": None if jitter is None else jitter_in(jitter, late, step), "loss": loss, "seed": seed}
    network = network | {key: value for key, value in more.items() if value is not None}
    network_of(network)
    told = progress or (lambda share, text: None)
    found = advise(document, others, doubtful=doubtful, network=network, drive=drive, told=told)
    return replace(found, assumed=said)


def advise(
    document: Content, others: Sequence[Content] = (), *, doubtful: bool = False, network: Content | None = None,
    drive: Content | None = None, steps: int = STEPS, seed: int = 0, told: Progress = lambda share, text: None,
) -> Advice:  # fmt: skip
    """Return which algorithm the signals of a loop are to have.

    The `document` is the content of a system file, whose algorithms and models do not matter; a prototype without
    excitation gets a usual one. What is advised bears `others` too, the prototypes and excitations of loops that may be
    the truth as well; in a `doubtful` loop models have to bear more. The `network` is what it does besides the latency,
    as a scenario has it, the `drive` recordings that drive inputs, as parts of one. Runs have `steps` macro steps, with
    a drive those of the recordings; excitation, noise and scattered plants follow from the `seed`.
    `told` hears the share that is done, 0 to 1, and what is being done. Raise `UsageError` if something is wrong, or a
    connection has no latency.
    """
    trial = Trial(document, steps, seed, network or {}, others, drive or {})
    found = []
    simulated = trial.network or trial.drive
    todo = [*trial.runs()] if simulated else [*trial.theoretic(), *trial.models(), trial.adaptive]
    for done, judge in enumerate(todo):
        told(done / len(todo), "every algorithm in this loop")
        found.append(judge())
    found.sort(key=rank)
    if simulated:
        found = trial.vary_best(found)
    wire = next(one for one in found if one.name == WIRE)
    while True:
        # what theory chose is simulated as it will be built: that figure counts
        chosen = choose(found, wire, doubtful)
        if chosen.name == WIRE or chosen.run is not None:
            found.sort(key=rank)
            one = Advice(trial.system, tuple(found), chosen, others=len(others))
            return replace(one, network=trial.network, drive=trial.drive)
        found[found.index(chosen)] = trial.confirm(chosen, fallback_among(found))
        if wire.run is None and wire.stable:
            found[found.index(wire)] = wire = trial.confirm(wire)


class Trial:
    """The loop of a system, what moves it, what the network does, and the plants that it is tried on."""

    def __init__(
        self, document: Content, steps: int, seed: int, network: Content | None = None, others: Sequence[Content] = (),
        drive: Content | None = None,
    ) -> None:  # fmt: skip
        self._document = {key: value for key, value in document.items() if key not in ("algorithm", "models")}
        self._document["connections"] = [
            {key: value for key, value in one.items() if key != "algorithm"} for one in document["connections"]
        ]
        self._steps, self._seed = steps, seed
        self.network = network if network and not NetworkTable.model_validate(network).is_constant else {}
        self.drive = drive or {}
        bare = self._parse({"algorithm": "zoh"})
        self.system = with_usual_excitation(bare, _BAND / bare.macro_step)
        # loops that may be the truth as well, and what excites them
        maybe = [self._parse({"algorithm": "zoh", **one}) for one in others]
        self._others = [(one, Scene(one, steps, seed).excitations) for one in maybe]
        if late := [c.source for c in self.system.connections if c.algorithm.k < 1]:
            raise UsageError(f"{', '.join(late)}: latency_steps = 0, allowed 1 macro step and more: nothing is late")

    def _parse(self, more: Content) -> System:
        return parse_system({**self._document, **more}, "the system")

    @cached_property
    def _plants(self) -> dict[float, list[System]]:
        """Return the scattered plants that bear the coupling without delay, by spread."""
        plants = {spread: scatter(self.system, _PLANTS, spread, self._seed) for spread in SPREADS}
        return {spread: [one for one in some if undelayed_radius(one) < 1.0] for spread, some in plants.items()}

    @cached_property
    def _scene(self) -> Scene:
        return Scene(self.system, self._steps, self._seed)

    @cached_property
    def _moved(self) -> tuple[Any, Any]:
        """Return excitations and noises of some runs, shapes (runs, steps + 1, excitations) and (runs, steps, sent)."""
        sizes = [self._scene.sizes[c.source] for c in self.system.connections]
        w, v = [], []
        for seed in range(self._seed, self._seed + _RUNS):
            w.append(replace(self._scene, seed=seed).excitations)
            white = np.random.default_rng(seed).standard_normal((self._steps, len(sent_of(self.system))))
            v.append(noise_of_sent(self.system, sizes, white))
        return np.array(w), np.array(v)

    def theoretic(self) -> Iterator[Callable[[], Candidate]]:
        """Yield judges of the wire and of the algorithms that look at one signal alone."""
        wires = tuple(Connection.wire(c.source, c.target, c.algorithm.k) for c in self.system.connections)
        yield lambda: self._exact(replace(self.system, connections=wires), WIRE)
        yield from (partial(self._generic, name) for name in GENERIC)

    def _generic(self, name: str) -> Candidate:
        return self._exact(self._parse({"algorithm": name}), name)

    def models(self) -> Iterator[Callable[[], Candidate]]:
        """Yield judges of models with different observers."""
        yield from (partial(self._by_model, *one) for one in observers(self.system, self._scene.sizes))
        if not self.drive:
            # a design is for noise that excites the prototypes
            yield self._by_design

    def _by_design(self) -> Candidate:
        """Return the model with the observers that `couplant design --model` finds for this loop."""
        detail = "designed observer"
        try:
            found = design_models(bare_loop(self.system), plants=_PLANTS, spread=NEEDED, seed=self._seed)
        except UsageError:  # too large, or nothing follows it
            return Candidate(MODEL, detail)
        weights = found.chosen.weights.items()
        tables = {name: {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(one).items() if v is not None}
                  for name, one in weights}  # fmt: skip
        return self._by_model(detail, tables)

    def _by_model(self, detail: str, tables: Tables) -> Candidate:
        try:
            one = self._parse({"algorithm": MODEL, "models": tables})
        except UsageError:  # no observer follows it, or it is too large
            return Candidate(MODEL, detail, tables)
        if self.network or self.drive:
            return self._by_run(Candidate(MODEL, detail, tables), one)
        return self._exact(one, MODEL, detail, tables)

    def _exact(self, system: System, name: str, detail: str = "", models: Tables | None = None) -> Candidate:
        one = replace(system, excitation=self.system.excitation)
        radius = stability(one).radius
        found = Candidate(name, detail, models or {}, radius)
        if not radius < 1.0:
            return found
        w, v = self._moved
        driven = [_on(plant, one) for plant in self._plants[NEEDED][:_DRIVEN]]
        # as given by all courses, then each other plant by one of them
        which = [*range(_RUNS), *(i % _RUNS for i in range(len(driven)))]
        errors = loop_errors([one] * _RUNS + driven, w[which], v[which])
        named = dict(zip([c.source for c in one.connections], errors[:_RUNS].mean(axis=0).tolist(), strict=True))
        # one by one, for they differ in states
        others = [loop_errors([_on(plant, one)], acting[None], v[:1])[0] for plant, acting in self._others]
        varied = tuple(float(part.mean()) for part in (*others, *errors[_RUNS:]))
        return replace(found, margin=self._margin(one), errors=named, varied=varied)

    def _margin(self, one: System) -> float:
        """Return the largest spread up to which all plants are stable, and all that may be the truth [-]."""
        if not all(stability(_on(plant, one)).stable for plant, _ in self._others):
            return 0.0
        # the largest first: what bears that bears the others
        for spread in sorted(self._plants, reverse=True):
            plants = self._plants[spread]
            if all(stability(_on(plant, one)).stable for plant in plants):
                return spread
        return 0.0

    def adaptive(self) -> Candidate:
        """Return `auto`, which is not linear: simulated, as given and on scattered plants."""
        return self._vary(self._judge(self.confirm(Candidate(AUTO))))

    def runs(self) -> Iterator[Callable[[], Candidate]]:
        """Yield judges of all that may stand in the network, or in a loop that is driven, by a run as given."""
        known = {} if self.network else {name: self._parse({"algorithm": name}) for name in GENERIC}
        names = (WIRE, *GENERIC, "irregular", AUTO)
        yield from (partial(self._by_run, Candidate(name), known.get(name)) for name in names)
        yield from (partial(self._by_run, *one) for one in self._phasors())
        yield from self.models()

    def _phasors(self) -> Iterator[tuple[Candidate, System | None]]:
        """Yield phasors that follow the frequency of what drives the loop, and at a fixed one, with what theory has."""
        if wave := wave_of(self.drive, self.system.macro_step):
            for follow, words in (("frequency", "followed"), ("off", "fixed")):
                table = wave.algorithm(follow)
                fixed = None if self.network else self._parse({"algorithm": table | {"follow": "off"}})
                del table["selected"]
                yield Candidate(PHASOR, f"{wave.nominal:g} Hz, {words}", settings=table), fixed

    def vary_best(self, found: Sequence[Candidate]) -> list[Candidate]:
        """Return candidates as `found`, sorted, the best, the wire, `auto` and `zoh` tried on scattered plants."""
        tried, sure = [], 0
        for place, one in enumerate(found):
            wanted = one.name in (WIRE, AUTO, "zoh") or (sure < _SURE and place < _TRIED)
            tried.append(self._vary(one) if wanted else one)
            sure += tried[-1].margin >= NEEDED
        return tried

    def _by_run(self, one: Candidate, known: System | None = None) -> Candidate:
        """Return a candidate that a run of it as given judges, unless theory tells that the loop is unstable."""
        if known is not None and self.drive and not self.network:
            radius = stability(known).radius
            # phasors that follow the frequency are this loop while it stays: then what grows, grows
            one = replace(one, radius=None if one.settings.get("follow") == "frequency" else radius)
            if not radius < 1.0:
                return one
        return replace(self._judge(replace(one, run=self._run(one))), run=None)

    def _judge(self, one: Candidate) -> Candidate:
        assert one.run is not None
        errors = errors_of(one.run, self.system, self._begin)
        return replace(one, errors=errors, margin=0.0 if all(map(np.isfinite, errors.values())) else -1.0)

    def _vary(self, one: Candidate) -> Candidate:
        """Return a candidate with its runs on what else may be the truth and on scattered plants.

        Each has another course of the network.
        """
        if not one.stable:
            return one
        varied: list[float] = []
        for plant in (*(other for other, _ in self._others), *self._plants[NEEDED][:_SIMULATED]):
            varied.append(self._mean_error(self._run(one, plant, len(varied) + 1)))
            if not np.isfinite(varied[-1]):
                return replace(one, varied=tuple(varied))
        return replace(one, varied=tuple(varied), margin=NEEDED)

    def confirm(self, one: Candidate, fallback: str = AUTO) -> Candidate:
        """Return a candidate with a run of it, in which models have this `fallback`."""
        setup = Setup(self.system, one.name, one.models, self.network, fallback, one.settings, self.drive)
        run = simulate_setup(setup, self._steps, self._seed)
        return replace(one, run=run, simulated=self._mean_error(run))

    def _run(self, one: Candidate, plant: System | None = None, course: int = 0) -> Run:
        """Return a run of a candidate, on a `plant` that it does not know, in another `course` of the network."""
        network = self.network
        if network and course:
            network = network | {"seed": NetworkTable.model_validate(network).seed + course}
        real = None if plant is None else _on(plant, self.system)
        steps = min(self._steps, _SHORT) if network else self._steps
        setup = Setup(self.system, one.name, one.models, network, settings=one.settings, drive=self.drive)
        return simulate_setup(setup, steps, self._seed, real)

    def _mean_error(self, run: Run) -> float:
        return float(np.mean(list(errors_of(run, self.system, self._begin).values())))

    @property
    def _begin(self) -> float:
        return float(self.drive.get("judge_from", 0.0))


def _on(plant: System, system: System) -> System:
    """Return a `system` whose prototypes, and what excites them, are those of the `plant`."""
    return replace(system, prototypes=plant.prototypes, excitation=plant.excitation)


def simulate_setup(setup: Setup, steps: int, seed: int = 0, real: System | None = None) -> Run:
    """Return `steps` macro steps of a `setup` as `couplant simulate` runs it, random by the `seed`.

    The prototypes are those of the system `real` where one is given, which the setup does not know.
    """
    bare = None if real is None else replace(real, excitation={}) if setup.drive else real
    files = files_of(setup, steps, seed) | ({} if bare is None else {SYSTEM: tomlkit.dumps(system_document(bare))})
    with TemporaryDirectory(prefix="couplant-") as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        with quiet("couplant.cosim.simulate"):
            (run,) = simulate(Path(folder, SCENARIO), ["wire=false"]).runs
    return run


def errors_of(run: Run, system: System, begin: float = 0.0) -> dict[str, float]:
    """Return the rms error over the size of each signal of a `run` of a `system`, by output [-], from `begin` on [s].

    Infinite for a run that diverges or whose error still grows in its last third: a growing run is never stable.
    """
    found = {}
    for source, name in signal_names(system).items():
        trace = run.traces[name]
        judged = trace.time >= begin
        error, size = (trace.estimate - trace.reference)[judged], float(trace.reference[judged].std())
        thirds = [float(np.sqrt(np.mean(part**2))) for part in np.array_split(error, 3)]
        grows = not thirds[2] < _GROWS * max(thirds[1], _LEAST * size)
        found[source] = np.inf if grows else float(np.sqrt(np.mean(error**2))) / max(size, np.finfo(float).tiny)
    return found
