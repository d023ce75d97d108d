"""Our own deflate: zlib unpacks it, it is smaller than zlib makes it, and its bytes are always the same."""

import hashlib
import random
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant.pack import build_model_fmu
from couplant.pack.deflate import deflate
from couplant.pack.deflate_codes import code_lengths, codes
from couplant.pack.deflate_symbols import (
    DISTANCE_EXTRA,
    DISTANCE_START,
    LENGTH_EXTRA,
    LENGTH_START,
    LENGTH_SYMBOL,
    distance_symbol,
)
from tests.pack.test_native_coupling import KINDS, build

TEXT = "".join(f"{i} {i * i % 997:x} the estimate of {i % 7}\n" for i in range(1000)).encode()
STREAM = "b33b5f217f49246141717429a2b845799bdd875a2cfa20753c24abcbba24c634"
DRAW = random.Random(18)
LIMIT = 1.01
"""Largest size of one file against level 9 of zlib."""


def inflated(stream):
    """Return what a whole stream holds, and nothing behind it."""
    unpack = zlib.decompressobj(-zlib.MAX_WBITS)
    content = unpack.decompress(stream) + unpack.flush()
    assert unpack.eof and unpack.unused_data == b""
    return content


def by_zlib(content, strategy=zlib.Z_DEFAULT_STRATEGY):
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
    return compressor.compress(content) + compressor.flush()


def fibonacci(symbols):
    """Return the counts whose codes are as long as can be: each is the sum of the two before."""
    counts = [1, 1]
    while len(counts) < symbols:
        counts.append(counts[-1] + counts[-2])
    return counts


FILES = {
    "empty": b"",
    "a byte": b"x",
    "two bytes": b"ab",
    "zeros": bytes(70_000),
    "a line again and again": b"couplant settings 1\n" * 5000,
    "far back": (near := DRAW.randbytes(32_768)) + near + near[:300],
    "too far back": (far := DRAW.randbytes(32_769)) + far,
    "hexadecimal": bytes(DRAW.choices(b"0123456789abcdef", k=100_000)),
    "skewed": b"".join(bytes([97 + i]) * count for i, count in enumerate(fibonacci(22))),
    "skewed and mixed": bytes(DRAW.choices(range(22), fibonacci(22), k=60_000)),
    "noise": DRAW.randbytes(70_000),
    "noise of 65535 bytes": DRAW.randbytes(65_535),
    "noise of 65536 bytes": DRAW.randbytes(65_536),
    "noise, then text": DRAW.randbytes(3000) + TEXT[:3000],
    "all bytes": bytes(range(256)) * 3,
}


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", FILES)
def test_zlib_unpacks_it(name):
    assert inflated(deflate(FILES[name])) == FILES[name]


@given(content=st.binary(max_size=600) | st.lists(st.sampled_from([b"a", b"b", b"abc", b"abcabd"])).map(b"".join))
@settings(max_examples=300, deadline=None)
def test_zlib_unpacks_anything(content):
    assert inflated(deflate(content)) == content


@pytest.mark.parametrize("name", ["noise", "noise of 65535 bytes", "noise of 65536 bytes"])
def test_what_cannot_be_compressed_grows_by_five_bytes_for_64_kb(name):
    blocks = -(-len(FILES[name]) // 65_535)
    assert len(deflate(FILES[name])) <= len(FILES[name]) + 5 * blocks + 1


def test_repeats_are_found_as_far_as_the_window_goes():
    assert len(deflate(FILES["far back"])) < 33_500 < len(deflate(FILES["too far back"]))


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", ["plain", "debug", "stamps", "network", "networks"])
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_files_of_fmus_are_smaller_than_by_zlib(kind, fmi, tmp_path):
    ours = zlibs = 0
    with zipfile.ZipFile(build(tmp_path, fmi, **KINDS[kind])) as archive:
        for one in archive.infolist():
            if not one.filename.startswith("binaries/"):
                content = archive.read(one)
                best = min(len(by_zlib(content, way)) for way in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED))
                assert one.compress_size == len(deflate(content)) <= max(LIMIT * best, best + 1), one.filename
                ours, zlibs = ours + one.compress_size, zlibs + best
    assert ours < 0.98 * zlibs


def test_binaries_are_as_small_as_by_zlib(tmp_path):
    with zipfile.ZipFile(build_model_fmu("mass_1", tmp_path)) as archive:
        (binary,) = (archive.read(name) for name in archive.namelist() if name.startswith("binaries/"))
    stream = deflate(binary)
    assert inflated(stream) == binary
    assert len(stream) <= LIMIT * len(by_zlib(binary))


def test_the_bytes_are_always_the_same():
    """What changes them changes every FMU: then this does, too."""
    first = deflate(TEXT)
    assert deflate(TEXT) == first
    assert hashlib.sha256(first).hexdigest() == STREAM


@pytest.mark.parametrize("limit", [7, 15])
@pytest.mark.parametrize("symbols", [2, 3, 8, 19, 30, 40])
def test_codes_keep_their_limit_and_use_it_up(symbols, limit):
    counts = fibonacci(symbols)
    lengths = code_lengths(counts, limit)
    assert 0 < min(lengths) and max(lengths) <= limit
    assert sum(2.0**-length for length in lengths) == 1.0
    assert lengths == sorted(lengths, reverse=True)  # what is frequent is short


@given(counts=st.lists(st.integers(0, 1000), min_size=2, max_size=40))
@settings(deadline=None)
def test_codes_are_as_short_as_those_of_huffman(counts):
    used = sorted(count for count in counts if count)
    lengths = code_lengths(counts, 15)
    assert [length > 0 for length in lengths] == [count > 0 for count in counts] or len(used) < 2
    total = 0
    while len(used) > 1:
        least = used[0] + used[1]
        total += least
        used = sorted([*used[2:], least])
    if sum(count > 0 for count in counts) > 1:
        assert sum(count * length for count, length in zip(counts, lengths, strict=True)) == total


def test_codes_as_in_the_standard():
    """RFC 1951, 3.2.2: the example, its bits read from the first on."""
    found = codes([3, 3, 3, 3, 3, 2, 4, 4])
    assert found == [int(text[::-1], 2) for text in ("010", "011", "100", "101", "110", "00", "1110", "1111")]


def test_symbols_as_in_the_standard():
    """RFC 1951, 3.2.5: every length and distance is its symbol's first one and a rest that fits in its bits."""
    for length in range(3, 259):
        symbol = LENGTH_SYMBOL[length]
        assert 0 <= length - LENGTH_START[symbol] < 2 ** LENGTH_EXTRA[symbol]
    for distance in range(1, 32_769):
        symbol = distance_symbol(distance)
        assert 0 <= distance - DISTANCE_START[symbol] < 2 ** DISTANCE_EXTRA[symbol]
    rows = {257: 3, 264: 10, 265: 11, 268: 17, 269: 19, 273: 35, 277: 67, 281: 131, 284: 227, 285: 258}
    assert {symbol: LENGTH_START[symbol - 257] for symbol in rows} == rows
    rows = {0: 1, 3: 4, 4: 5, 5: 7, 6: 9, 10: 33, 18: 513, 24: 4097, 28: 16385, 29: 24577}
    assert {symbol: DISTANCE_START[symbol] for symbol in rows} == rows
