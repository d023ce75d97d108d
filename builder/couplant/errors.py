"""What couplant raises.

The command line prints the message of a `CouplantError` as it is and leaves with `exit_code`: one sentence
(or one line for each thing that is wrong) that names quantity, value, allowed range and unit.
"""

from __future__ import annotations


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
