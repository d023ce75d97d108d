"""One fixed colour for each coupling algorithm, in every picture of the project.

The two sets were searched for a large smallest distance (OKLab) between any two colours, the ink of the
reference and the grey of ``none``, as seen with normal, protanopic, deuteranopic and tritanopic vision (Machado,
Oliveira, Fernandes 2009): at least 0.09 in each. ``tests/report/test_palette.py`` holds that.
"""

from __future__ import annotations

from dataclasses import dataclass

ALGORITHMS = ("zoh", "foh", "smb", "eros3", "eros4", "linear", "irregular", "auto", "network")

DASHES = {
    "network_off": (2, 2),
    "network_unsafe": (6, 3),
    "network_server": (9, 3, 2, 3),
    "recursive_fir": (6, 3),
    "coupling_element": (6, 3),
}
"""Lengths of dash and gap [px] for variants of one algorithm, which share its colour; all others are solid."""

_RELATED = {"learnt": "network", "coupling_element": "smb"}
"""Whose colour names have that are neither an algorithm with its own nor a variant of one."""


@dataclass(frozen=True)
class Theme:
    """Colours of one background, as ``#rrggbb``."""

    background: str
    ink: str
    muted: str
    grid: str
    none: str
    algorithms: dict[str, str]


LIGHT = Theme(
    background="#ffffff",
    ink="#16191d",
    muted="#5b636d",
    grid="#e4e7eb",
    none="#b9bec5",
    algorithms={
        "zoh": "#ad2119",
        "foh": "#b77c10",
        "smb": "#802880",
        "eros3": "#2556d3",
        "eros4": "#15a18a",
        "linear": "#b078f6",
        "irregular": "#ff527a",
        "auto": "#523347",
        "network": "#000078",
    },
)

DARK = Theme(
    background="#15181c",
    ink="#f2f4f6",
    muted="#a2abb5",
    grid="#2a3037",
    none="#5a616a",
    algorithms={
        "zoh": "#d55a1e",
        "foh": "#e3aa08",
        "smb": "#b570ac",
        "eros3": "#3b7efb",
        "eros4": "#7dd7aa",
        "linear": "#c2adff",
        "irregular": "#b01ac1",
        "auto": "#8dff09",
        "network": "#959e7b",
    },
)


def colour(algorithm: str, theme: Theme = LIGHT) -> str:
    """Colour of an algorithm.

    Parameters
    ----------
    algorithm : str
        Name of the algorithm; ``none`` is grey, see `family` for names without their own colour.
    theme : Theme
        Background the colour is drawn on.

    Returns
    -------
    str
        The colour as ``#rrggbb``.
    """
    return theme.none if algorithm == "none" else theme.algorithms[family(algorithm)]


def family(algorithm: str) -> str:
    """Return the algorithm whose colour a run has: its own, that of a variant's origin, or that of ``linear``.

    Parameters
    ----------
    algorithm : str
        Name of a run, for instance ``network_server``.
    """
    origin = _RELATED.get(algorithm, algorithm.partition("_")[0])
    return origin if origin in ALGORITHMS else "linear"


def dashes(algorithm: str) -> list[int]:
    """Return the lengths of dashes and gaps of a line [px], none for a solid one.

    Parameters
    ----------
    algorithm : str
        Name of a run.
    """
    return list(DASHES.get(algorithm, ()))
