"""All runs of one side, and the relay, as they run in a process of their own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from couplant.bench.handshake import Handshake
from couplant.bench.record import SideRecord
from couplant.bench.relay import Line, RelayServer
from couplant.bench.side import Side
from couplant.bench.transport import Transport, UdpTransport, udp_socket
from couplant.bench.undisturbed import urgent
from couplant.bench.wiring import SideWorkshop
from couplant.config.bench import BenchScenario, LoadedBench
from couplant.cosim.fmu import FmuLibrary
from couplant.cosim.foreign import has_foreign
from couplant.cosim.messages import kept_messages
from couplant.isolation import isolated


@dataclass(frozen=True)
class Ends:
    """How a side reaches the other one."""

    side: str
    listen: str  # address, given to the transport
    peer: str  # address of the other side, given to the transport
    transport: type[Transport] = UdpTransport
    shared_clock: bool = True  # both sides run on one machine


@dataclass(frozen=True, eq=False)
class RelayRecord:
    """What the relay did, by run and sender."""

    delays: dict[tuple[int, int], list[float]]  # delays that were set [s]
    held: dict[tuple[int, int], list[float]]  # times messages were really kept [s]
    counts: dict[tuple[int, int], dict[str, int]]  # taken, lost, reordered, duplicated
    dropped: int  # datagrams that were none of this bench


def cases(scenario: BenchScenario) -> list[tuple[str, str]]:
    """Return timing and algorithm of all runs, in their order."""
    return [(timing, algorithm) for timing in scenario.timing for algorithm in scenario.algorithms]


def run_side(
    loaded: LoadedBench, ends: Ends, output: Path | None = None, told: Callable[[int], None] = lambda index: None
) -> Iterator[SideRecord]:
    """Carry out all runs of one side; FMUs stay in `output`; `told` hears the index of a run when its start is agreed.

    Raises
    ------
    CouplantError
        If the other side does not answer, or an FMU cannot be built or refuses.
    """
    scenario = loaded.scenario
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch, FmuLibrary() as library:
        workshop = SideWorkshop(loaded, ends.side, library, (output or Path(scratch)) / "fmus")
        transport = ends.transport(ends.side, ends.listen, ends.peer)
        clock = time.perf_counter
        wait = Handshake(transport, clock, scenario.fingerprint(), scenario.bench.connect, ends.shared_clock)
        try:
            for index, (timing, algorithm) in enumerate(cases(scenario)):
                with Side(workshop.make(algorithm, timing), scenario, transport, clock) as side:
                    side.begin(wait.lead() if ends.side == "left" else wait.follow())
                    told(index)
                    with urgent(scenario.bench.real_time), kept_messages() as said:
                        side.run()
                    yield side.record(said.lines)
        finally:
            transport.close()


def carry_out(loaded: LoadedBench, ends: Ends, output: Path | None, told: Callable[[str, Any], None]) -> None:
    """Carry out all runs of one side; where the bench names an FMU of another maker, in a process of their own.

    `told` hears ("begun", index of a run) and ("record", what was recorded); the rest is as for `run_side`.

    Raises
    ------
    CouplantError
        If the other side does not answer, or an FMU cannot be built, refuses, or ends the process that runs it.
    """
    work = loaded, ends, output
    isolated(_carry_out, *work, told=told) if has_foreign(loaded) else _carry_out(*work, told)


def _carry_out(loaded: LoadedBench, ends: Ends, output: Path | None, told: Callable[[str, Any], None]) -> None:
    for record in run_side(loaded, ends, output, lambda index: told("begun", index)):
        told("record", record)


def run_relay(
    loaded: LoadedBench, listen: str, told: Callable[[str], None], stopped: Callable[[], bool]
) -> RelayRecord:
    """Run the relay at `listen` (``host:port``) until it is told to stop.

    `told` hears the address in use; `stopped` is asked about twenty times a second.

    Raises
    ------
    CouplantError
        If the address cannot be used.
    """
    scenario = loaded.scenario
    with udp_socket(listen) as link:
        host, port = link.getsockname()[:2]
        told(f"{host}:{port}")
        server = RelayServer(scenario.relay, scenario.fingerprint(), link, time.perf_counter)
        with urgent(scenario.bench.real_time):
            server.serve(stopped)
    lines: dict[tuple[int, int], Line] = {key: line for key, line in server.relay.lines.items() if key[0]}
    return RelayRecord(
        {key: line.delays for key, line in lines.items()},
        {key: line.held for key, line in lines.items()},
        {
            key: {name: getattr(line, name) for name in ("taken", "lost", "reordered", "duplicated")}
            for key, line in lines.items()
        },
        server.dropped,
    )
