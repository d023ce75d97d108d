"""From a recording to an algorithm: candidates, judged on what did not make them, one recommendation and its reason."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm, generic
from couplant.analysis.limits import limit_frequencies
from couplant.analysis.signal.periodic import Periodic, periodic
from couplant.analysis.signal.recording import Bands, OpenLoop, PowerSpectrum, Span, bands, discontinuities, spectrum
from couplant.analysis.signal.sampling import Noise, noise_of, proposed_floor, protection, quantum, repeats
from couplant.analysis.signal.way import Way
from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.base.filenames import name_of_signal
from couplant.base.grid import MOST_MICRO_STEPS, micro_steps_in
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.style import WIRE, label, macro_steps, number
from couplant.config.frame.read import Content
from couplant.config.interface import Interface
from couplant.config.models import MODEL
from couplant.config.network import NetworkTable
from couplant.config.scenario import CONFIGURED
from couplant.design.from_recording import design_for, parts
from couplant.design.judged import Judged, judge_shifted, judge_span, usual_micro_steps, weights_of
from couplant.design.neural.loop import learn_for_loop, linear
from couplant.design.optimal import Design
from couplant.design.recommendation import (
    AUTO_DESIGNED,
    AUTO_LEARNT,
    DESIGNED,
    LEARNT,
    PHASOR,
    Recommendation,
    best,
    candidate_label,
    recommend,
    share,
)
from couplant.design.settings import algorithm_settings, settings_text, weight_settings
from couplant.pack.trial import channels_beside, trial
from couplant.tables import Recording
from couplant_runtime.algorithms import GENERIC

if TYPE_CHECKING:
    import pandas


Told = Callable[[float, str], None]


@dataclass(frozen=True, eq=False, repr=False)
class Inspection(Shows):
    """Findings in a recording.

    Parameters
    ----------
    recording : Recording
        The signal on the grid.
    k : int
        Latency, macro steps.
    timing : str
        When estimates take effect.
    micro_step : float
        Communication step, s.
    spectrum : PowerSpectrum
        Of the signal.
    bands : Bands
        Proposed bands, rad/s.
    jumps : ndarray of int
        Macro steps at which the detector flags a jump, above the floor of a quantised signal.
    judged : Judged
        All candidates on what the design was not made of, the best first.
    design : Design or None
        The best design; None for a constant signal.
    learnt : LinearAlgorithm or None
        Weights learnt from the same part; None where it is constant or too short.
    made_of : float
        How much of the recording both were made of, from its start, s.
    advice : Recommendation
        What to use, and why.
    ladder : bool
        After a jump: FOH until the algorithm may run again (true), or hold.
    quantum : float or None
        Step of quantisation, signal unit; None where there is none.
    repeats : float or None
        How long a sender slower than the macro step repeats each value, macro steps; None where none does.
    noise : Noise or None
        Measurement noise, signal unit; None where none stands out.
    model : str
        What is to be known about `model`, in plain words.
    way : Way
        Network that the values pass.
    periodic : Periodic or None
        The wave, Hz, that the signal is; None where it is not periodic.
    """

    recording: Recording
    k: int
    timing: str
    micro_step: float
    spectrum: PowerSpectrum
    bands: Bands
    jumps: np.ndarray
    judged: Judged
    design: Design | None
    learnt: LinearAlgorithm | None
    made_of: float
    advice: Recommendation
    ladder: bool
    quantum: float | None
    repeats: float | None
    noise: Noise | None
    model: str
    way: Way
    periodic: Periodic | None = None

    @property
    def recommended(self) -> str:
        """Return the name of the recommended candidate."""
        return self.advice.name

    @property
    def reason(self) -> str:
        """Return why it is, in plain words."""
        return self.advice.reason

    @property
    def table(self) -> list[OpenLoop]:
        """Return the errors of all candidates, the smallest mean first."""
        return self.judged.table

    @property
    def floor(self) -> float:
        """Value for ``discontinuity.floor``, signal unit; 0 for a signal that is not quantised."""
        return proposed_floor(self.quantum)

    @property
    def is_worth_it(self) -> bool:
        """Return whether an FMU is better than none."""
        return self.recommended != WIRE

    @property
    def protection(self) -> dict[str, Any]:
        """Return the tables of the settings that protect the receiver: limits, and the floor of a quantised signal."""
        return protection(self.recording, self.micro_step, self.quantum)

    def settings(self) -> str:
        """Return the table of the signal as TOML to paste, with what is recommended; ZOH where that is no FMU."""
        algorithm = self.algorithm
        own = not isinstance(algorithm, str) or algorithm in ("smb", "auto", MODEL)
        jumps = bool(self.jumps.size) and not own and self.repeats is None
        name, network = self.way.signal, self.way.network
        guarded = self.protection
        return settings_text(name, algorithm, network, ladder=self.ladder, jumps=jumps, protection=guarded)

    @property
    def algorithm(self) -> str | dict[str, Any]:
        """Return the algorithm that is recommended as settings have it: a name, or a table with weights."""
        if self.recommended in (LEARNT, AUTO_LEARNT) and self.learnt:
            selected = "auto" if self.recommended == AUTO_LEARNT else "linear"
            return weight_settings({self.k: self.learnt}, selected, self.way.varies)
        if self.recommended in (DESIGNED, AUTO_DESIGNED) and self.design:
            selected = "auto" if self.recommended == AUTO_DESIGNED else "linear"
            return algorithm_settings({self.k: self.design}, selected, self.way.varies)
        if self.recommended == PHASOR and self.periodic:
            return self.periodic.algorithm()
        return self.recommended if self.is_worth_it else "zoh"

    def _worst_shares(self) -> dict[str, float]:
        """Return the largest error over that of the wire of the signal played slower and faster, by candidate [-]."""
        scenes = list(self.judged.shifted.values())
        names = dict.fromkeys(name for one in scenes for name in one)
        return {name: max(share(one, name) for one in scenes if name in one) for name in names}

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return the errors of the algorithms, a row for each by its name [signal unit]; needs pandas."""
        return data_frame([row.to_dict() for row in self.table], "algorithm")

    def _summary(self) -> Summary:
        """Return the errors of the algorithms and the recommendation, as it is shown."""
        rows = [[label(one.algorithm), *map(number, (one.mae, one.rms, one.worst, one.combined))] for one in self.table]
        words = candidate_label(self.recommended)
        late = f"{macro_steps(self.k)}{self.way.disturbances}"
        title = f"{self.recording.name}: {words} at {late}, {self.timing} timing"
        return Summary(title, ("algorithm", "MAE", "rms", "max", "C"), rows, [self.reason])

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        limits = {name: limit_frequencies(generic(name, self.k), self.timing) for name in GENERIC}
        step = self.recording.macro_step
        return {
            "signal": self.recording.name,
            "macro_step": step,
            "macro_steps": int(self.recording.value.size),
            "steps": self.k,
            "jitter": self.way.network.jitter_steps,
            "loss": self.way.network.loss,
            "seed": self.way.network.seed,
            "timing": self.timing,
            "micro_step": self.micro_step,
            "gaps": self.recording.gaps,
            "longest_gap": self.recording.longest_gap,
            "useful_band": self.bands.useful,
            "disturbances": [list(pair) for pair in self.bands.disturbances],
            "limits": {name: one.in_rad_per_s(step).limit for name, one in limits.items()},
            "jumps": (self.jumps * step).tolist(),
            "quantum": self.quantum,
            "floor": self.floor,
            "output": self.protection["output"],
            "repeats": self.repeats,
            "noise": None if self.noise is None else asdict(self.noise),
            "periodic": None if self.periodic is None else asdict(self.periodic),
            "made_of": [0.0, self.made_of],
            "judged": {"file": self.judged.other or None, "span": list(self.judged.seconds)},
            "errors": [row.to_dict() for row in self.table],
            "recommended": self.recommended,
            "reason": self.reason,
            "validated": self.advice.validated,
            "shifted": self._worst_shares(),
            "warnings": list(self.advice.warnings),
            "model": self.model,
            "ladder": self.ladder,
            "toml": self.settings(),
        }


