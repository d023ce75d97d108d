"""Co-simulation of prototypes through network and coupling FMUs."""

from couplant.config.scenario import load_scenario
from couplant.cosim.result import METRICS, Result, Run, Trace
from couplant.cosim.simulate import simulate

__all__ = ["METRICS", "Result", "Run", "Trace", "load_scenario", "simulate"]
