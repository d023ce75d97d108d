"""FMUs from anywhere: what an archive and its descriptions may hold, checked before anything is unpacked.

The limits stand in the directory of the archive, which may lie; the zip reader of Python gives out no more of an entry
than its directory says and compares checksums, so that they hold for what is written too.
"""

import io
import json
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast
from xml.parsers import expat

from couplant.base.errors import UsageError, why
from couplant.base.files import write_atomic

if TYPE_CHECKING:
    from fmpy.model_description import ModelDescription
    from numpy.lib.npyio import NpzFile

LARGEST = 4 * 2**30
"""Unpacked size of an archive; libraries for all platforms and large tables take some hundred MB. [byte]"""

RATIO, FREE = 200, 256 * 2**20
"""What an archive may unpack to as a multiple of its size, where that is more than `FREE` [byte]: programs pack to a
third, XML to a twentieth, a bomb to a thousandth."""

MOST_ENTRIES = 100_000  # entries of an archive, and folders: an interpreter with all its packages has half as many
LARGEST_DIRECTORY = 32 * 2**20  # size of the directory of an archive: 335 bytes for each of the most entries [byte]
LARGEST_DESCRIPTION = 256 * 2**20  # size of a model description; 300 000 variables take some 80 MB [byte]

MOST_ELEMENTS, MOST_WORDS = 2_000_000, 20_000_000
"""Elements of a model description, words in their attributes: 300 000 variables have about 1.2 and 8 million."""

MOST_DISPLAY_UNITS = 10_000  # of a model description; FMPy looks through those of a unit for each of its variables

LONGEST_TAG = 10_000_000
"""Of a model description, as FMPy's reader has it: a tag may list a million dependencies. [byte]"""

LONGEST_NAME, LONGEST_PATH = 255, 1024  # of a file in an archive, and with its folders: what file systems take [byte]
DESCRIPTIONS = ("modelDescription.xml", "sources/buildDescription.xml")  # what FMPy reads

_NO_ARCHIVE = "not an FMU: it is not a zip archive, or it is truncated or damaged."
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ODD = re.compile(r"[\x00-\x1f:]")
_LOCAL_HEADER, _PIECE = 30, 2**20


class Refused(Exception):
    """An archive or a description that is not taken: a sentence that does not name the file."""


class _File(io.BufferedReader):
    """Refuses to read a directory that is too large."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LARGEST_DIRECTORY:
            raise Refused(f"the directory of the archive has {size} bytes, allowed {LARGEST_DIRECTORY}.")
        return super().read(size)


@contextmanager
def open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive for reading.

    Raises Refused if it is none or is damaged, also if that is found while it is read; OSError if the file cannot be
    read.
    """
    try:
        with _File(io.FileIO(path)) as file, zipfile.ZipFile(file) as archive:
            # some tools of Windows part names by backslashes
            for entry in archive.infolist():
                entry.filename = entry.filename.replace("\\", "/")
            archive.NameToInfo = {entry.filename: entry for entry in archive.infolist()}
            yield archive
    except _DAMAGE:
        raise Refused(_NO_ARCHIVE) from None


@contextmanager
def opened_arrays(path: Path, what: str) -> "Iterator[NpzFile]":
    """Open an archive of arrays from anywhere; `what` it should be is said where it is something else.

    Raises UsageError if it cannot be read, or whatever is done with it fails.
    """
    import numpy as np

    try:
        with open_archive(path) as archive:
            if any(True for _ in problems(archive)):
                raise ValueError
        with np.load(path, allow_pickle=False) as data:
            yield data
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {why(error)}.") from None
    except Exception:  # numpy lets whatever zipfile, pickle and json raise through
        raise UsageError(f"{path}: not {what}.") from None


def write_arrays(path: Path, name: str, about: object, arrays: Mapping[str, Any], packed: bool = True) -> None:
    """Write `arrays` to an npz file, and what they are `about` as JSON under a `name`; whole or not at all.

    They are `packed` where size counts more than time. Raises OSError if the file cannot be written.
    """
    import numpy as np

    content = io.BytesIO()
    text = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    (np.savez_compressed if packed else np.savez)(content, **{name: text, **arrays})
    write_atomic(path, content.getvalue())


