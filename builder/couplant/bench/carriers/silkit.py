"""Messages over SIL Kit of Vector: each side is a participant that publishes at a topic and subscribes to the other's.

Its library is called by the interface in C (``silkit/capi``), and comes from its maker, not with this package. The
participants have no lifecycle: they start at once and no virtual time holds them up. The stamps are those in the
messages; that of SIL Kit is not looked at.
"""

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int32, c_size_t, c_uint8, c_uint64, c_void_p
from ctypes.util import find_library
from functools import cache
from typing import Any

from couplant.base.errors import CouplantError, UsageError
from couplant.bench.carriers.meeting import Meeting
from couplant.config.bench import TransportTable

LIBRARY = "COUPLANT_SILKIT_LIBRARY"  # variable of the environment with the path of libSilKit
MEDIA_TYPE = b"application/vnd.couplant.bench"  # bytes of a message as they are, without the form of SIL Kit

_SILENT = b'{"Logging": {"Sinks": []}}'
_SPEC_VERSION = ord("S") << 56 | ord("K") << 48 | 5 << 40 | 2 << 32 | 1 << 24  # SilKit_DataSpec_STRUCT_VERSION


class _Header(Structure):
    _fields_ = (("version", c_uint64), ("reserved", c_uint64 * 3))


class _Spec(Structure):
    """`SilKit_DataSpec`, without labels."""

    _fields_ = (
        ("header", _Header), ("topic", c_char_p), ("media_type", c_char_p), ("count", c_size_t), ("labels", c_void_p)
    )  # fmt: skip


class _Bytes(Structure):
    _fields_ = (("data", c_void_p), ("size", c_size_t))


class _Event(Structure):
    """`SilKit_DataMessageEvent`."""

    _fields_ = (("header", _Header), ("timestamp", c_uint64), ("data", _Bytes))


_Handler = CFUNCTYPE(None, c_void_p, c_void_p, POINTER(_Event))
_FUNCTIONS = {
    "ParticipantConfiguration_FromString": (POINTER(c_void_p), c_char_p),
    "ParticipantConfiguration_Destroy": (c_void_p,),
    "Participant_Create": (POINTER(c_void_p), c_void_p, c_char_p, c_char_p),
    "Participant_Destroy": (c_void_p,),
    "DataPublisher_Create": (POINTER(c_void_p), c_void_p, c_char_p, POINTER(_Spec), c_uint8),
    "DataSubscriber_Create": (POINTER(c_void_p), c_void_p, c_char_p, POINTER(_Spec), c_void_p, _Handler),
    "DataPublisher_Publish": (c_void_p, POINTER(_Bytes)),
}
"""Functions and their parameters; each returns a code, 0 for success."""


@cache
def _load(path: str) -> Any:
    library = ctypes.CDLL(path)
    for name, parameters in _FUNCTIONS.items():
        function = getattr(library, f"SilKit_{name}")
        function.argtypes, function.restype = parameters, c_int32
    library.SilKit_GetLastErrorString.argtypes, library.SilKit_GetLastErrorString.restype = (), c_char_p
    return library


def _library() -> Any:
    path = os.environ.get(LIBRARY) or find_library("SilKit")
    if not path:
        raise UsageError(f"bench.transport = silkit: needs libSilKit of SIL Kit, whose path {LIBRARY} may say.")
    try:
        return _load(path)
    except (OSError, AttributeError) as error:
        raise UsageError(f"{LIBRARY} = {path}: allowed is libSilKit 4 or newer: {error}.") from None


class SilKitTransport(Meeting):
    """A participant of a simulation.

    Raises UsageError if the library is missing or a setting does not fit; CouplantError if there is no way to the
    registry.
    """

    PLACE = "registry"
    PROTOCOLS = ("tcp",)
    PORT = 8500

    _participant: c_void_p | None = None

    def send(self, datagram: bytes) -> None:
        """Publish a datagram: the library keeps a copy that a thread of its own sends."""
        content = ctypes.create_string_buffer(datagram, len(datagram))
        packed = _Bytes(ctypes.cast(content, c_void_p), len(datagram))
        self._silkit.SilKit_DataPublisher_Publish(self._publisher, byref(packed))

    def _connect(self, settings: TransportTable) -> None:
        self._silkit = _library()
        speaks, listens = self.topics
        mailbox, where = self._mailbox, self._endpoint

        def take(context: Any, subscriber: Any, event: Any) -> None:
            data = event.contents.data
            mailbox.put(ctypes.string_at(data.data, data.size))

        self._handler = _Handler(take)  # kept: the library calls it in a thread of its own
        configuration, self._publisher, subscriber = c_void_p(), c_void_p(), c_void_p()
        participant = c_void_p()
        uri = f"silkit://{str(where).partition('/')[2]}".encode()
        self._do("ParticipantConfiguration_FromString", byref(configuration), _SILENT)
        try:
            self._do("Participant_Create", byref(participant), configuration, speaks.replace("/", ".").encode(), uri)
        finally:
            self._silkit.SilKit_ParticipantConfiguration_Destroy(configuration)
        self._participant = participant
        heard, said = (_Spec(_Header(_SPEC_VERSION), topic.encode(), MEDIA_TYPE) for topic in (listens, speaks))
        self._do("DataSubscriber_Create", byref(subscriber), participant, b"in", byref(heard), None, self._handler)
        self._do("DataPublisher_Create", byref(self._publisher), participant, b"out", byref(said), 0)

    def _do(self, name: str, *arguments: Any) -> None:
        if getattr(self._silkit, f"SilKit_{name}")(*arguments):
            reason = (self._silkit.SilKit_GetLastErrorString() or b"").decode(errors="replace")
            reason = reason.removeprefix("ERROR:").strip().rstrip(".")
            raise CouplantError(f"{self._endpoint}: no {self.PLACE} of SIL Kit: {reason or 'no answer'}.")

    def _disconnect(self) -> None:
        if self._participant is not None:
            self._silkit.SilKit_Participant_Destroy(self._participant)
            self._participant = None
