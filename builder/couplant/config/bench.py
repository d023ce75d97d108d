"""Bench files: a scenario with the components `left` and `right`, a relay, a carrier of messages, and a real clock."""

import string
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from couplant.config.frame.read import Flag, OneOf, Real, Source, Table, Text, Whole, read_source, source_name, together
from couplant.config.frame.sentences import Problem
from couplant.config.hosts import READS_AGAIN
from couplant.config.network import RelayTable
from couplant.config.own import in_python
from couplant.config.parameters import network_parameter, setting
from couplant.config.rules.steps import BondTable
from couplant.config.scenario import Loaded, Scenario, check_scenario

FILES = ("ca", "certificate", "key")  # keys that name files

_LETTERS = set(f"{string.ascii_letters}{string.digits}._-")

SIDES = ("left", "right")  # the components of a bench
ON_ARRIVAL = "on_arrival"  # the right side starts when the first message of the left one arrives
LATE_SHARE = 0.2  # share of a macro step after which a step is late unless `bench.late` says otherwise [-]


def _topic(text: str) -> str:
    parts = text.split("/")
    if not all(part and set(part) <= _LETTERS for part in parts):
        raise together(f"= {text!r}, allowed letters, digits, and . _ - with / between parts")
    return text


class TransportTable(Table):
    """Carrier of the messages, and how to reach it."""

    name: Text = setting(
        "udp", "udp, zenoh, mqtt, villas, silkit, another one of couplant.transports, or package.module:Class"
    )
    endpoint: Text | None = setting(
        None,
        "where the router of zenoh (tcp/HOST:PORT, udp/.., tls/..), the broker of mqtt (tcp/.., tls/..) or the "
        "registry of silkit (tcp/..) is; not given: tcp/ on this machine at its usual port, 7447, 1883 or 8500",
    )
    topic: Annotated[Text, AfterValidator(_topic)] | None = setting(
        None, "where the sides meet at a router or broker; not given: the fingerprint of the scenario"
    )
    relayed: Flag = setting(False, "on several machines: at a router or broker a relay stands between the sides")
    ca: Text | None = setting(None, "with tls: file with the authorities to trust, PEM; not given: the public ones")
    certificate: Text | None = setting(None, "with tls: file with the certificate of this side, PEM, if asked for")
    key: Text | None = setting(None, "with tls: file with its private key, PEM")
    verify_name: Flag = setting(True, "with tls: the certificate of the other end must be for the host of the endpoint")
    user: Text | None = setting(None, "mqtt: name of the user; its password is taken from COUPLANT_MQTT_PASSWORD")
    options: dict[str, Any] = setting({}, "keys that a transport of another package has")


def long_form(value: Any) -> Any:
    """Return the table that a name stands for, any other `value` as it is."""
    return {"name": value} if isinstance(value, str) else value


class BenchTable(Table):
    """How the two sides run."""

    repeat: Whole = network_parameter("burst", default=3)
    start: Annotated[str, OneOf(("together", ON_ARRIVAL))] = setting(
        "together", "of the right side: with the left one, or when its first message arrives"
    )
    shift: Real | None = setting(
        None, "by which the right side starts later than that, not given: 0, on_arrival a fifth of ΔT [s]", ge=0, le=10
    )
    late: Real | None = setting(
        None, "delay after which a step is late, not given: a fifth of the macro step [s]", gt=0
    )
    spin: Real = setting(0.0002, "end of the wait for a step that is spent looking at the clock [s]", ge=0, le=0.1)
    rehearsal: Whole = setting(
        300, "steps before a run that tell how long one takes, 1 s at most; 0: none, each FMU is started once", ge=0
    )
    connect: Real = setting(60.0, "longest wait for the other side before a run [s]", gt=0)
    real_time: Flag = setting(True, "ask the system for real-time priority; without it where refused")
    port: Whole = setting(0, "UDP port of the relay, 0: any free one", ge=0, le=65535)
    transport: Annotated[TransportTable, BeforeValidator(long_form, json_schema_input_type=Text | TransportTable)] = (
        setting(TransportTable(), 'what carries the messages; transport = "zenoh" is short for { name = "zenoh" }')
    )


class BenchScenario(Scenario):
    """A bench file as it is written, but for the values of named parameters."""

    relay: RelayTable = setting(RelayTable(), "what happens to messages on their way")
    bench: BenchTable = setting(BenchTable(), "how the two sides run")

    @property
    def cases(self) -> list[tuple[str, str]]:
        """Return timing and algorithm of all runs in their order, the plain wire first unless it is not wanted."""
        return [(timing, algorithm) for timing in self.timing for algorithm in self.compared]

    @property
    def late(self) -> float:
        """Return the delay after which a step counts as late [s]."""
        return LATE_SHARE * self.macro_step if self.bench.late is None else self.bench.late

    @property
    def shift(self) -> float:
        """Return how much later the right side starts than `bench.start` says [s]."""
        usual = LATE_SHARE * self.macro_step if self.bench.start == ON_ARRIVAL else 0.0
        return usual if self.bench.shift is None else self.bench.shift

    def fingerprint(self) -> int:
        """Return 32 bits that two sides must share: they come from all settings that both must agree on."""
        text = self.model_dump_json(exclude={"relay", "bench"}) + f"{self.bench.repeat}{self.bench.start}{self.shift}"
        return zlib.crc32(text.encode())


