"""Messages of FMUs during a run: kept instead of printed line by line."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_MOST_LINES = 200
_SOURCE = "couplant.cosim.fmu.instance"


class Messages(logging.Handler):
    """Warnings and errors of FMUs: the first 200 as `lines`, and the `count` of all."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message."""
        self.count += 1
        if len(self.lines) < _MOST_LINES:
            self.lines.append(record.getMessage())

    @property
    def summary(self) -> str:
        """Return the first message and how many there are, nothing if there is none."""
        if not self.lines:
            return ""
        return self.lines[0] + (f" (the first of {self.count} messages, see the report)" if self.count > 1 else "")


@contextmanager
def kept_messages() -> Iterator[Messages]:
    """Give a keeper of the warnings of FMUs in place of the log: printing them would delay a step and bury the rest."""
    logger, handler = logging.getLogger(_SOURCE), Messages()
    before = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield handler
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
