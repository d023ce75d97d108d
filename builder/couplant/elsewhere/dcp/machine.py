"""The state machine of a slave, without sockets and without waiting; section 3.2 of the standard.

A request for a change of state is answered at once; what is to be done in the state between, PREPARING to STOPPING, is
done by the next `advance`, so that a master can stop it before. Whoever has the sockets hands in what arrives, and is
handed what leaves.
"""

from collections import Counter
from collections.abc import Callable
from typing import Protocol

from couplant.base.errors import CouplantError
from couplant.elsewhere.dcp.checks import Situation, refusal
from couplant.elsewhere.dcp.codes import ERROR, Fault, Mode, State
from couplant.elsewhere.dcp.course import Course, Model
from couplant.elsewhere.dcp.description import Description
from couplant.elsewhere.dcp.journal import FAILED, Journal
from couplant.elsewhere.dcp.pdu import REASONS, Pdu, Refused, pack, unpack
from couplant.elsewhere.dcp.setup import Address, Setup

_LEAST_REST = 1e-3  # longest time between two looks at what there is to do [s]


class Outlet(Protocol):
    """The way out of a slave."""

    def send(self, datagram: bytes, address: Address) -> None:
        """Send a datagram."""

    def listen(self, addresses: set[Address]) -> None:
        """Await data at these addresses and at no other one but that of control PDUs.

        Raises CouplantError if one cannot be used.
        """


