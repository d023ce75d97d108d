"""A library with the interface of SIL Kit in C, compiled here, and where SIL Kit itself is found."""

import os
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from couplant.bench.carriers.silkit import LIBRARY
from tests import commands

SOURCE = Path(__file__).with_name("silkit.c")
FOLDER = "COUPLANT_TEST_SILKIT"
REGISTRY = os.environ.get("COUPLANT_SILKIT_REGISTRY", "")
needs_silkit = pytest.mark.skipif(not REGISTRY, reason="needs SIL Kit: COUPLANT_SILKIT_LIBRARY names its library, "
    "COUPLANT_SILKIT_REGISTRY a registry, tcp/HOST:PORT")  # fmt: skip


@cache
def _kept():
    return tempfile.TemporaryDirectory(prefix="silkit")


@cache
def library_path():
    """Return the path of the library, compiled once."""
    target = Path(_kept().name) / "libSilKit.so"
    words = ["cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Werror", "-shared", "-fPIC", "-pthread"]
    commands.run([*words, "-o", target, SOURCE], check=True, capture_output=True)
    return str(target)


@contextmanager
def simulation():
    """Let the library be SIL Kit; a folder stands for a registry, as the path of a socket has at most 107 letters."""
    with tempfile.TemporaryDirectory(prefix="s") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv(LIBRARY, library_path())
        patch.setenv(FOLDER, folder)
        yield Path(folder)
