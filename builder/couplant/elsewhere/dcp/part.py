"""A side of a bench as the model of a DCP slave: its prototype, with a coupling FMU at each input."""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from uuid import UUID

from couplant.base.errors import UsageError
from couplant.bench.wiring import SideWiring, SideWorkshop
from couplant.config.ref import Ref
from couplant.cosim.fmu.instance import FmuComponent
from couplant.cosim.fmu.load import FmuLibrary
from couplant.cosim.run.exchange import EarlyStep, Exchange
from couplant.cosim.run.master import DIVERGED, start_components
from couplant.cosim.wiring.coupling import start_value, wire_of
from couplant.cosim.wiring.order import Value
from couplant.elsewhere.dcp.codes import Mode
from couplant.elsewhere.dcp.description import Description, Variable
from couplant.elsewhere.dcp.journal import TEMPLATES
from couplant.elsewhere.dcp.mailbox import Mailbox
from couplant.elsewhere.dcp.side import SideFile

TUNABLE = ("output.min", "output.max", "output.rate_max", "discontinuity.sensitivity", "quality.zeta", "quality.delta")
"""Parameters of coupling FMUs that DAT_parameter may set."""

_FINEST = 1_000_000_000  # largest denominator of the resolution


@dataclass(frozen=True)
class Names:
    """The meaning of the numbers of variables."""

    inputs: dict[int, str]  # signals
    outputs: dict[int, Ref]  # what the exchange reads
    parameters: dict[int, str]  # of the prototype
    tunables: dict[int, Ref]  # of coupling FMUs


