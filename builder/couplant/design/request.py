"""Rules that complete an engineer's request (band, recording, plant) to designs, in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm, Recursive, generic
from couplant.analysis.certify import Certificate, certify
from couplant.analysis.coupling_process import estimate_error
from couplant.analysis.patterns import Rules
from couplant.analysis.signal.recording import OpenLoop, compare, decay, spectrum
from couplant.analysis.signal.sampling import protection, quantum
from couplant.analysis.system import System
from couplant.base.errors import CouplantError, UsageError
from couplant.base.notebook import Shows, Summary
from couplant.base.style import number
from couplant.design.closed_loop import (
    PEAKS,
    Robustness,
    at_latency,
    best_lead,
    loop_slope,
    mode_error,
    other_latencies,
    robust_design,
    robustness,
    with_design,
)
from couplant.design.from_recording import design_for, parts
from couplant.design.judged import Judged, judge_span, usual_micro_steps
from couplant.design.optimal import Design, choose_taps, design, saturated_taps
from couplant.design.recommendation import AUTO_DESIGNED, DESIGNED
from couplant.design.settings import algorithm_settings
from couplant.design.task import DEFAULT_LEAD, DEFAULT_SLOPE, DesignTask
from couplant.tables import Recording
from couplant_runtime.algorithms.rows import PURE
from couplant_runtime.generated.numbers import MAX_BURST

_FAR_BETTER = 0.25
_VIOLATED = 0.01  # share by which a gain bound is exceeded from which on it is said


@dataclass(frozen=True, eq=False)
class Request:
    """Request; None is left to the default rules."""

    macro_step: float  # ΔT, s
    steps: Sequence[int]  # latencies, macro steps
    timing: str = "event"  # "event" or "step": when the estimate takes effect
    band: tuple[float, float] | None = None  # band of the useful signal, rad/s; needed without a recording
    recording: Recording | None = None  # on the grid of `macro_step`
    system: System | None = None  # the plant
    # fields of `DesignTask` that are given: m, degree, peak, slope, gain_band, gain_limit, lead, noise
    settings: dict[str, Any] = field(default_factory=dict)
    # another one to judge by, with the name of its file; else the last two fifths of `recording`, and designs are made
    # of the rest
    judge: tuple[str, Recording] | None = None

    @property
    def protection(self) -> dict[str, Any]:
        """Return the tables of the settings that protect the receiver; none without a recording."""
        one = self.recording
        return {} if one is None else protection(one, self.macro_step / usual_micro_steps(self.timing), quantum(one))


@dataclass(frozen=True, eq=False)
class Answer:
    """One design and what to expect of it."""

    design: Design  # the design
    judged: Judged | None  # all algorithms on what it was not made of; None without a recording
    robustness: Robustness | None  # on the plant; None without one

    @property
    def table(self) -> list[OpenLoop]:
        """Return the errors of all algorithms, the smallest mean first; empty without a recording."""
        return self.judged.table if self.judged else []

    @property
    def worse(self) -> bool:
        """True if the design is no better than the wire where it was judged."""
        return self.judged is not None and self.judged.worse(DESIGNED)

    def figures(self) -> dict[str, Any]:
        """Return the request and the figures that the design reaches, by name."""
        task, found = self.design.task, self.design
        row = {"steps": task.k} | {key: getattr(task, key) for key in ("m", "degree", "peak", "slope", "lead")}
        return row | {key: getattr(found, key) for key in ("rms_error", "peak_gain", "noise_gain", "violation")}

    def to_dict(self) -> dict[str, Any]:
        """Return the design for JSON."""
        one, task = self.design, self.design.task
        row = {"macro_step": task.macro_step, "timing": task.timing} | self.figures()
        row |= {"a": list(one.algorithm.a), "A": list(one.algorithm.A), "offset": one.offset}
        row |= {"fmu_steps": one.fmu_steps, "errors": [row.to_dict() for row in self.table]}
        if self.judged:
            row["judged"] = {"file": self.judged.other or None, "span": list(self.judged.seconds)}
        return row | {"robustness": asdict(self.robustness) if self.robustness else None}

    def warnings(self) -> list[str]:
        """Warn of properties of the design that a user would not expect."""
        lines, k = [], self.design.task.k
        if self.design.violation > _VIOLATED:
            excess = f"{100 * self.design.violation:.0f} %"
            lines.append(f"k = {k}: the gain bound is exceeded by {excess}: raise peak or lower degree")
        if self.robustness is not None and self.robustness.stable_share < 1.0:
            lines.append(f"k = {k}: only {100 * self.robustness.stable_share:.0f} % of the scattered plants are stable")
        if self.worse:
            lines.append(f"k = {k}: where it is judged the design is no better than the plain wire: do not use it")
        return lines


class Answers(Shows, dict[int, Answer]):
    """Designs with what to expect of them by latency [macro steps]."""

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the designs for JSON."""
        return [one.to_dict() for one in self.values()]

    def _summary(self) -> Summary:
        """Return weights and figures, as it is shown."""
        heads = ("steps", "m", "rms error", "largest gain", "noise gain", "a", "A")
        rows = [[str(k), str(one.design.task.m), *_texts(one.design)] for k, one in self.items()]
        return Summary("Designs by latency", heads, rows, [line for one in self.values() for line in one.warnings()])


