"""The settings of an interface: one TOML file, checked as a whole, each signal of which becomes one FMU."""

from couplant.config.load import apply_assignments, load_interface, parse_interface, read_toml
from couplant.config.rules import advice
from couplant.config.schema import (
    Algorithm,
    Discontinuity,
    Interface,
    Latency,
    Output,
    Quality,
    Signal,
    WeightsOfStep,
    json_schema,
)

__all__ = [
    "Algorithm",
    "Discontinuity",
    "Interface",
    "Latency",
    "Output",
    "Quality",
    "Signal",
    "WeightsOfStep",
    "advice",
    "apply_assignments",
    "json_schema",
    "load_interface",
    "parse_interface",
    "read_toml",
]
