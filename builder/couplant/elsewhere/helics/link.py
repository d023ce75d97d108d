"""Parts that broker and federates share: the address of a broker, the module helics, its words as sentences."""

import re
import socket
import time
from typing import Any, NamedTuple

from couplant.base.errors import CouplantError, UsageError
from couplant.base.modules import load_extra

PORT = 23404  # where a broker listens unless something else is said; that of HELICS itself

CORE = "zmq"
HEARTBEAT = "--tick=1s --loglevel=no_print"
"""A federate or broker that has not answered for some five ticks counts as lost."""

_GLANCE = 1.0
_SEARCH = 0.2
_SILENCE = 3.0
"""How long one that listened may be silent, well within the ten seconds in which it has to be noticed. [s]"""

_LOST = "the broker or another federate no longer answers"


class Lost(CouplantError):
    """The broker or another federate no longer answers."""


class Ended(CouplantError):
    """A federate, which only the sentence may name, has ended the federation with an error."""


class Address(NamedTuple):
    """Where a broker listens."""

    host: str
    port: int

    def __str__(self) -> str:
        """Return the address as it is written."""
        return f"{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str, option: str) -> "Address":
        """Return the address ``HOST[:PORT]`` in the `text` of an `option`; raise `UsageError` if it names none."""
        found = re.fullmatch(r"([\w.-]+)(?::(\d{1,5}))?", text)
        port = int(found[2] or PORT) if found else 0
        if not found or not 0 < port < 65536:
            raise UsageError(f"{option} = {text}, allowed HOST or HOST:PORT with a port from 1 to 65535")
        return cls(found[1], port)


class Lookout:
    """Looks whether somebody still listens at an `address`, as HELICS says too late or never.

    Nobody is lost before being found, unless one is `known` to have listened there.
    """

    def __init__(self, address: Address, known: bool = False) -> None:
        self._address, self._looked = address, -_GLANCE
        self._seen = time.monotonic() if known else None

    def lost(self) -> bool:
        """Look once a second, more often until one is found; tell whether nobody listens there any more."""
        if (now := time.monotonic()) < self._looked + (_GLANCE if self._seen else _SEARCH):
            return False
        self._looked = now
        try:
            socket.create_connection(self._address, timeout=_GLANCE).close()
            self._seen = now
        except OSError:
            return self._seen is not None and now > self._seen + _SILENCE
        return False


def helics() -> Any:
    """Return the module helics; raise `UsageError` if it is not installed."""
    return load_extra("helics", 'couplant helics needs the package helics: pip install "couplant[helics]".')


def helics_words(error: Exception) -> str:
    """Return the words of HELICS in an error without its number."""
    text = re.sub(r"^\[-?\d+\]\s*", "", " ".join(str(error).split())).rstrip(".")
    return re.sub(r"lost comms with -?\d+", _LOST, text)


def with_helics_words(error: Exception) -> CouplantError:
    """Return an error of HELICS as one of couplant."""
    text = helics_words(error)
    return (Lost if _LOST in text else CouplantError)(f"{text}.")


def end_of_federation(error: Exception) -> CouplantError:
    """Return the error of HELICS in a federate whose federation has ended: the reason comes from any of them."""
    reason = with_helics_words(error)
    return reason if isinstance(reason, Lost) else Ended(f"a federate ended the federation: {reason}")
