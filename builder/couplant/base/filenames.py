"""Names that cannot be those of files everywhere, and names of signals, whose FMUs are files; the page has them too."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key")

_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}

_LETTERS = {
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa",
    "Å": "Aa", "µ": "u", "μ": "u",
    **{letter: plain for plain, letters in {
        "a": "áàâã", "c": "ç", "e": "éèêë", "i": "íìîï", "n": "ñ", "o": "óòôõ", "u": "úùû", "A": "ÁÀÂÃ", "C": "Ç",
        "E": "ÉÈÊË", "I": "ÍÌÎÏ", "N": "Ñ", "O": "ÓÒÔÕ", "U": "ÚÙÛ", "Delta": "Δ", "omega": "ω", "phi": "φ",
    }.items() for letter in letters},
}  # fmt: skip

_LONGEST = 40  # characters of a name of a signal, at most


def is_device(name: str) -> bool:
    """Tell whether Windows takes a file of this `name`, whatever its suffix, for a device."""
    return name.partition(".")[0].rstrip().lower() in _DEVICES


def same_files(names: Mapping[Key, str]) -> Iterator[tuple[Key, Key]]:
    """Yield pairs of keys whose `names` are equal or differ in case only: on many systems they are one file."""
    seen: dict[str, Key] = {}
    for key, name in names.items():
        if name.lower() in seen:
            yield seen[name.lower()], key
        seen.setdefault(name.lower(), key)


def signal_name(column: str) -> str:
    """Return the heading of a `column` as the name of a signal, ``signal`` if it is none; Öl becomes Oel."""
    plain = "".join(_LETTERS.get(c, c) for c in column)
    name = "".join(c if c.isalnum() and c.isascii() else "_" for c in plain).strip("_")
    return name if name[:1].isalpha() else "signal"


def name_of_signal(heading: str, unit: str = "") -> str:
    """Return the name of a signal for the `heading` of a column, without its `unit`."""
    bare = heading.rstrip()
    for form in (f"[{unit}]", f"({unit})", f"/{unit}"):
        bare = bare.removesuffix(form) if unit else bare
    return fitting_name(signal_name(bare if bare.strip(" _") else heading))


def fitting_name(name: str) -> str:
    """Return a name that is neither too long for a file nor a device of Windows."""
    short = name[:_LONGEST].rstrip("_")
    return f"{short}_signal" if is_device(short) else short
