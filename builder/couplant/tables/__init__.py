"""Files of engineers: recordings in the formats of their tools, measured latencies, results.

>>> from couplant.tables import open_table
>>> t, y = open_table("run.csv").columns(["t", "y"])    # doctest: +SKIP
"""

from couplant.tables.channels import Channel, Channels, read
from couplant.tables.dialect import number_in
from couplant.tables.headings import PLAIN, Reading
from couplant.tables.latencies import Latencies, read_latencies
from couplant.tables.recordings import (
    SHORTEST,
    Recording,
    Samples,
    Series,
    read_recording,
    read_samples,
    read_signals,
    read_together,
    resample,
    usual_step,
)
from couplant.tables.table import Table, open_table

__all__ = [
    "PLAIN", "SHORTEST", "Channel", "Channels", "Latencies", "Reading", "Recording", "Samples", "Series", "Table",
    "number_in", "open_table", "read", "read_latencies", "read_recording", "read_samples", "read_signals",
    "read_together", "resample", "usual_step",
]  # fmt: skip
