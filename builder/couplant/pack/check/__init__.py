"""Checks of finished FMUs: fmpy's validation, the rules of this project, and a short run."""

from couplant.pack.check.fmu import Findings, Validation, check_fmu, validate

__all__ = ["Findings", "Validation", "check_fmu", "validate"]
