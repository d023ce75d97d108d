"""A master: registers slaves, configures them, leads them through a run, and records what they send."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

import numpy as np

from couplant.base.errors import CouplantError
from couplant.cosim.judgement.output import write_columns
from couplant.elsewhere.dcp.caller import AGAIN, Caller
from couplant.elsewhere.dcp.codes import ERROR, MAJOR, MINOR, UDP_IPV4, Fault, Mode, Scope, State
from couplant.elsewhere.dcp.numbering import Numbering
from couplant.elsewhere.dcp.pdu import Pdu, Refused, unpack
from couplant.elsewhere.dcp.plan import Flow, Plan, Slave
from couplant.elsewhere.dcp.setup import Address
from couplant.elsewhere.dcp.sockets import Sockets, Taker
from couplant.elsewhere.dcp.values import TYPES, NotFinite, pack_values, size_of, unpack_values

_BEFORE = 1.0  # least time between STC_run and the start of a run in real time [s]
_TURN = 0.002  # longest wait without a look around [s]

Progress = Callable[[float, str], None]


class Link(Protocol):
    """The network as a master sees it; `Sockets` is one."""

    clock: Callable[[], float]  # absolute time [s]

    @property
    def address(self) -> Address:
        """Return where the master is reached."""

    def send(self, datagram: bytes, address: Address) -> None:
        """Send a datagram to an address."""

    def take(self, taker: Taker) -> int:
        """Hand datagrams that have arrived to a `taker`; return how many."""

    def wait(self, seconds: float) -> None:
        """Wait for a datagram, at most for `seconds` [s]."""


@dataclass(frozen=True)
class SlaveRecord:
    """The recording of one slave by a master."""

    columns: tuple[str, ...]  # names of outputs
    rows: tuple[tuple[float, ...], ...]  # time [s] and their values, by time
    states: tuple[State, ...]  # as they were told
    counts: Mapping[str, int]  # of the data that came


class Master:
    """A master for a `plan` on a `link`; `told` hears the share that is done, 0 to 1, and the state."""

    def __init__(self, plan: Plan, link: Link, told: Progress | None = None) -> None:
        self._plan, self._link = plan, link
        self._told = told or (lambda share, text: None)
        self._callers = {slave.name: Caller(slave, link.send) for slave in plan.slaves}
        self._by_address = {caller.slave.address: caller for caller in self._callers.values()}
        self._recorded = {flow.data_id: flow for flow in plan.flows if flow.receiver is None}
        self._rows: dict[int, dict[float, tuple[float, ...]]] = {data_id: {} for data_id in self._recorded}
        self._numberings: dict[int, Numbering] = {}
        self._last: dict[int, int] = {}
        self._points: list[float] = []
        self._asked = link.clock()
        self.dropped = 0  # datagrams of nobody, and data that nobody awaits

    def run(self) -> dict[str, SlaveRecord]:
        """Lead all slaves through one run and return what was recorded, by slave.

        Raises CouplantError if a slave does not answer, refuses a request or has an error; the others are stopped.
        """
        try:
            self._set_up()
            self._initialise()
            self._start()
            (self._step if self._plan.mode == Mode.NRT else self._watch)()
            self._end()
        except BaseException:
            self._abort()
            raise
        return {flow.sender.name: self._record(flow) for flow in self._recorded.values()}

    def _set_up(self) -> None:
        for caller in self._callers.values():
            slave = caller.slave
            self._ask(
                caller, "STC_register", slave_uuid=UUID(slave.description.uuid).bytes, op_mode=self._plan.mode,
                major_version=MAJOR, minor_version=MINOR,
            )  # fmt: skip
        self._await(State.CONFIGURATION)
        for caller in self._callers.values():
            self._configure(caller)
        for name, state in (("STC_prepare", State.PREPARED), ("STC_configure", State.CONFIGURED)):
            self._change(name, state)

    def _configure(self, caller: Caller) -> None:
        slave = caller.slave
        numerator, denominator = slave.description.resolution
        self._ask(caller, "CFG_time_res", numerator=numerator, denominator=denominator)
        for variable, value in slave.parameters:
            kind = TYPES[variable.type][0]
            payload = pack_values([kind], [value])
            self._ask(caller, "CFG_parameter", payload, parameter_vr=variable.reference, source_data_type=kind)
        for flow in self._plan.flows:
            if flow.sender.name == slave.name:
                self._configure_sender(caller, flow)
            if flow.receiver is not None and flow.receiver.name == slave.name:
                self._configure_receiver(caller, flow)

    def _configure_sender(self, caller: Caller, flow: Flow) -> None:
        self._ask(caller, "CFG_scope", data_id=flow.data_id, scope=Scope.ALL)
        for pos, (output, _) in enumerate(flow.pairs):
            self._ask(caller, "CFG_output", data_id=flow.data_id, pos=pos, source_vr=output.reference)
        if self._plan.mode != Mode.NRT:
            self._ask(caller, "CFG_steps", data_id=flow.data_id, steps=flow.steps)
        target = self._link.address if flow.receiver is None else _data_address(flow.receiver)
        self._network(caller, "CFG_target_network_information", flow.data_id, target)

    def _configure_receiver(self, caller: Caller, flow: Flow) -> None:
        self._ask(caller, "CFG_scope", data_id=flow.data_id, scope=Scope.ALL)
        for pos, (output, target) in enumerate(flow.pairs):
            kind = TYPES[output.type][0]
            place: dict[str, Any] = {"data_id": flow.data_id, "pos": pos, "target_vr": target.reference}
            self._ask(caller, "CFG_input", **place, source_data_type=kind)
        steps = flow.steps * flow.sender.step / caller.slave.step
        if self._plan.mode != Mode.NRT and steps != 1 and steps.denominator == 1:  # no slave is told by the standard
            self._ask(caller, "CFG_steps", data_id=flow.data_id, steps=int(steps))
        self._network(caller, "CFG_source_network_information", flow.data_id, _data_address(caller.slave))

    def _network(self, caller: Caller, name: str, data_id: int, address: Address) -> None:
        host, port = int(IPv4Address(address[0])), address[1]
        self._ask(caller, name, data_id=data_id, transport_protocol=UDP_IPV4, port=port, ip_address=host)

    def _initialise(self) -> None:
        for _ in range(self._plan.table.initialisations):
            self._change("STC_initialize", State.INITIALIZED)
            self._change("STC_send_outputs", State.CONFIGURED)

    def _start(self) -> None:
        real_time = self._plan.mode != Mode.NRT
        at = math.ceil(self._link.clock() + _BEFORE) if real_time else 0
        for data_id, flow in self._recorded.items():
            first = (self._last[data_id] + 1) % 65536 if data_id in self._last else 0
            points = None if real_time else self._points
            self._numberings[data_id] = Numbering(float(flow.sender.step), first, 0.0, points)
        self._begun = float(at) if real_time else self._link.clock()
        self._change("STC_run", State.SYNCHRONIZED, _BEFORE + 1.0, time=at)
        self._change("STC_run", State.RUNNING, time=0)

    def _step(self) -> None:
        """Make all steps of a run without real time."""
        h = float(self._plan.slaves[0].step)
        count = round(self._plan.table.duration / h)
        for n in range(count):
            self._points.append((n + 1) * h)
            self._change("STC_do_step", State.COMPUTED, steps=1)
            self._change("STC_send_outputs", State.RUNNING)
            if n * 100 // count != (n + 1) * 100 // count:
                self._told((n + 1) / count, "RUNNING")

    def _watch(self) -> None:
        """Look on for the length of a run in real time."""
        duration = self._plan.table.duration
        while (elapsed := self._link.clock() - self._begun) < duration:
            self._look()
            self._told(max(elapsed, 0.0) / duration, "RUNNING")

    def _end(self) -> None:
        self._change("STC_stop", State.STOPPED)
        self._change("STC_deregister", State.ALIVE)
        self._told(1.0, "done")

    def _abort(self) -> None:
        """Stop and release what can be reached; no answer is waited for."""
        for caller in self._callers.values():
            caller.waiting.clear()
            name = "STC_deregister" if caller.state in (State.CONFIGURATION, *ERROR) else "STC_stop"
            if caller.state != State.ALIVE:
                caller.ask(name, self._link.clock())

    def _change(self, name: str, state: State, more: float = 0.0, **fields: Any) -> None:
        """Ask all slaves for a change of state and wait until it is done, `more` seconds longer than for others."""
        for caller in self._callers.values():
            caller.ask(name, self._link.clock(), **fields)
        self._await(state, more)

    def _ask(self, caller: Caller, name: str, rest: bytes = b"", **fields: Any) -> None:
        """Ask one slave and wait for its answer."""
        caller.ask(name, self._link.clock(), rest, **fields)
        self._wait_for(lambda: not caller.waiting, f"{caller.slave.name}: no answer to {name}")

    def _await(self, state: State, more: float = 0.0) -> None:
        """Wait until all slaves are in a `state`, `more` seconds longer than for an answer."""

        def reached() -> bool:
            return all(one.state == state and not one.waiting for one in self._callers.values())

        try:
            self._wait_for(reached, "", more)
        except CouplantError as error:
            if str(error):
                raise
            late = ", ".join(f"{n} is in {one.state.name}" for n, one in self._callers.items() if one.state != state)
            patience = self._plan.table.connect
            raise CouplantError(f"{late or 'no answer'}, not in {state.name}, after {patience:g} s.") from None

    def _wait_for(self, reached: Callable[[], bool], text: str, more: float = 0.0) -> None:
        clock, patience = self._link.clock, self._plan.table.connect
        given_up = clock() + patience + more
        while not reached():
            if clock() > given_up:
                raise CouplantError(f"{text} within {patience:g} s." if text else "")
            self._look()

    def _look(self) -> None:
        """Take datagrams that have arrived, remind who has not answered, ask for states from time to time."""
        link = self._link
        if not link.take(self._take):
            link.wait(_TURN)
        now = link.clock()
        for caller in self._callers.values():
            caller.remind(now)
            if caller.state in ERROR and caller.fault == Fault.NONE and not caller.waiting:
                caller.ask("INF_error", now)
            elif now - self._asked > AGAIN and not caller.waiting and caller.state != State.ALIVE:
                caller.ask("INF_state", now)
            if caller.fault != Fault.NONE or "INF_error" in caller.refused:
                caller.check()
        if now - self._asked > AGAIN:
            self._asked = now

    def _take(self, datagram: bytes, source: Address, now: float, where: Address | None) -> None:
        if datagram[:1] == b"\xf0":
            self._take_data(datagram, source[0], now)
        elif (caller := self._by_address.get(source)) is None:
            self.dropped += 1
        else:
            caller.take(datagram)

    def _take_data(self, datagram: bytes, host: str, now: float) -> None:
        try:
            pdu = unpack(datagram)
            flow = self._recorded[pdu["data_id"]]
            kinds = [TYPES[output.type][0] for output, _ in flow.pairs]
            # data may leave a slave by any port
            if len(pdu.rest) != size_of(kinds) or host != flow.sender.address[0]:
                raise Refused("length")
            values = unpack_values(kinds, pdu.rest)
        except (Refused, KeyError, NotFinite):
            self.dropped += 1
            return
        stamp = self._stamp(pdu, flow, now)
        if stamp is not None:
            self._rows[flow.data_id][stamp] = tuple(values)

    def _stamp(self, pdu: Pdu, flow: Flow, now: float) -> float | None:
        numbering = self._numberings.get(flow.data_id)
        if numbering is not None:
            return numbering.stamp(pdu["pdu_seq_id"], now)
        self._last[flow.data_id] = pdu["pdu_seq_id"]
        return 0.0

    def _record(self, flow: Flow) -> SlaveRecord:
        caller, rows = self._callers[flow.sender.name], self._rows[flow.data_id]
        names = tuple(output.name for output, _ in flow.pairs)
        ordered = tuple((stamp, *rows[stamp]) for stamp in sorted(rows))
        return SlaveRecord(names, ordered, tuple(caller.states), dict(self._numberings[flow.data_id].counts))


def _data_address(slave: Slave) -> Address:
    return slave.address[0], slave.data_port


def run_plan(plan: Plan, output: Path | None = None, told: Progress | None = None) -> dict[str, SlaveRecord]:
    """Lead the slaves of a `plan` through one run over UDP; what they sent goes to CSV files in the folder `output`.

    `told` hears the share that is done, 0 to 1, and the state. Raises CouplantError if the address of the master cannot
    be used, or a slave does not answer, refuses a request or has an error.
    """
    with Sockets((plan.table.host, plan.table.port)) as sockets:
        records = Master(plan, sockets, told).run()
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        for name, record in records.items():
            headings = ("time", *record.columns)
            columns = np.array(record.rows, dtype=float).reshape(len(record.rows), len(headings)).T
            write_columns(output / f"{name}.csv", dict(zip(headings, columns, strict=True)))
    return records
