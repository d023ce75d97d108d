"""A slave on the network: a side of a bench behind UDP, until it is told to end."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from couplant.base.files import scratch_folder
from couplant.bench.transport import urgent
from couplant.cosim.fmu.load import FmuLibrary
from couplant.cosim.judgement.output import write_columns
from couplant.elsewhere.dcp.codes import State
from couplant.elsewhere.dcp.description import Description, write_description
from couplant.elsewhere.dcp.machine import Machine
from couplant.elsewhere.dcp.part import Part
from couplant.elsewhere.dcp.side import SideFile
from couplant.elsewhere.dcp.sockets import Sockets


@dataclass(frozen=True)
class Served:
    """Account of a slave."""

    steps: int  # of the last run
    late: int  # steps that began more than a step late
    dropped: dict[str, int]  # datagrams by the reason for which they were not taken
    data: dict[int, dict[str, int]]  # counts of the data that came, by their identifier


def describe_side(side: SideFile, path: Path | None = None) -> Description:
    """Return the description of the slave of a side, and write it to a `path`.

    Raises UsageError if the side asks for what DCP does not carry, CouplantError if an FMU cannot be built.
    """
    with scratch_folder() as scratch, FmuLibrary() as library:
        description = Part(side, library, scratch).description
    if path is not None:
        write_description(description, path)
    return description


def serve_side(
    side: SideFile,
    output: Path | None = None,
    stopped: Callable[[Machine], bool] = lambda machine: False,
    told: Callable[[State], None] = lambda state: None,
    anywhere: bool = False,
) -> Served:
    """Be a slave until `stopped`, which is asked about a thousand times a second.

    FMUs and what was recorded last, a CSV file, stay in the folder `output`. `told` hears each state. With `anywhere`
    data may come from other machines and go there. Raises UsageError if the side asks for what DCP does not carry,
    CouplantError if an FMU cannot be built or an address cannot be used.
    """
    with scratch_folder() as scratch, FmuLibrary() as library:
        part = Part(side, library, (output or scratch) / "fmus")
        with Sockets(side.address) as sockets:
            first, lead = side.table.first_number, side.table.first_step
            description = replace(part.description, port=sockets.address[1])
            machine = Machine(description, part, sockets, anywhere, first, lead)
            try:
                with urgent(side.bench.scenario.bench.real_time):
                    _serve(machine, sockets, stopped, told)
            finally:
                part.free()
                if output is not None:
                    write_rows(part, output / f"{side.name}.csv")
    data = {one: {**numbering.counts} for one, numbering in machine.course.numberings.items()}
    return Served(machine.course.done, machine.course.late, dict(machine.dropped), data)


def _serve(
    machine: Machine, sockets: Sockets, stopped: Callable[[Machine], bool], told: Callable[[State], None]
) -> None:
    state = None
    while not stopped(machine):
        busy = sockets.take(machine.receive)
        busy += machine.advance(sockets.clock())
        if machine.state != state:
            state = machine.state
            told(state)
        if not busy:
            sockets.wait(machine.rest(sockets.clock()))


def write_rows(part: Part, path: Path) -> None:
    """Write the rows of the last run of a `part`: time, what it sent, its estimates."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = np.array(part.rows, dtype=float).reshape(len(part.rows), len(part.columns)).T
    write_columns(path, dict(zip(part.columns, columns, strict=True)))
