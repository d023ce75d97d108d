"""The licences of what is in a container."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import PurePosixPath

from couplant.elsewhere.container.toolbox import PACKAGE

FOLDER = "documentation/licenses"
"""Where they lie in an FMU."""

_WORDS = ("license", "licence", "copying", "notice")
_TYPES = ("", ".txt", ".md", ".html", ".htm", ".pdf", ".rst")


def licences(files: Mapping[str, bytes], parts: Mapping[str, str]) -> dict[str, bytes]:
    """Return the licences of couplant, of the tool and of the parts, contents by name inside the container.

    Parameters
    ----------
    files : mapping of str to bytes
        What is in the container.
    parts : mapping of str to str
        The parts, by the folder that each is in.
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
