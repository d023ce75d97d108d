"""Two FMUs held against each other: equal settings and binaries promise equal entries and the same token, no bytes."""

import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from couplant.base.archives import open_archive, read_description

_PIECE = 2**20


@dataclass(frozen=True)
class Comparison:
    """Where two FMUs differ."""

    tokens: tuple[str, str]  # that of the first and that of the second
    only_first: tuple[str, ...]  # names of entries that the second lacks
    only_second: tuple[str, ...]  # names of entries that the first lacks
    changed: tuple[str, ...]  # names of entries that hold something else

    @property
    def equal(self) -> bool:
        """Tell whether they have the same entries and the same token."""
        return self.tokens[0] == self.tokens[1] and not (self.only_first or self.only_second or self.changed)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        return {"equal": self.equal, **asdict(self)}

    def lines(self) -> Iterator[str]:
        """Say where they differ, a line for each token and entry."""
        if self.tokens[0] != self.tokens[1]:
            yield f"token: {self.tokens[0]}, {self.tokens[1]}"
        yield from (f"only in the first: {name}" for name in self.only_first)
        yield from (f"only in the second: {name}" for name in self.only_second)
        yield from (f"differs: {name}" for name in self.changed)


def compare(first: Path, second: Path) -> Comparison:
    """Compare the contents of two FMUs, however packed; raise `UsageError` if one cannot be read as an FMU."""
    described = [read_description(path) for path in (first, second)]  # which checks what the archives may hold
    one, other = (str(found.guid or found.instantiationToken or "") for found in described)
    ours, theirs = _entries(first), _entries(second)
    return Comparison(
        (one, other),
        tuple(sorted(ours.keys() - theirs.keys())),
        tuple(sorted(theirs.keys() - ours.keys())),
        tuple(sorted(name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name])),
    )


def _entries(path: Path) -> dict[str, str]:
    """Return hashes of the entries of an FMU by name; a binary need not fit into memory."""
    with open_archive(path) as archive:
        return {entry.filename: _hash(archive, entry) for entry in archive.infolist() if not entry.is_dir()}


def _hash(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    total = hashlib.sha256()
    with archive.open(entry) as file:
        while piece := file.read(_PIECE):
            total.update(piece)
    return total.hexdigest()
