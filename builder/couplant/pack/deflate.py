"""Compress a file to a deflate stream (RFC 1951): the same bytes on every machine and in every language.

    repeats -> parse -> blocks -> bits

Everything is counted in whole numbers below 2^31, and what costs the same has an order: programs in other languages
that do the same give the same bytes. Texts become some percent smaller than with level 9 of zlib.
"""

from __future__ import annotations

from couplant.pack.deflate_blocks import ORDER, Block, Head, blocks, head, size_of_body, size_of_head
from couplant.pack.deflate_codes import LONGEST_CODE, code_lengths, codes
from couplant.pack.deflate_parse import parse
from couplant.pack.deflate_symbols import (
    DISTANCE_EXTRA,
    DISTANCE_START,
    END,
    LENGTH_EXTRA,
    LENGTH_START,
    LENGTH_SYMBOL,
    distance_symbol,
)

_STORED, _FIXED, _DYNAMIC = 0, 1, 2
"""Kinds of blocks: bytes as they are; codes that everybody knows; codes that stand before."""
_LARGEST_STORED = 65535
_FIXED_LITERALS = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
_FIXED_FAR = [5] * 32

Bits = tuple[bytearray, list[int]]
"""Bytes that are full; bits of the next one, and how many these are."""


def deflate(content: bytes) -> bytes:
    """Return a file as a raw deflate stream."""
    steps, values = parse(content)
    stream: Bits = (bytearray(), [0, 0])
    found = blocks(steps, values)
    start = 0
    for number in range(len(found)):
        end = start
        for i in range(found[number][0], found[number][1]):
            end += max(steps[i], 1)
        _write_block(stream, found[number], (steps, values), content[start:end], number == len(found) - 1)
        start = end
    if stream[1][1] > 0:
        stream[0].append(stream[1][0])
    return bytes(stream[0])


def _put(stream: Bits, value: int, width: int) -> None:
    """Add a `value` of `width` bits, at most 20, the lowest first."""
    whole, rest = stream
    rest[0] |= value << rest[1]
    rest[1] += width
    while rest[1] >= 8:
        whole.append(rest[0] & 255)
        rest[0] >>= 8
        rest[1] -= 8


def _write_block(
    stream: Bits, block: Block, symbols: tuple[list[int], list[int]], content: bytes, is_last: bool
) -> None:
    """Add a block, of what takes the same number of bits the first: stored, fixed, dynamic."""
    literals, far = code_lengths(block[2], LONGEST_CODE), code_lengths(block[3], LONGEST_CODE)
    told = head(literals, far)
    dynamic = size_of_head(told) + size_of_body(block, literals, far)
    fixed = size_of_body(block, _FIXED_LITERALS, _FIXED_FAR)
    if _size_stored(stream, len(content)) <= min(fixed, dynamic):
        _write_stored(stream, content, is_last)
        return
    _put(stream, 1 if is_last else 0, 1)
    if fixed <= dynamic:
        _put(stream, _FIXED, 2)
        _write_body(stream, block, symbols, _FIXED_LITERALS, _FIXED_FAR)
    else:
        _put(stream, _DYNAMIC, 2)
        _write_head(stream, told)
        _write_body(stream, block, symbols, literals, far)


def _size_stored(stream: Bits, size: int) -> int:
    """Return what `size` bytes take as they are, less the three bits that begin every block [bit]."""
    more = max((size - 1) // _LARGEST_STORED, 0)  # blocks behind the first
    return (5 - stream[1][1]) % 8 + 32 + 40 * more + 8 * size


def _write_stored(stream: Bits, content: bytes, is_last: bool) -> None:
    """Add blocks of bytes as they are."""
    start = 0
    while start < len(content):
        piece = content[start : start + _LARGEST_STORED]
        start += len(piece)
        _put(stream, 1 if is_last and start == len(content) else 0, 1)
        _put(stream, _STORED, 2)
        _put(stream, 0, (8 - stream[1][1]) % 8)
        _put(stream, len(piece), 16)
        _put(stream, 65535 - len(piece), 16)
        for value in piece:
            stream[0].append(value)


def _write_head(stream: Bits, told: Head) -> None:
    """Add how codes are told."""
    of_literals, of_far, runs, lengths, number = told
    _put(stream, of_literals - END - 1, 5)
    _put(stream, of_far - 1, 5)
    _put(stream, number - 4, 4)
    for i in range(number):
        _put(stream, lengths[ORDER[i]], 3)
    words = codes(lengths)
    for symbol, rest, width in runs:
        _put(stream, words[symbol], lengths[symbol])
        _put(stream, rest, width)


def _write_body(
    stream: Bits, block: Block, symbols: tuple[list[int], list[int]], literals: list[int], far: list[int]
) -> None:
    """Add the bytes and repeats of a block with codes of these lengths, and its end."""
    of_literals, of_far = codes(literals), codes(far)
    steps, values = symbols
    for i in range(block[0], block[1]):
        if steps[i] == 0:
            _put(stream, of_literals[values[i]], literals[values[i]])
        else:
            short = LENGTH_SYMBOL[steps[i]]
            width = literals[END + 1 + short]
            rest = steps[i] - LENGTH_START[short]
            _put(stream, of_literals[END + 1 + short] | rest << width, width + LENGTH_EXTRA[short])
            symbol = distance_symbol(values[i])
            _put(stream, of_far[symbol], far[symbol])
            _put(stream, values[i] - DISTANCE_START[symbol], DISTANCE_EXTRA[symbol])
    _put(stream, of_literals[END], literals[END])
