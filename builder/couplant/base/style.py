"""How things look and read everywhere: the colour and the label of an algorithm, numbers in tables and on axes.

The colours of algorithms stand in ``fmu_src/coupling.toml``, in two sets. Each was searched for a large smallest
distance (OKLab) between any two of them, the ink of the reference, the grey of ``none`` and that of the plain wire, as
seen with normal, protanopic, deuteranopic and tritanopic vision (Machado, Oliveira, Fernandes 2009): at least 0.09 in
each.
``tests/base/test_style.py`` holds that.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.algorithms import ROWS

WIRE = "wire"  # what a receiver has without an FMU, the value as it comes: its name in tables and files
PLAIN_WIRE = "the plain wire"  # the same in sentences
_MOST_DECIMALS = 17  # after which the decimals of a double next to 1 are noise

_DASHES = {
    "network_off": (2, 2),
    "network_unsafe": (6, 3),
    "network_server": (9, 3, 2, 3),
    "recursive_fir": (6, 3),
    "coupling_element": (6, 3),
}
"""Lengths of dash and gap [px] for variants of one algorithm, which share its colour; all others are solid."""

_STROKES = ((), (7, 4), (2, 3), (9, 3, 2, 3), (14, 3))  # lengths of dash and gap [px] for lines of one colour

_RELATED = {
    "learnt": "network",
    "coupling_element": "smb",
    "direct": "zoh",
    "direct_ecco": "eros3",
    "direct_predictor_corrector": "foh",
}
"""Whose colour names have that are neither an algorithm with its own nor a variant of one."""

_LABELS = {"direct": "constant", "direct_ecco": "ECCO", "direct_predictor_corrector": "P/C"}
"""How direct runs are called, by their step control."""

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Theme:
    """Colours of one background, as ``#rrggbb``."""

    background: str
    ink: str
    muted: str
    grid: str
    none: str
    wire: str
    good: str
    bad: str
    algorithms: dict[str, str]

    @property
    def own(self) -> dict[str, str]:
        """Return the colours that belong to no algorithm, by name."""
        return {name: value for name, value in vars(self).items() if name != "algorithms"}


LIGHT = Theme(
    background="#ffffff",
    ink="#16191d",
    muted="#5b636d",
    grid="#e4e7eb",
    none="#b9bec5",
    wire="#605e5a",
    good="#0f7a68",
    bad="#ad2119",
    algorithms={one.name: one.colours[0] for one in ROWS if one.colours},
)

DARK = Theme(
    background="#15181c",
    ink="#f2f4f6",
    muted="#a2abb5",
    grid="#2a3037",
    none="#5a616a",
    wire="#6b816b",
    good="#7dd7aa",
    bad="#ff8a6b",
    algorithms={one.name: one.colours[1] for one in ROWS if one.colours},
)


def family(algorithm: str) -> str:
    """Return the algorithm whose colour a run has: its own, that of a variant's origin, or that of ``linear``."""
    origin = _RELATED.get(algorithm, re.split("[ _]", algorithm)[0])
    return origin if origin in LIGHT.algorithms else "linear"


def colour(algorithm: str, theme: Theme = LIGHT) -> str:
    """Return the colour of an algorithm as ``#rrggbb``; the theme's own have their names, ``none`` is grey.

    All other names are as `family` tells.
    """
    return (theme.own | theme.algorithms)[shade(algorithm)]


def shade(name: str) -> str:
    """Return the name that the colour of `name` has in a `palette`: that of the theme's own, or of a `family`."""
    return name if name in LIGHT.own else family(name)


def palette() -> dict[str, dict[str, str]]:
    """Return the colours of both themes, ``light`` and ``dark``, by the names that `colour` takes."""
    return {"light": LIGHT.own | LIGHT.algorithms, "dark": DARK.own | DARK.algorithms}


def css_colours() -> str:
    """Return the colours of both themes as variables of a style sheet."""

    def block(theme: Theme) -> str:
        return "".join(f"--{key}:{value};" for key, value in (theme.own | theme.algorithms).items())

    dark = f"@media screen and (prefers-color-scheme: dark){{:root{{{block(DARK)}}}}}"
    return f":root{{{block(LIGHT)}}}\n{dark}"


