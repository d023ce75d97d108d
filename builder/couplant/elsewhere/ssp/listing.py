"""Connections of an SSP, and which of them can get a coupling FMU."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from couplant.base.archives import Refused, one_line
from couplant.base.errors import UsageError
from couplant.elsewhere.ssp.choice import unfit
from couplant.elsewhere.ssp.description import Description, Flow, Place, mark_of, printable_name
from couplant.elsewhere.ssp.drafts import RECEIVED
from couplant.elsewhere.ssp.fmus import Fmus
from couplant.elsewhere.ssp.insertion import read_variant
from couplant.elsewhere.ssp.package import MAIN, Package


@dataclass(frozen=True)
class Row:
    """A signal."""

    source: str  # where it comes from, with the names of the systems that this is in
    target: str  # where it goes to, with the names of the systems that this is in
    type: str  # of the input; empty where it is not known
    unit: str  # of the input; empty where it is not known
    coupling: str  # the coupling FMU at the input, empty if there is none
    unfit: str  # why there can be none, empty if there can


@dataclass(frozen=True)
class Listing:
    """Result of `listing`: signals, version of the standard, all system descriptions, FMUs that cannot be read."""

    rows: tuple[Row, ...]
    version: str
    variants: tuple[str, ...]
    unread: dict[str, str]


def listing(path: str | Path, variant: str = MAIN) -> Listing:
    """Return the signals of the description `variant` in an SSP, in its order; raise `UsageError` if unreadable."""
    package = Package(Path(path))
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        fmus = Fmus(package, Path(scratch))
        try:
            description = read_variant(package, variant, fmus)
            flows = description.flows()
            before = {flow.target: flow for flow in flows}
            # of the signal to a coupling FMU of ours the estimate is shown
            rows = tuple(_row(description, flow, before) for flow in flows if mark_of(flow.target.part) is None)
        except Refused as refused:
            raise UsageError(f"{path}: {str(refused).rstrip('.')}.") from None
    unread = {one_line(source): reason for source, reason in fmus.unread.items()}
    return Listing(rows, description.root.get("version"), package.descriptions, unread)


def _row(description: Description, flow: Flow, before: dict[Place, Flow]) -> Row:
    source, coupling = flow.source, ""
    if mark_of(source.part) is not None:
        coupling = source.part.name
        received = before.get(Place(source.part, RECEIVED))
        source = received.source if received else source
    found = description.connector(flow.target)
    kind, unit = (found.type, found.unit or "") if found else ("", "")
    return Row(str(source), str(flow.target), kind, printable_name(unit), coupling, unfit(description, flow))