def _texts(one: Design) -> list[str]:
    figures = one.rms_error, one.peak_gain, one.noise_gain
    weights = one.algorithm.a, one.algorithm.A
    return [*map(number, figures), *(" ".join(f"{w:.4g}" for w in row) if any(row) else "0" for row in weights)]


def answer(request: Request) -> Answers:
    """Return a design for each latency of a request, then those that connections of the plant with a lead need besides.

    Raises UsageError if neither band nor recording are given, or a setting is out of range.
    """
    found = {k: _judge(_design(request, k), request) for k in request.steps}
    if request.system is None:
        return Answers(found)
    besides = {n: one.design for k, one in found.items() for n in other_latencies(request.system, k)}
    return Answers(found | {n: Answer(at_latency(one, n), None, None) for n, one in besides.items() if n not in found})


def certified_answer(request: Request, loss: int) -> tuple[Answers, Certificate]:
    """Return designs with which the loop is proven stable, and the proof; lower gain bounds where the usual has none.

    It holds for all patterns of latencies from the least to the largest of the request with `loss` messages lost in a
    row. There is a design for each age that values have then, and messages repeat as many values as leave no hole: its
    `rules` say how many. Raises UsageError without a plant, CouplantError if no bound has a proof.
    """
    if request.system is None:
        raise UsageError("a proof needs a plant")
    least, most = min(request.steps), max(request.steps)
    burst = min(1 + loss + most - least, MAX_BURST)
    ages = range(least, Rules(least, most, loss, burst).farthest + 1)
    plant = replace(request.system, timing=request.timing, macro_step=request.macro_step)
    words = ""
    for bound in ({},) if "peak" in request.settings else ({}, {"peak": 3.0}, {"peak": 2.0}, {"peak": 1.5}):
        found = answer(replace(request, steps=ages, settings=request.settings | bound))
        by_k = {k: one.design.algorithm for k, one in found.items()}
        proof = certify(plant, (least, most), loss=loss, burst=burst, by_k=partial(_own_or_foh, by_k), seconds=45.0)
        if proof.verdict == "proven":
            return found, proof
        words = proof.words()
    raise CouplantError(f"no design has a proof for {least} to {most} macro steps; the last one: {words}")


def _own_or_foh(weights: Mapping[int, LinearAlgorithm], k: int) -> Recursive:
    return weights[k] if k in weights else generic("foh", k)


