"""Report what a step has to tell: bits of `generated/events.py` that become log messages."""

from .state import State


def tell(s: State, event: int) -> None:
    """Report `event` in this step."""
    s.log.events = s.log.events | event


def once(s: State, event: int) -> None:
    """Report `event` the first time only."""
    if not s.log.told & event:
        s.log.told = s.log.told | event
        s.log.events = s.log.events | event
