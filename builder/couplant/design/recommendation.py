"""Which of the algorithms that were judged to use: the best of what is not worse than ZOH, if that is no luck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from couplant.analysis.recording import Bands, OpenLoop, judge
from couplant.config.models import MODEL
from couplant.design.judged import AUTO_DESIGNED, DESIGNED, EVERY, LEARNT, Judged
from couplant.style import label
from couplant_runtime.algorithms import GENERIC

_BETTER = 0.95
_MUCH_BETTER = 0.9
_PERFECT = 0.01
"""Error over that of ZOH below which all are alike."""
_BLOCKS = 4
_PREFERRED = (MODEL, "foh", "eros3", "eros4", "smb", DESIGNED, "irregular", "auto", AUTO_DESIGNED, LEARNT)
"""Of those with nearly the same error the first one: what most is known of."""


@dataclass(frozen=True)
class Recommendation:
    """What to use, and why.

    Attributes
    ----------
    name : str
        Of the candidate.
    reason : str
        In plain words.
    validated : float
        Mean error over that of ZOH of what is chosen without a quarter of what judges and judged on it, -.
    warnings : tuple of str
        What not to use.
    """

    name: str
    reason: str
    validated: float = 1.0
    warnings: tuple[str, ...] = ()


def recommend(found: Judged, k: int, band: Bands, noisy: bool) -> Recommendation:
    """Return the best algorithm that is not worse than ZOH by any figure, at the latency `k` [macro steps].

    ZOH where nothing is 5 % better, or where what is best without a quarter of what judges is not better in that. A
    signal is `noisy` if it has measurement noise for certain.
    """
    zoh = found.rows["zoh"]
    if not zoh.worst > 0.0:
        text = "never changes" if found.recording.constant else "does not change where it is judged"
        return Recommendation("zoh", f"The signal {text}: ZOH is exact, and nothing else can be judged.")
    best, share, harm = _best(found.rows), _validated(found), _harm(found, band, noisy)
    if best == "zoh":
        reason = f"No algorithm is more than 5 % better than ZOH at k = {k}: compensating would only amplify noise."
        return Recommendation("zoh", reason, share, harm)
    if not share < 1.0:
        reason = f"{_named(best)} would be better by luck: what is best without a quarter of what judges"
        return Recommendation("zoh", f"{reason} is no better than ZOH there.", share, harm)
    return Recommendation(best, _reason(found.rows[best], found, band, share), share, harm)


def _best(rows: Mapping[str, OpenLoop]) -> str:
    zoh = rows["zoh"]
    known = [rows[name] for name in _PREFERRED if name in rows and rows[name].rms <= zoh.rms]
    least = min((row.mae for row in known), default=np.inf)
    if not least <= _BETTER * zoh.mae:
        return "zoh"
    enough = max(least / _MUCH_BETTER, _PERFECT * zoh.mae)
    return next(row.algorithm for row in known if row.mae <= enough)


def _validated(found: Judged) -> float:
    """Return the mean error over that of ZOH of what is chosen without a quarter and judged on it, of all quarters."""
    value = found.recording.value[found.span.first : found.span.last]
    error = zoh = 0.0
    for left_out in np.array_split(np.arange(value.size), min(_BLOCKS, value.size)):
        rest = np.setdiff1d(np.arange(value.size), left_out)
        rows = {n: judge(n, value[rest], one[rest]) for n, one in found.estimates.items()} if rest.size else found.rows
        there = {n: float(np.abs(one - value)[left_out].sum()) for n, one in found.estimates.items()}
        error, zoh = error + there[_best(rows)], zoh + there["zoh"]
    return error / zoh if zoh > 0.0 else 1.0


def _harm(found: Judged, band: Bands, noisy: bool) -> tuple[str, ...]:
    """Say which published algorithms are worse than doing nothing, where noise or a disturbance is why."""
    zoh = found.rows["zoh"]
    worse = {label(name): found.rows[name].mae / zoh.mae for name in GENERIC if found.rows[name].mae > zoh.mae}
    if not worse or not (noisy or band.disturbances):
        return ()
    told = ", ".join(f"{name} {share:.3g}" for name, share in worse.items())
    return (f"published algorithms amplify noise and disturbances of this signal: {told} times the error of ZOH",)


def _reason(best: OpenLoop, found: Judged, band: Bands, share: float) -> str:
    zoh = found.rows["zoh"]
    text = f"{_named(best.algorithm)} has {_less(best.mae / zoh.mae)} less error than ZOH"
    if worse := [label(name) for name in EVERY if found.rows[name].mae > zoh.mae]:
        text += f"; {', '.join(worse)} would be worse than doing nothing"
    if band.disturbances:
        low, high = band.disturbances[0][0], band.disturbances[-1][1]
        text += f", because disturbances from {low:.3g} to {high:.3g} rad/s would be amplified"
    luck = f" Chosen without a quarter of what judges and judged on it: {_less(share)} less."
    return text + f" (useful band up to {band.useful:.3g} rad/s).{luck}{_with_weights(found)}"


def _with_weights(found: Judged) -> str:
    """Say how much a design helps `auto` as one of its members, where it does."""
    zoh, alone, helped = (found.rows.get(name) for name in ("zoh", "auto", AUTO_DESIGNED))
    if zoh is None or alone is None or helped is None or not helped.mae <= _BETTER * min(alone.mae, zoh.mae):
        return ""
    share, before = helped.mae / zoh.mae, alone.mae / zoh.mae
    without = f"{_less(before)} less" if before < 1.0 else f"{100 * (before - 1):.0f} % more"
    return f" For auto give the design as its weights: {_less(share)} less error than ZOH, without them {without}."


def _less(share: float) -> str:
    less = 100.0 * (1.0 - share)
    return f"{less:.0f} %" if less < 99.0 else "over 99 %"


def _named(name: str) -> str:
    """Return a candidate as a sentence begins with it."""
    words = called(name)
    return words[0].upper() + words[1:] if words.startswith(("the ", "linear ")) else words


def called(name: str) -> str:
    """Return a candidate in words."""
    words = {DESIGNED: "the design", AUTO_DESIGNED: "auto with the design as its weights"}
    words |= {LEARNT: "linear with learnt weights", MODEL: "the model"}
    return words.get(name, label(name))
