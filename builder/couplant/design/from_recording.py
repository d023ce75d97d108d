"""Designs from a recording: candidates from its spectrum, judged by their open-loop error on it."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from couplant.analysis.algorithms import Recursive, generic
from couplant.analysis.signal.balance import Balance
from couplant.analysis.signal.energy import Convention, open_loop
from couplant.analysis.signal.recording import Span, bands, open_loop_error, span_with_news, spectrum, split
from couplant.base.errors import UsageError
from couplant.design.optimal import Design, choose_taps, design
from couplant.design.task import DesignTask, Spectrum
from couplant.tables import Recording, resample
from couplant.tables.bonds import BondRecording
from couplant_runtime.algorithms import GENERIC

NOISY_TAPS = 30
NOISY_PEAKS = (1.5, 2.0, 6.0)
_BETTER = 0.95


@lru_cache(maxsize=4)  # learning asks again for each bound on the gain that it tries
def design_for(recording: Recording, k: int, timing: str = "event") -> Design:
    """Return the best of a few designs on a recording at the latency `k` [macro steps].

    No weight is fitted to values, only to the spectrum. For noisy signals: exact on constants, weights of the error
    from the power spectrum, gain above the useful band at most 1.5, 2 or 6 (the smallest that a larger one does not
    beat by 5 %). For clean signals: exact on parabolas, all frequencies of the useful band alike. The open-loop error
    on the recording decides. Raises UsageError if the signal is constant.
    """
    if recording.constant:
        raise UsageError(f"{recording.name} never changes: there is nothing to design for")
    best, *others = [(_error(recording, one, timing), one) for one in _candidates(recording, k, timing)]
    for other in others:
        # only clearly better ones replace the first
        best = other if other[0] < _BETTER * best[0] else best
    return best[1]


def _candidates(recording: Recording, k: int, timing: str) -> list[Design]:
    power, nyquist = spectrum(recording), np.pi / recording.macro_step
    # at least two bins wide, and below Nyquist, where nothing can be predicted
    high = min(max(bands(power).useful, 2.0 * float(power.omega[0])), 0.9 * nyquist)
    band = min(0.01 * nyquist, 0.05 * high), high
    weights = Spectrum(power.omega, power.power)
    # noise, or a flat spectrum: many values, exact for constants only, by the spectrum itself
    noisy = DesignTask(recording.macro_step, k, band, timing, NOISY_TAPS, 0, slope=0.0, spectrum=weights)
    # a clean signal: parabolas, by the band alone
    clean = DesignTask(recording.macro_step, k, band, timing)

    parabolas = choose_taps(clean, judge=lambda one: _error(recording, one, timing), floor=0.0)
    return [*(design(replace(noisy, peak=peak)) for peak in NOISY_PEAKS), parabolas]


def _error(recording: Recording, one: Design, timing: str) -> float:
    return open_loop_error(recording, one.algorithm, timing)


def parts(
    recording: Recording, k: int, timing: str, judge: tuple[str, Recording] | None = None
) -> tuple[Recording, Recording, Span, str]:
    """Return the part to design with, the part to judge by, which macro steps of that, and the name of another file.

    `k` is the latency [macro steps], `judge` another recording with the name of its file.
    """
    if judge is not None:
        other, true = judge
        return recording, true, span_with_news(true, k, timing), other
    # three fifths make, two fifths judge
    train, span = split(recording)
    return train, recording, span, ""


def energy_table(
    recording: BondRecording, convention: Convention, k: int, macro_step: float | None = None
) -> dict[str, Balance]:
    """Return the energy that algorithms would make of a bond that was recorded without latency, by name.

    `k` is the latency [macro steps], `macro_step` ΔT [s], by default that of the recording. A design is made for each
    signal, where there is a latency to make up for. Raises UsageError if the recording is too short or the macro step
    does not fit it.
    """
    signals = (recording.effort, recording.flow)
    effort, flow = (
        resample(recording.time, y, macro_step, name=name)
        for y, name in zip(signals, recording.columns.names, strict=False)
    )
    pairs: dict[str, tuple[Recursive, Recursive]] = {name: (generic(name, k), generic(name, k)) for name in GENERIC}
    # without any age to make up for there is nothing to design
    if k + (convention.timing == "step"):
        designs = [design_for(one, k, convention.timing).algorithm for one in (effort, flow)]
        pairs["designed"] = designs[0], designs[1]
    return open_loop(effort, flow, pairs, convention)