class Part:
    """The model of a slave, from a `side` file; FMUs are built into a `folder` and unpacked by a `library`."""

    def __init__(self, side: SideFile, library: FmuLibrary, folder: Path) -> None:
        self._side = side
        self._workshop = SideWorkshop(side.bench, side.name, library, folder)
        self.period, self.ended = side.bench.scenario.macro_step, False
        self._starts = {s: start_value(wire_of(side.bench, s), s) or 0.0 for s in self._workshop.receives}
        self._open = ExitStack()
        self._adjusted: dict[int, float] = {}
        self.rows: list[tuple[float, ...]] = []  # time, what is sent, estimates
        made = self._make()
        self.columns = ("time", *self._workshop.sends, *(f"{name}.y_hat" for name in made.receives))
        self.names, self.description = self._describe(made)

    def start(self, parameters: Mapping[int, float]) -> None:
        """Start the components, those of before are freed."""
        self.free()
        made = self._make()
        given = {self.names.parameters[vr]: value for vr, value in parameters.items() if vr in self.names.parameters}
        made.wiring.parameters[made.side] |= given
        for vr, ref in self.names.tunables.items():
            if vr in parameters:
                made.wiring.parameters[ref.component] |= {ref.variable: parameters[vr]}
        mailbox = made.wiring.components[made.inbox.name]
        assert isinstance(mailbox, Mailbox)
        self._mailbox = mailbox
        self._exchange: Exchange = self._open.enter_context(start_components(made.wiring, 0.0))
        slots = [self._exchange.slot(Value(ref)) for refs in made.shown for ref in refs]
        self._shown, self._slots = slots, {vr: self._exchange.slot(Value(r)) for vr, r in self.names.outputs.items()}
        sent = {self._exchange.slot(Value(ref)) for ref in made.shown[0]}
        point = self._exchange.point
        known = 1 + max(i for i, action in enumerate(point) if {*getattr(action, "slots", ())} & sent)
        self._first, self._rest = point[:known], point[known:]
        if any(isinstance(action, EarlyStep) for action in self._rest):
            self._first, self._rest = point, ()  # estimates are outputs too
        self.rows, self.ended = [], False

    def take(self, reference: int, stamp: float, value: float) -> None:
        """Take a value for an input, as `Model.take`."""
        self._mailbox.add(self.names.inputs[reference], stamp, value)

    def adjust(self, reference: int, value: float) -> None:
        """Keep a value of a tunable parameter for the next exchange."""
        self._adjusted[reference] = value

    def exchange(self, t: float, h: float) -> None:
        """Exchange until outputs are known, as `Model.exchange`."""
        for reference, value in self._adjusted.items():
            ref = self.names.tunables[reference]
            self._exchange.components[ref.component].writer([ref.variable])([value])
        self._adjusted.clear()
        self._mailbox.hand_over(t)
        for action in self._exchange.point if h == 0.0 else self._first:
            action(t, h)

    def finish(self, t: float, h: float) -> None:
        """End the exchange, record it, and step, as `Model.finish`."""
        for action in self._rest:
            action(t, h)
        values = [self._exchange.values[slot] for slot in self._shown]
        self.rows.append((t, *values))
        self.ended = not all(-DIVERGED <= value <= DIVERGED for value in values)
        if not self.ended:
            self._exchange.step(t, h)

    def outputs(self, references: Sequence[int]) -> list[float]:
        """Return values of outputs, as `Model.outputs`."""
        return [self._exchange.values[self._slots[reference]] for reference in references]

    def is_settled(self, t: float) -> bool:
        """Tell whether the time that the side file allows for settling is over."""
        return t >= self._side.settle

    def free(self) -> None:
        """Free the components."""
        self._open.close()

    def _make(self) -> SideWiring:
        """Return the components, with a mailbox in place of the inbox of a bench.

        Raises UsageError if a setting asks for what DCP does not carry.
        """
        made, side = self._workshop.make(self._side.algorithm, self._side.timing), self._side
        if side.bench.scenario.models:
            raise UsageError(f"{side.path}: models of {side.bench.path} are not available: DCP carries outputs only.")
        mailbox = Mailbox(made.inbox, made.receives, self._starts)
        if mailbox.has_echo:
            raise UsageError(f'{side.path}: latency.mode = "round_trip" needs echoes, which DCP does not carry.')
        made.wiring.components[made.inbox.name] = mailbox
        return made

    def _describe(self, made: SideWiring) -> tuple[Names, Description]:
        """Return the names and the description of the side that was `made`."""
        side, variables, names = self._side, list[Variable](), Names({}, {}, {}, {})

        def add(name: str, kind: str, start: float, text: str, variability: str = "continuous") -> int:
            missed = side.most_missed if kind == "input" else None
            number = len(variables) + 1
            variables.append(Variable(name, number, kind, "Float64", start, variability, missed, text))
            return number

        for signal in made.receives:
            number = add(signal, "input", self._starts[signal], "signal that this side receives")
            names.inputs[number] = signal
        for signal, ref in zip(made.sends, made.shown[0], strict=True):
            names.outputs[add(signal, "output", 0.0, "signal that this side sends")] = ref
        for signal, ref in zip(made.receives, made.shown[1], strict=True):
            names.outputs[add(f"{signal}.y_hat", "output", 0.0, "estimate that the prototype is given")] = ref
        for name, value in made.wiring.parameters[made.side].items():
            if isinstance(value, float | int) and not isinstance(value, bool):
                names.parameters[add(name, "parameter", float(value), "of the prototype", "fixed")] = name
        for signal, ref in zip(made.receives, made.shown[1], strict=True):
            coupling = made.wiring.components[ref.component]
            for name in TUNABLE if coupling is not made.inbox and ref.variable == "y_hat" else ():
                start = (
                    coupling.start_of(name) if name in coupling.ports and isinstance(coupling, FmuComponent) else None
                )
                if start is not None:
                    target = Ref(ref.component, name)
                    names.tunables[add(f"{signal}.{name}", "parameter", float(start), "", "tunable")] = target
        return names, self._describe_slave(tuple(variables))

    def _describe_slave(self, variables: tuple[Variable, ...]) -> Description:
        side = self._side
        step = Fraction(self.period).limit_denominator(_FINEST)
        text = repr((side.name, side.algorithm, side.timing, side.bench.scenario.fingerprint(), variables))
        uuid = str(UUID(bytes=hashlib.sha256(text.encode()).digest()[:16]))
        host, port = side.address
        modes = frozenset({Mode.SRT, Mode.NRT})
        heartbeat = None if side.heartbeat is None else Fraction(side.heartbeat).limit_denominator(1000)
        return Description(
            side.title, uuid, variables, modes, (step.numerator, step.denominator), host, port, side.data_ports,
            heartbeat=None if heartbeat is None else (heartbeat.numerator, heartbeat.denominator), log=TEMPLATES,
        )  # fmt: skip
