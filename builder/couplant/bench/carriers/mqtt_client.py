"""Messages over MQTT: both sides find a broker, by TCP or TLS; quality of service 0, so that nothing is sent twice."""

import os
import socket
import ssl
import threading
from contextlib import suppress
from typing import Any

from couplant.base.errors import CouplantError, UsageError, why
from couplant.bench.carriers.meeting import Meeting, needed, secure_context, why_insecure
from couplant.config.bench import TransportTable

PASSWORD = "COUPLANT_MQTT_PASSWORD"  # variable of the environment with the password of `bench.transport.user`
MOST_UNSENT = 64  # messages that wait for the connection to take them; newer ones are lost

_PATIENCE = 3.0
_KEEP_ALIVE = 5
_RETRY = 0.2


class MqttTransport(Meeting):
    """A client of an MQTT broker.

    Raises UsageError if paho-mqtt is not installed or a setting does not fit; CouplantError if there is no way to the
    broker, its certificate is refused, or it does not let us in.
    """

    PLACE = "broker"
    PROTOCOLS = ("tcp", "tls")
    PORT = 1883

    _client: Any = None
    _given = _gone = 0

    def send(self, datagram: bytes) -> None:
        """Hand a datagram to the thread that sends."""
        if self._contact.is_there and self._given - self._gone < MOST_UNSENT:
            self._given += 1
            self._client.publish(self._speaks, datagram, qos=0)

    def _connect(self, settings: TransportTable) -> None:
        mqtt = needed("paho.mqtt.client", "paho-mqtt", "mqtt")
        self._speaks, self._listens = self.topics
        self._answer, self._answered = "no answer", threading.Event()
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
        self._client.connect_timeout = _PATIENCE
        self._client.reconnect_delay_set(_RETRY, 2.0 * _RETRY)
        self._secure(settings)
        if settings.user is not None:
            self._client.username_pw_set(settings.user, os.environ.get(PASSWORD))
        mailbox, client = self._mailbox, self._client
        client.on_connect = self._has_answered
        client.on_disconnect = lambda *_: self._contact.lose()
        client.on_message = lambda client, data, message: mailbox.put(message.payload)
        client.on_publish = self._has_sent
        client.on_socket_open = lambda client, data, link: _at_once(link)
        endpoint = self._endpoint
        try:
            client.connect(endpoint.host, endpoint.port, keepalive=_KEEP_ALIVE)
        except ssl.SSLError as error:
            raise CouplantError(f"{endpoint}: {why_insecure(error)}.") from None
        except OSError as error:
            raise CouplantError(f"{endpoint}: no broker: {why(error, 'no answer')}.") from None
        client.loop_start()
        # the broker lets us in and knows what we listen to, or says why not
        if not self._answered.wait(_PATIENCE) or self._answer:
            raise CouplantError(f"{endpoint}: the broker does not let this side in: {self._answer}.")

    def _secure(self, settings: TransportTable) -> None:
        if self._endpoint.protocol != "tls":
            return
        try:
            context = secure_context(settings)
        except (OSError, ssl.SSLError) as error:
            files = ", ".join(filter(None, (settings.ca, settings.certificate, settings.key)))
            reason = "no certificates in PEM" if isinstance(error, ssl.SSLError) else str(error.strerror).lower()
            raise UsageError(f"bench.transport: {files}: {reason}.") from None
        self._client.tls_set_context(context)
        self._client.tls_insecure_set(not settings.verify_name)

    def _has_answered(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._answer = str(reason).lower()
        else:
            self._answer = ""
            self._gone = self._given
            client.subscribe(self._listens, qos=0)
            self._contact.regain()
        self._answered.set()

    def _has_sent(self, client: Any, data: Any, number: int, reason: Any, properties: Any) -> None:
        self._gone += 1

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.on_disconnect = None
            self._client.disconnect()
            self._client.loop_stop()


def _at_once(link: Any) -> None:
    """Send small messages without waiting for more of them (J. Nagle, RFC 896)."""
    with suppress(OSError, AttributeError):
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
