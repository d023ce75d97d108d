"""Which `latency.hold_lead` is proposed, and how far a `latency.host_lead` may reach.

A receiver that holds a value over its step sees it half a step late on average. Where a host does not read outputs
again, a loop through an output with direct feedthrough is late by one step more, and a quarter of a step on the side on
which that one is made up for, at the inputs of that output, made every loop tried better. On the other signals too it
amplifies what is rough in them; and in a host that reads again a stiff coupling has no lag that a lead could take off.
So nothing is proposed there. `tests/config/test_hold_lead.py` works all this out anew.
"""

from __future__ import annotations

PROPOSED = 0.25
"""Lead that is proposed. [macro steps]"""

ADAPTS = ("irregular", "auto")
"""Algorithms that bound their gain at the latency they meet, which may vary."""

BY_DEFAULT = ("eros4", *ADAPTS)
"""Algorithms that have it without being asked where the host is known to add a step.

No loop tried at k = 1 to 5 was worse with it, but for loops that `irregular` does not bear without it either.
"""

OF_MODELS = 0.5
"""Lead of the algorithm `model` in step timing if nothing is said: what the receiver's hold adds. [macro steps]"""

_FARTHEST_PROPOSED = {"foh": 3.0, "eros3": 4.0, "eros4": 6.0, "irregular": 6.0, "auto": 6.0}
_FARTHEST_SAFE = {"foh": 3.0, "smb": 3.0, "eros3": 4.0, "eros4": 3.0}


def proposed_hold_lead(algorithm: str, reach: float | None) -> float:
    """Return the lead to propose for a signal whose `latency.host_lead` makes up for a path through its receiver.

    Parameters
    ----------
    algorithm : str
        Name of the algorithm. Designs have a lead of their own, the observer does not stand fractions of a step.
    reach : float or None
        Latency k plus `latency.host_lead`, macro steps; None where the latency is known from stamps only.

    Returns
    -------
    float
        Macro steps; 0 where it would make loops worse that bear the algorithm without it.
    """
    if reach is None:
        return PROPOSED if algorithm in ADAPTS else 0.0
    return PROPOSED if reach <= _FARTHEST_PROPOSED.get(algorithm, -1.0) else 0.0


def reaches_too_far(algorithm: str, reach: float) -> bool:
    """Tell whether `latency.host_lead` makes an algorithm predict so far that stiffly coupled loops become worse by it.

    `algorithm` and `reach` are those of `proposed_hold_lead`. Not known of algorithms that adapt their gain.
    """
    return reach > _FARTHEST_SAFE.get(algorithm, float("inf"))
