"""Tables of numbers that engineers bring: recordings, measured latencies, results; in every dialect of CSV.

>>> from couplant.tables import open_table
>>> t, y = open_table("run.csv").columns(["t", "y"])    # doctest: +SKIP
"""

from couplant.tables.latencies import Latencies, read_latencies
from couplant.tables.recordings import (
    SHORTEST,
    Recording,
    Samples,
    Series,
    read_recording,
    read_samples,
    read_signals,
    resample,
)
from couplant.tables.table import Table, number_in, open_table

__all__ = [
    "SHORTEST",
    "Latencies",
    "Recording",
    "Samples",
    "Series",
    "Table",
    "number_in",
    "open_table",
    "read_latencies",
    "read_recording",
    "read_samples",
    "read_signals",
    "resample",
]
