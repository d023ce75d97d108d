"""Adaptive algorithms of the literature, for comparison: they identify a model while they run.

Both carry a state and are no part of the pipeline; `step` takes one value a macro step and returns the line of the
estimate, level and slope per macro step.
"""
