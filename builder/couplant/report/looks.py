"""How the runs of a result look: each can be told from each other one, in pages and pictures."""

from __future__ import annotations

import numpy as np

from couplant.base.style import Look, looks
from couplant.cosim.result import Result
from couplant_runtime.algorithms import ALL


def run_looks(result: Result) -> dict[str, Look]:
    """Return the look of each run of a result by its algorithm.

    Algorithms that made an estimate at times keep their colours, as far as there are others.
    """
    codes = {int(code) for run in result.runs for trace in run.traces.values() for code in np.unique(trace.active)}
    names = list(dict.fromkeys(run.algorithm for run in result.runs))
    return looks(names, [ALL[code - 1] for code in sorted(codes) if 0 < code <= len(ALL)])
