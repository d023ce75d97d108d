"""History of a running bench, in memory that does not grow: for viewers that come late, and for the record.

The newest points are kept as they came, all others evenly thinned: whenever there are too many, every second one goes.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

RECENT, OVERVIEW = 2000, 1000  # rows that are kept: the newest, and those of the whole run

_LISTS = ("latency", "counts", "status", "skill", "energy")


class Course:
    """Rows of a table that grows, at most `RECENT` + `OVERVIEW` of them are kept."""

    def __init__(self) -> None:
        self._recent: deque[list[Any]] = deque()
        self._old: list[list[Any]] = []
        self._stride, self._count = 1, 0

    def add(self, row: list[Any]) -> None:
        """Keep a row."""
        self._recent.append(row)
        if len(self._recent) > RECENT:
            oldest = self._recent.popleft()
            if self._count % self._stride == 0:
                self._old.append(oldest)
            self._count += 1
        if len(self._old) > OVERVIEW:
            del self._old[1::2]
            self._stride *= 2

    @property
    def rows(self) -> list[list[Any]]:
        """Return the rows that are kept, oldest first."""
        return [*self._old, *self._recent]


class History:
    """Courses of all runs of a bench; `widths` tells for each side how many signals it sends and receives.

    It has so many `bonds`.
    """

    def __init__(self, widths: dict[str, tuple[int, int]], cases: int, bonds: int = 0) -> None:
        self._widths, self._cases, self._bonds = widths, cases, bonds
        self._courses: dict[tuple[int, str], tuple[Course, Course]] = {}

    def add(self, frame: Any) -> bool:
        """Keep a `frame` of `Tap`; tell whether it is one of this bench."""
        if not self._fits(frame):
            return False
        points, figures = self._courses.setdefault((frame["case"], frame["side"]), (Course(), Course()))
        for point in frame["points"]:
            points.add(point)
        figures.add([frame["time"], *(frame[name] for name in _LISTS)])
        return True

    def to_list(self) -> list[dict[str, Any]]:
        """Return the courses: for each run and side `points` and `figures`, rows as they came."""
        return [
            {"case": case, "side": side, "points": points.rows, "figures": figures.rows}
            for (case, side), (points, figures) in sorted(self._courses.items())
        ]

    def _fits(self, frame: Any) -> bool:
        if not isinstance(frame, dict) or frame.get("side") not in self._widths:
            return False
        there, here = self._widths[frame["side"]]
        case, points = frame.get("case"), frame.get("points")
        lists: list[Any] = [frame.get(name) for name in _LISTS]
        if type(case) is not int or not 0 <= case < self._cases or not isinstance(points, list) or len(points) > 100:
            return False
        rows = [*points, *lists, [frame.get("time")]]
        if not all(isinstance(row, list) and all(map(_is_number, row)) for row in rows):
            return False
        fits = len(lists[1]) == 6 and len(lists[2]) <= 4 * here and len(lists[4]) == self._bonds
        return fits and _has_widths([*points], 1 + there + 2 * here)


def _has_widths(rows: Sequence[Sequence[Any]], width: int) -> bool:
    return all(len(row) == width for row in rows)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
