"""The annotation by which couplant knows its own components again, also after others have edited the file."""

from __future__ import annotations

from dataclasses import dataclass

from couplant.elsewhere.ssp.description import SSC, SSD, Part
from couplant.elsewhere.ssp.markup import Draft
from couplant.version import __version__

SPACE = "urn:couplant:ssp:1"
"""Namespace of what the annotation holds."""

TYPE = "couplant"
"""Of the annotation."""

_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True)
class Mark:
    """Mark of a component, from its annotation."""

    swapped: bool  # the connection started where the signal ends
    units: tuple[str, ...] = ()  # definitions that came with it
    enumerations: tuple[str, ...] = ()


def draft(mark: Mark) -> Draft:
    """Return the element ``Annotations`` of a component."""
    names = [*(("Unit", name) for name in mark.units), *(("Enumeration", name) for name in mark.enumerations)]
    added = tuple(Draft(SPACE, kind, {"name": name}) for kind, name in names)
    own = Draft(SPACE, "Coupling", {"version": __version__, "swapped": str(mark.swapped).lower()}, added)
    return Draft(SSD, "Annotations", {}, (Draft(SSC, "Annotation", {"type": TYPE}, (own,)),))


def mark_of(part: Part) -> Mark | None:
    """Return the mark of a component that couplant has inserted, None of any other."""
    for holder in part.node.all(SSD, "Annotations"):
        for annotation in holder.all(SSC, "Annotation"):
            own = annotation.first(SPACE, "Coupling") if annotation.get("type") == TYPE else None
            if own is not None:
                units, enumerations = (
                    tuple(child.get("name") for child in own.all(SPACE, kind)) for kind in ("Unit", "Enumeration")
                )
                return Mark(_TRUTH.get(own.get("swapped"), False), units, enumerations)
    return None
