"""The kernel as a C library without FMI: one file of C, a header, the settings as constants, an example."""

import json
import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from couplant.base import paths
from couplant.base.files import write_atomic
from couplant.config import Interface, advice, load_interface
from couplant.config.frame.read import Source, source_name
from couplant.pack import check_backend
from couplant.pack.c_library.amalgamation import amalgamate
from couplant.pack.c_library.example import Example, example, program
from couplant.pack.c_library.settings import FACE, Coded, code_signals, header, source
from couplant.version import __version__

HEADINGS = ("signal", "settings in C", "unit", "variables", "state, bytes", "memory, bytes")
"""Of the table that tells what was written."""

SWITCHES = {
    "NEURAL": "networks that learn",
    "ENERGY": "power bonds, models, derivatives, phasors and a lag that is learnt",
}
"""What a library can do without, by the last word of its switch."""

_FRAME = ("README.md", "CMakeLists.txt", "library.properties")
_MARK = "/* parts */\n"
_ROWS = {(): 431, ("NEURAL",): 293, ("ENERGY",): 431, ("NEURAL", "ENERGY"): 220}
_LISTS, _POINTERS, _POINTER = 888, 434, 4  # of COUPLANT_OVERHEAD in couplant.h, pointers of 32-bit targets


@dataclass(frozen=True)
class Library:
    """Files of a C library that were written."""

    folder: Path
    files: tuple[str, ...]  # relative to the folder
    rows: list[dict[str, Any]]  # by signal
    without: tuple[str, ...]  # what is left out, in words
    printed: str  # by the example
    warnings: list[str]  # what in the settings is allowed and probably not meant

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {**vars(self), "folder": str(self.folder), "files": list(self.files), "without": list(self.without)}

    def texts(self) -> list[list[str]]:
        """Return the rows in words, in the order of `HEADINGS`."""
        return [[str(value) for value in row.values()] for row in self.rows]


def write_c_library(config: Source | Interface, folder: str | Path, assignments: Sequence[str] = ()) -> Library:
    """Write a C library for all signals of an interface into a folder; an error leaves nothing behind.

    Parameters
    ----------
    config : str, Path, mapping or Interface
        The settings file, or what it would contain, or what `couplant.config.load_interface` returns.
    folder : str or Path
        Where it is to be, made if needed; files of the same names are written over.
    assignments : sequence of str
        Changes in the form ``key=TOML value``.

    Returns
    -------
    Library
        What was written.

    Raises
    ------
    UsageError
        If the settings are wrong, two names in C are equal or the kernel in C does not have an algorithm.
    """
    interface = config if isinstance(config, Interface) else load_interface(config, assignments)
    for name, signal in interface.signals.items():
        check_backend(name, signal, "native")
    signals = code_signals(interface)
    left_out = _switches(signals)
    first = example(interface, signals[0])
    rows = [_row(one, left_out, interface.timing == "event") for one in signals]
    contents = _files(interface, signals, left_out, first, rows)
    for file, text in contents.items():
        write_atomic(Path(folder) / file, text)
    origin = "" if isinstance(config, Interface) else f"{source_name(config)}: "
    warnings = [origin + line for line in advice(interface)]
    without = tuple(SWITCHES[one] for one in left_out)
    return Library(Path(folder), tuple(contents), rows, without, first.line(), warnings)


def _switches(signals: Sequence[Coded]) -> tuple[str, ...]:
    needed = {"NEURAL": any(one.neural for one in signals), "ENERGY": any(one.energy for one in signals)}
    return tuple(one for one in SWITCHES if not needed[one])


def _row(one: Coded, left_out: tuple[str, ...], event: bool) -> dict[str, Any]:
    overhead = 2 * _ROWS[left_out] + _LISTS + _POINTERS * _POINTER
    return {
        "signal": one.signal,
        "name": one.name,
        "unit": one.unit,
        "variables": len(one.settings.variables()),
        "state": one.state,
        "memory": one.state * (1 + event) + overhead,
    }


def _files(
    interface: Interface,
    signals: Sequence[Coded],
    left_out: tuple[str, ...],
    first: Example,
    rows: list[dict[str, Any]],
) -> dict[str, str]:
    """Return the texts of all files by their names."""
    file, words = f"{FACE}_{interface.name}", first.words()  # a prefix, for an interface may be called string or math
    event = interface.timing == "event"
    told = {
        **words, "file": file, "name": interface.name, "header": f"{file}.h", "version": __version__.split("+")[0],
        "signals": ", ".join(one.signal for one in signals), "table": _table(rows), "parts": _parts(left_out),
        "timing": _TIMING[event],
    }  # fmt: skip
    return {
        **{template: _fill(template, told) for template in _FRAME},
        "library.json": _platformio(file, told["version"]),
        **_kernel(left_out),
        f"src/{file}.h": header(file, signals, event),
        f"src/{file}.c": source(file, signals),
        "examples/main.c": program(words, file, "main.c"),
        "examples/late_sine/late_sine.ino": program(words, file, "late_sine.ino"),
    }


def _kernel(left_out: tuple[str, ...]) -> dict[str, str]:
    """Return the header and the one file of C that are the same for all settings with these parts."""
    face, asked = paths.fmu_source("library/couplant.c").resolve(), [f"CP_WITHOUT_{one}" for one in SWITCHES]
    notice = f"/* couplant {__version__}\n\n{paths.licence().read_text(encoding='utf-8').strip()} */\n\n"
    public = (face.parent / "couplant.h").read_text(encoding="utf-8")
    parts = "".join(f"#define COUPLANT_WITHOUT_{one}\n" for one in left_out)
    whole = amalgamate(face, ("couplant.h",), [f"CP_WITHOUT_{one}" for one in left_out], asked)
    return {"src/couplant.h": notice + public.replace(_MARK, parts), "src/couplant.c": notice + whole}


_TIMING = {
    False: "The estimate is the one for the end of the step: set, step, get.",
    True: "With event timing the estimate is read before the step: set, get, step; none passes `couplant_next_point`.",
}


def _fill(template: str, words: dict[str, str]) -> str:
    text = paths.resource(f"templates/c_library/{template}").read_text(encoding="utf-8")
    return string.Template(text).substitute(words)


def _parts(left_out: tuple[str, ...]) -> str:
    if not left_out:
        return "Every part of the kernel is in it."
    return f"Left out, for no signal needs it: {', '.join(SWITCHES[one] for one in left_out)}."


def _table(rows: list[dict[str, Any]]) -> str:
    lines = ["| signal | settings | memory |", "|---|---|---|"]
    lines += [f"| {row['signal']} | `{row['name']}` | {row['memory']} |" for row in rows]
    return "\n".join(lines)


def _platformio(file: str, version: str) -> str:
    flags = ["-ffp-contract=off", "-fno-math-errno"]
    about = {"name": file, "version": version, "license": "MIT", "headers": f"{file}.h"}
    about["description"] = "Estimates what a late, sampled signal is now."
    return json.dumps({**about, "frameworks": "*", "platforms": "*", "build": {"flags": flags}}, indent=2) + "\n"
