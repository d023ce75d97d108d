"""Signals that wrap round, such as a crank angle: unwrapped in the history, wrapped at the output."""

from ..generated.constants import MOST_TURNS, RELATIVE_FLOOR
from ..guard import UNLIMITED
from ..state import State


def unwrap(s: State, value: float, near: float) -> float:
    """Return `value` plus the whole number of periods that brings it nearest to `near` [signal unit]."""
    if not 0.0 < s.parameter.signal_period <= UNLIMITED:
        return value
    turns = (near - value) / s.parameter.signal_period + 0.5
    if not -MOST_TURNS <= turns <= MOST_TURNS:
        return value
    return value + _floor(turns) * s.parameter.signal_period


def is_same(s: State, value: float, stored: float) -> bool:
    """Return whether `value` is the one that was `stored` [signal unit], rounding apart where it wraps round."""
    off, period = unwrap(s, value, stored) - stored, s.parameter.signal_period
    rounding = RELATIVE_FLOOR * period if 0.0 < period <= UNLIMITED else 0.0
    return -rounding <= off <= rounding


def wrap(s: State, value: float) -> float:
    """Return `value` within one period from `output.min` on, from 0 on without that limit [signal unit]."""
    if not 0.0 < s.parameter.signal_period <= UNLIMITED:
        return value
    low = s.parameter.output_min if s.parameter.output_min > -UNLIMITED else 0.0
    turns = (value - low) / s.parameter.signal_period
    if not -MOST_TURNS <= turns <= MOST_TURNS:
        return low
    inside = value - _floor(turns) * s.parameter.signal_period
    return low if inside < low or inside >= low + s.parameter.signal_period else inside


def _floor(x: float) -> float:
    whole = float(int(x))
    return whole - 1.0 if whole > x else whole
