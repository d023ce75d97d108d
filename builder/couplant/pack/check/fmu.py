"""Everything that is checked about one FMU file."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import IO, Any

from fmpy import platform as this_platform
from fmpy import platform_tuple, read_model_description
from fmpy.model_description import ModelDescription, ValidationError

from couplant.base.archives import (
    DESCRIPTIONS,
    Refused,
    check_descriptions,
    one_line,
    open_archive,
    problems,
    reason,
    unpack,
)
from couplant.base.errors import UsageError, why
from couplant.pack.check.description import rules, wrong_names

MOST_PROBLEMS = 100
"""Problems of one FMU that are listed; a bad file may have one for each of its entries and variables."""

_TIMEOUT = 120.0
_LONGEST_ANSWER = 10**6

KEPT = 4096
"""End of the output that is kept. [byte]"""

_CHUNK = 65536
_PATIENCE = 5.0


@dataclass(frozen=True)
class Findings:
    """Findings about one FMU."""

    problems: tuple[str, ...] = ()  # sentences; empty when all is well
    notes: tuple[str, ...] = ()  # what could not be checked here, and why


def check_fmu(path: Path, run: bool = True) -> Findings:
    """Check one FMU of any origin; the rules of this project apply to FMUs that couplant made.

    With `run` it is also loaded in a process of its own: start values, some steps, the reference result of a coupling.

    Raises
    ------
    UsageError
        If there is no such file, or it cannot be read.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no such file.")
    try:
        with open_archive(path) as archive:
            found = _first(problems(archive)) or _first(_of_content(archive))
            names = [name for name in archive.namelist() if name.startswith("binaries/") and not name.endswith("/")]
            folders = {name.split("/")[1] for name in names}  # platforms that have binaries
    except Refused as problem:
        return Findings((str(problem),))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {why(error)}.") from None
    if found:
        return Findings(tuple(found))
    description, found = _describe(path)
    own = {platform_tuple, this_platform} if description.fmiVersion == "2.0" else {platform_tuple}
    if not run or found or not folders & own:
        return Findings(tuple(found), (f"not run: {_reason(run, found)}.",))
    others = ", ".join(sorted(folders - own))
    return Findings(tuple(_first(_run(path))), (f"not run: the binaries for {others}.",) if others else ())


def _first(sentences: Iterable[str]) -> list[str]:
    """Return so many sentences as anyone reads, and each so long."""
    found = [one_line(text) for text in islice(sentences, MOST_PROBLEMS + 1)]
    if len(found) > MOST_PROBLEMS:
        found[-1] = f"there are more than these {MOST_PROBLEMS} problems."
    return found


def _reason(run: bool, found: list[str]) -> str:
    if not run:
        return "not asked for"
    return "it has problems already" if found else f"it has no binary for this platform ({this_platform})"


def _of_content(archive: zipfile.ZipFile) -> Iterator[str]:
    broken = archive.testzip()
    if broken is not None:
        yield f"damaged: {broken} does not fit its checksum."
    elif DESCRIPTIONS[0] not in archive.namelist():
        yield f"not an FMU: it holds no {DESCRIPTIONS[0]}."
    else:
        check_descriptions(archive)


def _describe(path: Path) -> tuple[ModelDescription, list[str]]:
    """Return a model description, empty if it cannot be read, and what is wrong with it."""
    found: list[str] = []
    try:
        try:
            description = read_model_description(str(path), validate=True, validate_model_structure=True)
        except ValidationError as error:
            found = list(error.problems)
            description = read_model_description(str(path), validate=False)
        own = rules(description) if (description.generationTool or "").startswith("couplant") else []
        return description, _first([*found, *wrong_names(description), *own])
    except Exception as error:  # fmpy raises bare exceptions for foreign model descriptions
        return ModelDescription(), _first(found or [reason(error)])


def _run(path: Path) -> list[str]:
    """Load the FMU in another process: a bad binary must not take this one along."""
    with tempfile.TemporaryDirectory(prefix="couplant-", ignore_cleanup_errors=True) as scratch:
        folder, answer = Path(scratch, "fmu"), Path(scratch, "answer.json")
        unpack(path, folder)
        command = [sys.executable, "-m", "couplant.pack.check.probe", str(folder), str(answer)]
        status, last = run_child(command, _TIMEOUT)
        if status is None:
            return [f"did not finish a short run within {_TIMEOUT:g} s."]
        try:
            with answer.open(encoding="utf-8") as file:
                said: Any = json.loads(file.read(_LONGEST_ANSWER))
            return [str(text) for text in said]
        except (OSError, ValueError, TypeError):
            return [f"crashed during a short run (status {status}): {last or 'no message'}"]


def run_child(command: Sequence[str], timeout: float) -> tuple[int | None, str]:
    """Return the exit status of a command, None if it was ended after `timeout` [s], and the last line it printed."""
    tail = bytearray()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    reader = Thread(target=_keep_end, args=(process.stdout, tail), daemon=True)
    reader.start()
    try:
        status: int | None = process.wait(timeout)
    except subprocess.TimeoutExpired:
        status = None
    finally:
        process.kill()
        process.wait()
    reader.join(_PATIENCE)  # what the program has started itself may hold the pipe open
    lines = bytes(tail).decode(errors="replace").strip().splitlines()
    return status, lines[-1] if lines else ""


def _keep_end(stream: IO[bytes], tail: bytearray) -> None:
    with stream:
        while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]
            tail += chunk
            del tail[:-KEPT]
