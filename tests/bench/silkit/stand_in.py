"""A library with the interface of SIL Kit in C, compiled here, and SIL Kit itself where it is there."""

import os
import re
import tempfile
import zipfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from couplant.bench.carriers.silkit import LIBRARY
from tests import commands

SOURCE = Path(__file__).with_name("silkit.c")
FOLDER = "COUPLANT_TEST_SILKIT"
REGISTRY = os.environ.get("COUPLANT_SILKIT_REGISTRY", "")
WHEEL = next(Path("build/silkit").glob("*.whl"), None)
IS_THERE = bool(REGISTRY or WHEEL)
needs_silkit = pytest.mark.skipif(not IS_THERE, reason="needs SIL Kit: make silkit, or COUPLANT_SILKIT_LIBRARY names a "
    "library, COUPLANT_SILKIT_REGISTRY its registry, tcp/HOST:PORT")  # fmt: skip


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


@contextmanager
def itself():
    """Yield the endpoint of a registry of SIL Kit: that of the environment, or one of the wheel that is started."""
    if REGISTRY:
        yield REGISTRY
        return
    program = _unpacked() / "sil-kit-registry"
    words = [program, "--listen-uri", "silkit://127.0.0.1:0"]
    with pytest.MonkeyPatch.context() as patch, commands.Started(words, stdout=-1, text=True) as registry:
        patch.setenv(LIBRARY, str(program.with_name("libSilKit.so")))
        told = (re.search(r"listening on silkit://127\.0\.0\.1:(\d+)", line) for line in registry.stdout)
        try:
            yield f"tcp/127.0.0.1:{next(found[1] for found in told if found)}"
        finally:
            registry.terminate()


@cache
def _unpacked():
    """Return the folder with library and registry of the wheel, unpacked once."""
    folder = Path(_kept().name, "wheel")
    with zipfile.ZipFile(WHEEL) as archive:
        archive.extractall(folder)
    programs = folder / "SilKit_py" / "bin"
    (programs / "sil-kit-registry").chmod(0o755)
    return programs
