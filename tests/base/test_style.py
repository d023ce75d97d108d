"""Colours that everybody can tell apart, labels and numbers."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from couplant.base.style import DARK, LIGHT, axis_label, colour, dashes, family, label, looks, number, plain, radius
from couplant.config.scenario import LEARNING
from couplant_runtime.algorithms import COMPARISON, NAMES

PACKAGE = Path(__file__).resolve().parents[2] / "builder" / "couplant"

# Machado, Oliveira, Fernandes: A physiologically-based model for simulation of color vision deficiency (2009),
# severity 1
VISION = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# Ottosson: A perceptual color space for image processing (2020)
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def linear(text):
    channels = np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    return np.array(TO_LAB) @ np.cbrt(np.array(TO_CONES) @ np.clip(rgb, 0.0, 1.0))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vision", VISION)
def test_colours_stay_apart_for_every_kind_of_vision(theme, vision):
    colours = (*theme.algorithms.values(), theme.ink, theme.none, theme.wire)
    seen = [oklab(np.array(VISION[vision]) @ linear(c)) for c in colours]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) >= 0.09


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_stand_out_from_the_background(theme):
    background = linear(theme.background) @ [0.2126, 0.7152, 0.0722]
    for name in (*theme.algorithms, "wire"):
        line = linear(colour(name, theme)) @ [0.2126, 0.7152, 0.0722]
        low, high = sorted((line, background))
        assert (high + 0.05) / (low + 0.05) >= 3.0, name


def test_every_algorithm_has_its_own_colour():
    for theme in (LIGHT, DARK):
        assert theme.algorithms.keys() == LIGHT.algorithms.keys() >= {*NAMES}
        assert len(set(theme.algorithms.values())) == len(theme.algorithms)


def test_names_without_a_colour():
    assert (colour("none"), colour("wire")) == (LIGHT.none, LIGHT.wire)
    assert colour("configured", DARK) == DARK.algorithms["linear"]


def test_every_algorithm_of_a_scenario_can_be_told_from_every_other():
    runs = [name for name in (*NAMES, *COMPARISON, *LEARNING) if name != "network_embedded"]
    assert len({(colour(name), *dashes(name)) for name in runs}) == len(runs)
    assert family("network_embedded") == "network" and dashes("network_embedded") == [], "what network is by default"


def test_looks_differ_however_many_runs_there_are():
    names = [*NAMES, *COMPARISON, *LEARNING, "mine", "yours"]
    found = looks(names)
    assert len(set(found.values())) == len(names)
    assert len({look.colour for look in looks(["network", "network_off", "mine"]).values()}) == 3


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (float("nan"), "—"),
        (float("inf"), "∞"),
        (0.0, "0"),
        (0.0064397, "0.00644"),
        (1.2019, "1.202"),
        (-3.5, "−3.5"),
        (12345.6, "12346"),
        (3.2e7, "3.200×10⁷"),
        (4.5e-7, "4.500×10⁻⁷"),
    ],
)
def test_number(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.500000"), (0.9998926, "0.999893"), (0.99999996, "0.99999996"), (1.00000004, "1.00000004"),
     (1.0, "1.000000"), (1.0 + 2e-15, "1.000000000000002"), (None, "-")],
)  # fmt: skip
def test_a_spectral_radius_tells_stable_from_unstable(value, text):
    assert radius(value) == text


def test_number_keeps_zeros_in_tables():
    assert number(1.0, fixed=True) == "1.000"
    assert number(0.05, fixed=True) == "0.05000"
    assert number(1234.0, fixed=True) == "1234"
    assert number(0.0, fixed=True) == "0"


def test_figures_on_a_terminal():
    assert [plain(value) for value in (None, 0.0064397, -1234567.0)] == ["-", "0.00644", "-1.235e+06"]


def test_names():
    assert [label(name) for name in ("eros3", "linear", "configured")] == ["EROS3", "linear", "configured"]
    assert label("smb (0-5)") == "SMB (0-5)"
    assert axis_label("torque", "N.m") == "torque / N.m"
    assert axis_label("slip", "1") == "slip"


def test_names_of_algorithms_are_written_in_capitals_here_only():
    """A second way to write them would call an algorithm that is added MEAN in one place and mean in another."""
    names = ("analysis", "design", "cosim", "sweep", "bench", "federation", "report", "cli")
    rooms = [PACKAGE / room for room in names]
    sources = [path for room in rooms for path in room.rglob("*.py")]
    assert len(sources) > len(rooms)
    texts = {path.name: path.read_text(encoding="utf-8") for path in sources}
    assert not [name for name, text in texts.items() if re.search(r"(?<!\[0\])\.upper\(\)", text)]
