"""Steps of a slave between its changes of state, and data that come and go.

At the point t_n values that have arrived are handed over, estimates are made, outputs are known; then the model steps
to t_{n+1}. In soft real time (SRT) the point has a time by the clock, and outputs leave at once. Without real time
(NRT) a request makes the step and the exchange at its end, and another one sends.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from couplant.elsewhere.dcp.codes import DEAF, RECEIVING, Mode, State
from couplant.elsewhere.dcp.description import Description
from couplant.elsewhere.dcp.journal import LATE, Journal
from couplant.elsewhere.dcp.numbering import WRAP, Numbering
from couplant.elsewhere.dcp.pdu import Pdu
from couplant.elsewhere.dcp.setup import Address, Setup
from couplant.elsewhere.dcp.values import NotFinite, pack_values, size_of, unpack_values

_LATE_EACH = 1000  # late steps that one entry of the log stands for


class Model(Protocol):
    """The model that a slave runs; variables are named by the numbers of the description."""

    period: float  # length of a step [s]
    ended: bool  # whether it does not go on by itself

    def start(self, parameters: Mapping[int, float]) -> None:
        """Start with values of parameters, by number."""

    def take(self, reference: int, stamp: float, value: float) -> None:
        """Take a `value` for the input with the number `reference`, of the time `stamp` [s]."""

    def adjust(self, reference: int, value: float) -> None:
        """Set the tunable parameter with the number `reference` to a `value`."""

    def exchange(self, t: float, h: float) -> None:
        """Hand over what has arrived by `t`, before a step of `h`, until outputs are known [s]."""

    def finish(self, t: float, h: float) -> None:
        """End the exchange at `t`, and step by `h` [s]."""

    def outputs(self, references: Sequence[int]) -> list[float]:
        """Return the values of the outputs with the numbers `references`."""

    def is_settled(self, t: float) -> bool:
        """Tell whether what happens when all begins has faded out at `t` [s]."""

    def free(self) -> None:
        """Release everything; allowed more than once."""


class Sender(Protocol):
    """Takes the payload of data that leave, with their `data_id` and sequence `number`."""

    def __call__(self, data_id: int, number: int, payload: bytes) -> None:
        """Take data that leave."""


class Course:
    """Steps of a `model`; `first` and `lead` are those of the state machine."""

    def __init__(self, model: Model, send: Sender, journal: Journal, first: int | None, lead: int) -> None:
        self._model, self._send, self._journal, self._first, self._lead = model, send, journal, first, lead
        self._forget()

    def _forget(self) -> None:
        self._setup: Setup | None = None
        self._mode, self._start, self._asked = Mode.NRT, 0.0, 0
        self.steps: int | None = None  # of the last STC_do_step
        self.done = 0  # steps that are done
        self.late, self.has_ended, self.left = 0, False, State.RUNNING
        self._exchanged, self._begun = False, False
        self._numbers: dict[int, int] = {}  # next sequence number of the data that leave
        self._last: dict[int, int] = {}  # last number of the data that came while initialising
        self.numberings: dict[int, Numbering] = {}  # of the data that come
        self._points: list[float] = []  # times after each request for steps [s]

    def use(self, journal: Journal) -> None:
        """Write to another `journal` from now on."""
        self._journal = journal

    @property
    def due(self) -> float | None:
        """Return the absolute time of the next step [s], None before a run."""
        return self._start + self.done * self._model.period if self._begun else None

    def configure(self, setup: Setup) -> None:
        """Start the model as a `setup` says."""
        self._forget()
        self._setup = setup
        self._model.start(setup.parameters)

    def initialise(self) -> None:
        """Find the outputs for the inputs that are known before the run."""
        self._model.exchange(0.0, 0.0)

    def begin(self, at: float, setup: Setup, mode: Mode) -> None:
        """Begin a run at the absolute time `at` [s]."""
        self._start, self._mode, self._begun = at, mode, True
        period = self._model.period
        points = self._points if mode == Mode.NRT else None
        for data_id in setup.inputs:
            last = self._last.get(data_id)
            first = self._first if self._first is not None else 0 if last is None else (last + 1) % WRAP
            h = period * setup.steps.get(data_id, 1)
            self.numberings[data_id] = Numbering(h, first, self._lead * period, points)

    def ask(self, steps: int, left: State) -> None:
        """Note how many `steps` are asked for, and the state to go back to."""
        self._asked, self.steps, self.left = steps, steps, left

    def compute(self) -> None:
        """Do the steps that were asked for."""
        h = self._model.period
        if not self._exchanged:
            self._model.exchange(0.0, h)
            self._exchanged = True
        for _ in range(self._asked):
            t = self.done * h
            self._model.finish(t, h)
            self.done += 1
            self._model.exchange(self.done * h, h)
        self._points.append(self.done * h)

    def catch_up(self, now: float) -> None:
        """Do the step that is due by the absolute time `now` [s], if there is one."""
        due = self.due
        if due is None or now < due:
            return
        h, n = self._model.period, self.done
        if now - due > h:
            if self.late % _LATE_EACH == 0:
                self._journal.write(LATE, now, n, now - due)
            self.late += 1
        self._model.exchange(n * h, h)
        self.send(running=True)
        self._model.finish(n * h, h)
        self.done += 1
        self.has_ended = self._model.ended

    def is_settled(self, now: float) -> bool:
        """Tell whether the run has begun by the absolute time `now` [s] and what happens then has faded out."""
        if self._mode == Mode.NRT:
            return self._model.is_settled(self.done * self._model.period)
        return self.done > 0 and self._model.is_settled((self.done - 1) * self._model.period)

    def send(self, running: bool) -> None:
        """Send the outputs that belong to a run, or to its initialisation unless `running`."""
        setup = self._setup
        if setup is None:
            return
        for data_id in setup.outputs:
            real_time = running and self._mode != Mode.NRT
            if not setup.in_scope(data_id, running) or (real_time and self.done % setup.steps[data_id]):
                continue
            references = [vr for _, vr in sorted(setup.outputs[data_id].items())]
            payload = pack_values(setup.output_types(data_id), self._model.outputs(references))
            number = self._numbers.get(data_id, 0)
            self._numbers[data_id] = (number + 1) % WRAP
            self._send(data_id, number, payload)

    def take(
        self, pdu: Pdu, now: float, where: Address | None, state: State, setup: Setup, description: Description
    ) -> str:
        """Take data that have arrived at the address `where` at `now`, in absolute time [s].

        Returned is the reason for which they are dropped, "" if they are not.
        """
        is_data = pdu.name == "DAT_input_output"
        key = pdu["data_id"] if is_data else pdu["param_id"]
        places = (setup.inputs if is_data else setup.tunables).get(key)
        awaited = (setup.sources if is_data else setup.tunable_sources).get(key)
        if not places or awaited is None:
            return "unexpected"
        control = description.host, description.port
        if awaited != (where or control):
            return "unexpected"
        kinds = [kind for _, (_, kind) in sorted(places.items())]
        if len(pdu.rest) != size_of(kinds):
            return "length"
        if state not in RECEIVING or state in DEAF:
            return "state"
        try:
            values = unpack_values(kinds, pdu.rest)
        except NotFinite:
            return "not_finite"
        references = [vr for _, (vr, _) in sorted(places.items())]
        if not is_data:
            for reference, value in zip(references, values, strict=True):
                self._model.adjust(reference, value)
            return ""
        if not setup.in_scope(key, self._begun):
            return "state"
        stamp = self._stamp(key, pdu["pdu_seq_id"], now)
        if stamp is not None:
            for reference, value in zip(references, values, strict=True):
                self._model.take(reference, stamp, value)
        return ""

    def _stamp(self, data_id: int, number: int, now: float) -> float | None:
        if not self._begun:
            self._last[data_id] = number
            return 0.0
        return self.numberings[data_id].stamp(number, now)

    def is_starved(self, pdu: Pdu, setup: Setup) -> bool:
        """Tell whether more data of this kind are missing before a `pdu` than one of its inputs tolerates."""
        numbering = self.numberings.get(pdu.fields.get("data_id", -1))
        if numbering is None or pdu.name != "DAT_input_output":
            return False
        variables = setup.description.by_reference
        limits = [variables[vr].most_missed for vr, _ in setup.inputs[pdu["data_id"]].values()]
        return any(limit is not None and numbering.missed > limit for limit in limits)

    def stop(self) -> None:
        """End the run and free the model."""
        self._begun = False
        self._model.free()

    def give_up(self) -> None:
        """End the run without the model, which failed again while an error was handled."""
        self._begun = False
