"""Prefix codes of a deflate stream (RFC 1951, 3.2.2 and 3.2.7): how long they are, which they are, how that is said."""

from __future__ import annotations

LONGEST_CODE, LONGEST_OF_LENGTHS = 15, 7
"""Greatest length of a code, and of a code for lengths of codes [bit]."""
REPEAT, FEW_ZEROS, MANY_ZEROS = 16, 17, 18
"""Symbols among lengths of codes: the last length 3 to 6 times again, 3 to 10 zeros, 11 to 138 zeros."""
_SYMBOLS = 512
"""More than any alphabet has."""


def code_lengths(counts: list[int], limit: int) -> list[int]:
    """Return the lengths of codes for symbols that occur `counts` times, of at most `limit` bits; 0 for no code.

    The sum of counts times lengths is the least there is (package-merge, Larmore and Hirschberg 1990). Of equal counts
    the later symbol gets no longer code. If fewer than two symbols occur, two have a code, because old programs that
    unpack take no others.
    """
    used = sorted([count * _SYMBOLS + symbol for symbol, count in enumerate(counts) if count > 0])
    lengths = [0] * len(counts)
    if len(used) < 2:
        other = used[0] % _SYMBOLS if used else 0
        lengths[other] = 1
        lengths[1 if other == 0 else 0] = 1
        return lengths
    leaves = [one // _SYMBOLS * 2 for one in used]  # twice the count; packages are odd, so that they come behind
    levels = [leaves]
    for _ in range(limit - 1):
        below = levels[-1]
        packages = [below[i] // 2 * 2 + below[i + 1] // 2 * 2 + 1 for i in range(0, len(below) - 1, 2)]
        levels.append(sorted(leaves + packages))
    taken = 2 * len(leaves) - 2
    for level in range(limit - 1, -1, -1):
        single = 0
        for weight in levels[level][:taken]:
            single += 1 - weight % 2
        for one in used[:single]:
            lengths[one % _SYMBOLS] += 1
        taken = 2 * (taken - single)
    return lengths


def codes(lengths: list[int]) -> list[int]:
    """Return the code of each symbol, by the `lengths` of all [bit]; its first bit is the lowest."""
    following = [0] * (LONGEST_CODE + 2)
    for length in lengths:
        if length > 0:
            following[length + 1] += 1
    for length in range(1, LONGEST_CODE + 2):
        following[length] = 2 * (following[length] + following[length - 1])
    found = []
    for length in lengths:
        found.append(_turned(following[length], length) if length > 0 else 0)
        following[length] += 1
    return found


def _turned(code: int, length: int) -> int:
    """Return a code with its bits in the other order."""
    turned = 0
    for _ in range(length):
        turned = turned << 1 | code & 1
        code >>= 1
    return turned


def in_runs(lengths: list[int]) -> list[tuple[int, int, int]]:
    """Return `lengths` of codes as symbols with what stands behind each, and how many bits that has."""
    found = []
    place = 0
    while place < len(lengths):
        value = lengths[place]
        end = place + 1
        while end < len(lengths) and lengths[end] == value:
            end += 1
        if value > 0:
            found.append((value, 0, 0))
            place += 1
        while end - place >= 3:
            if value > 0:
                run = min(end - place, 6)
                found.append((REPEAT, run - 3, 2))
            elif end - place <= 10:
                run = end - place
                found.append((FEW_ZEROS, run - 3, 3))
            else:
                run = min(end - place, 138)
                found.append((MANY_ZEROS, run - 11, 7))
            place += run
        while place < end:
            found.append((value, 0, 0))
            place += 1
    return found