def problems(archive: zipfile.ZipFile) -> Iterator[str]:
    """Yield a sentence for each reason not to unpack an archive."""
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        yield f"the archive has {len(entries)} entries, allowed {MOST_ENTRIES}."
        return
    for entry in entries:
        name, kind = _quoted_name(entry.orig_filename), stat.S_IFMT(entry.external_attr >> 16)
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or ".." in path.parts:
            yield f"the path {name} leads out of the archive."
        elif not (path.parts or entry.filename.endswith("/")) or _ODD.search(entry.orig_filename):
            yield f"the path {name} is no name of a file."
        elif max(len(part.encode()) for part in (*path.parts, "")) > LONGEST_NAME or len(str(path)) > LONGEST_PATH:
            yield f"the path {name} is too long, allowed {LONGEST_PATH} bytes, {LONGEST_NAME} between slashes."
        if entry.create_system != 0 and kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            yield f"the entry {name} is a link or a device, allowed are files and folders."
        if entry.flag_bits & 1:
            yield f"the entry {name} is encrypted."
        elif entry.compress_type not in _METHODS:
            yield f"the entry {name} is packed by method {entry.compress_type}, allowed 0 (stored) and 8 (deflated)."
    yield from _of_paths(entries)
    yield from _overlaps(entries, archive.start_dir)
    total, packed = sum(entry.file_size for entry in entries), max(archive.start_dir, 1)
    if total > LARGEST:
        yield f"it unpacks to {_gigabytes(total)}, allowed {_gigabytes(LARGEST)}."
    elif total > FREE and total > RATIO * packed:
        yield f"it unpacks to {total // packed} times its size, allowed {RATIO} times above {_gigabytes(FREE)}."


def _of_paths(entries: Sequence[zipfile.ZipInfo]) -> Iterator[str]:
    files: set[PurePosixPath] = set()
    twice: set[PurePosixPath] = set()
    folders: set[PurePosixPath] = {PurePosixPath()}
    for entry in entries:
        path = PurePosixPath(entry.filename)
        if not entry.filename.endswith("/"):
            (twice if path in files else files).add(path)
            path = path.parent
        while path not in folders and len(folders) <= MOST_ENTRIES:
            folders.add(path)
            path = path.parent
    yield from (f"the archive holds {_quoted_name(path)} more than once." for path in sorted(twice))
    yield from (f"{_quoted_name(path)} is a file and a folder in the archive." for path in sorted(files & folders))
    if len(folders) > MOST_ENTRIES:
        yield f"the archive has more than {MOST_ENTRIES} folders."


def _overlaps(entries: Sequence[zipfile.ZipInfo], end: int) -> Iterator[str]:
    """Find entries that share data, as those of a bomb without layers do; `end` is where the data end [byte]."""
    placed = sorted(entries, key=lambda entry: entry.header_offset)
    begins = [entry.header_offset for entry in placed] + [end]
    for entry, (begin, after) in zip(placed, pairwise(begins), strict=True):
        if begin + _LOCAL_HEADER + entry.compress_size > after:
            yield f"the entry {_quoted_name(entry.filename)} overlaps with the next one in the archive."
            return


def unpack(path: Path, folder: Path) -> None:
    """Unpack an FMU into a folder of its own, which is made; nothing is written if anything is wrong.

    Raises UsageError if it is no archive, has no model description, or holds what is not allowed.
    """
    with _errors_as_sentences(path), open_archive(path) as archive:
        _require(archive)
        archive.extractall(folder)


def read_description(source: Path, origin: Path | None = None) -> "ModelDescription":
    """Return the model description of an FMU, or of the folder that the FMU `origin` was unpacked into.

    It is not validated. Raises UsageError if there is none, if it holds what is not allowed, or cannot be understood.
    """
    from fmpy import read_model_description  # takes its time

    with _errors_as_sentences(origin or source):
        if source.is_dir():
            for path in (source / name for name in DESCRIPTIONS):
                if path.is_file():
                    _require_size(path.name, path.stat().st_size)
                    check_description(path.name, path.read_bytes())
        else:
            with open_archive(source) as archive:
                _require(archive)
                check_descriptions(archive)
        return read_model_description(str(source), validate=False)


