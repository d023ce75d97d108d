"""Settings of signals as C: constants for read-only memory, and names for all variables."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from couplant.base.errors import UsageError
from couplant.base.written import hexadecimal
from couplant.base.written_json import canonical
from couplant.config import Interface
from couplant.pack.archive.libraries import sha256
from couplant.pack.plan import needs_energy
from couplant.pack.settings import runtime_settings
from couplant.version import __version__
from couplant_runtime.config import Settings
from couplant_runtime.generated.numbers import ENUMERATIONS
from couplant_runtime.state import State

FACE = "couplant"
"""What all names of the library begin with, so that no settings may."""

_WIDTH = 120


@dataclass(frozen=True)
class Coded:
    """The settings of one signal for C."""

    name: str  # of the settings in C: interface, underscore, signal
    signal: str
    unit: str
    settings: Settings
    state: int  # bytes of its state
    lists: Mapping[str, Sequence[float]] = field(repr=False)

    @property
    def neural(self) -> bool:
        """Tell whether the signal needs networks that learn."""
        return self.settings.neural is not None

    @property
    def energy(self) -> bool:
        """Tell whether the signal needs power bonds, models, derivatives or a lag that is learnt."""
        return needs_energy(self.settings)

    @property
    def macro(self) -> str:
        """Return the beginning of the names of its macros."""
        return self.name.upper()

    def handles(self) -> dict[str, str]:
        """Return the names of its variables in C, in the order of their handles, by their own names."""
        return {one.name: f"{self.name}_{plain(one.name)}" for one in self.settings.variables()}

    def fingerprint(self) -> str:
        """Return a hash of its settings, 64 bits in hexadecimal: states of others are refused."""
        lists = [[key, list(words)] for key, words in self.words().items()]
        return sha256(canonical([FACE, __version__, lists]))[:16]

    def words(self) -> dict[str, tuple[str, ...]]:
        """Return its numbers as C has them, by their keys."""
        return {key: tuple(map(hexadecimal, values)) for key, values in self.lists.items()}


def plain(name: str) -> str:
    """Return the name of a variable as part of one in C: y[2] becomes y_2."""
    return re.sub(r"\W+", "_", name).strip("_")


def code_signals(interface: Interface) -> list[Coded]:
    """Return the settings of all signals; raise `UsageError` where two of their names in C are equal."""
    if interface.name.lower() == FACE:
        raise UsageError(f"interface.name = {interface.name}, allowed another one: functions of the library begin so")
    found = []
    for signal, section in interface.signals.items():
        settings = runtime_settings(interface, signal)
        lists = settings.lists()
        name = f"{interface.name}_{signal}"
        found.append(Coded(name, signal, section.unit, settings, state_bytes(settings), lists))
    _check_names(found)
    return found


def state_bytes(settings: Settings) -> int:
    """Return the bytes of the state that `settings` need."""
    last = {"bonded": settings.bonded, "follows": settings.follows, "planted": settings.hears}
    return len(State(settings.neural is not None, **last, periodic=settings.periodic).pack())


def _check_names(signals: Sequence[Coded]) -> None:
    owners: dict[str, str] = {}
    for one in signals:
        names = [one.name, *one.handles().values(), f"{one.macro}_STATE", f"{one.macro}_DOUBLES"]
        for name in (*names, f"{one.macro}_DOUBLES_TO_PREVIEW"):
            if name in owners:
                raise UsageError(f"signals.{owners[name]}, signals.{one.signal}: both have {name} in C, rename one")
            owners[name] = one.signal


def header(file: str, signals: Sequence[Coded], event: bool) -> str:
    """Return the text of the header `file`: settings, memory, with `event` timing more, and handles."""
    guard = f"{file.upper()}_H"
    lines = [
        "/* Settings for couplant.h: constants for read-only memory, and a handle for each variable. */",
        f"#ifndef {guard}", f"#define {guard}", "", '#include "couplant.h"', "",
        "#ifdef __cplusplus", 'extern "C" {', "#endif",
    ]  # fmt: skip
    for one in signals:
        lines += ["", *_declaration(one, event)]
    lines += ["", "#ifdef __cplusplus", "}", "#endif", "", "#endif"]
    return "\n".join(lines) + "\n"


def _declaration(one: Coded, event: bool) -> Iterator[str]:
    unit = f" [{one.unit}]".replace("*/", "* /") if one.unit else ""
    yield f"/* {one.signal}{unit} */"
    yield f"extern const couplant_settings {one.name};"
    yield f"#define {one.macro}_STATE {one.state}u /* bytes */"
    preview = "COUPLANT_DOUBLES_TO_PREVIEW"
    yield f"#define {one.macro}_DOUBLES {preview if event else 'COUPLANT_DOUBLES'}({one.macro}_STATE)"
    yield f"#define {one.macro}_DOUBLES_TO_PREVIEW {preview}({one.macro}_STATE)"
    yield "enum {"
    for number, (variable, name) in enumerate(zip(one.settings.variables(), one.handles().values(), strict=True), 1):
        yield f"    {name} = {number}, /* {variable.description}{_meaning(variable.kind, variable.items)} */"
    yield f"    {one.name}_variables = {len(one.settings.variables())}"
    yield "};"


def _meaning(kind: str, items: str) -> str:
    if kind == "boolean":
        return "; 0 or 1"
    words = ENUMERATIONS.get(items, {}) if kind == "enumeration" else {}
    return "".join(["; ", ", ".join(f"{number} {item}" for item, number in words.items())]) if words else ""


def source(file: str, signals: Sequence[Coded]) -> str:
    """Return the text of the C file beside `header`; lists that are equal stand there once."""
    arrays: dict[tuple[str, ...], str] = {}  # by what is written: -0.0 is not 0.0
    for one in signals:
        for words in one.words().values():
            arrays.setdefault(words, f"numbers_{len(arrays) + 1}")
    lines = ["/* The settings. */", f'#include "{file}.h"']
    for words, array in arrays.items():
        lines += ["", f"static const double {array}[] = {{", *_wrap(words), "};"]
    for one in signals:
        rows = [f'    {{"{key}", {arrays[words]}, {len(words)}}},' for key, words in one.words().items()]
        lines += ["", f"static const couplant_list {one.name}_lists[] = {{", *rows, "};"]
        head = f"UINT64_C(0x{one.fingerprint()}), {one.name}_lists, {len(rows)}"
        lines += ["", f"const couplant_settings {one.name} = {{{head}}};"]
    return "\n".join(lines) + "\n"


def _wrap(words: Sequence[str]) -> Iterator[str]:
    line = "   "
    for word in words:
        if len(line) + len(word) + 2 > _WIDTH:
            yield line
            line = "   "
        line += f" {word},"
    yield line
