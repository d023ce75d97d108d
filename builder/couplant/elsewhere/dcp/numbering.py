"""From sequence numbers to times: data of DCP carry a number of 16 bits and no stamp.

The value with the number s is of the time t_0 + (s - s_0) h: t_0 and s_0 are those of the first one of a run, the
period h is steps times resolution. Numbers wrap at 65536, PDUs are lost, doubled and overtaken, and a sender that
starts again begins with other numbers.
"""

from collections.abc import Sequence

WRAP = 1 << 16

NEAR = 1024
"""Numbers by which one may be ahead of the newest or behind it; one further away is not believed by itself."""


class Numbering:
    """Times of the data with one identifier.

    The number `first` belongs to the time `start` [s], the following ones are `period` [s] apart; None: whatever number
    arrives first does. Where steps differ, `points` has the times after each of them instead [s].
    """

    def __init__(
        self, period: float, first: int | None = 0, start: float = 0.0, points: Sequence[float] | None = None
    ) -> None:
        self._period, self._start, self._points = period, start, points
        self._first = first  # number of the position 0, without wrapping; None until one arrives
        self._newest, self._arrival = -1, 0.0  # position of the newest, and when it arrived [s]
        self._strange: int | None = None  # number that was too far away, the last that arrived
        self._seen: set[int] = set()
        self.counts = {"taken": 0, "doubled": 0, "overtaken": 0, "restarts": 0, "strange": 0}
        self.missed = 0  # numbers that are missing before the newest

    def stamp(self, number: int, arrival: float) -> float | None:
        """Return the time of the value with a `number` that arrives at `arrival` [s]; None if it is not to be taken.

        A number that has been here is not taken again. One far away from all before is taken when its successor
        follows it: the sender has started again, and its time goes on by the clock of the receiver.
        """
        if self._first is None:
            self._first = number
        expected = self._newest + 1
        ahead = (number - self._first - expected + WRAP // 2) % WRAP - WRAP // 2
        if not -NEAR <= ahead <= NEAR:
            return self._restart(number, arrival)
        self._strange = None
        position = expected + ahead
        if position in self._seen:
            self.counts["doubled"] += 1
            return None
        return self._take(position, arrival)

    def _take(self, position: int, arrival: float) -> float | None:
        stamp = self._time(position)
        if stamp is None:
            self.counts["strange"] += 1
            return None
        self._seen.add(position)
        self.counts["taken"] += 1
        if position > self._newest:
            self.missed = position - self._newest - 1
            self._newest, self._arrival = position, arrival
            if len(self._seen) > 4 * NEAR:
                self._seen = {one for one in self._seen if one >= position - 2 * NEAR}
        else:
            self.counts["overtaken"] += 1
        return stamp

    def _restart(self, number: int, arrival: float) -> float | None:
        if self._strange is None or number != (self._strange + 1) % WRAP:
            self._strange = number
            self.counts["strange"] += 1
            return None
        self.counts["restarts"] += 1
        self._strange = None
        position = self._newest + max(self._periods_since(arrival), 1)
        self._first = number - position
        self._seen.clear()
        return self._take(position, arrival)

    def _periods_since(self, arrival: float) -> int:
        """Return the periods from the arrival of the newest to `arrival` [s]."""
        if self._points is None:
            return round((arrival - self._arrival) / self._period)
        return max(len(self._points) - 1 - self._newest, 1)

    def _time(self, position: int) -> float | None:
        """Return the time of a `position` [s]; None if nobody can know it."""
        if self._points is None:
            return self._start + position * self._period
        return self._points[position] if 0 <= position < len(self._points) else None
