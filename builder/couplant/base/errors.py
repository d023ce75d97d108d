"""Exceptions of couplant.

The command line prints the message of a `CouplantError` as it is and leaves with `exit_code`: one sentence
(or one line for each thing that is wrong) that names quantity, value, allowed range and unit. Behind a quantity that an
option gives, ``macro_step = 0`` or ``macro_step is missing``, it adds the option (`couplant.cli.options`).
"""

import re
from collections.abc import Iterable

_LENGTH, _MOST = 40, 6  # letters of a quoted text, names in a list
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class CouplantError(Exception):
    """A run or a check failed.

    Attributes
    ----------
    exit_code : int
        Exit status of the command line.
    """

    exit_code = 1


class UsageError(CouplantError, ValueError):
    """A setting, a file or a command is wrong: nothing was run and nothing was written."""

    exit_code = 2


class Stopped(CouplantError):
    """The user has stopped a run by Ctrl-C."""

    words = "stopped by the user"
    exit_code = 130


def require(right: bool, message: str) -> None:
    """Raise a UsageError with a `message` unless something is `right`."""
    if not right:
        raise UsageError(message)


def some(names: Iterable[str]) -> str:
    """Return the first of `names` that are not empty for a sentence, cut where they are long, and how many follow."""
    found = [name for name in names if name]
    shown = ", ".join([quote(name) for name in found[:_MOST]])
    return shown + (f" and {len(found) - _MOST} more" if len(found) > _MOST else "")


def quote(text: str) -> str:
    """Return a text of a user for a sentence: cut where it is long, marks in place of letters that show nothing."""
    seen = _HIDDEN.sub("?", " ".join(text.split()))
    return seen if len(seen) <= _LENGTH else f"{seen[: _LENGTH - 2]}.."


def why(error: OSError, otherwise: str = "") -> str:
    """Return in lower case why the system refused something; `otherwise` where it does not say."""
    return (error.strerror or str(error) or otherwise).lower()


def comes_from_stop(error: BaseException | None) -> bool:
    """Tell whether an error is Ctrl-C, or what somebody made of it: Python itself does so where classes are made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None
