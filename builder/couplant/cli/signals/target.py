"""Settings of the signal that gets weights: its macro step, timing and latency hold for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from couplant.base.errors import UsageError
from couplant.cli.output import say

if TYPE_CHECKING:
    from couplant.analysis.system import System
    from couplant.config import Interface
    from couplant.config.network import Seconds
    from couplant.tables import Recording

T = TypeVar("T")


class Target(NamedTuple):
    """Settings known before a design or a lesson; None, or empty, where nothing says them."""

    macro_step: float | None
    timing: str | None
    steps: int | Seconds | None
    unit: str = ""
    file: str = ""
    protection: dict[str, Any] | None = None  # tables of the signal that hold whatever the algorithm

    def check(self, recording: Recording) -> None:
        """Check the unit of a recording; raise `UsageError` if it differs in scale."""
        from couplant.base.units import check_scale

        check_scale(recording.name, recording.unit, self.file, self.unit)


def target_of(
    config: Path | None, signal: str | None, macro_step: float | None, timing: str | None,
    steps: int | Seconds | None,
) -> Target:  # fmt: skip
    """Return macro step [s], timing and latency of a `signal` in the file `config`, else those given.

    The latency has in it what the host of the file adds. Raise `UsageError` if the file is wrong or has no such signal,
    or one is given that contradicts it.
    """
    if config is None:
        return Target(macro_step, timing, steps)
    from couplant.base.grid import latency_in_steps
    from couplant.cli.output import named_signal
    from couplant.config import load_interface
    from couplant.config.keys import LearningKeys
    from couplant.config.network import Seconds, steps_in

    name, interface = named_signal(signal), load_interface(config)
    if name not in interface.signals:
        raise UsageError(f"--signal = {name}, allowed {', '.join(interface.signals)}")
    one = interface.signals[name]
    latency = one.latency
    step = interface.macro_step or macro_step
    offset = latency.offset / step if step else 0.0
    lead = latency.constant_steps + offset + latency.host_lead
    k = max(0, latency_in_steps(lead)) if latency.mode == "constant" else None
    # a network learns in its step when it is judged, not on a server
    kept: Any = {"output": True, "discontinuity": True, "learning": set(LearningKeys.model_fields)}
    named = "--latency in macro steps" if isinstance(steps, Seconds) else "--steps"
    return Target(
        _agree("--macro-step", macro_step, interface.macro_step or None, config),
        _agree("--timing", timing, interface.timing, config),
        _agree(named, None if steps is None else steps_in(steps, step), k, config),
        one.unit,
        str(config),
        one.model_dump(include=kept, exclude_unset=True, by_alias=True),
    )


def say_latency(latency: Any, macro_step: float, given: object, jitter: Any = 0) -> None:
    """Print how `latency` and `jitter` that are times count on macro steps [s], and those unless they are `given`."""
    from couplant.config.network import Seconds, rounding_of

    chosen = isinstance(latency, Seconds) and not given
    say(*rounding_of(latency, jitter, macro_step), f"macro step {macro_step:g} s, by the samples" if chosen else "")


def plant_of(path: Path | None, assignments: list[str]) -> System | None:
    """Return the plant in a file at `path`, changed by `assignments` ``key=TOML value``; None without a file."""
    from couplant.analysis.system_file import read_system

    return None if path is None else read_system(path, assignments)


def configured_of(config: Path | None, signal: str | None) -> tuple[Interface, str] | None:
    """Return settings and signal of the file `config`; None without file, or if its latency varies."""
    if config is None or signal is None:
        return None
    from couplant.config import load_interface

    interface = load_interface(config)
    return (interface, signal) if interface.signals[signal].latency.mode == "constant" else None


def _agree(option: str, given: T | None, written: T | None, config: Path) -> T | None:
    """Return the value of a settings file, which the value given must not contradict."""
    if given is not None and written is not None and given != written:
        raise UsageError(f"{option} = {given}, allowed {written} as in {config}")
    return given if written is None else written
