"""The settings of an interface: one TOML file, checked as a whole, each signal of which becomes one FMU."""

from couplant.config.interface import Interface, Latency, Signal
from couplant.config.load import load_interface, parse_interface
from couplant.config.rules.interface import advice

__all__ = ["Interface", "Latency", "Signal", "advice", "load_interface", "parse_interface"]