@dataclass(frozen=True)
class LoadedBench(Loaded):
    """A checked bench file."""

    scenario: BenchScenario
    # power bonds that are watched, by name; the scenario has none, for no coupling FMU knows of them
    bonds: dict[str, BondTable] = field(default_factory=dict)

    def transport(self) -> TransportTable:
        """Return the carrier of the messages, its files found from that of the bench file."""
        table = self.scenario.bench.transport
        named = {key: getattr(table, key) for key in FILES}
        return table.model_copy(update={key: str(self.file(text)) for key, text in named.items() if text is not None})


def load_bench(path: Source, assignments: Sequence[str] = ()) -> LoadedBench:
    """Read and check a bench file, or a mapping in its place, changed by `assignments` ``key=TOML value``.

    The coupling FMUs get what the messages carry, unless the file says otherwise: `latency.mode` = stamps and `burst` =
    `bench.repeat`. Power bonds are watched, and nobody acts on them. Raises UsageError if the file cannot be read or
    anything in it is wrong: one line for each thing, all at once.
    """
    loaded = check_scenario(source_name(path), read_source(path, assignments), BenchScenario, _problems)
    scenario = BenchScenario.model_validate(loaded.scenario)
    given = scenario.coupling
    latency = given.get("latency", {})
    if "fmu" not in given and isinstance(latency, dict):
        carried = {"burst": scenario.bench.repeat, **given, "latency": {"mode": "stamps", **latency}}
        scenario = scenario.model_copy(update={"coupling": carried})
    return LoadedBench(**{**vars(loaded), "scenario": scenario.model_copy(update={"bonds": {}})}, bonds=scenario.bonds)


def _problems(scenario: BenchScenario) -> Iterator[Problem]:
    if set(scenario.components) != set(SIDES):
        names = ", ".join(scenario.components)
        yield Problem(f"components are {names}, allowed left and right", ("components",))
    if any(component.recording for component in scenario.components.values()):
        yield Problem("components.*.recording: a bench runs FMUs only")
    yield from map(Problem, in_python(scenario))
    if "network" in scenario.model_fields_set or any(signal.network for signal in scenario.signals.values()):
        yield Problem("network is unknown to a bench: its messages pass the table relay")
    if scenario.host != READS_AGAIN:
        yield Problem(f'host = "{scenario.host}", allowed "{READS_AGAIN}": the sides of a bench read again', ("host",))
    if scenario.connections:
        yield Problem("connections is unknown to a bench: every signal passes the network")
    if scenario.watch:
        yield Problem("watch is unknown to a bench: its records hold signals only", ("watch",))
    yield from _bond_problems(scenario)
    couplings = scenario.coupling, *(signal.coupling for signal in scenario.signals.values())
    if scenario.bench.start == ON_ARRIVAL and any(_undoes_shift(one.get("latency")) for one in couplings):
        text = 'bench.start = "on_arrival" needs latency.mode other than "round_trip", latency.clock other than "free"'
        yield Problem(f"{text}: they take latencies as alike in both directions")
    carrier = scenario.bench.transport
    if (carrier.certificate is None) != (carrier.key is None):
        keys = ("bench.transport.certificate", "bench.transport.key")
        yield Problem(f"{' and '.join(keys)}: allowed both or none", keys)
    if scenario.duration is None:
        yield Problem("duration is missing: length of a run [s]", ("duration",))
    for name, signal in scenario.signals.items():
        ends = {target.component for target in signal.to}
        if ends != set(SIDES) - {signal.source.component}:
            yield Problem(f"signals.{name} must lead from one side to the other")


def _bond_problems(scenario: BenchScenario) -> Iterator[Problem]:
    for name, bond in scenario.bonds.items():
        key = f"bonds.{name}"
        for what, given, allowed in (
            ("take_back", bond.take_back, 0), ("budget", bond.budget, 0), ("source", bond.source, "own"),
        ):  # fmt: skip
            if given != allowed:
                text = f"{key}.{what} = {given}, allowed {allowed}: messages of a bench carry no energy"
                yield Problem(text, (key,))
        if bond.direct_flow is not None:
            text = f"{key}.flow = {bond.flow}, allowed a signal: every signal of a bench passes the network"
            yield Problem(text, (key,))


def _undoes_shift(latency: Any) -> bool:
    """Tell whether a table ``latency``, if it is one, lets coupling FMUs find out how the clocks differ."""
    return isinstance(latency, dict) and (latency.get("mode") == "round_trip" or latency.get("clock") == "free")
