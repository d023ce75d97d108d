"""One slave as a master sees it: its state, the number of the next request, the answers that are awaited."""

from typing import Any, NamedTuple

from couplant.base.errors import CouplantError
from couplant.elsewhere.dcp.codes import ERROR, Fault, State
from couplant.elsewhere.dcp.pdu import Pdu, Refused, pack, unpack
from couplant.elsewhere.dcp.plan import Slave

AGAIN = 0.25
"""Time after which a request without an answer is sent again, and a state is asked for [s]."""


class Waiting(NamedTuple):
    """A request that has no answer yet."""

    name: str
    datagram: bytes
    sent: float  # by the clock [s]
    again: bool = False  # whether it was sent more than once


class Caller:
    """Requests to a `slave` and its answers; `send` takes datagrams."""

    def __init__(self, slave: Slave, send: Any) -> None:
        self.slave, self._send = slave, send
        self.state = State.ALIVE
        self._number = 0
        self.waiting: dict[int, Waiting] = {}
        self.states: list[State] = []  # as they were told
        self.refused: dict[str, Fault] = {}  # requests by name, that may be refused
        self.fault = Fault.NONE
        self.dropped = 0  # datagrams that were not taken

    def ask(self, name: str, now: float, rest: bytes = b"", **fields: Any) -> None:
        """Send the request with a `name` and its fields at the time `now` [s]; the `rest` is its payload."""
        if name.startswith("STC_"):
            fields["state_id"] = self.state
        datagram = pack(name, rest, pdu_seq_id=self._number, receiver=self.slave.number, **fields)
        self.waiting[self._number] = Waiting(name, datagram, now)
        self._number = (self._number + 1) % 65536
        self._send(datagram, self.slave.address)

    def remind(self, now: float) -> None:
        """Send the oldest request again if it has had no answer for long, at the time `now` [s]."""
        for number, waiting in self.waiting.items():
            if now - waiting.sent > AGAIN:
                self.waiting[number] = waiting._replace(sent=now, again=True)
                self._send(waiting.datagram, self.slave.address)
            return  # the next one has to wait for this one

    def take(self, datagram: bytes) -> None:
        """Take a `datagram` that comes from the address of the slave.

        Raises CouplantError if the slave refuses a request that it should not.
        """
        try:
            pdu = unpack(datagram)
        except Refused:
            self.dropped += 1
            return
        if pdu.is_request or pdu.fields.get("sender") != self.slave.number:
            self.dropped += 1
        elif pdu.name == "NTF_state_changed":
            self._note_state(pdu["state_id"])
        elif pdu.name.startswith("RSP_"):
            self._take_answer(pdu)

    def _take_answer(self, pdu: Pdu) -> None:
        waiting = self.waiting.pop(pdu["resp_seq_id"], None)
        if waiting is None:
            self.dropped += 1
            return
        if pdu.name == "RSP_state_ack":
            self._note_state(pdu["state_id"])
        elif pdu.name == "RSP_error_ack":
            self.fault = _fault(pdu["error_code"])
        elif pdu.name == "RSP_nack":
            self._take_refusal(pdu, waiting)

    def _take_refusal(self, pdu: Pdu, waiting: Waiting) -> None:
        fault = _fault(pdu["error_code"])
        # its answer was lost: it has been taken before
        if waiting.again and fault == Fault.INVALID_SEQUENCE_ID:
            return
        self.refused[waiting.name] = fault
        if waiting.name not in ("INF_error", "INF_state"):
            raise CouplantError(
                f"{self.slave.name}: refuses {waiting.name} with {pdu['error_code']:#06x}, {fault.name}."
            )

    def _note_state(self, number: int) -> None:
        try:
            state = State(number)
        except ValueError:
            self.dropped += 1
            return
        if state != self.state:
            self.states.append(state)
        self.state = state

    def check(self) -> None:
        """Raise CouplantError if the slave has had an error."""
        if self.state in ERROR:
            reason = f": {self.fault.name}" if self.fault != Fault.NONE else ""
            raise CouplantError(f"{self.slave.name}: went to the state {self.state.name}{reason}.")


def _fault(number: int) -> Fault:
    try:
        return Fault(number)
    except ValueError:
        return Fault.GENERIC
