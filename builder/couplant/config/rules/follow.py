"""Rules for the settings of a lag that is learnt while the FMU runs."""

from collections.abc import Iterator
from typing import Any

from couplant.base.written import real
from couplant.config.frame.sentences import Problem
from couplant.config.interface import MAX_STEPS, Latency, Signal
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.constants import FOLLOW_FARTHEST

OFF = "off"  # `latency.follow` of a lag that stays as it is set


def follows(latency: Latency) -> bool:
    """Tell whether a signal learns the lag of its receiver."""
    return latency.follow != OFF


def asks_to_follow(table: Any) -> bool:
    """Tell whether the `table` ``latency`` of a scenario, not checked yet, asks for it."""
    return isinstance(table, dict) and table.get("follow", OFF) != OFF


def follow_problems(signal: Signal, macro_step: float, path: str) -> Iterator[Problem]:
    """Yield problems of the lag that a signal learns; `macro_step` is ΔT [s], `path` leads to its section."""
    latency, algorithm = signal.latency, signal.algorithm
    at = f"{path}.latency"
    keys = ("interface.macro_step", *(f"{at}.{key}" for key in ("follow", "offset", "offset_min", "offset_max")))
    if not follows(latency):
        return
    if latency.offset_max <= latency.offset_min:
        text = f"{at}.offset_max = {real(latency.offset_max)} s, allowed above offset_min"
        yield Problem(f"{text} = {real(latency.offset_min)} s: the longest lag that the receiver may have", keys)
    elif not latency.offset_min <= latency.offset <= latency.offset_max:
        allowed = f"{real(latency.offset_min)} to {real(latency.offset_max)} s, as offset_min and offset_max say"
        yield Problem(f"{at}.offset = {real(latency.offset)} s, allowed {allowed}", keys)
    if macro_step > 0.0:
        constant = latency.constant_steps if latency.mode == "constant" else 0
        most = min(FOLLOW_FARTHEST, float(MAX_STEPS - constant))
        if latency.offset_max > most * macro_step * (1.0 + 1e-6):
            text = f"{at}.offset_max = {real(latency.offset_max)} s, allowed up to {most:g} macro steps"
            yield Problem(f"{text}, {most * macro_step:g} s", keys)
    if BY_NAME[algorithm.selected].needs == "neural" or (algorithm.selected == "linear" and algorithm.a is not None):
        text = f'{at}.follow = "{latency.follow}", allowed "{OFF}" with weights for one latency'
        yield Problem(text, (*keys, f"{path}.algorithm"))
    if latency.follow == "lag_and_gain" and signal.signal.period > 0.0:
        text = f'{at}.follow = "lag_and_gain", allowed "{OFF}" and "lag" with a signal that wraps round'
        yield Problem(text, (*keys, f"{path}.signal.period"))
