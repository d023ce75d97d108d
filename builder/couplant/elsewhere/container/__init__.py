"""A side of a scenario as one FMU, made by the FMU Manipulation Toolbox."""

from couplant.elsewhere.container.contain import Contained, contain

__all__ = ["Contained", "contain"]
