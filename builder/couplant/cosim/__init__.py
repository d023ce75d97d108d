"""Co-simulation of prototypes through network and coupling FMUs."""

from couplant.cosim.result import METRICS, Result, Run, Trace

__all__ = ["METRICS", "Result", "Run", "Trace"]
