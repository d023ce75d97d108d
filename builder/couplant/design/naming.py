"""Names of signals for columns of recordings; translated for the page."""

from __future__ import annotations

from couplant.base.filenames import is_device

_LONGEST = 40


def signal_name(column: str) -> str:
    """Return the heading of a `column` as the name of a signal, ``signal`` if it is none."""
    name = "".join(c if c.isalnum() and c.isascii() else "_" for c in column).strip("_")
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
