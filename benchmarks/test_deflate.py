"""What it costs that bytes of FMUs do not depend on a machine: our own compressor against zlib, in the same run."""

import time
import zipfile
import zlib

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.archive.stream import pack
from couplant.pack.deflate import deflate

ROUNDS = 5
LARGEST_RATIO = 300.0
"""Of the times; ours runs in Python, zlib is compiled."""
SMALLEST = {"algorithm": "eros3", "latency": {"constant_steps": 1}}
ALL = {"algorithm": "auto", "latency": {"mode": "round_trip"}, "burst": 3, "signal": {"period": 6.0}}


def by_zlib(content):
    compressors = [
        zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
        for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)
    ]
    return min((one.compress(content) + one.flush() for one in compressors), key=len)


def least(work):
    """Return the shortest duration of some runs, s."""
    durations = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        work()
        durations.append(time.thread_time() - start)
    return min(durations)


@pytest.mark.parametrize("signal", [SMALLEST, ALL], ids=["smallest", "all"])
def test_texts_of_an_fmu(signal, tmp_path):
    head = {"name": "speed", "macro_step": 0.01}
    interface = parse_interface({"interface": head, "signals": {"s": signal}}, "speed")
    path = build_coupling_fmu(interface, "s", tmp_path)
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.startswith("binaries/")]
        texts = [archive.read(name) for name in names]
    ours, zlibs = (sum(len(way(text)) for text in texts) for way in (deflate, by_zlib))
    fast = least(lambda: [by_zlib(text) for text in texts])
    slow = least(lambda: [deflate(text) for text in texts])

    def build():
        pack.cache_clear()
        build_coupling_fmu(interface, "s", tmp_path)

    whole, size = least(build), sum(map(len, texts))
    print(f"\n{size} bytes of {len(texts)} texts: {ours} bytes, zlib {zlibs}, {100 * (1 - ours / zlibs):.1f} % less")
    print(f"{1e3 * slow:.0f} ms, zlib {1e3 * fast:.1f} ms, ratio {slow / fast:.0f}, at most {LARGEST_RATIO:.0f}")
    print(f"the whole FMU: {1e3 * whole:.0f} ms")
    assert ours < zlibs
    assert slow <= LARGEST_RATIO * fast