def _design(request: Request, k: int) -> Design:
    if request.band is None:
        if request.recording is None:
            raise UsageError("a design needs a band or a recording")
        # without a band it comes from the recording's spectrum
        one = design_for(_made_of(request), k, request.timing)
        return design(replace(one.task, **request.settings)) if request.settings else one
    task = DesignTask(request.macro_step, k, request.band, request.timing, **request.settings)
    if request.system is not None:
        return _for_plant(task, request.system, request.settings)
    # a recording tells how steeply its signal falls: the bound follows
    if request.recording is not None and "slope" not in request.settings:
        made_of = _made_of(request)
        measured = None if made_of.constant else decay(spectrum(made_of), task.band[1])
        # twice the default at most: steeper falls are the filter's, not the signal's
        task = replace(task, slope=DEFAULT_SLOPE if measured is None else min(measured, 2 * DEFAULT_SLOPE))
    # in step timing the receiver holds what it gets: a lead makes up for a part of that
    if request.timing == "step" and "lead" not in request.settings:
        task = replace(task, lead=DEFAULT_LEAD)
    if "m" in request.settings:
        return design(task)
    # nothing to judge on: as many values as lower the error noticeably
    if request.recording is None:
        return saturated_taps(task, floor=_FAR_BETTER * min(_band_error(name, task) for name in PURE))
    recording, timing = _made_of(request), request.timing
    return choose_taps(task, judge=lambda one: compare(recording, [one.algorithm], timing)[0].rms, floor=0.0)


def _made_of(request: Request) -> Recording:
    """Return the recording that designs are made of."""
    assert request.recording is not None
    return parts(request.recording, 0, request.timing, request.judge)[0]


def _band_error(name: str, task: DesignTask) -> float:
    """Return the rms error of a generic algorithm over the band and all ends that the timing gives out."""
    share = np.linspace(*task.band, 200) * task.macro_step / np.pi
    ends = ("event", "step") if task.timing == "event" else ("step",)
    # root mean square over band and both ends
    return float(np.sqrt(np.mean([np.abs(estimate_error(generic(name, task.k), share, end)) ** 2 for end in ends])))


def _for_plant(task: DesignTask, system: System, given: Mapping[str, Any]) -> Design:
    """Slope from the plant, then the largest gain bound that is robust, then the fewest values."""
    # from the plant's own response, for the loop amplifies what the plant does not damp
    slope = given.get("slope", loop_slope(system, task.band) or DEFAULT_SLOPE)
    peaks = (given["peak"],) if "peak" in given else PEAKS
    leads = (given["lead"],) if "lead" in given else None
    task = replace(task, slope=slope)
    found = robust_design(task, system, peaks=peaks, leads=leads, fixed=given)
    # m was asked for, or the robust design has chosen it
    if "m" in given or found.task.m != task.m:
        return found
    floor = _FAR_BETTER * min(_generic_error(system, name, task) for name in PURE)
    # modes beyond one and a half bands are none of the useful signal
    highest = 1.5 * task.band[1]
    fewest = choose_taps(found.task, judge=lambda one: mode_error(with_design(system, one), highest), floor=floor)
    # fewer values only if they are as robust
    if robustness(system, fewest).stable_share < robustness(system, found).stable_share:
        return found
    return best_lead(fewest.task, system, leads)


def _generic_error(system: System, name: str, task: DesignTask) -> float:
    plant = replace(system, timing=task.timing, macro_step=task.macro_step)
    return mode_error(plant.with_algorithms(lambda k: generic(name, k), task.k), 1.5 * task.band[1])


def _judge(one: Design, request: Request) -> Answer:
    found, plant = None, None
    if request.recording is not None:
        k, timing = one.task.k, request.timing
        _, true, span, other = parts(request.recording, k, timing, request.judge)
        latency = {"latency": {"hold_lead": one.task.lead}}
        rows = {DESIGNED: "linear", AUTO_DESIGNED: "auto"}
        tables = {n: {"algorithm": algorithm_settings({k: one}, selected), **latency} for n, selected in rows.items()}
        found = replace(judge_span(true, span, k, timing, tables, common=request.protection), other=other)
    if request.system is not None:
        plant = robustness(request.system, one, highest=1.5 * (request.band or one.task.band)[1])
    return Answer(one, found, plant)
