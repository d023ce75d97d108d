"""The judgement of a run: stable or not is told from its growth; what has no loop cannot become unstable."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from couplant.base.style import label
from couplant.cosim.judgement.metrics import excess
from couplant.cosim.traces import Trace

STABLE, BORDERLINE, UNSTABLE, UNKNOWN = "stable", "borderline", "unstable", "unknown"

OPEN_LOOP = "open loop"  # what is said in place of a verdict where nothing comes back to a sender
BORDERLINE_GROWTH = 1.02  # a signal that grows faster than its reference by less than this: only a longer run can tell


@dataclass(frozen=True)
class Judgement:
    """The judgement of a run."""

    label: str  # the name of its algorithm for readers
    # ``unstable`` if the growth is more than `BORDERLINE_GROWTH` times one and that of the reference, or if errors are
    # not finite; ``borderline`` if it is larger by less, or if only theory says that the coupling is unstable;
    # ``unknown`` without growth (too short a run); else ``stable``
    verdict: str
    # whether every mode dies out; None where theory does not tell, or the run does not show it (yet)
    stable: bool | None
    # growth of signals or estimates over that of the reference (`couplant.cosim.judgement.metrics.excess`) [-]
    excess: float | None
    # mean over the signals of the mean error over the rms of the reference, so that units do not count; infinite where
    # it is not known or not finite [-]
    error: float

    @property
    def is_unstable(self) -> bool:
        """Return whether the coupling grows faster than the same system without delay."""
        return self.verdict == UNSTABLE

    def rank(self, open_loop: bool) -> tuple[bool, float]:
        """Return the key by which runs are sorted, best first; in `open_loop` none counts as unstable."""
        return self.is_unstable and not open_loop, self.error


def judge(
    algorithm: str, metrics: Mapping[str, float | None], traces: Sequence[Trace], radius: float | None
) -> Judgement:
    """Judge a run by its `metrics` and signals, and by the spectral `radius` of theory where it is known [-]."""
    mae, largest = metrics.get("mae"), excess(metrics.get("growth"), traces)
    known = mae is None or math.isfinite(mae)
    verdict = _verdict(largest, radius) if known else UNSTABLE
    share = metrics.get("error")
    error = mae if share is None else share / 100.0  # nothing moves: no size to compare with
    size = error if error is not None and known else math.inf
    return Judgement(label(algorithm), verdict, shown_by_both(radius, largest), largest, size)


def _verdict(largest: float | None, radius: float | None) -> str:
    """Tell stable from unstable by growth, and by theory where the run is too short to show it."""
    if largest is None:
        return UNKNOWN
    if largest <= 1.0:
        return BORDERLINE if radius is not None and radius >= 1.0 else STABLE
    return BORDERLINE if largest <= BORDERLINE_GROWTH else UNSTABLE


def shown_by_both(radius: float | None, excess: float | None) -> bool | None:
    """Return whether every mode dies out by the spectral `radius` [-]; None where the `excess` of a run [-] differs."""
    if radius is None:
        return None
    dies_out = radius < 1.0
    return dies_out if excess is None or dies_out == (excess <= 1.0) else None


def is_open_loop(settings: Mapping[str, Any]) -> bool:
    """Tell whether by the `settings` of a scenario every signal comes from a recording or goes nowhere."""
    components, signals = (settings.get(key) for key in ("components", "signals"))
    if not isinstance(components, Mapping) or not isinstance(signals, Mapping):
        return False
    sources = [str(one.get("from", "")).partition(".")[0] for one in signals.values() if one.get("to")]
    return bool(signals) and all(components.get(source, {}).get("recording") for source in sources)
