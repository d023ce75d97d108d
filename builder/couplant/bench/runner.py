"""All runs of one side, and the relay, as they run in a process of their own."""

import random
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from couplant.base.errors import CouplantError
from couplant.base.isolation import call_isolated
from couplant.bench.carriers.meeting import Meeting
from couplant.bench.carriers.udp import UdpTransport, udp_socket
from couplant.bench.carriers.villas import Samples, VillasLink, VillasTransport
from couplant.bench.handshake import Agreement, Handshake
from couplant.bench.live.tap import Tap, Viewing, bond_ends
from couplant.bench.message import VALUES, Message, pack
from couplant.bench.record import SideRecord, StepTime
from couplant.bench.relay import Lines, Link, RelayServer, TwoEnds, UdpLink
from couplant.bench.side import Side
from couplant.bench.transport import RELAY, End, Transport, urgent
from couplant.bench.wiring import SideWiring, SideWorkshop
from couplant.config.bench import SIDES, BenchScenario, LoadedBench
from couplant.cosim.fmu.foreign import has_foreign
from couplant.cosim.fmu.instance import kept_messages
from couplant.cosim.fmu.load import FmuLibrary
from couplant.cosim.judgement.bond_traces import course_of

_LONGEST_REHEARSAL, _FEWEST = 1.0, 10  # time after which it is over [s], unless there are fewer steps


@dataclass(frozen=True)
class Ends:
    """How a side reaches the other one."""

    side: str  # or the relay
    listen: str  # address, given to the transport
    peer: str  # address of the other side, given to the transport
    transport: type[Transport] = UdpTransport
    shared_clock: bool = True  # both sides run on one machine
    relayed: bool = False  # at a router or broker a relay stands between them
    topic: str = ""  # where they meet there; nothing: as the settings say
    viewing: Viewing | None = None  # where a page shows the runs

    def end(self, loaded: LoadedBench) -> End:
        """Return the end of this side."""
        return self._end(loaded, self.side, self.side if self.relayed else "")

    def of_relay(self, loaded: LoadedBench) -> tuple[End, End]:
        """Return the ends of the relay: for the left side it stands for the right one, and the other way round."""
        left, right = SIDES
        return self._end(loaded, right, left), self._end(loaded, left, right)

    def _end(self, loaded: LoadedBench, side: str, way: str) -> End:
        settings = loaded.transport()
        topic = self.topic or settings.topic or f"{loaded.scenario.fingerprint():08x}"
        sources = [signal.source.component for signal in loaded.scenario.signals.values()]
        signals = sources.count(SIDES[0]), sources.count(SIDES[1])
        return End(side, self.listen, self.peer, settings, f"{topic}/{way}" if way else topic, signals)


def run_side(
    loaded: LoadedBench,
    ends: Ends,
    output: Path | None = None,
    told: Callable[[tuple[int, StepTime | None]], None] = lambda begun: None,
) -> Iterator[SideRecord]:
    """Carry out all runs of one side; FMUs stay in `output`.

    `told` hears, when the start of a run is agreed, its index and how long a step takes. Raises CouplantError if the
    other side does not answer, an FMU cannot be built or refuses, or steps take longer than their period.
    """
    scenario = loaded.scenario
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch, FmuLibrary() as library:
        watched = ends.viewing is not None
        workshop = SideWorkshop(loaded, ends.side, library, (output or Path(scratch)) / "fmus", watched)
        with urgent(scenario.bench.real_time):  # threads have the priority of the one that starts them
            transport = ends.transport.opened(ends.end(loaded))
        clock = time.perf_counter
        wait = Handshake(transport, clock, scenario.fingerprint(), scenario.bench.connect, ends.shared_clock)
        try:
            for index, (timing, algorithm) in enumerate(scenario.cases):
                made = workshop.make(algorithm, timing)
                with kept_messages(), urgent(scenario.bench.real_time):
                    takes = rehearse(made, scenario, clock)
                with Side(made, scenario, transport, clock) as side:
                    side.check_fit(takes)
                    # before the start is agreed: what it collects may take longer than the start is away
                    with urgent(scenario.bench.real_time), kept_messages() as said:
                        side.begin(wait.lead() if ends.side == "left" else wait.follow())
                        told((index, takes))
                        with _tap(ends, index, loaded) as tap:
                            side.run(tap)
                    record = side.record(said.lines, takes)
                    side.check_fit(record.pace(scenario.macro_step, scenario.late).taken, ", in the run")
                    yield record
        finally:
            transport.close()


