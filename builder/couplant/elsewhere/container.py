"""Make one FMU of a side of a scenario, with the licences of what is in it."""

import json
import re
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path, PurePosixPath
from typing import Any

from couplant.base.archives import one_line, read_description
from couplant.base.errors import UsageError
from couplant.base.filenames import is_device
from couplant.base.files import write_atomic
from couplant.config.hosts import JACOBI, READS_AGAIN, SEQUENTIAL
from couplant.config.scenario import Loaded, load_scenario
from couplant.cosim.wiring.coupling import identifier
from couplant.elsewhere.export.side import End, Received, Side, side_of
from couplant.elsewhere.export.system import algorithm_of
from couplant.elsewhere.toolbox import NAME, PACKAGE, container_description, container_files, require
from couplant.pack.archive.write import pack
from couplant.pack.archive.zipped import zip_files
from couplant.pack.binaries.platforms import PLATFORMS, Platform, choose

RUNS_ON = ("x86_64-linux", "x86_64-windows")
"""Platforms that the tool has a container for, and that find the parts of FMI 2.0 where the tool looks for them."""

_IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")

FOLDER = "documentation/licenses"  # where they lie in an FMU

_WORDS = ("license", "licence", "copying", "notice")
_TYPES = ("", ".txt", ".md", ".html", ".htm", ".pdf", ".rst")


@dataclass(frozen=True)
class Contained:
    """Container that was written."""

    file: Path
    order: tuple[str, ...]  # the parts, in their turns if the container is sequential
    inputs: tuple[End, ...]
    outputs: tuple[End, ...]
    received: tuple[Received, ...]
    algorithm: str
    host: str  # how the parts are stepped
    step: float  # communication step inside [s]
    platforms: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        made_of = {"file": str(self.file), "parts": list(self.order), "algorithm": self.algorithm, "host": self.host}
        ends: dict[str, Sequence[End | Received]]
        ends = {"signals": self.received, "inputs": self.inputs, "outputs": self.outputs}
        listed = {key: [one.to_dict() for one in found] for key, found in ends.items()}
        return {**made_of, "step": self.step, "platforms": list(self.platforms), **listed}


def contain(
    path: str | Path,
    file: Path,
    components: Sequence[str] = (),
    assignments: Sequence[str] = (),
    algorithm: str | None = None,
    host: str | None = None,
    order: Sequence[str] = (),
    threads: bool = False,
    platform: str = "host",
) -> Contained:
    """Write components of a scenario file, with the coupling FMUs at their inputs, as one FMU.

    The name of the `file` is that of the model; without `components` it has all. `assignments` are changes in the form
    ``key=TOML value``; `algorithm` is needed where the scenario runs several. The `host` is how the container steps its
    parts, ``"jacobi"`` or ``"sequential"``: that of the scenario if not given, ``"jacobi"`` where that reads again.
    `order` tells whose turn it is first, where the parts take turns; with `threads` each steps in a thread of its own.
    `platform` is ``"host"``, ``"all"`` that can be, or names with commas between them.

    Raise `UsageError` if the scenario is wrong, or has what no container can hold; nothing is written then. Raise
    `CouplantError` if a binary must be compiled and cannot be, or the tool refuses.
    """
    name = _model_name(file)
    require()
    platforms = tuple(PLATFORMS[name] for name in RUNS_ON) if platform == "all" else choose(platform)
    if other := [one.name for one in platforms if one.name not in RUNS_ON]:
        raise UsageError(f"platform = {other[0]}: {NAME} has no container for it, allowed all, {', '.join(RUNS_ON)}")
    loaded = _load(path, assignments, algorithm, host, order)
    chosen, how = components or list(loaded.scenario.components), loaded.scenario.host
    if threads and how == SEQUENTIAL:
        raise UsageError("threads = true: parts that take turns have no use for them; leave it out, or choose jacobi.")
    selected = algorithm_of(loaded)
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        words = platform if platform == "host" else ",".join(one.name for one in platforms)
        side = side_of(loaded, selected, chosen, Path(scratch), words)
        _check_order(loaded, side, order)
        _check_binaries(side, platforms)
        _check_names(side)
        files = container_files(side, name, how == SEQUENTIAL, threads)
        content = zip_files({name: pack(one) for name, one in _complete(files, side, loaded, chosen).items()})
    write_atomic(file, content)
    parts = tuple(part.name for part in side.parts)
    told = tuple(p.name for p in platforms)
    return Contained(file, parts, side.inputs, side.outputs, side.received, selected, how, side.step, told)


def _model_name(file: Path) -> str:
    """Return the model identifier that the name of a file gives."""
    if file.suffix != ".fmu":
        raise UsageError(f"{file}: allowed are names that end in .fmu")
    if is_device(file.stem):
        raise UsageError(f"{file}: {file.stem} is a device for Windows, no name of a model.")
    return identifier(file.stem)


