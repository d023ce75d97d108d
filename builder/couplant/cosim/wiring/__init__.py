"""Wiring: from a scenario to connected components."""
