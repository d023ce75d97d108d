"""A side of a scenario as one FMU, made by the FMU Manipulation Toolbox."""
