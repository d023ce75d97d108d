"""Lengths and distances of repeats as symbols of a deflate stream (RFC 1951, 3.2.5)."""

from __future__ import annotations

END = 256
"""Symbol that ends a block; below are bytes, above are lengths."""
SHORTEST, LONGEST, WINDOW = 3, 258, 32768
"""Least and greatest length, and greatest distance of a repeat [byte]."""
LITERALS, DISTANCES = 286, 30
"""How many symbols there are: of bytes, end and lengths; of distances."""
LENGTH_EXTRA = [0] * 8 + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [0]
"""Bits behind a symbol of a length, by the symbol less 257."""
DISTANCE_EXTRA = [0, 0] + [width for width in range(14) for _ in range(2)]
"""Bits behind a symbol of a distance, by the symbol."""


def _starts(least: int, extra: list[int]) -> list[int]:
    """Return the first value that each symbol stands for, with `extra` bits behind each, from `least` on."""
    values = []
    value = least
    for width in extra:
        values.append(value)
        value += 1 << width
    return values


LENGTH_START = [*_starts(SHORTEST, LENGTH_EXTRA[:-1]), LONGEST]
"""First length of each symbol; the longest has one of its own."""
DISTANCE_START = _starts(1, DISTANCE_EXTRA)
"""First distance of each symbol."""


def _length_symbols() -> list[int]:
    """Return the symbol less 257 of each length, by the length."""
    symbols = [0] * (LONGEST + 1)
    for symbol, start in enumerate(LENGTH_START):
        for length in range(start, LONGEST + 1):
            symbols[length] = symbol
    return symbols


LENGTH_SYMBOL = _length_symbols()
"""Symbol less 257 by the length."""


def _near_symbols() -> list[int]:
    """Return the symbol of each distance up to 256, by the distance less 1: two symbols for each power of two."""
    symbols = []
    for rest in range(256):
        doubled = 0
        while rest >> doubled >= 4:
            doubled += 1
        symbols.append(2 * doubled + (rest >> doubled))
    return symbols


_NEAR = _near_symbols()


def distance_symbol(distance: int) -> int:
    """Return the symbol of a `distance` of 1 to 32768 bytes."""
    rest = distance - 1
    return _NEAR[rest] if rest < 256 else 14 + _NEAR[rest >> 7]  # 128 times as far is seven powers of two on
