"""Co-simulation of prototypes through network and coupling FMUs."""

from couplant.config.scenario import load_scenario
from couplant.cosim.judgement.metrics import METRICS
from couplant.cosim.result import Result, Run
from couplant.cosim.simulate import simulate
from couplant.cosim.traces import Trace

__all__ = ["METRICS", "Result", "Run", "Trace", "load_scenario", "simulate"]