class Machine:
    """A slave: what its `description` says, with a `model`; PDUs leave by an `outlet`.

    With `anywhere` data may come from other machines and go there. `first` is the sequence number with which senders
    begin a run, None: the one after the data of the initialisation; `lead` are the steps that a sender has done when it
    sends its first data of a run.
    """

    def __init__(
        self, description: Description, model: Model, outlet: Outlet, anywhere: bool = False,
        first: int | None = None, lead: int = 0,
    ) -> None:  # fmt: skip
        self.description, self.state, self.fault = description, State.ALIVE, Fault.NONE
        self.mode, self.setup = Mode.NRT, Setup(description)
        self.dropped = Counter(dict.fromkeys(REASONS, 0))  # datagrams that were not taken, by reason
        self._outlet, self._anywhere = outlet, anywhere
        self._master: Address | None = None
        self._id, self._sequence, self._heard = 0, 0, 0.0
        self._journal = Journal(self.setup.logging, self._tell)
        self.course = Course(model, self._send_data, self._journal, first, lead)
        self._work: dict[State, Callable[[float], None]] = {
            State.PREPARING: self._prepare, State.CONFIGURING: self._configure,
            State.INITIALIZING: self._initialise, State.SENDING_I: self._send_initial,
            State.COMPUTING: self._compute, State.SENDING_D: self._send_computed,
            State.STOPPING: self._stop, State.ERRORHANDLING: self._resolve,
            State.SYNCHRONIZING: self._run, State.SYNCHRONIZED: self._run, State.RUNNING: self._run,
        }  # fmt: skip

    def receive(self, datagram: bytes, source: Address, now: float, where: Address | None = None) -> None:
        """Take a `datagram` from a `source` that has arrived at `now`, in absolute time [s].

        `where` is the address for data at which it arrived; None: that of control PDUs.
        """
        try:
            pdu, fits = unpack(datagram), True
        except Refused as error:
            if error.part is None or where is not None or not self._is_for_us(error.part, source):
                self.dropped[error.reason] += 1
                return
            pdu, fits = error.part, False
        if pdu.name.startswith("DAT_"):
            self._take_data(pdu, now, where)
        elif not pdu.is_request:
            self.dropped["unknown"] += 1
        elif where is not None or not self._is_for_us(pdu, source):
            self.dropped["foreign"] += 1
        else:
            self.dropped["length"] += not fits
            self._answer(pdu, source, now, fits)

    def advance(self, now: float) -> bool:
        """Do the work of the present state at the absolute time `now` [s]; tell whether there was anything."""
        if self._has_lost_master(now):
            self._fail(Fault.HEARTBEAT_MISSED, now)
        work = self._work.get(self.state)
        if work is None:
            return False
        before = self.state, self.course.done
        try:
            work(now)
        except (CouplantError, OSError):
            self._fail(Fault.GENERIC, now)
        return before != (self.state, self.course.done)

    def rest(self, now: float) -> float:
        """Return how long after `now` there will be something to do that nobody asks for [s]."""
        due = self.course.due if self._is_real_time else None
        return _LEAST_REST if due is None else min(max(due - now, 0.0), _LEAST_REST)

    @property
    def _is_real_time(self) -> bool:
        return self.mode != Mode.NRT and self.state in (State.SYNCHRONIZING, State.SYNCHRONIZED, State.RUNNING)

    def _is_for_us(self, pdu: Pdu, source: Address) -> bool:
        """Tell whether a request comes from the master and is meant for this slave."""
        if self.state == State.ALIVE:
            return bool(pdu["receiver"] > 0)
        return source == self._master and bool(pdu["receiver"] == self._id)

    def _has_lost_master(self, now: float) -> bool:
        longest = self.description.heartbeat
        if longest is None or self.state == State.ALIVE or self.state in ERROR:
            return False
        return now - self._heard > longest[0] / longest[1]

    def _answer(self, pdu: Pdu, source: Address, now: float, fits: bool) -> None:
        """Answer a request, and begin what it asks for."""
        number, alive = pdu["pdu_seq_id"], self.state == State.ALIVE
        sender = pdu["receiver"] if alive else self._id
        expected = number if alive else (self._sequence + 1) % 65536
        if number != expected:
            fault = Fault.INVALID_SEQUENCE_ID
        else:
            self._sequence = number
            expected = (number + 1) % 65536
            steps = self.course.steps
            situation = Situation(self.state, self.mode, self.setup, now, self._anywhere, steps)
            fault = refusal(pdu, situation, fits)
        answer = {"resp_seq_id": number, "sender": sender}
        if fault != Fault.NONE:
            nack = pack("RSP_nack", exp_seq_id=expected, error_code=fault, **answer)
            self._outlet.send(nack, source)
            return
        if pdu.name == "INF_state":
            self._heard = now
            self._outlet.send(pack("RSP_state_ack", state_id=self.state, **answer), source)
        elif pdu.name == "INF_error":
            self._outlet.send(pack("RSP_error_ack", error_code=self.fault, **answer), source)
        elif pdu.name == "INF_log":
            entries = self._journal.take(pdu["log_category"], pdu["log_max_num"])
            self._outlet.send(pack("RSP_log_ack", entries, **answer), source)
        else:
            self._outlet.send(pack("RSP_ack", **answer), source)
            self._carry_out(pdu, source, now)

    def _carry_out(self, pdu: Pdu, source: Address, now: float) -> None:
        name = pdu.name
        if name == "CFG_clear":
            self._clear()
        elif name.startswith("CFG_"):
            self.setup.apply(pdu)
        elif name == "STC_register":
            self._master, self._id, self._heard = source, pdu["receiver"], now
            self.mode, self.fault = Mode(pdu["op_mode"]), Fault.NONE
            self._clear()
            self._change(State.CONFIGURATION)
        elif name == "STC_deregister":
            self._release()
            self._change(State.ALIVE)
            self._master, self._id = None, 0
        elif name == "STC_reset":
            self._release()
            self.fault = Fault.NONE
            self._change(State.CONFIGURATION)
        else:
            self._begin(pdu, now)

    def _begin(self, pdu: Pdu, now: float) -> None:
        """Begin the change of state that a request asks for."""
        if pdu.name == "STC_run":
            at = now if self.mode == Mode.NRT or pdu["time"] == 0 else float(pdu["time"])
            if self.state == State.CONFIGURED:
                self.course.begin(at, self.setup, self.mode)
            self._change(State.SYNCHRONIZING if self.state == State.CONFIGURED else State.RUNNING)
            return
        if pdu.name == "STC_do_step":
            self.course.ask(pdu["steps"], self.state)
        sending = State.SENDING_I if self.state == State.INITIALIZED else State.SENDING_D
        self._change({
            "STC_prepare": State.PREPARING, "STC_configure": State.CONFIGURING, "STC_initialize": State.INITIALIZING,
            "STC_do_step": State.COMPUTING, "STC_send_outputs": sending, "STC_stop": State.STOPPING,
        }[pdu.name])  # fmt: skip

    def _change(self, state: State) -> None:
        """Go to a `state` and tell the master."""
        self.state = state
        self._tell("NTF_state_changed", state_id=state)

    def _tell(self, name: str, rest: bytes = b"", **fields: int) -> None:
        if self._master is not None:
            self._outlet.send(pack(name, rest, sender=self._id, **fields), self._master)

    def _prepare(self, now: float) -> None:
        self._outlet.listen(self.setup.ports)
        self._change(State.PREPARED)

    def _configure(self, now: float) -> None:
        self.course.configure(self.setup)
        self._change(State.CONFIGURED)

    def _initialise(self, now: float) -> None:
        self.course.initialise()
        self._change(State.INITIALIZED)

    def _send_initial(self, now: float) -> None:
        self.course.send(running=False)
        self._change(State.CONFIGURED)

    def _compute(self, now: float) -> None:
        self.course.compute()
        self._change(State.COMPUTED)

    def _send_computed(self, now: float) -> None:
        self.course.send(running=True)
        self._change(self.course.left)

    def _run(self, now: float) -> None:
        if self.mode != Mode.NRT:
            self.course.catch_up(now)
        if self.state == State.SYNCHRONIZING and self.course.is_settled(now):
            self._change(State.SYNCHRONIZED)
        if self.course.has_ended:
            self._change(State.STOPPING)

    def _stop(self, now: float) -> None:
        self.course.stop()
        self._change(State.STOPPED)

    def _resolve(self, now: float) -> None:
        self.course.stop()
        self._change(State.ERRORRESOLVED)

    def _fail(self, fault: Fault, now: float) -> None:
        if self.state in ERROR:
            self.course.give_up()
            return
        self.fault = fault
        self._change(State.ERRORHANDLING)
        self._journal.write(FAILED, now, fault)

    def _clear(self) -> None:
        self.setup = Setup(self.description)
        self._journal = Journal(self.setup.logging, self._tell)
        self.course.use(self._journal)

    def _release(self) -> None:
        self.course.stop()
        self._outlet.listen(set())
        self._clear()

    def _send_data(self, data_id: int, number: int, payload: bytes) -> None:
        datagram = pack("DAT_input_output", payload, pdu_seq_id=number, data_id=data_id)
        for address in self.setup.targets[data_id]:
            self._outlet.send(datagram, address)

    def _take_data(self, pdu: Pdu, now: float, where: Address | None) -> None:
        reason = self.course.take(pdu, now, where, self.state, self.setup, self.description)
        if reason:
            self.dropped[reason] += 1
        elif self.course.is_starved(pdu, self.setup):
            self._fail(Fault.PROPERTY_VIOLATED, now)
