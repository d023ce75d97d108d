"""Protocol data units of DCP 1.0 as they pass over UDP; sections 3.3.7 and 4.2.1 of the standard.

All numbers are little-endian. A PDU begins with its type; what has a variable end has it in `rest`.
"""

import struct
from dataclasses import dataclass
from typing import Any, NamedTuple

LARGEST = 65507  # length of the longest UDP datagram [byte]

REASONS = ("short", "unknown", "foreign", "length", "not_finite", "unexpected", "state")
"""Why a datagram is dropped and counted; a request whose length is wrong is answered besides."""

_HEAD = "pdu_seq_id:H receiver:B"
_STATE = f"{_HEAD} state_id:B"
_ANSWER = "resp_seq_id:H sender:B"
_NETWORK = "transport_protocol:B port:H ip_address:I"

_LAYOUTS = {
    "STC_register": (0x01, f"{_STATE} slave_uuid:16s op_mode:B major_version:B minor_version:B"),
    "STC_deregister": (0x02, _STATE),
    "STC_prepare": (0x03, _STATE),
    "STC_configure": (0x04, _STATE),
    "STC_initialize": (0x05, _STATE),
    "STC_run": (0x06, f"{_STATE} time:q"),
    "STC_do_step": (0x07, f"{_STATE} steps:I"),
    "STC_send_outputs": (0x08, _STATE),
    "STC_stop": (0x09, _STATE),
    "STC_reset": (0x0A, _STATE),
    "CFG_time_res": (0x20, f"{_HEAD} numerator:I denominator:I"),
    "CFG_steps": (0x21, f"{_HEAD} steps:I data_id:H"),
    "CFG_input": (0x22, f"{_HEAD} data_id:H pos:H target_vr:Q source_data_type:B"),
    "CFG_output": (0x23, f"{_HEAD} data_id:H pos:H source_vr:Q"),
    "CFG_clear": (0x24, _HEAD),
    "CFG_target_network_information": (0x25, f"{_HEAD} data_id:H {_NETWORK}"),
    "CFG_source_network_information": (0x26, f"{_HEAD} data_id:H {_NETWORK}"),
    "CFG_parameter": (0x27, f"{_HEAD} parameter_vr:Q source_data_type:B +"),
    "CFG_tunable_parameter": (0x28, f"{_HEAD} param_id:H pos:H parameter_vr:Q source_data_type:B"),
    "CFG_param_network_information": (0x29, f"{_HEAD} param_id:H {_NETWORK}"),
    "CFG_logging": (0x2A, f"{_HEAD} log_category:B log_level:B log_mode:B"),
    "CFG_scope": (0x2B, f"{_HEAD} data_id:H scope:B"),
    "INF_state": (0x80, _HEAD),
    "INF_error": (0x81, _HEAD),
    "INF_log": (0x82, f"{_HEAD} log_category:B log_max_num:B"),
    "RSP_ack": (0xB0, _ANSWER),
    "RSP_nack": (0xB1, f"{_ANSWER} exp_seq_id:H error_code:H"),
    "RSP_state_ack": (0xB2, f"{_ANSWER} state_id:B"),
    "RSP_error_ack": (0xB3, f"{_ANSWER} error_code:H"),
    "RSP_log_ack": (0xB4, f"{_ANSWER} +"),
    "NTF_state_changed": (0xE0, "sender:B state_id:B"),
    "NTF_log": (0xE1, "sender:B time:q log_template_id:B +"),
    "DAT_input_output": (0xF0, "pdu_seq_id:H data_id:H +"),
    "DAT_parameter": (0xF1, "pdu_seq_id:H param_id:H +"),
}
"""Number and fields of each PDU, with the letters of `struct`; + stands for a payload of any length."""


class Layout(NamedTuple):
    """How a PDU is laid out."""

    name: str
    number: int  # its type
    fields: tuple[str, ...]  # behind the type
    form: struct.Struct  # of the type and the fields
    open: bool  # whether a payload of any length follows

    def fits(self, length: int) -> bool:
        """Tell whether a PDU may have this `length` [byte]."""
        return self.form.size <= length <= LARGEST if self.open else length == self.form.size


def _layout(name: str, number: int, text: str) -> Layout:
    words = [word for word in text.split() if word != "+"]
    fields, letters = zip(*(word.split(":") for word in words), strict=True)
    return Layout(name, number, fields, struct.Struct(f"<B{''.join(letters)}"), "+" in text)


LAYOUTS = {name: _layout(name, *found) for name, found in _LAYOUTS.items()}
"""All PDUs by name."""

_BY_NUMBER = {layout.number: layout for layout in LAYOUTS.values()}

_REQUESTS = ("STC_", "CFG_", "INF_")


@dataclass(frozen=True)
class Pdu:
    """One protocol data unit."""

    name: str
    fields: dict[str, Any]  # by the names of the standard, without the type
    rest: bytes = b""  # its payload

    def __getitem__(self, field: str) -> Any:
        """Return the value of a field."""
        return self.fields[field]

    @property
    def is_request(self) -> bool:
        """Tell whether only a master sends it."""
        return self.name.startswith(_REQUESTS)


class Refused(ValueError):
    """A datagram that is no PDU; `part` has what could be read of a request whose length is wrong."""

    def __init__(self, reason: str, part: Pdu | None = None) -> None:
        super().__init__(reason)
        self.reason, self.part = reason, part


def pack(name: str, rest: bytes = b"", **fields: Any) -> bytes:
    """Return the datagram of the PDU with a `name`, its `fields`, and a payload, the `rest`.

    Raises ValueError if a field is missing or unknown, a number does not fit, or the payload is too long or has no
    place.
    """
    layout = LAYOUTS[name]
    if set(fields) != set(layout.fields):
        raise ValueError(f"{name}: fields are {', '.join(fields)}, allowed {', '.join(layout.fields)}.")
    try:
        datagram = layout.form.pack(layout.number, *(fields[field] for field in layout.fields)) + rest
    except struct.error as error:
        raise ValueError(f"{name}: {error}.") from None
    if not layout.fits(len(datagram)):
        raise ValueError(f"{name}: a payload of {len(rest)} bytes, allowed {LARGEST if layout.open else 0} at most.")
    return datagram


def unpack(datagram: bytes) -> Pdu:
    """Return the PDU in a `datagram`.

    Raises Refused if it is too short to be one, of an unknown type, or longer or shorter than its type says.
    """
    if len(datagram) < 3:
        raise Refused("short")
    layout = _BY_NUMBER.get(datagram[0])
    if layout is None:
        raise Refused("unknown")
    size = layout.form.size
    if not layout.fits(len(datagram)):
        head = layout.fields[:2] == ("pdu_seq_id", "receiver") and len(datagram) >= 4
        number, receiver = struct.unpack_from("<HB", datagram, 1) if head else (0, 0)
        raise Refused("length", Pdu(layout.name, {"pdu_seq_id": number, "receiver": receiver}) if head else None)
    values = layout.form.unpack_from(datagram)[1:]
    return Pdu(layout.name, dict(zip(layout.fields, values, strict=True)), bytes(datagram[size:]))