def _load(
    path: str | Path, assignments: Sequence[str], algorithm: str | None, host: str | None, order: Sequence[str]
) -> Loaded:
    """Load a scenario with the host that a container is."""
    changes = ['timing=["step"]', *assignments]
    changes += [] if algorithm is None else [f"algorithms=[{json.dumps(algorithm)}]"]
    changes += [f"order={json.dumps([*order])}"] if order else []
    if host is None and order:
        host = SEQUENTIAL
    if host is None:
        host = load_scenario(path, changes).scenario.host
        host = JACOBI if host == READS_AGAIN else host
    if host == READS_AGAIN:
        raise UsageError(f"host = {host}: a container does not read again, allowed {JACOBI}, {SEQUENTIAL}")
    if order and host != SEQUENTIAL:
        raise UsageError(f"order = {', '.join(order)}: parts take turns with host = {SEQUENTIAL} only, not {host}")
    return load_scenario(path, [*changes, f"host={json.dumps(host)}"])


def _check_order(loaded: Loaded, side: Side, order: Sequence[str]) -> None:
    """Refuse turns of what is not in the container."""
    inside = {part.name for part in side.parts}
    wrong = next((name for name in order if name.replace(".", "_") not in inside), None)
    if wrong is not None:
        known = ", ".join(sorted(inside))
        raise UsageError(f"order = {wrong}: not in the container, which has {known}.")


def _check_binaries(side: Side, platforms: Sequence[Platform]) -> None:
    """Refuse parts that do not run where the container shall."""
    for part in side.parts:
        with zipfile.ZipFile(part.fmu) as archive:
            folders = {name.split("/")[1] for name in archive.namelist() if name.startswith("binaries/")}
        missing = next((one for one in platforms if one.fmi2 not in folders), None)
        if missing is not None:
            text = f"platform = {missing.name}: {part.name} has no binary for it ({missing.fmi2})"
            raise UsageError(f"{text}, it has {', '.join(sorted(folders)) or 'none'}.")


def _check_names(side: Side) -> None:
    """Refuse parts that the container would not find again: it opens a file by their name, and a line each holds it."""
    for part in side.parts:
        description = read_description(part.fmu)
        name, guid = description.coSimulation.modelIdentifier or "", description.guid or ""
        if not _IDENTIFIER.fullmatch(name):
            text = f'modelIdentifier = "{one_line(name, 100)}", allowed a letter, then letters, digits and underscores'
            raise UsageError(f"{part.name}: {text}.")
        if not guid.isprintable():
            raise UsageError(f'{part.name}: guid = "{one_line(guid, 100)}", allowed printable signs in one line.')


def _complete(files: dict[str, bytes], side: Side, loaded: Loaded, chosen: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a container with its licences and a model description that says more."""
    folders = {f"resources/{i:02x}": part.name for i, part in enumerate(side.parts)}
    files = files | licences(files, folders)
    text = files.pop("modelDescription.xml")
    what = f"{loaded.scenario.name}: {', '.join(chosen)}"
    title = f"{what}, coupled over a network; communication steps are multiples of {side.step:g} s"
    tool = f"{NAME} {version(PACKAGE)}"
    return {**files, "modelDescription.xml": container_description(text, side, title, tool, files)}


def licences(files: Mapping[str, bytes], parts: Mapping[str, str]) -> dict[str, bytes]:
    """Return the licences of couplant, of the tool and of the parts, contents by name inside the container.

    `files` are what is in the container, `parts` the names of the parts by the folder that each is in.
    """
    found: dict[str, bytes] = {}
    for name in ("couplant", PACKAGE):
        for file, content in _of_package(name).items():
            found[f"{FOLDER}/{name}/{file}"] = content
    for folder, part in parts.items():
        for path, content in files.items():
            own = path.removeprefix(f"{folder}/")
            if own != path and is_licence(own):
                found[f"{FOLDER}/{part}/{own.removeprefix(f'{FOLDER}/')}"] = content
    return found


def is_licence(path: str) -> bool:
    """Tell whether the file `path` of an FMU is about its licence: what the standards name, and what is called so."""
    place = PurePosixPath(path)
    if path.startswith(f"{FOLDER}/"):
        return True
    return len(place.parts) <= 2 and place.suffix.lower() in _TYPES and place.stem.lower().startswith(_WORDS)


def _of_package(name: str) -> dict[str, bytes]:
    """Return the licences that an installed package carries."""
    try:
        package: Distribution = distribution(name)
    except PackageNotFoundError:
        return {}
    paths = [path for path in package.files or () if "licenses" in path.parts and path.parts[0].endswith(".dist-info")]
    return {path.name: path.locate().read_bytes() for path in paths}  # type: ignore[attr-defined]
