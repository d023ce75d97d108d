"""From a recording to an algorithm: candidates, judged on what did not make them, one recommendation and its reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.analysis.algorithms import Recursive, generic
from couplant.analysis.balance import Balance
from couplant.analysis.energy import Convention, open_loop
from couplant.analysis.limits import limit_frequencies
from couplant.analysis.noise import Noise, noise_of
from couplant.analysis.recording import (
    Bands,
    OpenLoop,
    PowerSpectrum,
    Span,
    bands,
    compare,
    discontinuities,
    received,
    spectrum,
    split,
)
from couplant.analysis.sampling import proposed_floor, quantum, repeats
from couplant.config.interface import Interface
from couplant.config.scenario import CONFIGURED
from couplant.design.judged import AUTO_DESIGNED, DESIGNED, EVERY, Judged, judged, weights_of
from couplant.design.optimal import Design, choose_taps, design
from couplant.design.settings import settings_text, signal_name
from couplant.design.task import DesignTask, Spectrum
from couplant.errors import UsageError
from couplant.frame import Content
from couplant.notebook import data_frame, table_html
from couplant.pack.trial import trial
from couplant.style import label, macro_steps, number
from couplant.tables import Recording, resample
from couplant.tables.bonds import BondRecording
from couplant_runtime.algorithms import GENERIC

if TYPE_CHECKING:
    import pandas

NOISY_TAPS = 30
NOISY_PEAKS = (1.5, 2.0, 6.0)
_BETTER = 0.95
_MUCH_BETTER = 0.9
_PREFERRED = ("foh", "eros3", "eros4", "smb", DESIGNED, "irregular", "auto", AUTO_DESIGNED)
"""Of those with nearly the same error the first one: what theory knows most of."""


@dataclass(frozen=True, eq=False)
class Inspection:
    """What a recording tells.

    Parameters
    ----------
    recording : Recording
        The signal on the grid.
    k : int
        Latency, macro steps.
    timing : str
        When estimates take effect.
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
    made_of : float
        How much of the recording it was made of, from its start, s.
    recommended : str
        Name of the recommended candidate.
    reason : str
        Why, in plain words.
    ladder : bool
        After a jump: FOH until the algorithm may run again (true), or hold.
    quantum : float or None
        Step of quantisation, signal unit; None where there is none.
    repeats : float or None
        How long a sender slower than the macro step repeats each value, macro steps; None where none does.
    noise : Noise or None
        Measurement noise, signal unit; None where none stands out.
    """

    recording: Recording
    k: int
    timing: str
    spectrum: PowerSpectrum
    bands: Bands
    jumps: np.ndarray
    judged: Judged
    design: Design | None
    made_of: float
    recommended: str
    reason: str
    ladder: bool
    quantum: float | None
    repeats: float | None
    noise: Noise | None

    @property
    def table(self) -> list[OpenLoop]:
        """Return the errors of all candidates, the smallest mean first."""
        return self.judged.table

    @property
    def floor(self) -> float:
        """What ``discontinuity.floor`` should be, signal unit; 0 for a signal that is not quantised."""
        return proposed_floor(self.quantum)

    def settings(self) -> str:
        """Return the table of the signal as TOML to paste, with what is recommended."""
        weights = self.recommended in (DESIGNED, AUTO_DESIGNED) and self.design is not None
        own = weights or self.recommended in ("smb", "auto")
        return settings_text(
            signal_name(self.recording.name),
            {self.k: self.design} if weights and self.design else self.recommended,
            self.k,
            selected="auto" if self.recommended == AUTO_DESIGNED else "linear",
            ladder=self.ladder,
            jumps=bool(self.jumps.size) and not own and self.repeats is None,
            floor=self.floor,
        )

    def to_dataframe(self) -> pandas.DataFrame:
        """Return the errors of the algorithms, a row for each by its name [signal unit]; needs pandas."""
        return data_frame([row.to_dict() for row in self.table], "algorithm")

    def _repr_html_(self) -> str:
        """Return the errors of the algorithms and the recommendation for a notebook."""
        rows = [[label(one.algorithm), *map(number, (one.mae, one.rms, one.worst, one.combined))] for one in self.table]
        title = f"{self.recording.name}: {label(self.recommended)} at {macro_steps(self.k)}, {self.timing} timing"
        return table_html(title, ("algorithm", "MAE", "rms", "max", "C"), rows, [self.reason])

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        limits = {name: limit_frequencies(generic(name, self.k), self.timing) for name in GENERIC}
        step = self.recording.macro_step
        return {
            "signal": self.recording.name,
            "macro_step": step,
            "macro_steps": int(self.recording.value.size),
            "steps": self.k,
            "timing": self.timing,
            "gaps": self.recording.gaps,
            "longest_gap": self.recording.longest_gap,
            "useful_band": self.bands.useful,
            "disturbances": [list(pair) for pair in self.bands.disturbances],
            "limits": {name: one.in_rad_per_s(step).limit for name, one in limits.items()},
            "jumps": (self.jumps * step).tolist(),
            "quantum": self.quantum,
            "floor": self.floor,
            "repeats": self.repeats,
            "noise": None if self.noise is None else asdict(self.noise),
            "made_of": [0.0, self.made_of],
            "judged": {"file": self.judged.other or None, "span": list(self.judged.seconds)},
            "errors": [row.to_dict() for row in self.table],
            "recommended": self.recommended,
            "reason": self.reason,
            "ladder": self.ladder,
            "toml": self.settings(),
        }


def design_for(recording: Recording, k: int, timing: str = "event") -> Design:
    """Return the best of a few designs on a recording at the latency `k` [macro steps].

    No weight is fitted to values, only to the spectrum. For noisy signals: exact on constants, weights of the error
    from the power spectrum, gain above the useful band at most 1.5, 2 or 4 (the smallest that a larger one does not
    beat by 5 %). For clean signals: exact on parabolas, all frequencies of the useful band alike. The open-loop error
    on the recording decides.

    Raises
    ------
    UsageError
        If the signal is constant.
    """
    if recording.constant:
        raise UsageError(f"{recording.name} never changes: there is nothing to design for")
    best, *others = [(_error(recording, one, timing), one) for one in _candidates(recording, k, timing)]
    for other in others:
        best = other if other[0] < _BETTER * best[0] else best
    return best[1]


def _candidates(recording: Recording, k: int, timing: str) -> list[Design]:
    power, band = _band(recording)
    weights = Spectrum(power.omega, power.power)
    noisy = DesignTask(recording.macro_step, k, band, timing, NOISY_TAPS, 0, slope=0.0, spectrum=weights)
    clean = DesignTask(recording.macro_step, k, band, timing)

    parabolas = choose_taps(clean, judge=lambda one: _error(recording, one, timing), floor=0.0)
    return [*(design(replace(noisy, peak=peak)) for peak in NOISY_PEAKS), parabolas]


def _error(recording: Recording, one: Design, timing: str) -> float:
    return compare(recording, [one.algorithm], timing)[0].rms


def _band(recording: Recording) -> tuple[PowerSpectrum, tuple[float, float]]:
    power = spectrum(recording)
    nyquist = np.pi / recording.macro_step
    high = min(max(bands(power).useful, 2.0 * float(power.omega[0])), 0.9 * nyquist)
    return power, (min(0.01 * nyquist, 0.05 * high), high)


def inspect_recording(
    recording: Recording,
    k: int,
    timing: str = "event",
    *,
    judge: tuple[str, Recording] | None = None,
    network: bool = False,
    configured: tuple[Interface, str] | None = None,
) -> Inspection:
    """Return spectrum, bands, jumps, a comparison of all algorithms and a recommendation.

    Parameters
    ----------
    k : int
        Latency, macro steps.
    timing : {"event", "step"}
        When estimates take effect.
    judge : (str, Recording), optional
        Another recording to judge by, with the name of its file; else the last two fifths of this one, and the design
        is made of the rest.
    network : bool
        Judge the algorithm `network` too, which learns as it runs.
    configured : (Interface, str), optional
        Settings and the name of a signal in them: what it has is judged too, as `configured`.

    Raises
    ------
    UsageError
        If one of these cannot run.
    """
    power = spectrum(recording)
    found, step = bands(power), quantum(recording)
    jumps = discontinuities(recording, floor=proposed_floor(step))
    train, true, span, other = parts(recording, k, timing, judge)
    designed = None if train.constant or k + (timing == "step") == 0 else design_for(train, k, timing)
    tables = _with_design(designed) | ({"network": {"algorithm": "network"}} if network else {})
    own = {} if configured is None else {CONFIGURED: trial(true, span, *configured)}
    compared = replace(judged(true, span, k, timing, tables, own), other=other)
    name, reason = _recommend(compared, k, found)
    ladder, held = _ladder(found, k, timing, recording), repeats(recording)
    return Inspection(
        recording, k, timing, power, found, jumps, compared, designed, train.seconds, name, reason, ladder, step, held,
        noise_of(recording),
    )  # fmt: skip


def parts(
    recording: Recording, k: int, timing: str, judge: tuple[str, Recording] | None = None
) -> tuple[Recording, Recording, Span, str]:
    """Return what to make something of, what to judge it by, which macro steps of that, and the name of another file.

    `k` is the latency [macro steps], `judge` another recording with the name of its file.
    """
    if judge is not None:
        other, true = judge
        return recording, true, received(true, k, timing), other
    train, span = split(recording)
    return train, recording, span, ""


def _with_design(one: Design | None) -> dict[str, Content]:
    if one is None:
        return {}
    return {DESIGNED: weights_of(one.algorithm), AUTO_DESIGNED: weights_of(one.algorithm, "auto")}


def energy_table(
    recording: BondRecording, convention: Convention, k: int, macro_step: float | None = None
) -> dict[str, Balance]:
    """Return what algorithms would make of the energy of a bond that was recorded without latency, by name.

    `k` is the latency [macro steps], `macro_step` ΔT [s], by default that of the recording. A design is made for each
    signal, where there is a latency to make up for.

    Raises
    ------
    UsageError
        If the recording is too short or the macro step does not fit it.
    """
    signals = (recording.effort, recording.flow)
    effort, flow = (
        resample(recording.time, y, macro_step, name=name)
        for y, name in zip(signals, recording.columns.names, strict=False)
    )
    pairs: dict[str, tuple[Recursive, Recursive]] = {name: (generic(name, k), generic(name, k)) for name in GENERIC}
    if k + (convention.timing == "step"):
        designs = [design_for(one, k, convention.timing).algorithm for one in (effort, flow)]
        pairs["designed"] = designs[0], designs[1]
    return open_loop(effort, flow, pairs, convention)


def _ladder(found: Bands, k: int, timing: str, recording: Recording) -> bool:
    """FOH after a jump only if the useful band lies inside its limit (dissertation 5.3.2)."""
    limit = limit_frequencies(generic("foh", k), timing).limit
    return limit is not None and found.useful <= limit * np.pi / recording.macro_step


def _recommend(found: Judged, k: int, band: Bands) -> tuple[str, str]:
    """Return the best algorithm that is not worse than ZOH by any figure, and why."""
    rows = found.rows
    zoh = rows["zoh"]
    if not zoh.worst > 0.0:
        text = "never changes" if found.recording.constant else "does not change where it is judged"
        return "zoh", f"The signal {text}: ZOH is exact, and nothing else can be judged."
    known = [rows[name] for name in _PREFERRED if name in rows and rows[name].rms <= zoh.rms]
    least = min((row.mae for row in known), default=np.inf)
    if not least <= _BETTER * zoh.mae:
        reason = f"No algorithm is more than 5 % better than ZOH at k = {k}: compensating would only amplify noise."
        return "zoh", reason
    best = next(row for row in known if _MUCH_BETTER * row.mae <= least)
    return best.algorithm, _reason(best, found, band)


def _reason(best: OpenLoop, found: Judged, band: Bands) -> str:
    zoh = found.rows["zoh"]
    name = "The design" if best.algorithm == DESIGNED else called(best.algorithm)
    text = f"{name} has {_less(best, zoh)} less error than ZOH"
    if worse := [label(name) for name in EVERY if found.rows[name].mae > zoh.mae]:
        text += f"; {', '.join(worse)} would be worse than doing nothing"
    if band.disturbances:
        low, high = band.disturbances[0][0], band.disturbances[-1][1]
        text += f", because disturbances from {low:.3g} to {high:.3g} rad/s would be amplified"
    return text + f" (useful band up to {band.useful:.3g} rad/s).{_with_weights(found)}"


def _with_weights(found: Judged) -> str:
    """Say how much a design helps `auto` as one of its members, where it does."""
    zoh, alone, helped = (found.rows.get(name) for name in ("zoh", "auto", AUTO_DESIGNED))
    if zoh is None or alone is None or helped is None or not helped.mae <= _BETTER * min(alone.mae, zoh.mae):
        return ""
    before = f"{_less(alone, zoh)} less" if alone.mae < zoh.mae else f"{100 * (alone.mae / zoh.mae - 1):.0f} % more"
    return f" For auto give the design as its weights: {_less(helped, zoh)} less error than ZOH, without them {before}."


def _less(one: OpenLoop, other: OpenLoop) -> str:
    share = 100.0 * (1.0 - one.mae / other.mae)
    return f"{share:.0f} %" if share < 99.0 else "over 99 %"


def called(name: str) -> str:
    """Return a candidate in words."""
    words = {DESIGNED: "the design", AUTO_DESIGNED: "auto with the design as its weights"}
    return words.get(name, label(name))
