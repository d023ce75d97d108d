"""Know a coupling before it runs: coupling process, limit frequencies, quality parameters.

>>> from couplant.analysis import generic, limit_frequencies
>>> round(100 * limit_frequencies(generic("eros3", 3)).limit, 3)
3.856
"""

from couplant.analysis.algorithms import Algorithm, LinearAlgorithm, Shifted, SlidingModeObserver, generic
from couplant.analysis.coupling_process import ErlangLatency, estimate_error, frequency_response, transfer_function
from couplant.analysis.limits import Limits, limit_frequencies
from couplant.analysis.phasor import Phasor
from couplant.analysis.signal.quality import quality_table, tolerance_parameters
from couplant_runtime.algorithms import GENERIC

__all__ = [
    "GENERIC",
    "Algorithm",
    "ErlangLatency",
    "Limits",
    "LinearAlgorithm",
    "Phasor",
    "Shifted",
    "SlidingModeObserver",
    "estimate_error",
    "frequency_response",
    "generic",
    "limit_frequencies",
    "quality_table",
    "tolerance_parameters",
    "transfer_function",
]
