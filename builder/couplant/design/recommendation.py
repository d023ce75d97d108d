"""Candidates that are judged on a recording, and which of them to use: the best, never worse than the plain wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from couplant.base.style import PLAIN_WIRE, WIRE, label, less_in_words
from couplant_runtime.algorithms import GENERIC
from couplant_runtime.generated.algorithms import ROWS

if TYPE_CHECKING:
    from couplant.analysis.signal.periodic import Periodic
    from couplant.analysis.signal.recording import Bands, OpenLoop

EVERY = ("auto", *GENERIC, "irregular")  # algorithms that need no weights and learn nothing
DESIGNED, AUTO_DESIGNED = "designed", "auto_designed"  # rows of a design, and of `auto` with it among its members

LEARNT, AUTO_LEARNT = "learnt", "auto_learnt"
"""Rows of weights that were learnt, and of `auto` with them among its members."""

MODEL = next(row.name for row in ROWS if row.needs == "plant")  # row of the algorithm that knows the sender
PHASOR = next(row.name for row in ROWS if row.needs == "phasor")  # row of that for periodic signals
_PUBLISHED = tuple(name for name in GENERIC if name != "zoh")  # those that foresee
_BETTER = 0.95  # error over that of the wire up to which an FMU is worth its place
_AS_GOOD = 1.02  # cost over the least up to which what is simpler is preferred
_PERFECT = 0.01  # error over that of the wire below which all are alike
PREFERRED = (MODEL, "auto", AUTO_DESIGNED, AUTO_LEARNT, PHASOR)
"""What is recommended without a loop, of those that are as good the first one: all of them fall back where they err.

