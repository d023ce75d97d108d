"""A zenoh router: where both sides of a bench meet, with an open port that neither of them needs."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from couplant.base.errors import CouplantError, UsageError
from couplant.bench.carriers.addresses import Endpoint, endpoint_of
from couplant.bench.carriers.zenoh_session import ZenohTransport, configuration, load, readable
from couplant.bench.transport import urgent

_TURN = 0.1
_TLS = "transport/link/tls"


@dataclass(frozen=True)
class Identity:
    """How a router shows who it is."""

    certificate: str | None = None  # file, PEM
    key: str | None = None  # file, PEM
    ca: str | None = None  # file with the authorities whose certificates the sides must have, PEM


def run_router(
    listen: Sequence[str],
    identity: Identity,
    anywhere: bool,
    told: Callable[[str], None],
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Route messages until told to stop.

    `listen` has the endpoints, ``tcp/HOST:PORT`` and the like, other hosts than loopback only where allowed `anywhere`;
    `told` hears of them when the router is ready, `stopped` is asked ten times a second. Raises UsageError if a setting
    does not fit or zenoh is not installed; CouplantError if an endpoint or a certificate cannot be used.
    """
    zenoh = load()
    endpoints = [endpoint_of("listen", text, ZenohTransport.PROTOCOLS, anywhere) for text in listen]
    keys = {"mode": "router", "listen/endpoints": list(map(str, endpoints)), "listen/exit_on_failure": True}
    keys |= _identity_keys(endpoints, identity)
    try:
        with urgent():  # threads have the priority of the one that starts them
            session = zenoh.open(configuration(keys))
    except zenoh.ZError:
        reason = "in use, not of this machine, or certificate and key do not fit"
        raise CouplantError(f"{', '.join(map(str, endpoints))}: cannot be listened to: {reason}.") from None
    try:
        told(", ".join(map(str, endpoints)))
        while not stopped():
            time.sleep(_TURN)
    finally:
        session.close()


def _identity_keys(endpoints: Sequence[Endpoint], identity: Identity) -> dict[str, Any]:
    given = [name for name, path in vars(identity).items() if path is not None]
    bare = [endpoint for endpoint in endpoints if endpoint.protocol != "tls"]
    if given and bare:
        text = f"{', '.join(given)} {'is' if len(given) == 1 else 'are'} for endpoints with tls/ only"
        raise UsageError(f"listen = {bare[0]}: anybody could come in there, {text}.")
    if len(bare) == len(endpoints):
        return {}
    if identity.certificate is None or identity.key is None:
        raise UsageError("certificate and key are missing: by these files listen = tls/.. shows who the router is.")
    for name, path in vars(identity).items():
        readable(name, path)
    found = {f"{_TLS}/listen_certificate": identity.certificate, f"{_TLS}/listen_private_key": identity.key}
    if identity.ca is None:
        return found
    return {**found, f"{_TLS}/root_ca_certificate": identity.ca, f"{_TLS}/enable_mtls": True}
