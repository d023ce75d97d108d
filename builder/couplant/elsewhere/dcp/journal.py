"""Log entries of a slave: kept until they are asked for, or sent at once; sections 3.1.23 and 3.3.7.30."""

import struct
from collections import deque
from collections.abc import Callable, Mapping

LATE, FAILED = 1, 2

TEMPLATES = {
    LATE: (1, 2, "step %uint32 began %float64 s late"),
    FAILED: (1, 1, "the slave failed with error code %uint16"),
}
"""Category, level and text of each entry by its number; levels are those of table 59."""

_ARGUMENTS = {LATE: struct.Struct("<Id"), FAILED: struct.Struct("<H")}
_ENTRY = struct.Struct("<qB")
_KEPT = 255  # entries that wait, as many as one INF_log can ask for
ON_REQUEST, ON_NOTIFICATION = 1, 2


class Journal:
    """Entries of one slave; `modes` are the log modes by category and level, `send` takes PDUs to the master."""

    def __init__(self, modes: Mapping[tuple[int, int], int], send: Callable[..., None]) -> None:
        self._modes, self._send = modes, send
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=_KEPT)

    def write(self, template: int, now: float, *values: float) -> None:
        """Enter a `template` with its `values` at the absolute time `now` [s], if its category and level are wanted."""
        category, level, _ = TEMPLATES[template]
        mode, arguments = self._modes.get((category, level), 0), _ARGUMENTS[template].pack(*values)
        if mode == ON_NOTIFICATION:
            self._send("NTF_log", arguments, time=int(now), log_template_id=template)
        elif mode == ON_REQUEST:
            self._kept.append((category, _ENTRY.pack(int(now), template) + arguments))

    def take(self, category: int, most: int) -> bytes:
        """Return the oldest entries of a `category`, 0: of any, at `most` so many; they are not kept any longer."""
        found = [one for one in self._kept if category in (0, one[0])][:most]
        for one in found:
            self._kept.remove(one)
        return b"".join(entry for _, entry in found)

    def clear(self) -> None:
        """Forget all entries."""
        self._kept.clear()
