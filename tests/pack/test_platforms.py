"""Names of the standards for the platforms, and choosing among them."""

import pytest

from couplant.base.errors import UsageError
from couplant.pack.binaries.platforms import PLATFORMS, choose, host

NAMES = {
    "x86_64-linux": ("linux64", ".so"),
    "aarch64-linux": ("aarch64-linux", ".so"),
    "x86_64-windows": ("win64", ".dll"),
    "x86-windows": ("win32", ".dll"),
    "x86_64-darwin": ("darwin64", ".dylib"),
    "aarch64-darwin": ("aarch64-darwin", ".dylib"),
}


def test_folders_of_the_standards():
    assert {entry.name: (entry.folder("2"), entry.suffix) for entry in PLATFORMS.values()} == NAMES
    assert all(entry.folder("3") == entry.name for entry in PLATFORMS.values())


def test_choosing():
    assert choose("host") == (host(),) == choose("host,host")
    assert [entry.name for entry in choose("all")] == list(NAMES)
    assert [entry.name for entry in choose("x86-windows, x86_64-linux,x86-windows")] == ["x86_64-linux", "x86-windows"]


@pytest.mark.parametrize("words", ["", "linux", "host,beos"])
def test_unknown_names_are_refused(words):
    with pytest.raises(UsageError, match=r"platform = .*allowed host, all"):
        choose(words)
