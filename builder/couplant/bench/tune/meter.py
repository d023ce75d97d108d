"""Errors of the signals that a side receives, and how they grow, from the values that arrive in its lanes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from math import inf, sqrt

import numpy as np

from couplant.bench.tune.lanes import Lanes, Truth

LOOK = 25  # macro steps between two looks at whether signals grow while they are recorded
GROWN = 2.0  # errors and signals over those before from which a loop has grown [-]

_BEYOND = 5.0  # range of a signal over that of the first two thirds of its recording from which it grows [-]


@dataclass
class Meter:
    """Errors of the signals that a side receives."""

    lanes: Mapping[str, Lanes]
    sizes: dict[str, float] = field(default_factory=dict)  # of each signal, fixed when it was recorded [signal unit]

    def fix(self) -> None:
        """Take the sizes from all that has arrived."""
        for name, one in self.lanes.items():
            values = np.array([truth.value for truth in one.truths if np.isfinite(truth.value)])
            self.sizes[name] = max(float(values.std()), 1e-300) if values.size else 1.0

    @property
    def age(self) -> int:
        """Return after how many macro steps a value is known at the latest, of the newest ones."""
        return max((one.truths[-1].age for one in self.lanes.values() if one.truths), default=1)

    def figure(self, keys: Sequence[int], since: int, given: int | None = None) -> dict[int, float] | None:
        """Return the errors of the lanes `keys` by values known from point `since` on, over the sizes of the signals.

        They are means of the signals. With `given` only those count for which the prototype had that lane; None if
        there are none.
        """
        every = list(dict.fromkeys(keys))
        found = []
        for name, one in self.lanes.items():
            newest = takewhile(lambda truth: truth.known >= since, reversed(one.truths))
            chosen: Iterable[Truth] = (t for t in newest if given is None or t.given == given)
            if (rms := rms_errors(chosen, every)) is not None:
                found.append({key: error / self.sizes.get(name, 1.0) for key, error in rms.items()})
        return {key: float(np.mean([one[key] for one in found])) for key in every} if found else None

    def ring(self, span: int, times: float = GROWN) -> float | None:
        """Return how a signal that is `times` as large as it was recorded changes in the newest `span` [macro steps].

        It is the size in the later half over that in the earlier one, the least of such signals; None: there is none.
        """
        found = []
        for name, one in self.lanes.items():
            newest = one.truths[-1].known if one.truths else 0
            parts: tuple[list[float], list[float]] = [], []
            for truth in reversed(one.truths):
                if truth.known <= newest - span:
                    break
                parts[truth.known > newest - span // 2].append(truth.value)
            if not all(parts):
                continue
            early, late = (float(np.std(part)) for part in parts)
            if late > times * self.sizes.get(name, 1.0):
                found.append(late / early if early > 0.0 else inf)
        return min(found, default=None)

    def course(self, key: int, window: int) -> dict[int, float]:
        """Return the error of the lane `key` in each `window` [macro steps], as for `figure`, by its place among them.

        Without sizes there is none.
        """
        found: dict[int, list[float]] = {}
        for name, one in self.lanes.items():
            groups: dict[int, list[Truth]] = {}
            for truth in one.truths:
                groups.setdefault(truth.known // window, []).append(truth)
            for place, truths in groups.items():
                if (rms := rms_errors(truths, (key,))) is not None:
                    found.setdefault(place, []).append(rms[key] / self.sizes.get(name, 1.0))
        return {place: float(np.mean(errors)) for place, errors in found.items()}


def rms_errors(truths: Iterable[Truth], keys: Sequence[int]) -> dict[int, float] | None:
    """Return the rms errors of the lanes `keys` over those `truths` that all of them have been judged by, or None."""
    sums, count = dict.fromkeys(keys, 0.0), 0
    for truth in truths:
        if all(key in truth.errors for key in keys):
            count += 1
            for key in keys:
                sums[key] += truth.errors[key] * truth.errors[key]  # too large ones are infinite
    return {key: sqrt(total / count) for key, total in sums.items()} if count else None


def is_growing(lanes: Iterable[Lanes]) -> bool:
    """Tell whether a signal that `lanes` receive goes far beyond what it was in two thirds of its recording."""
    for one in lanes:
        values = np.array([truth.value for truth in one.truths])
        cut = 2 * len(values) // 3
        peaks = [float(np.ptp(part)) if part.size else 0.0 for part in (values[:cut], values)]
        if peaks[1] > _BEYOND * peaks[0] > 0.0:
            return True
    return False
