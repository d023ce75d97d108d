"""Messages over zenoh: both sides find a router, by TCP, UDP or TLS, and need no way to each other.

Each side is a client of the router, so that both may stand behind NAT. What cannot be sent at once is lost, as with
UDP; nobody looks for others by multicast.
"""

import json
import socket
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from couplant.base.errors import CouplantError, UsageError, why
from couplant.bench.carriers.addresses import Endpoint
from couplant.bench.carriers.meeting import Meeting, needed, secure_context, why_insecure
from couplant.config.bench import TransportTable

_TLS = "transport/link/tls"
_QUIET = {
    "scouting/multicast/enabled": False,
    "scouting/gossip/enabled": False,
    "adminspace/enabled": False,
    "transport/shared_memory/enabled": False,
    "transport/link/tx/lease": 2000,
    "transport/link/tx/queue/congestion_control/drop/wait_before_drop": 0,
    "transport/link/tx/queue/size/real_time": 16,
}
"""Nobody is looked for, nothing is waited for, a silent end is given up after 2 s. [ms]"""

_PATIENCE = 3.0
_RETRY = {"period_init_ms": 100, "period_max_ms": 400, "period_increase_factor": 2}


class ZenohTransport(Meeting):
    """A client of a zenoh router.

    Raises UsageError if zenoh is not installed or a setting does not fit; CouplantError if there is no way to the
    router, or its certificate is refused.
    """

    PLACE = "router"
    PROTOCOLS = ("tcp", "udp", "tls")
    PORT = 7447

    _session: Any = None

    def send(self, datagram: bytes) -> None:
        """Hand a datagram to zenoh, which drops what it cannot send."""
        try:
            self._publisher.put(datagram)
        except self._failure:
            return

    def _connect(self, settings: TransportTable) -> None:
        zenoh = load()
        self._failure = zenoh.ZError
        keys = {"mode": "client", "connect/endpoints": [str(self._endpoint)]} | _security(self._endpoint, settings)
        keys |= {"connect/timeout_ms": int(1e3 * _PATIENCE), "connect/exit_on_failure": True, "connect/retry": _RETRY}
        try:
            self._session = zenoh.open(configuration(keys))
        except zenoh.ZError:
            raise CouplantError(f"{_why_not(self._endpoint, settings)}.") from None
        speaks, listens = self.topics
        self._publisher = self._session.declare_publisher(
            speaks,
            congestion_control=zenoh.CongestionControl.DROP,
            priority=zenoh.Priority.REAL_TIME,
            express=True,
            reliability=zenoh.Reliability.BEST_EFFORT,
        )
        mailbox, contact, gone = self._mailbox, self._contact, zenoh.SampleKind.DELETE
        self._listener = self._session.info.declare_transport_events_listener(
            lambda event: contact.lose() if event.kind == gone else contact.regain()
        )
        self._subscriber = self._session.declare_subscriber(listens, lambda s: mailbox.put(s.payload.to_bytes()))

    def _disconnect(self) -> None:
        if self._session is not None:
            self._session.close()


def load() -> Any:
    """Return the package zenoh.

    Raises UsageError if it is not installed.
    """
    return needed("zenoh", "eclipse-zenoh", "zenoh")


def configuration(keys: Mapping[str, Any]) -> Any:
    """Return a configuration of zenoh with these `keys`, that looks for nobody."""
    found = load().Config()
    for key, value in {**_QUIET, **keys}.items():
        found.insert_json5(key, json.dumps(value))
    return found


def readable(said: str, path: str | None) -> None:
    """Refuse a file whose `path` cannot be read, none is fine; `said` is the key or quantity that names it.

    Raises UsageError if it cannot be read.
    """
    if path is None:
        return
    try:
        Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{said} = {path}: {why(error)}.") from None


def _security(endpoint: Endpoint, settings: TransportTable) -> dict[str, Any]:
    if endpoint.protocol != "tls":
        return {}
    for name in ("ca", "certificate", "key"):
        readable(f"bench.transport.{name}", getattr(settings, name))
    found: dict[str, Any] = {f"{_TLS}/verify_name_on_connect": settings.verify_name}
    if settings.ca is not None:
        found[f"{_TLS}/root_ca_certificate"] = settings.ca
    if settings.certificate is not None:
        found |= {f"{_TLS}/enable_mtls": True, f"{_TLS}/connect_certificate": settings.certificate}
        found[f"{_TLS}/connect_private_key"] = settings.key
    return found


def _why_not(endpoint: Endpoint, settings: TransportTable) -> str:
    """Return why there is no way to a router, which zenoh does not tell: by going the first steps once more."""
    if endpoint.protocol == "udp":
        return f"{endpoint}: no router answers"
    try:
        with socket.create_connection((endpoint.host, endpoint.port), _PATIENCE) as link:
            return f"{endpoint}: {_refusal(link, endpoint, settings)}"
    except OSError as error:
        return f"{endpoint}: no router: {why(error, 'no answer')}"


def _refusal(link: socket.socket, endpoint: Endpoint, settings: TransportTable) -> str:
    if endpoint.protocol != "tls":
        return "what answers is no router"
    try:
        with secure_context(settings).wrap_socket(link, server_hostname=endpoint.host) as secured:
            secured.settimeout(_PATIENCE)
            secured.recv(1)
    except ssl.SSLError as error:
        return why_insecure(error)
    except OSError:
        pass
    return "what answers is no router"
