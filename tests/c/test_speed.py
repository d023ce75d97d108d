"""Both backends from the same C host."""

import ctypes.util
import sysconfig
from pathlib import Path

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.platforms import host
from tests.c.programs import HERE, missing, program, run
from tests.c.test_loader import Unpacked

LINUX = pytest.mark.skipif("linux" not in host().name, reason="preloads libpython")


def interface():
    signal = {"algorithm": "eros4", "latency": {"constant_steps": 6}, "discontinuity": {"enabled": True}}
    head = {"name": "speed", "macro_step": 0.01}
    return parse_interface({"interface": head, "signals": {"s": {**signal, "quality": {"action": "warn"}}}}, "speed")


def nanoseconds(arguments, count, start=()):
    """Return what one exchange costs; the least of three runs."""
    lines = [run([*start, program(HERE / "loader.c"), *arguments], f"init 0\nbench {count} 0.01\n") for _ in range(3)]
    return min(float(text.split("bench 0 ")[1].split()[0]) for text in lines)


def libpython():
    """Return the shared library of this Python, which the loader of PythonFMU needs in a host that is not Python."""
    name = sysconfig.get_config_var("INSTSONAME") or ""
    places = [Path(sysconfig.get_config_var("LIBDIR") or "/") / name, Path(ctypes.util.find_library("python3") or "")]
    found = [place for place in places if place.suffix != ".a" and place.is_file()]
    return found[0] if found else missing("libpython as a shared library")


@LINUX
def test_native_is_a_hundred_times_faster_than_python(tmp_path):
    native = Unpacked(build_coupling_fmu(interface(), "s", tmp_path / "n"), tmp_path / "n" / "u")
    python = Unpacked(build_coupling_fmu(interface(), "s", tmp_path / "p", backend="python"), tmp_path / "p" / "u")
    path = sysconfig.get_path("purelib")
    start = ["env", f"LD_PRELOAD={libpython()}", f"PYTHONPATH={path}"]
    slow = nanoseconds(python.arguments(host()), 2000, start)
    fast = nanoseconds(native.arguments(host()), 200_000)
    assert slow >= 100.0 * fast, f"{slow:.0f} ns through Python, {fast:.0f} ns native"
