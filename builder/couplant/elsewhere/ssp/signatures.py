"""Digital signatures of SSP 2.0, which do not hold any more once what they sign is changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from couplant.base.archives import Refused
from couplant.elsewhere.ssp.description import SSC, Description, System, printable_name
from couplant.elsewhere.ssp.markup import Edits, Element


def drop_signatures(edits: Edits, description: Description, changed: Sequence[System], wanted: bool) -> None:
    """Take out the signatures of a description and of systems that are `changed`, with those that they are in.

    Raises
    ------
    Refused
        If there are any and it is not `wanted`.
    """
    found = dict(_find(description, changed))
    if found and not wanted:
        names = ", ".join(sorted(set(found.values())))
        text = f"signatures of {names} would not hold any more; drop_signatures = true takes them out"
        raise Refused(f"{description.name}: {text}")
    for signature in found:
        edits.remove(signature)


def _find(description: Description, changed: Sequence[System]) -> Iterator[tuple[Element, str]]:
    for signature in description.root.all(SSC, "Signature"):
        yield signature, "the description"
    for one in changed:
        system: System | None = one
        while system is not None:
            for signature in system.node.all(SSC, "Signature"):
                yield signature, f"the system {printable_name(system.node.get('name')) or system.name}"
            system = system.system
