"""Keys that are parameters of the coupling FMU, a table for each first part of their names.

Written from coupling.toml by fmu_src/generator.
"""

from typing import Annotated

from couplant.config.frame.read import Flag, Real, Table, Whole
from couplant.config.parameters import items, parameter


class LatencyKeys(Table):
    """Keys of ``latency``."""

    mode: Annotated[str, items("latency.mode")] = parameter("latency.mode")
    constant_steps: Whole = parameter("latency.constant_steps")
    offset: Real = parameter("latency.offset")
    coast_steps: Whole = parameter("latency.coast_steps")
    lost_steps: Whole = parameter("latency.lost_steps")
    clock: Annotated[str, items("latency.clock")] = parameter("latency.clock")
    minimum: Real = parameter("latency.minimum")
    host_lead: Real = parameter("latency.host_lead")
    hold_lead: Real = parameter("latency.hold_lead")
    follow: Annotated[str, items("latency.follow")] = parameter("latency.follow")
    offset_min: Real = parameter("latency.offset_min")
    offset_max: Real = parameter("latency.offset_max")


class DiscontinuityKeys(Table):
    """Keys of ``discontinuity``."""

    enabled: Flag = parameter("discontinuity.enabled")
    hold: Flag = parameter("discontinuity.hold")
    floor: Real = parameter("discontinuity.floor")
    sensitivity: Real = parameter("discontinuity.sensitivity")
    detector: Annotated[str, items("discontinuity.detector")] = parameter("discontinuity.detector")


class OutputKeys(Table):
    """Keys of ``output``."""

    on_loss: Annotated[str, items("output.on_loss")] = parameter("output.on_loss")
    safe_value: Real = parameter("output.safe_value")
    min: Real = parameter("output.min")
    max: Real = parameter("output.max")
    rate_max: Real = parameter("output.rate_max")
    guard: Real = parameter("output.guard")


class AlgorithmKeys(Table):
    """Keys of ``algorithm``."""

    selected: Annotated[str, items("algorithm.selected")] = parameter("algorithm.selected")
    observer_gain: Real = parameter("algorithm.observer_gain")
    frequency: Real = parameter("algorithm.frequency")
    harmonics: Whole = parameter("algorithm.harmonics")
    follow: Annotated[str, items("algorithm.follow")] = parameter("algorithm.follow")
    settling: Real = parameter("algorithm.settling")


class QualityKeys(Table):
    """Keys of ``quality``."""

    action: Annotated[str, items("quality.action")] = parameter("quality.action")
    zeta: Real = parameter("quality.zeta")
    delta: Real = parameter("quality.delta")


class SignalKeys(Table):
    """Keys of ``signal``."""

    period: Real = parameter("signal.period")
    noise: Real = parameter("signal.noise")


class EnergyKeys(Table):
    """Keys of ``energy``."""

    kind: Annotated[str, items("energy.kind")] = parameter("energy.kind")
    conjugate_is: Annotated[str, items("energy.conjugate_is")] = parameter("energy.conjugate_is")
    reversed: Flag = parameter("energy.reversed")
    stale: Flag = parameter("energy.stale")
    source: Annotated[str, items("energy.source")] = parameter("energy.source")
    stiffness: Real = parameter("energy.stiffness")
    take_back: Real = parameter("energy.take_back")
    give_back: Flag = parameter("energy.give_back")
    cap: Real = parameter("energy.cap")
    budget: Real = parameter("energy.budget")
    alert: Real = parameter("energy.alert")
    peak: Real = parameter("energy.peak")
    rate: Real = parameter("energy.rate")


class LearningKeys(Table):
    """Keys of ``learning``."""

    cycle_steps: Whole = parameter("learning.cycle_steps")
    judge_steps: Whole = parameter("learning.judge_steps")
    prior: Real = parameter("learning.prior")
    safe: Flag = parameter("learning.safe")
    gain_max: Real = parameter("learning.gain_max")
    enabled: Flag = parameter("learning.enabled")


class IdentificationKeys(Table):
    """Keys of ``identification``."""

    forgetting: Real = parameter("identification.forgetting")
