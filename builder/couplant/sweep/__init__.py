"""Sweeps: a scenario with many algorithms, latencies, jitters, losses and seeds, in parallel."""

from couplant.sweep.axes import Axes, Point
from couplant.sweep.run import Sweep, Where, sweep
from couplant.sweep.table import Row, Table

__all__ = ["Axes", "Point", "Row", "Sweep", "Table", "Where", "sweep"]