@contextmanager
def _tap(ends: Ends, case: int, loaded: LoadedBench) -> Iterator[Tap | None]:
    """Yield a tap that shows a run on a page, None if nobody is to look."""
    if ends.viewing is None:
        yield None
        return
    scenario = loaded.scenario
    timing, algorithm = scenario.cases[case]
    bonds = bond_ends(loaded, ends.side, course_of(algorithm, timing))
    with closing(Tap(ends.viewing, ends.side, case, scenario.macro_step, scenario.late, bonds)) as made:
        yield made


def rehearse(made: SideWiring, scenario: BenchScenario, clock: Callable[[], float]) -> StepTime | None:
    """Return how long a step takes by a `clock`, None if it is not asked for, or an FMU refuses.

    Components are started, step with messages that this end sends itself over UDP, and are freed. The values are those
    that signals start with, but for a millionth: what learns has something to learn.
    """
    count, chance = scenario.bench.rehearsal, random.Random(1)
    blank, rest = made.inbox.blank, made.width - len(made.receives)
    blocks: deque[tuple[float, ...]] = deque(maxlen=scenario.bench.repeat)
    try:
        with closing(UdpTransport(made.side, "127.0.0.1:0", "")) as mirror, Side(made, scenario, mirror, clock) as side:
            side.begin(Agreement(0, clock()))
            other = Message(VALUES, 1 - SIDES.index(made.side), scenario.fingerprint())
            last = clock() + _LONGEST_REHEARSAL
            for n in range(min(count, side.count)):
                values = (value + 1e-6 * (1.0 + abs(value)) * chance.random() for value in blank)
                blocks.appendleft((n * scenario.macro_step, *values, *([0.0] * rest)))
                mirror.send(pack(other._replace(sequence=n, blocks=tuple(blocks))))
                side.step(n)
                if clock() > last and n >= _FEWEST:
                    break
            return side.step_time
    except CouplantError:  # the run will tell, if it comes to that there
        return None


def carry_out(loaded: LoadedBench, ends: Ends, output: Path | None, told: Callable[[str, Any], None]) -> None:
    """Carry out all runs of one side; where the bench names an FMU of another maker, in a process of their own.

    `told` hears ("begun", index of a run and how long a step takes) and ("record", what was recorded); the rest is as
    for `run_side`. Raises CouplantError if the other side does not answer, or an FMU cannot be built, refuses, or ends
    the process that runs it.
    """
    work = loaded, ends, output
    call_isolated(_carry_out, *work, told=told) if has_foreign(loaded) else _carry_out(*work, told)


def _carry_out(loaded: LoadedBench, ends: Ends, output: Path | None, told: Callable[[str, Any], None]) -> None:
    for record in run_side(loaded, ends, output, lambda begun: told("begun", begun)):
        told("record", record)


def run_relay(loaded: LoadedBench, ends: Ends, told: Callable[[str], None], stopped: Callable[[], bool]) -> Lines:
    """Run the relay until it is told to stop: at ``host:port``, or at the router or broker where the sides meet.

    It returns the lines of the runs. `told` hears the address in use; `stopped` is asked about twenty times a second.
    Raises CouplantError if the address cannot be used, or there is no way to the router or broker.
    """
    scenario = loaded.scenario
    with _open_link(loaded, ends) as (link, address):
        told(address)
        server = RelayServer(scenario.relay, scenario.fingerprint(), link, time.perf_counter)
        with urgent(scenario.bench.real_time, RELAY):
            server.serve(stopped)
    return {key: line for key, line in server.relay.lines.items() if key[0]}


@contextmanager
def _open_link(loaded: LoadedBench, ends: Ends) -> Iterator[tuple[Link, str]]:
    """Yield the link by which the relay reaches both sides, and its address in words."""
    with ExitStack() as kept:
        if issubclass(ends.transport, Meeting):
            with urgent(loaded.scenario.bench.real_time, RELAY):
                meetings = [kept.enter_context(closing(ends.transport.opened(end))) for end in ends.of_relay(loaded)]
            yield TwoEnds(meetings), f"the {ends.transport.PLACE} at {meetings[0].where}"
        else:
            made = kept.enter_context(udp_socket(ends.listen))
            host, port = made.getsockname()[:2]
            is_villas = issubclass(ends.transport, VillasTransport)
            samples = Samples(ends.of_relay(loaded)[0].signals)
            yield VillasLink(made, samples) if is_villas else UdpLink(made), f"{host}:{port}"