def inspect_recording(
    recording: Recording,
    k: int,
    timing: str = "event",
    *,
    judge: tuple[str, Recording] | None = None,
    network: bool = False,
    configured: tuple[Interface, str] | None = None,
    beside: Mapping[str, Vector] | None = None,
    micro_step: float | None = None,
    way: Way | None = None,
    told: Told = lambda share, text: None,
) -> Inspection:
    """Return spectrum, bands, jumps, a comparison of all algorithms and a recommendation.

    `k` is the latency [macro steps]; `judge` another recording to judge by, with the name of its file; `beside` has
    other channels of what judges, on its macro steps, by name [their units]: a model needs some. `way` is the network
    that the values pass, late by `k` at least; else they are late by `k` and nothing else. `network`, `configured`,
    `micro_step` [s] and `told` are those of `couplant.inspect`; what `configured` names is judged by that name, a model
    as `model`. Raises UsageError if one of these cannot run.
    """
    step, power = quantum(recording), spectrum(recording)
    found, jumps = bands(power), discontinuities(recording, floor=proposed_floor(step))
    train, true, span, other = parts(recording, k, timing, judge)
    told(0.1, "designing and learning weights")
    way = way or Way(NetworkTable(latency_steps=k), name_of_signal(recording.name, recording.unit))
    designed, learnt, wave, tables = _made_of(train, k, timing, way.varies)
    tables |= {"network": {"algorithm": "network"}} if network else {}
    m = _micro_steps(recording.macro_step, micro_step, timing)
    told(0.5, "running every algorithm")
    own, model = _configured_estimates(true, span, m, configured, beside or {}, way)
    common = protection(recording, recording.macro_step / m, step)
    compared = replace(judge_span(true, span, k, timing, tables, own, m, way, common), other=other)
    if compared.rows[WIRE].worst > 0.0:
        told(0.6, "running them on the signal played slower and faster")
        compared = judge_shifted(compared, k, timing, tables, way, common, wave)
    held, noise = repeats(recording), noise_of(recording)
    # FOH after a jump only if the useful band lies inside its limit, up to which it is neutral (dissertation 5.3.2):
    # above it, it makes what it continues larger
    limit = limit_frequencies(generic("foh", k), timing).limit
    ladder = limit is not None and found.useful <= limit * np.pi / recording.macro_step
    scenes = list(compared.shifted.values())
    validated, certain = compared.validate(lambda rows: best(rows, scenes)), noise is not None and noise.certain
    advice = recommend(compared.rows, scenes, validated, k, found, certain, compared.recording.constant, wave)
    return Inspection(
        recording, k, timing, recording.macro_step / m, power, found, jumps, compared, designed, learnt, train.seconds,
        advice, ladder, step, held, noise, model, way, wave,
    )  # fmt: skip


