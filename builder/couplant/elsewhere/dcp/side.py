"""Files of one side: which side of which bench is a DCP slave, and where it listens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path
from typing import Annotated

from pydantic import Field

from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.config.bench import SIDES, LoadedBench, load_bench
from couplant.config.frame.read import OneOf, Real, Source, Table, Text, Whole, check, read_source, source_name
from couplant.config.frame.sentences import Problem
from couplant.config.parameters import setting


class SideTable(Table):
    """A side file as it is written."""

    bench: Text = Field(description="bench file, found from this one")
    side: Annotated[str, OneOf(SIDES)] = Field(description="component of the bench that the slave has")
    algorithm: Text | None = setting(None, "of its coupling FMUs; not given: the first of the bench file")
    timing: Text | None = setting(None, "event or step; not given: the first of the bench file")
    name: Text | None = setting(None, "of the slave; not given: that of the side")
    host: Text = setting("127.0.0.1", "IPv4 address where the slave listens")
    port: Whole = setting(8080, "UDP port of control PDUs", ge=1, le=65535)
    data_ports: list[Annotated[Whole, Field(ge=1, le=65535)]] = setting(
        [2048, 65535], "first and last UDP port for data", min_length=2, max_length=2
    )
    settle: Real = setting(0.0, "time in SYNCHRONIZING before SYNCHRONIZED [s]", ge=0)
    heartbeat: Real | None = setting(None, "longest time between two INF_state, not given: any [s]", gt=0)
    most_missed: Whole | None = setting(None, "consecutively missed data before an error; not given: any", ge=0)
    first_number: Whole | None = setting(
        None, "sequence number of the first data of a run; not given: the one after the initialisation", ge=0, le=65535
    )
    first_step: Whole = setting(0, "steps that a sender has done when it sends its first data of a run", ge=0, le=1)


@dataclass(frozen=True)
class SideFile:
    """A checked side file."""

    path: Path
    bench: LoadedBench
    table: SideTable
    algorithm: str
    timing: str

    @property
    def name(self) -> str:
        """Return the component of the bench."""
        return self.table.side

    @property
    def title(self) -> str:
        """Return the name of the slave."""
        return self.table.name or self.table.side

    @property
    def address(self) -> tuple[str, int]:
        """Return host and port of control PDUs."""
        return self.table.host, self.table.port

    @property
    def data_ports(self) -> tuple[int, int]:
        """Return the first and the last port for data."""
        first, last = self.table.data_ports
        return first, last

    @property
    def settle(self) -> float:
        """Return how long a run settles [s]."""
        return self.table.settle

    @property
    def heartbeat(self) -> float | None:
        """Return the longest time between two INF_state [s], None: any."""
        return self.table.heartbeat

    @property
    def most_missed(self) -> int | None:
        """Return how many consecutively missed data an input tolerates, None: any number."""
        return self.table.most_missed


def load_side(source: Source, assignments: Sequence[str] = (), anywhere: bool = False) -> SideFile:
    """Read and check a side file, changed by `assignments` ``key=TOML value``.

    The slave may listen elsewhere than on this machine with `anywhere` only. Raises UsageError if the file or its bench
    file cannot be read or anything in them is wrong.
    """
    path = source_name(source)
    table = check(SideTable, read_source(source, assignments), path, problems)
    if not anywhere and not IPv4Address(table.host).is_loopback:
        raise UsageError(f"{path}: host = {table.host}: not on this machine only, allowed with anywhere = true only.")
    bench = load_bench(path.parent / table.bench)
    cases = [case for case in bench.scenario.cases if case[1] != WIRE] or bench.scenario.cases
    timing, algorithm = cases[0]
    timing, algorithm = table.timing or timing, table.algorithm or algorithm
    if (timing, algorithm) not in bench.scenario.cases:
        listed = ", ".join(f"{one} in {other}" for other, one in bench.scenario.cases)
        raise UsageError(f"{path}: {algorithm} in {timing}: no run of {bench.path}, allowed {listed}.")
    return SideFile(path, bench, table, algorithm, timing)


def problems(table: SideTable) -> Iterator[Problem]:
    """Yield a problem for each key of a `table` that is right by itself only."""
    ports = table.data_ports
    if ports[0] > ports[1]:
        yield Problem(f"data_ports = {ports}, allowed the first and the last port, 1 to 65535", ("data_ports",))
    try:
        IPv4Address(table.host)
    except AddressValueError:
        yield Problem(f"host = {table.host}, allowed an IPv4 address", ("host",))
