"""Candidates that are judged on a recording, and which of them to use: the best of what is not worse than ZOH."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from couplant.base.style import label
from couplant_runtime.algorithms import GENERIC
from couplant_runtime.generated.algorithms import ROWS

if TYPE_CHECKING:
    from couplant.analysis.signal.recording import Bands, OpenLoop

EVERY = (*GENERIC, "irregular", "auto")
"""Algorithms that need no weights and learn nothing."""

DESIGNED, AUTO_DESIGNED, LEARNT = "designed", "auto_designed", "learnt"
"""Rows of a design, of `auto` with it among its members, and of weights that were learnt."""

MODEL = next(row.name for row in ROWS if row.needs == "plant")
"""Row of the algorithm that knows the sender."""

_BETTER = 0.95
_MUCH_BETTER = 0.9
_PERFECT = 0.01
"""Error over that of ZOH below which all are alike."""
_PREFERRED = (MODEL, "foh", "eros3", "eros4", "smb", DESIGNED, "irregular", "auto", AUTO_DESIGNED, LEARNT)
"""Of those with nearly the same error the first one: what most is known of."""


def candidate_label(name: str) -> str:
    """Return a candidate in words."""
    words = {DESIGNED: "the design", AUTO_DESIGNED: "auto with the design as its weights"}
    words |= {LEARNT: "linear with learnt weights", MODEL: "the model"}
    return words.get(name, label(name))


def begins_with(name: str) -> str:
    """Return a candidate as a sentence begins with it."""
    words = candidate_label(name)
    return words[0].upper() + words[1:] if words.startswith(("the ", "linear ")) else words


@dataclass(frozen=True)
class Recommendation:
    """Recommendation of an algorithm, and the reason.

    Attributes
    ----------
    name : str
        Of the candidate.
    reason : str
        In plain words.
    validated : float
        Mean error over that of ZOH of algorithms chosen on three quarters and judged on the fourth, -.
    warnings : tuple of str
        What not to use.
    """

    name: str
    reason: str
    validated: float = 1.0
    warnings: tuple[str, ...] = ()


def recommend(
    rows: Mapping[str, OpenLoop], validated: float, k: int, band: Bands, noisy: bool, constant: bool
) -> Recommendation:
    """Return the best algorithm that is not worse than ZOH by any figure.

    ZOH where nothing is 5 % better, or where the best on three quarters is not better on the fourth.

    Parameters
    ----------
    rows : mapping of str to OpenLoop
        Errors of all candidates, by name.
    validated : float
        What `couplant.design.judged.Judged.validate` returns of `best` [-].
    k : int
        Latency [macro steps].
    noisy, constant : bool
        Whether the signal has measurement noise for certain; whether it never changes.
    """
    zoh = rows["zoh"]
    if not zoh.worst > 0.0:
        changes = "does not change where it is judged" if k else "is not late, or does not change where it is judged"
        text = "never changes" if constant else changes
        return Recommendation("zoh", f"The signal {text}: ZOH is exact, and nothing else can be judged.")
    name, harm = best(rows), _harm(rows, band, noisy)
    if name == "zoh":
        reason = f"No algorithm is more than 5 % better than ZOH at k = {k}: compensating would only amplify noise."
        return Recommendation("zoh", reason, validated, harm)
    if not validated < 1.0:
        reason = f"{begins_with(name)} would be better by luck: an algorithm chosen on three quarters"
        return Recommendation("zoh", f"{reason} is no better than ZOH on the fourth.", validated, harm)
    return Recommendation(name, _reason(rows[name], rows, band, validated), validated, harm)


def best(rows: Mapping[str, OpenLoop]) -> str:
    """Return the name of the candidate that errs least, or of one that is known better and errs nearly as little."""
    zoh = rows["zoh"]
    known = [rows[name] for name in _PREFERRED if name in rows and rows[name].rms <= zoh.rms]
    least = min((row.mae for row in known), default=zoh.mae)
    if not least <= _BETTER * zoh.mae:
        return "zoh"
    enough = max(least / _MUCH_BETTER, _PERFECT * zoh.mae)
    return next(row.algorithm for row in known if row.mae <= enough)


def _harm(rows: Mapping[str, OpenLoop], band: Bands, noisy: bool) -> tuple[str, ...]:
    """Say which published algorithms are worse than doing nothing, where noise or a disturbance is why."""
    zoh = rows["zoh"]
    worse = {label(name): rows[name].mae / zoh.mae for name in GENERIC if rows[name].mae > zoh.mae}
    if not worse or not (noisy or band.disturbances):
        return ()
    told = ", ".join(f"{name} {share:.3g}" for name, share in worse.items())
    return (f"published algorithms amplify noise and disturbances of this signal: {told} times the error of ZOH",)


def _reason(chosen: OpenLoop, rows: Mapping[str, OpenLoop], band: Bands, share: float) -> str:
    zoh = rows["zoh"]
    text = f"{begins_with(chosen.algorithm)} has {_less(chosen.mae / zoh.mae)} less error than ZOH"
    if worse := [label(name) for name in EVERY if rows[name].mae > zoh.mae]:
        text += f"; {', '.join(worse)} would be worse than doing nothing"
    if band.disturbances:
        low, high = band.disturbances[0][0], band.disturbances[-1][1]
        text += f", because disturbances from {low:.3g} to {high:.3g} rad/s would be amplified"
    luck = f" Chosen on three quarters and judged on the fourth, in turn: {_less(share)} less."
    return text + f" (useful band up to {band.useful:.3g} rad/s).{luck}{_with_weights(rows)}"


def _with_weights(rows: Mapping[str, OpenLoop]) -> str:
    """Say how much a design helps `auto` as one of its members, where it does."""
    zoh, alone, helped = (rows.get(name) for name in ("zoh", "auto", AUTO_DESIGNED))
    if zoh is None or alone is None or helped is None or not helped.mae <= _BETTER * min(alone.mae, zoh.mae):
        return ""
    share, before = helped.mae / zoh.mae, alone.mae / zoh.mae
    without = f"{_less(before)} less" if before < 1.0 else f"{100 * (before - 1):.0f} % more"
    return f" For auto give the design as its weights: {_less(share)} less error than ZOH, without them {without}."


def _less(share: float) -> str:
    less = 100.0 * (1.0 - share)
    return f"{less:.0f} %" if less < 99.0 else "over 99 %"
