"""From a recording to an algorithm: candidates, judged on the recording, and one recommendation with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.analysis.algorithms import Recursive, generic
from couplant.analysis.balance import Balance
from couplant.analysis.energy import Convention, open_loop
from couplant.analysis.limits import limit_frequencies
from couplant.analysis.recording import Bands, OpenLoop, PowerSpectrum, bands, compare, discontinuities, spectrum
from couplant.analysis.sampling import proposed_floor, quantum, repeats
from couplant.design.optimal import Design, choose_taps, design
from couplant.design.settings import settings_text, signal_name
from couplant.design.task import DesignTask, Spectrum
from couplant.errors import UsageError
from couplant.notebook import data_frame, table_html
from couplant.style import label, macro_steps, number
from couplant.tables import Recording, resample
from couplant.tables.bonds import BondRecording
from couplant_runtime.algorithms import GENERIC
from couplant_runtime.algorithms.rows import PURE

if TYPE_CHECKING:
    import pandas

NOISY_TAPS = 14
NOISY_PEAKS = (1.5, 2.0, 4.0)
_BETTER = 0.95
_MUCH_BETTER = 0.9


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
    table : list of OpenLoop
        All candidates, generic ones first.
    design : Design or None
        The best design; None for a constant signal.
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
    """

    recording: Recording
    k: int
    timing: str
    spectrum: PowerSpectrum
    bands: Bands
    jumps: np.ndarray
    table: list[OpenLoop]
    design: Design | None
    recommended: str
    reason: str
    ladder: bool
    quantum: float | None
    repeats: float | None

    @property
    def floor(self) -> float:
        """What ``discontinuity.floor`` should be, signal unit; 0 for a signal that is not quantised."""
        return proposed_floor(self.quantum)

    def settings(self) -> str:
        """Return the table of the signal as TOML to paste, with what is recommended."""
        designed = self.design if self.recommended == "designed" else None
        return settings_text(
            signal_name(self.recording.name),
            self.recommended if designed is None else {self.k: designed},
            self.k,
            ladder=self.ladder,
            jumps=bool(self.jumps.size) and designed is None and self.repeats is None,
            floor=self.floor,
        )

    def to_dataframe(self) -> pandas.DataFrame:
        """Return the errors of the algorithms, a row for each by its name [signal unit]; needs pandas."""
        return data_frame([asdict(row) for row in self.table], "algorithm")

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
            "errors": [asdict(row) for row in self.table],
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


def inspect_recording(recording: Recording, k: int, timing: str = "event") -> Inspection:
    """Return spectrum, bands, jumps, a comparison of algorithms and a recommendation at latency `k` [macro steps]."""
    power = spectrum(recording)
    found, step = bands(power), quantum(recording)
    jumps = discontinuities(recording, floor=proposed_floor(step))
    generics: list[Recursive] = [generic(name, k) for name in PURE]
    designed = None if recording.constant or k + (timing == "step") == 0 else design_for(recording, k, timing)
    everything = generics if designed is None else [*generics, designed.algorithm]
    table = compare(recording, everything, timing)
    name, reason = _recommend(table, k, found, recording)
    ladder = _ladder(found, k, timing, recording)
    held = repeats(recording)
    return Inspection(recording, k, timing, power, found, jumps, table, designed, name, reason, ladder, step, held)


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


def _recommend(table: Sequence[OpenLoop], k: int, found: Bands, recording: Recording) -> tuple[str, str]:
    if recording.constant:
        return "zoh", "The signal never changes in this recording: ZOH is exact, and nothing else can be judged."
    zoh, best = table[0], min(table, key=lambda one: one.rms)
    known = min((one for one in table if one.algorithm != "designed"), key=lambda one: one.rms)
    if known.rms * _MUCH_BETTER <= best.rms:
        best = known
    if best.rms > _BETTER * zoh.rms:
        reason = f"No algorithm is more than 5 % better than ZOH at k = {k}: compensating would only amplify noise."
        return "zoh", reason
    return best.algorithm, _reason(best, zoh, table, found)


def _reason(best: OpenLoop, zoh: OpenLoop, table: Sequence[OpenLoop], found: Bands) -> str:
    share = 100.0 * (1.0 - best.rms / zoh.rms)
    less = f"{share:.0f} %" if share < 99.0 else "over 99 %"
    name = "The design" if best.algorithm == "designed" else label(best.algorithm)
    text = f"{name} has {less} less error than ZOH"
    worse = [label(one.algorithm) for one in table[1:] if one.rms > zoh.rms]
    if worse:
        text += f"; {', '.join(worse)} would be worse than doing nothing"
    if found.disturbances:
        low, high = found.disturbances[0][0], found.disturbances[-1][1]
        text += f", because disturbances from {low:.3g} to {high:.3g} rad/s would be amplified"
    return text + f" (useful band up to {found.useful:.3g} rad/s)."
