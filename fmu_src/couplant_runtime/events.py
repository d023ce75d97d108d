"""Report the events of a step: bits of `generated/events.py` that become log messages."""

from operator import attrgetter

from .generated.events import MESSAGES, NUMBERS
from .state import State


def tell(s: State, event: int) -> None:
    """Report `event` in this step."""
    s.log.events = s.log.events | event


def once(s: State, event: int) -> None:
    """Report `event` the first time only."""
    if not s.log.told & event:
        s.log.told = s.log.told | event
        s.log.events = s.log.events | event


def sentence(s: State, event: int) -> str:
    """Return the words of `event`, with the numbers that the state has now."""
    numbers = tuple(attrgetter(place)(s) for place in NUMBERS.get(event, ()))
    return MESSAGES[event][1].replace("%g", "%.9g") % numbers
