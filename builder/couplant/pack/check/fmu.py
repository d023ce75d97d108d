"""Everything that is checked about one FMU file."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fmpy import platform as this_platform
from fmpy import platform_tuple, read_model_description
from fmpy.model_description import ModelDescription
from fmpy.validation import validate_fmu

from couplant.errors import UsageError
from couplant.pack.check.description import rules

_TIMEOUT = 120.0


@dataclass(frozen=True)
class Findings:
    """What was found about one FMU."""

    problems: tuple[str, ...] = ()  # sentences; empty when all is well
    notes: tuple[str, ...] = ()  # what could not be checked here, and why


def check_fmu(path: Path, run: bool = True) -> Findings:
    """Check one FMU of any origin; the rules of this project apply to FMUs that couplant made.

    With `run` it is also loaded in a process of its own: start values, some steps, the reference result of a coupling.

    Raises
    ------
    UsageError
        If there is no such file.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no such file.")
    damage = _damage(path)
    if damage:
        return Findings((damage,))
    problems = [*_archive_problems(path), *(" ".join(text.split()) for text in validate_fmu(str(path)))]
    try:
        description = read_model_description(str(path), validate=False)
    except Exception as error:  # fmpy raises bare exceptions for foreign model descriptions
        return Findings(tuple(problems or [" ".join(str(error).split())]))
    if (description.generationTool or "").startswith("couplant"):
        problems += rules(description)
    if not run or problems or not _has_binary(path, description):
        return Findings(tuple(problems), (f"not run: {_reason(run, problems)}.",))
    others = _foreign_binaries(path, description)
    return Findings(tuple(_run(path)), (f"not run: the binaries for {', '.join(others)}.",) if others else ())


def _reason(run: bool, problems: list[str]) -> str:
    if not run:
        return "not asked for"
    return "it has problems already" if problems else f"it has no binary for this platform ({this_platform})"


def _damage(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            names = archive.namelist()
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        return "not an FMU: it is not a zip archive, or it is truncated or damaged."
    if broken is not None:
        return f"damaged: {broken} does not fit its checksum."
    return "" if "modelDescription.xml" in names else "not an FMU: it holds no modelDescription.xml."


def _archive_problems(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    outside = [name for name in names if name.startswith("/") or ".." in PurePosixPath(name).parts]
    twice = sorted({name for name in names if names.count(name) > 1})
    return [f"the path {name} leads out of the archive." for name in outside] + [
        f"the archive holds {name} more than once." for name in twice
    ]


def _has_binary(path: Path, description: ModelDescription) -> bool:
    return bool(_folders(path) & _of_host(description))


def _foreign_binaries(path: Path, description: ModelDescription) -> list[str]:
    return sorted(_folders(path) - _of_host(description))


def _folders(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return {name.split("/")[1] for name in archive.namelist() if name.startswith("binaries/") and name[-1] != "/"}


def _of_host(description: ModelDescription) -> set[str]:
    return {platform_tuple, this_platform} if description.fmiVersion == "2.0" else {platform_tuple}


def _run(path: Path) -> list[str]:
    """Load the FMU in another process: a bad binary must not take this one along."""
    command = [sys.executable, "-m", "couplant.pack.check.probe", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return [f"did not finish a short run within {_TIMEOUT:g} s."]
    last = done.stdout.strip().splitlines()[-1:] or [""]
    try:
        return [str(text) for text in json.loads(last[0])]
    except ValueError:
        why = done.stderr.strip().splitlines()[-1:] or ["no message"]
        return [f"crashed during a short run (status {done.returncode}): {why[0]}"]