def dashes(algorithm: str) -> list[int]:
    """Return the lengths of dashes and gaps of an algorithm's line [px], none for a solid one."""
    return list(_DASHES.get(algorithm, ()))


@dataclass(frozen=True)
class Look:
    """Colour of a line, by its name in a `palette`, and its dashes."""

    colour: str
    dash: tuple[int, ...]  # lengths of dash and gap, px


def looks(names: Sequence[str], others: Sequence[str] = ()) -> dict[str, Look]:
    """Return a look for each of some algorithms with which it can be told from all before it.

    The first one of a colour has it; what comes later and shares it gets another one that is free, last of all those of
    `others`, algorithms that are shown besides.
    """
    own = [shade(name) for name in names]
    kept = {shade(name) for name in others}
    free = sorted((key for key in LIGHT.algorithms if key not in own), key=lambda key: key in kept)
    found: dict[str, Look] = {}
    for name, key in zip(names, own, strict=True):
        if free and key in {look.colour for look in found.values()}:
            key = free.pop(0)
        strokes = [Look(key, stroke) for stroke in (tuple(dashes(name)), *_STROKES)]
        found[name] = next((look for look in strokes if look not in found.values()), strokes[0])
    return found


def label(algorithm: str) -> str:
    """Write an algorithm as in the literature: ``EROS3`` for ``eros3``, ``SMB (0-5)``; other names stay."""
    if algorithm in _LABELS:
        return _LABELS[algorithm]
    first, gap, rest = algorithm.partition(" ")
    known = BY_NAME.get(first)
    return (first.upper() if known and known.abbreviation else first) + gap + rest


def axis_label(name: str, unit: str) -> str:
    """Write quantity and unit for an axis, ``torque / N.m``; without unit the name alone."""
    return f"{name} / {unit}" if unit and unit != "1" else name


def macro_steps(count: int) -> str:
    """Say how many macro steps a `count` is: ``1 macro step``, ``3 macro steps``."""
    return f"{count} macro step{'' if count == 1 else 's'}"


def plain(value: float | None) -> str:
    """Write `value` with four digits for a terminal; a dash for None."""
    return "-" if value is None else f"{value:.4g}"


def radius(value: float | None, digits: int = 6) -> str:
    """Write a spectral radius `value` [-], a dash for None.

    It has so many `digits` after the point, at least 1, and more where it would look like 1.
    """
    if value is None:
        return "-"
    texts = (f"{value:.{more}f}" for more in range(digits, _MOST_DECIMALS))
    return next((text for text in texts if float(text) != 1.0), f"{value:.{digits}f}")


def number(value: float | None, digits: int = 4, fixed: bool = False) -> str:
    """Write a figure for pages and pictures: ``0.00644``, ``1.202``, ``3.2×10⁷``; None and NaN become a dash ``—``.

    A `value` has so many significant `digits`, at least 1; `fixed` keeps zeros at the end, for the columns of a table.
    """
    if value is None or math.isnan(value):
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    within = value == 0.0 or 1e-4 <= abs(value) < 99999.5
    return (_decimal(value, digits, fixed) if within else _power(value, digits)).replace("-", "−")


def whole(value: float) -> str:
    """Write a `value` with five digits; one that has more before the point, with all of those."""
    if 1e4 <= abs(value) < 1e9:
        return f"{value:,.0f}".replace(",", "\u2009").replace("-", "−")
    return number(value, 5, fixed=True)


def _decimal(value: float, digits: int, fixed: bool) -> str:
    if abs(value) >= 10.0**digits:
        return f"{value:.0f}"
    return f"{value:#.{digits}g}".removesuffix(".") if fixed and value else f"{value:.{digits}g}"


def _power(value: float, digits: int) -> str:
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}×10{str(int(exponent)).translate(_SUPERSCRIPT)}"


def less_in_words(share: float) -> str:
    """Return by how much an error is less that is this `share` of another one [-]."""
    less = 100.0 * (1.0 - share)
    return f"{less:.0f} %" if less < 99.0 else "over 99 %"
