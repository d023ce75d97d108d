"""``python -m couplant``: the command line without the console script."""

from couplant.cli import entry

entry()
