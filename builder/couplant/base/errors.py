"""Exceptions of couplant.

The command line prints the message of a `CouplantError` as it is and leaves with `exit_code`: one sentence
(or one line for each thing that is wrong) that names quantity, value, allowed range and unit. Behind a quantity that an
option gives, ``macro_step = 0`` or ``macro_step is missing``, it adds the option (`couplant.cli.options`).
"""


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


def why(error: OSError, otherwise: str = "") -> str:
    """Return in lower case why the system refused something; `otherwise` where it does not say."""
    return (error.strerror or str(error) or otherwise).lower()


def comes_from_stop(error: BaseException | None) -> bool:
    """Tell whether an error is Ctrl-C, or what somebody made of it: Python itself does so where classes are made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None
