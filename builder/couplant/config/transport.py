"""How the messages of a bench travel: the table `bench.transport`."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import AfterValidator

from couplant.config.frame.read import Flag, Table, Text, together
from couplant.config.frame.sentences import Problem
from couplant.config.parameters import setting

FILES = ("ca", "certificate", "key")
"""Keys that name files."""

_LETTERS = set(f"{string.ascii_letters}{string.digits}._-")


def _topic(text: str) -> str:
    parts = text.split("/")
    if not all(part and set(part) <= _LETTERS for part in parts):
        raise together(f"= {text!r}, allowed letters, digits, and . _ - with / between parts")
    return text


class TransportTable(Table):
    """Carrier of the messages, and how to reach it."""

    name: Text = setting("udp", "udp, zenoh, mqtt, another one of couplant.transports, or package.module:Class")
    endpoint: Text | None = setting(
        None,
        "where the router of zenoh (tcp/HOST:PORT, udp/.., tls/..) or the broker of mqtt (tcp/.., tls/..) is; "
        "not given: tcp/ on this machine at its usual port, 7447 or 1883",
    )
    topic: Annotated[Text, AfterValidator(_topic)] | None = setting(
        None, "where the sides meet at a router or broker; not given: the fingerprint of the scenario"
    )
    relayed: Flag = setting(False, "on several machines: at a router or broker a relay stands between the sides")
    ca: Text | None = setting(None, "with tls: file with the authorities to trust, PEM; not given: the public ones")
    certificate: Text | None = setting(None, "with tls: file with the certificate of this side, PEM, if asked for")
    key: Text | None = setting(None, "with tls: file with its private key, PEM")
    verify_name: Flag = setting(True, "with tls: the certificate of the other end must be for the host of the endpoint")
    user: Text | None = setting(None, "mqtt: name of the user; its password is taken from COUPLANT_MQTT_PASSWORD")
    options: dict[str, Any] = setting({}, "keys that a transport of another package has")


def long_form(value: Any) -> Any:
    """Return the table that a name stands for, any other `value` as it is."""
    return {"name": value} if isinstance(value, str) else value


def problems(table: TransportTable) -> Iterator[Problem]:
    """Yield entries of a table that do not fit together."""
    if (table.certificate is None) != (table.key is None):
        keys = ("bench.transport.certificate", "bench.transport.key")
        yield Problem(f"{' and '.join(keys)}: allowed both or none", keys)