def _made_of(
    train: Recording, k: int, timing: str, varies: bool
) -> tuple[Design | None, LinearAlgorithm | None, Periodic | None, dict[str, Content]]:
    """Return the design, the weights learnt and the wave, where there is something to make up for, and their tables."""
    if train.constant or k + (timing == "step") == 0:
        return None, None, None, {}
    one, learnt, wave = design_for(train, k, timing), None, periodic(train.value, train.macro_step)
    with suppress(UsageError):  # too short
        learnt = linear(learn_for_loop([train], k, timing, None, None)[0], LEARNT)
    found = {} if learnt is None else {LEARNT: (learnt, "linear"), AUTO_LEARNT: (learnt, "auto")}
    found |= {DESIGNED: (one.algorithm, "linear"), AUTO_DESIGNED: (one.algorithm, "auto")}
    tables: dict[str, Content] = {name: weights_of(*weights, varies) for name, weights in found.items()}
    return one, learnt, wave, tables | ({PHASOR: {"algorithm": wave.algorithm()}} if wave else {})


def _configured_estimates(
    true: Recording,
    span: Span,
    micro_steps: int,
    configured: tuple[Interface, str] | None,
    beside: Mapping[str, Vector],
    way: Way,
) -> tuple[dict[str, Vector], str]:
    """Return the estimates of the settings for a `span`, and a remark about a model."""
    if configured is None:
        return {}, _WITHOUT_MODEL
    interface, signal = configured
    # what makes up for the host and for filters stands in a constant latency of settings
    passed = (interface, signal, beside, micro_steps, way if way.varies else None)
    if interface.signals[signal].algorithm.selected != MODEL:
        return {CONFIGURED: trial(true, span, *passed)}, _WITHOUT_MODEL
    if lacking := [name for name in channels_beside(interface, signal) if name not in beside]:
        text = f"The model of the settings is not judged: what judges has no channel {', '.join(lacking)} beside it."
        return {}, text
    return {MODEL: trial(true, span, *passed)}, _WITH_MODEL


def _micro_steps(macro_step: float, micro_step: float | None, timing: str) -> int:
    """Return the communication steps in a macro step ΔT [s] for the communication step δT [s], if one is given."""
    if micro_step is None:
        return usual_micro_steps(timing)
    steps = micro_steps_in(macro_step, micro_step) if micro_step > 0.0 else 0
    if not 1 <= steps <= MOST_MICRO_STEPS:
        allowed = f"allowed what divides the macro step {macro_step:g} s into 1 to {MOST_MICRO_STEPS}"
        raise UsageError(f"micro_step = {micro_step:g} s, {allowed}")
    return steps


_WITHOUT_MODEL = (
    "A model of the prototype that sends the signal would serve at any latency, in a loop above all: couplant identify "
    "makes one where its inputs are recorded too, and --config with a model judges it."
)
_WITH_MODEL = "The model of the settings was given its inputs as they were recorded."
