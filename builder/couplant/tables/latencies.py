"""Measured latencies of messages."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError, some
from couplant.tables.table import open_table


@dataclass(frozen=True, eq=False)
class Latencies:
    """Measured latencies of messages, in the order they were sent."""

    sent: Vector  # shape (N,): send times [s]; the numbers of the messages where these are not known
    latency: Vector  # shape (N,): receive minus send time [s]; NaN where a message never arrived
    lost: int  # number of messages that never arrived
    reordered: int  # number of messages that were overtaken by a later one
    timed: bool = True  # send times are known

    @property
    def arrived(self) -> Vector:
        """Latencies of the messages that arrived, s."""
        return self.latency[np.isfinite(self.latency)]


def read_latencies(path: str | Path) -> Latencies:
    """Read measured latencies.

    The table has the columns ``sent_s`` and ``received_s`` (empty: lost), or ``latency_s`` alone or with ``sent_s``; a
    column ``sequence`` reveals messages that are missing altogether. Raise `UsageError` if columns are missing, or a
    latency is negative or above 10⁶ s.
    """
    table = open_table(path)
    known = [name for name in ("sent_s", "received_s", "latency_s", "sequence") if name in table.names]
    if "latency_s" not in known and not {"sent_s", "received_s"} <= set(known):
        raise UsageError(f"{path}: columns sent_s and received_s, or latency_s, are needed, found {some(table.names)}")
    times = [name for name in known if name != "sequence"]
    factors = [table.seconds_of(name) if name in times else 1.0 for name in known]
    columns = {n: column * f for n, column, f in zip(known, table.columns(known), factors, strict=True)}
    sent = columns.get("sent_s", np.arange(len(next(iter(columns.values()))), dtype=float))
    latency = columns["latency_s"] if "latency_s" in columns else columns["received_s"] - sent
    return _check(str(path), sent, latency, columns.get("sequence"), "sent_s" in columns)


def _check(origin: str, sent: Vector, latency: Vector, sequence: Vector | None, timed: bool) -> Latencies:
    good = np.isfinite(sent)
    sent, latency = sent[good], np.where(np.isfinite(latency), latency, np.nan)[good]
    arrived = latency[np.isfinite(latency)]
    if arrived.size == 0:
        raise UsageError(f"{origin}: no message arrived")
    if arrived.min() < 0 or arrived.max() > 1e6:
        wrong = arrived.min() if arrived.min() < 0 else arrived.max()
        raise UsageError(f"{origin}: latency {wrong:g} s, allowed 0 to 1e6 s (are the clocks synchronised?)")
    order = np.argsort(sent, kind="stable")
    sent, latency = sent[order], latency[order]
    missing = 0
    if sequence is not None and np.any(np.isfinite(sequence)):
        numbers = np.unique(sequence[np.isfinite(sequence)])
        missing = int(numbers[-1] - numbers[0] + 1 - numbers.size)
    lost = int(np.count_nonzero(np.isnan(latency))) + missing
    return Latencies(sent, latency, lost, count_overtaken(sent + latency) if timed else 0, timed)


def count_overtaken(arrival: Vector) -> int:
    """Return how many messages arrive after one that was sent later; `arrival` in the order they were sent [s]."""
    arrival = arrival[np.isfinite(arrival)]
    soonest_later = np.minimum.accumulate(arrival[::-1])[::-1]
    return int(np.count_nonzero(arrival[:-1] > soonest_later[1:]))
