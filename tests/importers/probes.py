"""Probe FMUs as an importer gets them: one connected with itself, two connected with each other."""

from tests.importers.oscillator import Connection

NAMES = ("alone", "first", "second")
OUTPUTS = ("delay.steps", "delay.min", "delay.max", "signal")
STEPS = 20


def connections():
    """Return the connections."""
    pairs = (("alone", "alone"), ("first", "second"), ("second", "first"))
    return [Connection((source, "signal"), (target, "back")) for source, target in pairs]
