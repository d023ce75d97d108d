"""Everything that is checked about one FMU file."""

import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fmpy import platform as this_platform
from fmpy import platform_tuple, read_model_description
from fmpy.model_description import ModelDescription, ValidationError

from couplant.base import archives
from couplant.base.errors import UsageError, why
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.pack.check.child import SHARED
from couplant.pack.check.description import rules, wrong_names

if TYPE_CHECKING:
    import pandas

MOST_PROBLEMS = 100
"""Problems of one FMU that are listed; a bad file may have one for each of its entries and variables."""


@dataclass(frozen=True)
class Findings:
    """Findings about one FMU."""

    problems: tuple[str, ...] = ()  # sentences; empty when all is well
    notes: tuple[str, ...] = ()  # what could not be checked here, and why

    def headline(self, path: Path) -> str:
        """Return in a line how many problems the FMU at a `path` has, and what could not be checked."""
        count = len(self.problems)
        notes = "".join(f" ({note.rstrip('.')})" for note in self.notes)
        return f"{path}: {count or 'no'} problem{'s' * (count != 1)}{notes}"


@dataclass(frozen=True, eq=False, repr=False)
class Validation(Shows):
    """Findings about some FMUs."""

    files: dict[Path, Findings]

    @property
    def wrong(self) -> list[Path]:
        """Return the files that have problems."""
        return [path for path, found in self.files.items() if found.problems]

    def to_dict(self) -> dict[str, Any]:
        """Return the findings for JSON."""
        found = self.files.items()
        return {"fmus": [{"file": str(p), "problems": list(f.problems), "notes": list(f.notes)} for p, f in found]}

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a row for each file, with its problems and notes; needs pandas."""
        return data_frame(self.to_dict()["fmus"])

    def _summary(self) -> Summary:
        """Return the numbers of problems and what they are, as it is shown."""
        rows = [[str(p), str(len(f.problems)), " ".join((*f.problems, *f.notes))] for p, f in self.files.items()]
        return Summary(f"{len(self.files) - len(self.wrong)} of {len(self.files)} FMUs pass", _HEADINGS, rows)


_HEADINGS = ("FMU", "problems", "which, and what could not be checked")


def validate(
    fmus: str | Path | Sequence[str | Path],
    *,
    run: bool = True,
    progress: Callable[[Path, Findings], None] | None = None,
) -> Validation:
    """Check FMUs: standard, own rules, start values, a short run.

    Parameters
    ----------
    fmus : str, Path or sequence of them
        Files of any origin.
    run : bool
        Also load each in a process of its own and take some steps.
    progress : callable, optional
        Told each file and what was found about it.

    Returns
    -------
    Validation
        Problems and notes by file.

    Raises
    ------
    UsageError
        If there is no such file, or one cannot be read.
    """
    paths = [Path(one) for one in ([fmus] if isinstance(fmus, (str, Path)) else fmus)]
    if missing := [path for path in paths if not path.is_file()]:
        raise UsageError(f"{missing[0]}: no such file.")
    found = {}
    for path in paths:
        found[path] = check_fmu(path, run)
        if progress is not None:
            progress(path, found[path])
    return Validation(found)


def check_fmu(path: Path, run: bool = True) -> Findings:
    """Check one FMU of any origin; the rules of this project apply to FMUs that couplant made.

    With `run` it is also loaded in a process of its own: start values, some steps, the reference result of a coupling.
    Raise `UsageError` if there is no such file, or it cannot be read.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no such file.")
    try:
        with archives.open_archive(path) as archive:
            found = _first(archives.problems(archive)) or _first(_of_content(archive))
            names = [name for name in archive.namelist() if name.startswith("binaries/") and not name.endswith("/")]
            folders = {name.split("/")[1] for name in names}  # platforms that have binaries
    except archives.Refused as problem:
        return Findings((str(problem),))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {why(error)}.") from None
    if found:
        return Findings(tuple(found))
    description, found = _describe(path)
    own = {platform_tuple, this_platform} if description.fmiVersion == "2.0" else {platform_tuple}
    # what is incomplete by the standard may run all the same
    readable = bool(description.modelVariables)
    if not run or not readable or not folders & own:
        return Findings(tuple(found), (f"not run: {_reason(run, readable)}.",))
    others = ", ".join(sorted(folders - own))
    return Findings(tuple(_first([*found, *_run(path)])), (f"not run: the binaries for {others}.",) if others else ())


def _first(sentences: Iterable[str]) -> list[str]:
    """Return so many sentences as anyone reads, and each so long."""
    found = [archives.one_line(text) for text in islice(sentences, MOST_PROBLEMS + 1)]
    if len(found) > MOST_PROBLEMS:
        found[-1] = f"there are more than these {MOST_PROBLEMS} problems."
    return found


def _reason(run: bool, readable: bool) -> str:
    if not run:
        return "not asked for"
    return "its description cannot be read" if not readable else f"it has no binary for this platform ({this_platform})"


def _of_content(archive: zipfile.ZipFile) -> Iterator[str]:
    broken = archive.testzip()
    if broken is not None:
        yield f"damaged: {broken} does not fit its checksum."
    elif archives.DESCRIPTIONS[0] not in archive.namelist():
        yield f"not an FMU: it holds no {archives.DESCRIPTIONS[0]}."
    else:
        archives.check_descriptions(archive)


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
        return ModelDescription(), _first(found or [archives.reason(error)])


def _run(path: Path) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="couplant-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch, "fmu")
        archives.unpack(path, folder)
        return SHARED.run(folder)
