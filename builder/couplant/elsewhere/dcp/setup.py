"""The configuration of a slave by its master: CFG PDUs, section 3.4.5 of the standard."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from ipaddress import IPv4Address

from couplant.elsewhere.dcp.codes import Fault, Mode, Scope
from couplant.elsewhere.dcp.description import Description
from couplant.elsewhere.dcp.pdu import LAYOUTS, Pdu
from couplant.elsewhere.dcp.values import TYPES, size_of, unpack_values

Address = tuple[str, int]

_DATA_HEAD = LAYOUTS["DAT_input_output"].form.size


@dataclass
class Setup:
    """Configuration of a slave with a `description`, empty at first."""

    description: Description
    resolution: Fraction | None = None  # of time [s]
    # by identifier of data: variable by position, and its type where it is received
    inputs: dict[int, dict[int, tuple[int, int]]] = field(default_factory=lambda: defaultdict(dict))
    outputs: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    tunables: dict[int, dict[int, tuple[int, int]]] = field(default_factory=lambda: defaultdict(dict))
    steps: dict[int, int] = field(default_factory=dict)
    scopes: dict[int, Scope] = field(default_factory=dict)
    targets: dict[int, list[Address]] = field(default_factory=lambda: defaultdict(list))
    sources: dict[int, Address] = field(default_factory=dict)
    tunable_sources: dict[int, Address] = field(default_factory=dict)
    parameters: dict[int, float] = field(default_factory=dict)  # values by number of the parameter
    logging: dict[tuple[int, int], int] = field(default_factory=dict)  # log mode by category and level

    def __post_init__(self) -> None:
        """Take the resolution that the description fixes or recommends."""
        self.resolution = self.resolution or Fraction(*self.description.resolution)

    def apply(self, pdu: Pdu) -> None:
        """Take a CFG PDU that has passed all checks."""
        getattr(self, f"_{pdu.name[len('CFG_') :]}")(pdu)

    def in_scope(self, data_id: int, running: bool) -> bool:
        """Tell whether data with this `data_id` are exchanged `running`, or else while initialising."""
        scope = self.scopes.get(data_id, Scope.ALL)
        return scope == Scope.ALL or (scope == Scope.RUN) == running

    def input_types(self, data_id: int) -> list[int]:
        """Return the types of the values in data with this `data_id`, in their order."""
        return [kind for _, (_, kind) in sorted(self.inputs.get(data_id, {}).items())]

    def output_types(self, data_id: int) -> list[int]:
        """Return the types of the values that are sent with this `data_id`, in their order."""
        variables = self.description.by_reference
        return [TYPES[variables[vr].type][0] for _, vr in sorted(self.outputs[data_id].items())]

    @property
    def ports(self) -> set[Address]:
        """Return where data are awaited."""
        return {*self.sources.values(), *self.tunable_sources.values()}

    def incomplete(self, mode: Mode) -> Fault:
        """Return the first thing that is missing before STC_prepare, in the order of table 112, for a `mode`.

        A slave without any data would exchange nothing; the table has no place for that, it comes last.
        """
        groups: list[list[Collection[int]]] = [
            [*self.inputs.values()], [*self.outputs.values()], [*self.tunables.values()]
        ]  # fmt: skip
        gaps = (
            Fault.INCOMPLETE_CONFIG_GAP_INPUT_POS,
            Fault.INCOMPLETE_CONFIG_GAP_OUTPUT_POS,
            Fault.INCOMPLETE_CONFIG_GAP_TUNABLE_POS,
        )
        for group, fault in zip(groups, gaps, strict=True):
            if any(sorted(places) != [*range(len(places))] for places in group):
                return fault
        real_time = mode != Mode.NRT
        lacks = (
            (self.inputs.keys() - self.sources.keys(), Fault.INCOMPLETE_CONFIG_NW_INFO_INPUT),
            (self.outputs.keys() - self.targets.keys(), Fault.INCOMPLETE_CONFIG_NW_INFO_OUTPUT),
            (self.tunables.keys() - self.tunable_sources.keys(), Fault.INCOMPLETE_CONFIG_NW_INFO_TUNABLE),
            (self.outputs.keys() - self.steps.keys() if real_time else (), Fault.INCOMPLETE_CONFIG_STEPS),
            (() if self.resolution else (1,), Fault.INCOMPLETE_CONFIG_TIME_RESOLUTION),
            ((self.inputs.keys() | self.outputs.keys()) - self.scopes.keys(), Fault.INCOMPLETE_CONFIG_SCOPE),
            ((1,) if self._is_too_long() else (), Fault.NOT_SUPPORTED_PDU_SIZE),
            (() if self.inputs or self.outputs else (1,), Fault.INCOMPLETE_CONFIGURATION),
        )
        return next((fault for lack, fault in lacks if lack), Fault.NONE)

    def _is_too_long(self) -> bool:
        sizes = [size_of(self.input_types(one)) for one in self.inputs]
        sizes += [size_of(self.output_types(one)) for one in self.outputs]
        sizes += [size_of([kind for _, kind in one.values()]) for one in self.tunables.values()]
        return any(_DATA_HEAD + size > self.description.largest for size in sizes)

    def _time_res(self, pdu: Pdu) -> None:
        self.resolution = Fraction(pdu["numerator"], pdu["denominator"])

    def _steps(self, pdu: Pdu) -> None:
        self.steps[pdu["data_id"]] = pdu["steps"]

    def _input(self, pdu: Pdu) -> None:
        self.inputs[pdu["data_id"]][pdu["pos"]] = pdu["target_vr"], pdu["source_data_type"]

    def _output(self, pdu: Pdu) -> None:
        self.outputs[pdu["data_id"]][pdu["pos"]] = pdu["source_vr"]

    def _target_network_information(self, pdu: Pdu) -> None:
        if (address := address_in(pdu)) not in self.targets[pdu["data_id"]]:
            self.targets[pdu["data_id"]].append(address)

    def _source_network_information(self, pdu: Pdu) -> None:
        self.sources[pdu["data_id"]] = address_in(pdu)

    def _parameter(self, pdu: Pdu) -> None:
        self.parameters[pdu["parameter_vr"]] = unpack_values([pdu["source_data_type"]], pdu.rest)[0]

    def _tunable_parameter(self, pdu: Pdu) -> None:
        self.tunables[pdu["param_id"]][pdu["pos"]] = pdu["parameter_vr"], pdu["source_data_type"]

    def _param_network_information(self, pdu: Pdu) -> None:
        self.tunable_sources[pdu["param_id"]] = address_in(pdu)

    def _logging(self, pdu: Pdu) -> None:
        # category 0 stands for all of them
        known = {one for one, _, _ in (self.description.log or {}).values()}
        for category in known if pdu["log_category"] == 0 else {pdu["log_category"]}:
            self.logging[category, pdu["log_level"]] = pdu["log_mode"]

    def _scope(self, pdu: Pdu) -> None:
        self.scopes[pdu["data_id"]] = Scope(pdu["scope"])


def address_in(pdu: Pdu) -> Address:
    """Return host and port in the network information of a `pdu`."""
    return str(IPv4Address(pdu["ip_address"])), pdu["port"]
