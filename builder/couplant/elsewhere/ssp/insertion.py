"""Put coupling FMUs between outputs and inputs of an SSP."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from couplant.base.archives import Refused, one_line, read_description
from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.config import advice
from couplant.config.hosts import HostLead
from couplant.config.interface import Interface
from couplant.elsewhere.ssp.choice import Chosen, choose, unique
from couplant.elsewhere.ssp.description import Description, drop_signatures, printable_name
from couplant.elsewhere.ssp.drafts import RECEIVED, Definitions, boxes, component, divide, put_after
from couplant.elsewhere.ssp.fmus import Fmus
from couplant.elsewhere.ssp.markup import Edits
from couplant.elsewhere.ssp.package import FOLDER, MAIN, Package
from couplant.elsewhere.ssp.settings import Plan, Request, Wishes
from couplant.pack import build_coupling_fmu, check_options

if TYPE_CHECKING:
    from fmpy.model_description import ModelDescription

OPTIONAL = ("y_valid",)  # inputs of a coupling FMU that need no connection


@dataclass(frozen=True)
class Placed:
    """A coupling FMU that was inserted, with the macro steps that it makes up for."""

    component: str  # its name, with those of the systems that it is in
    source: str  # where the signal comes from
    target: str  # where it goes to
    file: str  # its FMU in the archive
    unit: str  # of the signal
    algorithm: str  # what estimates
    network: float  # latency of the network [macro steps]
    host: float  # what the importer adds [macro steps]
    hold: float  # lead for the receiver's hold [macro steps]
    reasons: tuple[str, ...]  # why the importer adds what it adds

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {**self.__dict__, "reasons": list(self.reasons)}


@dataclass(frozen=True)
class Inserted:
    """Result of `insert`."""

    placed: tuple[Placed, ...]  # the coupling FMUs
    host: str  # kind of importer that they are made for
    macro_step: float  # period of the data exchange [s]
    warnings: tuple[str, ...]  # what is allowed and probably not meant
    content: bytes  # the archive

    def to_dict(self) -> dict[str, Any]:
        """Return all but the archive as plain values."""
        rows = [one.to_dict() for one in self.placed]
        return {"host": self.host, "macro_step": self.macro_step, "inserted": rows, "warnings": list(self.warnings)}


def insert(
    path: str | Path,
    output: str | Path | None,
    request: Request,
    *,
    variant: str = MAIN,
    fmi: str = "",
    platform: str = "host",
    status: bool = False,
    drop_signatures: bool = False,
) -> Inserted:
    """Build a coupling FMU for each connection that is asked for, and put it between.

    The file `output` is written, nothing if it is None. `variant` is the name of the system description in the archive,
    `fmi` the version of the standard, 2 or 3, empty: that of the receiver of each signal; for `platform` see
    `couplant.pack.build_coupling_fmu`. With `status` all outputs of the coupling FMUs have connectors; libcosim does
    not take those of enumerations. With `drop_signatures` signatures are taken out that do not hold any more. Raise
    `UsageError` if the archive, a connection or a setting is wrong; nothing is written then. Raise `CouplantError` if a
    binary must be compiled and cannot be.
    """
    check_options("native", fmi or "2", platform, False)
    package, wishes = Package(Path(path)), Wishes(request, Path(path).stem)
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        fmus = Fmus(package, Path(scratch))
        try:
            description = read_variant(package, variant, fmus)
            work = _Insertion(package, description, fmus, wishes, Path(scratch), status)
            done = work.carried_out(fmi, platform, drop_signatures)
        except Refused as refused:
            raise UsageError(f"{path}: {str(refused).rstrip('.')}.") from None
    if output is not None:
        write_atomic(Path(output), done.content)
    return done


def read_variant(package: Package, variant: str, fmus: Fmus) -> Description:
    """Return the description `variant` of an archive; raise `UsageError` if there is none, `Refused` if unreadable."""
    if variant not in package.descriptions:
        raise UsageError(f"{package.path}: variant = {variant}, allowed {', '.join(package.descriptions)}")
    return Description(variant, package.read(variant), fmus.connectors)


class _Insertion:
    """One archive, on its way."""

    def __init__(
        self, package: Package, description: Description, fmus: Fmus, wishes: Wishes, scratch: Path, status: bool
    ) -> None:
        self._package, self._description, self._fmus = package, description, fmus
        self._wishes, self._scratch, self._status = wishes, scratch, status
        self._chosen = choose(description, wishes.wanted, fmus.is_network, fmus.unread)
        self._names: dict[str, str] = {}
        self._edits = Edits(description.text)

    def carried_out(self, fmi: str, platform: str, drop: bool) -> Inserted:
        for one in self._chosen:
            taken = [*one.flow.links[0].system.parts, *self._names.values()]
            self._names[one.signal] = unique(f"{one.signal}_coupling", taken)
        full = {one.signal: self._full(one) for one in self._chosen}
        plan = self._wishes.plan(self._description, self._fmus, self._chosen, full)
        drop_signatures(self._edits, self._description, [c.flow.links[0].system for c in self._chosen], drop)
        files: dict[str, bytes] = {}
        built = []
        for one in self._chosen:
            content, read = self._build(plan.interface, one, fmi or self._fmus.version(one.flow.target.part), platform)
            file = f"{FOLDER}/{plan.interface.name}_{one.signal}"
            file = f"{unique(file, [n.removesuffix('.fmu') for n in (*self._package.names, *files)])}.fmu"
            files[file] = content
            built.append((file, read))
        self._edit(built)
        text = self._edits.result()
        placed = tuple(self._place(plan, one, file) for one, file in zip(self._chosen, files, strict=True))
        content = self._package.rebuild({self._description.name: text}, files)
        step = plan.interface.macro_step
        found = advice(plan.interface)
        for output, inputs in plan.late.items():
            late = ", ".join(sorted(map(str, inputs)))
            found.append(f"{output} goes on directly a step late: nothing leads for {late}, on which it depends.")
        for source, reason in self._fmus.unread.items():
            what = "all inputs of its component are taken to act on all outputs at once"
            found.append(f"{one_line(source) or 'a component without a source'}: {reason}; {what}.")
        return Inserted(placed, self._wishes.host, step, tuple(found), content)

    def _full(self, one: Chosen) -> str:
        return printable_name(".".join((*one.flow.links[0].system.path, self._names[one.signal])))

    def _build(self, interface: Interface, one: Chosen, fmi: str, platform: str) -> tuple[bytes, ModelDescription]:
        path = build_coupling_fmu(interface, one.signal, self._scratch, fmi=fmi, platform=platform)
        found = read_description(path)
        inputs = [v.name for v in found.modelVariables if v.causality == "input"]
        needed = [name for name in inputs if name not in (RECEIVED, *OPTIONAL)]
        if needed:
            text = f"its settings need {', '.join(needed)} besides {RECEIVED}, and a connection has one value only"
            raise UsageError(f"{one.flow.name}: {text}")
        return path.read_bytes(), found

    def _edit(self, built: Sequence[tuple[str, ModelDescription]]) -> None:
        own = Definitions(self._description)
        links = [one.flow.links[0] for one in self._chosen]
        for one, (file, read), link, box in zip(self._chosen, built, links, boxes(links), strict=True):
            name = self._names[one.signal]
            last = list(link.system.parts.values())[-1].node
            unit = self._wishes.unit(self._description, one)
            new = component(name, file, read, unit, own, box, link.swapped, self._status)
            put_after(self._edits, last, last.end, new)
            divide(self._edits, link, name)
        own.put(self._edits)

    def _place(self, plan: Plan, one: Chosen, file: str) -> Placed:
        signal = plan.interface.signals[one.signal]
        latency, lead = signal.latency, plan.leads.get(one.signal, HostLead(0))
        ends = self._full(one), str(one.source), str(one.flow.target)
        leads = latency.constant_steps, latency.host_lead, latency.hold_lead
        return Placed(*ends, file, signal.unit, signal.algorithm.selected, *leads, lead.reasons)
