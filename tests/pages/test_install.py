"""The page on installing names what can be installed, and what a wheel is called."""

import re

import tomlkit

from couplant import __version__
from couplant.pack.binaries.platforms import PLATFORMS
from tests.pages.blocks import ROOT

PAGE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
PROJECT = tomlkit.parse((ROOT / "pyproject.toml").read_text(encoding="utf-8")).unwrap()["project"]


def test_every_extra_has_a_row_with_what_it_brings():
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\w, -]+) \|", PAGE.partition("## Extras")[2], re.MULTILINE))
    brought = {
        name: ", ".join(re.match(r"[\w-]+", package)[0] for package in packages)
        for name, packages in PROJECT["optional-dependencies"].items()
    }
    assert rows == {name: packages for name, packages in brought.items() if name != "dev"}


def test_the_least_python_and_the_wheel_are_those_of_the_project():
    least = PROJECT["requires-python"].removeprefix(">=")
    for page in ("install.md", "windows.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert f"Python {least} or newer" in text
        assert set(re.findall(r"couplant-([\w.]+)-py3-none-any.whl", text)) == {__version__}


def test_every_platform_is_named():
    systems = {"linux": "Linux", "windows": "Windows", "darwin": "macOS"}
    text = " ".join(PAGE.partition("## The wheel")[0].split())
    assert all(systems[name.split("-")[1]] in text for name in PLATFORMS)
    assert "Linux (x86-64, aarch64), Windows (64 and 32 bit) and macOS (x86-64, arm64)" in text and len(PLATFORMS) == 6