Phasors only if none of them errs less on the recording as it is. Bare weights follow a signal that their own estimates
have made, and a recording does not tell what they do then.
"""

WITHOUT_LOOP = (
    "Judged without a loop: if what receives this signal acts back on it, give both signals: "
    "couplant advise FILE --sends .. --receives .."
)
"""Sentence on every judgement of a signal alone."""


def candidate_label(name: str) -> str:
    """Return a candidate in words."""
    words = {DESIGNED: "the design", AUTO_DESIGNED: "auto with the design as its weights"}
    words |= {LEARNT: "linear with learnt weights", AUTO_LEARNT: "auto with learnt weights", MODEL: "the model"}
    words |= {WIRE: PLAIN_WIRE}
    return words.get(name, label(name))


def begins_with(name: str) -> str:
    """Return a candidate as a sentence begins with it."""
    words = candidate_label(name)
    return words[0].upper() + words[1:] if words.startswith(("the ", "linear ")) else words


@dataclass(frozen=True)
class Recommendation:
    """Recommendation of an algorithm, and the reason."""

    name: str  # of the candidate
    reason: str  # in plain words
    # mean error over that of the wire of algorithms chosen on three quarters and judged on the fourth, -
    validated: float = 1.0
    warnings: tuple[str, ...] = ()  # what not to use


def recommend(
    rows: Mapping[str, OpenLoop],
    shifted: Sequence[Mapping[str, OpenLoop]],
    validated: float,
    k: int,
    band: Bands,
    noisy: bool,
    constant: bool,
    wave: Periodic | None = None,
) -> Recommendation:
    """Return the best algorithm that is not worse than the wire by any figure, in any of the scenes.

    The wire, which is to leave the FMU out, where nothing is 5 % better, or where the best on three quarters is not
    better on the fourth: `validated` is what `couplant.design.judged.Judged.validate` returns of `best` [-].

    `rows` has the errors of all candidates at the latency `k` [macro steps], by name, `shifted` the same of the signal
    played slower and faster. The signal has the bands `band`; `noisy` tells whether it has measurement noise for
    certain, `constant` whether it never changes, the `wave` what it is where it is periodic.
    """
    if not rows[WIRE].worst > 0.0:
        changes = "does not change where it is judged" if k else "is not late, or does not change where it is judged"
        text = "never changes" if constant else changes
        return Recommendation(WIRE, f"The signal {text}: the value as it comes is exact, and nothing can be judged.")
    name, harm = best(rows, shifted), _harm(rows, band, noisy)
    if name == WIRE:
        reason = f"No algorithm is more than 5 % better than {PLAIN_WIRE} at k = {k} and as good where the signal is"
        return Recommendation(WIRE, f"{reason} faster or slower: leave the FMU out.", validated, harm)
    if not validated < 1.0:
        reason = f"{begins_with(name)} would be better by luck: an algorithm chosen on three quarters"
        return Recommendation(
            WIRE, f"{reason} is no better than {PLAIN_WIRE} on the fourth. Leave the FMU out.", validated, harm
        )
    wire = rows[WIRE]
    text = f"{begins_with(name)} has {less_in_words(rows[name].mae / wire.mae)} less error than {PLAIN_WIRE}"
    if scenes := [share(scene, name) for scene in shifted if name in scene]:
        # phasors are judged in the reach of their frequency
        reach = 5 if name == PHASOR else 30
        text += f", at least {less_in_words(max(scenes))} less where the signal is up to {reach} % slower or faster"
    if worse := [label(one) for one in (*_PUBLISHED, "irregular", "auto") if rows[one].mae > wire.mae]:
        text += f"; {', '.join(worse)} would be worse than doing nothing"
    if band.disturbances:
        low, high = band.disturbances[0][0], band.disturbances[-1][1]
        text += f", because disturbances from {low:.3g} to {high:.3g} rad/s would be amplified"
    luck = f" Chosen on three quarters and judged on the fourth, in turn: {less_in_words(validated)} less."
    text += f" (useful band up to {band.useful:.3g} rad/s).{luck}"
    if name == PHASOR and wave is not None:
        near = f"it is followed within ten percent of {wave.nominal:g} Hz"
        text += f" The signal is periodic: {near}, else its newest value is given out."
    return Recommendation(name, text, validated, harm)


def best(rows: Mapping[str, OpenLoop], shifted: Sequence[Mapping[str, OpenLoop]]) -> str:
    """Return the name of the candidate that costs least, or of one that is known better and costs as little.

    The cost is the error as recorded times the largest of all scenes, both over those of the wire: what is best today
    and where the operating point is another. What is worse than the wire anywhere is no candidate.
    """
    costs = {name: _cost(name, rows, shifted) for name in PREFERRED if name in rows}
    allowed = {name: cost for name, cost in costs.items() if cost is not None}
    if not allowed:
        return WIRE
    if PHASOR in allowed and share(rows, PHASOR) > min(share(rows, name) for name in allowed):
        # phasors are judged in fewer scenes than the others
        allowed = {name: cost for name, cost in allowed.items() if name != PHASOR}
    enough = _AS_GOOD * min(allowed.values())
    return next(name for name, cost in allowed.items() if cost <= enough)


def _cost(name: str, rows: Mapping[str, OpenLoop], shifted: Sequence[Mapping[str, OpenLoop]]) -> float | None:
    """Return the cost of a candidate [-]; None if it is not clearly better than the wire, or worse than it anywhere."""
    now, most = share(rows, name), share(rows, name)
    for scene in shifted:
        # a model knows its plant, which no playing slower or faster changes; phasors are judged where they follow
        most = max(most, share(scene, name)) if name in scene else most
    if not (now <= _BETTER and most <= 1.0):
        return None
    return max(now, _PERFECT) * max(most, _PERFECT)


def share(rows: Mapping[str, OpenLoop], name: str) -> float:
    """Return the error of a candidate over that of the wire, mean or root mean square, the larger one [-]."""
    own, wire = rows[name], rows[WIRE]
    if not (wire.mae > 0.0 and wire.rms > 0.0):
        return 1.0
    return max(own.mae / wire.mae, own.rms / wire.rms)


def _harm(rows: Mapping[str, OpenLoop], band: Bands, noisy: bool) -> tuple[str, ...]:
    """Say which published algorithms are worse than doing nothing, where noise or a disturbance is why."""
    wire = rows[WIRE]
    worse = {label(name): rows[name].mae / wire.mae for name in _PUBLISHED if rows[name].mae > wire.mae}
    if not worse or not (noisy or band.disturbances):
        return ()
    told = ", ".join(f"{name} {times:.3g}" for name, times in worse.items())
    amplified = "published algorithms amplify noise and disturbances of this signal"
    return (f"{amplified}: {told} times the error of {PLAIN_WIRE}",)
