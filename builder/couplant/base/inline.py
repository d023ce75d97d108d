"""Content of a page that needs no other file: data, modules in one script, hashes that its policy names scripts by.

ES modules are joined into one classic script, which works from a disk too. Each becomes a function that hands back what
it exports. What is allowed in them is little, and all else is an error: imports and exports of names,
``import { a, b } from "./x.js";`` and ``export function`` (``const``, ``class``).
"""

import base64
import hashlib
import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from couplant.base.errors import CouplantError

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n?', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")


def inline_json(data: object) -> str:
    """Return `data` as JSON that may stand in a page: no text in it ends a script or begins a comment."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode(errors="backslashreplace").decode()


def script_hash(script: str) -> str:
    """Return the name of a page's own `script` in a content security policy."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@dataclass(frozen=True)
class _Module:
    """A module: its text without imports and exports, the names that it imports by module, those that it exports."""

    body: str
    imported: Mapping[str, list[str]]
    exported: list[str]


def read_modules(folder: Path) -> dict[str, str]:
    """Return the texts of all modules below a `folder` by path, with forward slashes."""
    paths = sorted(folder.rglob("*.js"))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def join(modules: Mapping[str, str], entry: str) -> str:
    """Return a classic script that runs the function `start` of the module `entry`.

    With it go those that it needs, and no others, of all `modules`, texts by path with forward slashes. Raises
    CouplantError if a module is missing, lacks a name that another imports, or says what is not allowed; if some need
    each other.
    """
    found: dict[str, _Module] = {}
    _collect(modules, entry, "start", found)
    for path, one in found.items():
        for other, names in one.imported.items():
            if missing := [name for name in names if name not in found[other].exported]:
                raise CouplantError(f"{path}: {other} exports no {', '.join(missing)}.")
    if "start" not in found[entry].exported:
        raise CouplantError(f"{entry}: exports no start.")
    try:
        order = list(TopologicalSorter({path: sorted(one.imported) for path, one in found.items()}).static_order())
    except CycleError as error:
        raise CouplantError(f"Modules need each other: {' -> '.join(error.args[1])}.") from None
    wrapped = "".join(_wrap(path, found[path]) for path in order)
    return f'"use strict";\n{wrapped}{_variable(entry)}.start();\n'


def _collect(modules: Mapping[str, str], path: str, asked: str, found: dict[str, _Module]) -> None:
    """Put a module that `asked` needs, and all that it needs itself, into `found`."""
    if path in found:
        return
    if path not in modules:
        raise CouplantError(f"{asked}: imports {path}, which is not there.")
    text = modules[path]
    imported: dict[str, list[str]] = {}
    for names, where in _IMPORT.findall(text):
        if not where.startswith("."):
            raise CouplantError(f"{path}: imports {where}; a path that begins with a point is needed.")
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), where))
        imported.setdefault(other, []).extend(_names(path, names))
    exported = _EXPORT.findall(text)
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    if rest := _OTHER.search(body):
        raise CouplantError(f"{path}: {rest[0]!r} cannot be joined, only names are imported and exported.")
    found[path] = _Module(body, imported, exported)
    for other in found[path].imported:
        _collect(modules, other, path, found)


def _names(path: str, text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if not _NAME.fullmatch(name):
            raise CouplantError(f"{path}: imports {name!r}; a name is needed, and none that is changed.")
    return names


def _wrap(path: str, one: _Module) -> str:
    heads = "".join(f"const {{ {', '.join(names)} }} = {_variable(other)};\n" for other, names in one.imported.items())
    return f"const {_variable(path)} = (() => {{\n{heads}{one.body}\nreturn {{ {', '.join(one.exported)} }};\n}})();\n"


def _variable(path: str) -> str:
    """Return the name that a module has in the script; no two paths share one."""
    return "m_" + re.sub(r"\W", lambda match: f"${ord(match[0]):x}", path.removesuffix(".js"))
