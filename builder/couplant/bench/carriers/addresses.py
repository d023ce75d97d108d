"""Addresses of ends: ``HOST:PORT``, and ``tcp/HOST:PORT``, ``udp/..``, ``tls/..`` of routers and brokers."""

from collections.abc import Mapping
from typing import NamedTuple

from couplant.base.errors import UsageError

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Endpoint(NamedTuple):
    """Where a router or broker is."""

    protocol: str  # tcp, udp or tls
    host: str  # without brackets
    port: int

    def __str__(self) -> str:
        """Return the endpoint as it is written."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.protocol}/{host}:{self.port}"


def check_addresses(addresses: Mapping[str, str | None], anywhere: bool, least: int | None = None) -> None:
    """Refuse `addresses` that are not ``host:port``, and other hosts than loopback unless allowed `anywhere`.

    They stand under their quantities; None is not given. Ports are 1 or more, of `listen` 0, or `least` if it is given.
    Raises UsageError naming the quantity, the value and what is allowed.
    """
    for quantity, text in addresses.items():
        if text is None:
            continue
        lowest = int(quantity != "listen") if least is None else least  # 0 is any free one, which nobody can call
        if _split(text, lowest) is None:
            raise UsageError(f"{quantity} = {text}: allowed is HOST:PORT with a port of {lowest} to 65535.")
        _check_host(quantity, text, text, anywhere)


def endpoint_of(said: str, text: str, protocols: tuple[str, ...], anywhere: bool = True) -> Endpoint:
    """Return the endpoint in a text; `said` is the quantity or key that it stands in.

    Raises UsageError if it is none with one of the `protocols`, or not on this machine without `anywhere`.
    """
    protocol, _, address = text.partition("/")
    found = _split(address, 1)
    if protocol not in protocols or found is None:
        forms = " or ".join(f"{one}/HOST:PORT" for one in protocols)
        raise UsageError(f"{said} = {text}: allowed is {forms} with a port of 1 to 65535.")
    _check_host(said, text, address, anywhere)
    return Endpoint(protocol, *found)


def _split(text: str, least: int) -> tuple[str, int] | None:
    host, _, port = text.rpartition(":")
    host = host.strip("[]")
    try:
        is_name = bool(host.encode("idna")) and host.isprintable()  # the system fails on others in many ways
    except UnicodeError:
        return None
    fits = is_name and port.isascii() and port.isdigit() and least <= int(port) <= 65535
    return (host, int(port)) if fits else None


def _check_host(said: str, text: str, address: str, anywhere: bool) -> None:
    if address.rpartition(":")[0].strip("[]") not in LOOPBACK and not anywhere:
        raise UsageError(f"{said} = {text}: another machine than this one, allowed with anywhere = true only.")
