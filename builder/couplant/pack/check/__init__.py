"""Checks of finished FMUs: fmpy's validation, the rules of this project, and a short run."""

from couplant.pack.check.fmu import Findings, check_fmu

__all__ = ["Findings", "check_fmu"]
