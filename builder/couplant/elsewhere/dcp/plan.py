"""Master files, or scenarios: which slaves there are, which outputs go to which inputs, and how long a run is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path
from typing import Annotated

from pydantic import Field

from couplant.base.errors import UsageError
from couplant.config.bench import load_bench
from couplant.config.frame.read import (
    Content,
    OneOf,
    Real,
    Source,
    Table,
    Text,
    Whole,
    apply_assignments,
    check,
    read_source,
    source_name,
)
from couplant.config.frame.sentences import Problem
from couplant.config.parameters import setting
from couplant.config.ref import Ref
from couplant.config.scenario import load_scenario
from couplant.elsewhere.dcp.codes import Mode
from couplant.elsewhere.dcp.description import Description, Variable, read_description
from couplant.elsewhere.dcp.setup import Address

_MOST = 255  # slaves that a master can number


class SlaveTable(Table):
    """One slave."""

    description: Text = Field(description="its .dcp or .dcpx file, found from this one")
    host: Text | None = setting(None, "IPv4 address where it listens; not given: as its description says")
    port: Whole | None = setting(None, "UDP port of control PDUs; not given: as its description says", ge=1, le=65535)
    data_port: Whole | None = setting(None, "UDP port for its data; not given: that of control PDUs", ge=1, le=65535)
    parameters: dict[str, Real] = setting({}, "values of its parameters by name")
    record: list[Text] | None = setting(None, "outputs to record; not given: all of them")


class SignalTable(Table):
    """One signal."""

    source: Text = Field(alias="from", description="output: SLAVE.NAME")
    to: list[Text] = Field(description="inputs: SLAVE.NAME", min_length=1)
    steps: Whole = setting(1, "steps of the sender between two values", ge=1, le=1_000_000)


class MasterTable(Table):
    """A master file as it is written."""

    duration: Real = Field(description="length of a run [s]", gt=0, le=1e6)
    mode: Annotated[str, OneOf(("SRT", "NRT"))] = setting("SRT", "soft real time, or without real time")
    host: Text = setting("127.0.0.1", "IPv4 address of the master")
    port: Whole = setting(0, "UDP port of the master, 0: any free one", ge=0, le=65535)
    initialisations: Whole = setting(2, "times that slaves initialise and exchange before a run", ge=0, le=100)
    connect: Real = setting(10.0, "longest wait for an answer or a state [s]", gt=0, le=3600)
    slaves: dict[str, SlaveTable] = Field(description="slaves by name", min_length=1)
    signals: dict[str, SignalTable] = setting({}, "signals by name")


@dataclass(frozen=True)
class Slave:
    """One slave of a plan."""

    name: str
    number: int  # identifier that the master gives it
    description: Description
    address: Address
    data_port: int
    parameters: tuple[tuple[Variable, float], ...]
    record: tuple[Variable, ...]

    @property
    def step(self) -> Fraction:
        """Return the resolution of time [s]."""
        return Fraction(*self.description.resolution)


@dataclass(frozen=True)
class Flow:
    """Values that go together from one slave to another one, or to the master (None)."""

    data_id: int
    sender: Slave
    receiver: Slave | None
    steps: int  # of the sender between two of them
    pairs: tuple[tuple[Variable, Variable], ...]  # output and input (master: the output), in order


@dataclass(frozen=True)
class Plan:
    """A checked master file."""

    path: Path
    table: MasterTable
    slaves: tuple[Slave, ...]
    flows: tuple[Flow, ...]

    @property
    def mode(self) -> Mode:
        """Return the operating mode."""
        return Mode[self.table.mode]


def load_plan(source: Source, assignments: Sequence[str] = (), anywhere: bool = False) -> Plan:
    """Read and check a master file, or a scenario in its place, changed by `assignments` ``key=TOML value``.

    Slaves and master may be elsewhere than on this machine with `anywhere` only. Raises UsageError if the file or a
    description cannot be read or anything in them is wrong.
    """
    path = source_name(source)
    content = read_source(source)
    as_master = _master_content(source, content, assignments) if _is_scenario(content) else None
    table = check(MasterTable, as_master or read_source(source, assignments), path, problems)
    slaves = {name: _slave(path, name, i, table) for i, name in enumerate(table.slaves, start=1)}
    for what, host in {"host": table.host, **{f"slaves.{n}": s.address[0] for n, s in slaves.items()}}.items():
        if not anywhere and not IPv4Address(host).is_loopback:
            raise UsageError(f"{path}: {what}: {host} is not on this machine, allowed with anywhere = true only.")
    try:
        flows = tuple(_flows(table, slaves))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    plan = Plan(path, table, tuple(slaves.values()), flows)
    for slave in plan.slaves:
        if plan.mode not in slave.description.modes:
            able = ", ".join(mode.name for mode in sorted(slave.description.modes))
            raise UsageError(f"{path}: mode = {table.mode}: {slave.name} is capable of {able}.")
    if plan.mode == Mode.NRT and len({slave.step for slave in plan.slaves}) > 1:
        steps = ", ".join(f"{slave.name} {float(slave.step):g} s" for slave in plan.slaves)
        raise UsageError(f"{path}: mode = NRT: slaves step together, their resolutions are {steps}.")
    return plan


def _is_scenario(content: Content) -> bool:
    """Tell whether the `content` of a file is that of a scenario or of a bench."""
    return "components" in content and "slaves" not in content


def _master_content(source: Source, content: Content, assignments: Sequence[str]) -> Content:
    """Return a scenario in the form of a master file, changed by `assignments` ``key=TOML value`` of such a file.

    Each component is a slave whose description has its name, ``NAME.dcp``. The variables of a side of a bench have the
    names of signals, those of another slave the names of the component's. Raises UsageError if the scenario, an
    assignment or a description is wrong.
    """
    path, load = source_name(source), load_bench if content.keys() & {"bench", "relay"} else load_scenario
    scenario = load(source).scenario
    slaves = {name: {"description": f"{name}.dcp"} for name in scenario.components}
    duration = {} if scenario.duration is None else {"duration": scenario.duration}
    found = apply_assignments({**duration, "slaves": slaves}, assignments)
    known = {name: read_description(path.parent / found["slaves"][name]["description"]) for name in slaves}
    signals = {
        name: {
            "from": _place(known, name, signal.source, "output"),
            "to": [*dict.fromkeys(_place(known, name, target, "input") for target in signal.to)],
        }
        for name, signal in scenario.signals.items()
        if signal.to
    }
    return {"signals": signals} | found


def _place(known: dict[str, Description], signal: str, ref: Ref, kind: str) -> str:
    names = {one.name for one in known[ref.component].variables if one.kind == kind}
    return f"{ref.component}.{signal if signal in names else ref.variable}"


def problems(table: MasterTable) -> Iterator[Problem]:
    """Yield a problem for each key of a `table` that is right by itself only."""
    if len(table.slaves) > _MOST:
        yield Problem(f"{len(table.slaves)} slaves, allowed {_MOST} at most", ("slaves",))
    hosts = {"host": table.host, **{f"slaves.{name}.host": one.host for name, one in table.slaves.items()}}
    for key, host in hosts.items():
        if host is not None and not _is_address(host):
            yield Problem(f"{key} = {host}, allowed an IPv4 address", tuple(key.split(".")))


def _is_address(host: str) -> bool:
    try:
        return bool(IPv4Address(host))
    except AddressValueError:
        return False


def _slave(path: Path, name: str, number: int, table: MasterTable) -> Slave:
    given = table.slaves[name]
    description = read_description(path.parent / given.description)
    port = given.port or description.port
    host = given.host or ("127.0.0.1" if description.host in ("localhost", "") else description.host)
    if not port or not _is_address(host):
        raise UsageError(f"{path}: slaves.{name}: its description names no IPv4 address and port; give host and port.")
    try:
        parameters = tuple((description.find(one, "parameter"), value) for one, value in given.parameters.items())
        outputs = tuple(one for one in description.variables if one.kind == "output")
        record = outputs if given.record is None else tuple(description.find(one, "output") for one in given.record)
    except UsageError as error:
        raise UsageError(f"{path}: slaves.{name}: {error}") from None
    return Slave(name, number, description, (host, port), given.data_port or port, parameters, record)


def _end(slaves: dict[str, Slave], text: str, kind: str) -> tuple[Slave, Variable]:
    name, _, variable = text.partition(".")
    if name not in slaves:
        raise UsageError(f"{text}: no slave {name!r}, allowed {', '.join(slaves)}.")
    return slaves[name], slaves[name].description.find(variable, kind)


def _flows(table: MasterTable, slaves: dict[str, Slave]) -> Iterator[Flow]:
    """Yield flows between slaves, with one receiver each, and those to the master."""
    groups: dict[tuple[str, str, int], list[tuple[Variable, Variable]]] = {}
    fed: set[tuple[str, str]] = set()
    for name, signal in table.signals.items():
        sender, output = _end(slaves, signal.source, "output")
        for text in signal.to:
            receiver, target = _end(slaves, text, "input")
            if (receiver.name, target.name) in fed:
                raise UsageError(f"signals.{name}.to: {text} has two sources.")
            fed.add((receiver.name, target.name))
            groups.setdefault((sender.name, receiver.name, signal.steps), []).append((output, target))
    data_id = 0
    for (sender_name, receiver_name, steps), pairs in groups.items():
        data_id += 1
        yield Flow(data_id, slaves[sender_name], slaves[receiver_name], steps, tuple(pairs))
    for slave in slaves.values():
        if slave.record:
            data_id += 1
            yield Flow(data_id, slave, None, 1, tuple((one, one) for one in slave.record))