@contextmanager
def _errors_as_sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # FMPy lets whatever lxml raises through
        raise UsageError(f"{path}: not an FMU that can be read: {reason(error).rstrip('.')}.") from None


def reason(error: Exception) -> str:
    """Return in one line why reading an FMU came to an end."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if isinstance(error, (LookupError, AttributeError, TypeError)):  # FMPy looks for what the schema asks for
        return one_line(f"its model description lacks what FMI requires ({error}).")
    return one_line(str(error) or type(error).__name__)


def _require(archive: zipfile.ZipFile) -> None:
    for problem in problems(archive):
        raise Refused(problem)
    if DESCRIPTIONS[0] not in archive.namelist():
        raise Refused(f"it holds no {DESCRIPTIONS[0]}.")


def check_descriptions(archive: zipfile.ZipFile) -> None:
    """Check the XML files of an FMU that FMPy reads; what is wrong with the archive has been found before.

    Raises Refused as `check_description` does.
    """
    for entry in archive.infolist():
        if entry.filename in DESCRIPTIONS:
            _require_size(entry.filename, entry.file_size)
            text = io.BytesIO()
            with archive.open(entry) as stream:
                shutil.copyfileobj(stream, text)
            check_description(entry.filename, text.getvalue())


def check_description(name: str, text: bytes) -> None:
    """Check that an XML file is well-formed, has no document type, and is no larger than FMUs need.

    A document type is what entities need, which multiply without end or read other files; FMI knows none. `text` is the
    content of the file `name`. Raises Refused, which says what is wrong.
    """
    elements = words = units = 0

    def count(element: str, attributes: list[str]) -> None:
        nonlocal elements, words, units
        if elements == 0 and name == DESCRIPTIONS[0] and "fmiVersion" not in attributes[::2]:
            raise Refused(f"{name} begins with <{one_line(element, 40)}> and has no fmiVersion: not an FMU.")
        elements += 1
        words += " ".join(attributes).count(" ") + 1
        units += element == "DisplayUnit"
        if elements > MOST_ELEMENTS:
            raise Refused(f"{name} has more than {MOST_ELEMENTS} elements.")
        if words > MOST_WORDS:
            raise Refused(f"{name} has more than {MOST_WORDS} words in its attributes.")
        if units > MOST_DISPLAY_UNITS:
            raise Refused(f"{name} has more than {MOST_DISPLAY_UNITS} display units.")

    def refuse(*_: Any) -> None:
        raise Refused(f"{name} declares a document type, which may define entities: neither FMI nor SSP has any.")

    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.StartElementHandler = cast(Any, count)
    parser.StartDoctypeDeclHandler = refuse
    try:
        for begin in range(0, max(len(text), 1), _PIECE):
            end = begin + _PIECE
            parser.Parse(text[begin:end], end >= len(text))
            if end - parser.CurrentByteIndex > LONGEST_TAG:  # the parser begins it anew with each piece
                raise Refused(f"{name} has a tag or comment of more than {LONGEST_TAG} bytes.")
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise Refused(f"{name} is not well-formed: {one_line(str(error), 200)}.") from None


def _require_size(name: str, size: int) -> None:
    if size > LARGEST_DESCRIPTION:
        raise Refused(f"{name} has {size} bytes, allowed {LARGEST_DESCRIPTION}.")


def one_line(text: str, longest: int = 300) -> str:
    """Return a text of unknown origin in one line of at most `longest` printable characters [-]."""
    line = " ".join(text[: 2 * longest].split())
    whole = "".join(character if character.isprintable() else "?" for character in line)
    return whole if len(whole) <= longest else f"{whole[: longest - 2]}.."


def _quoted_name(path: object) -> str:
    return one_line(str(path), 100)


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.3g} GB"
