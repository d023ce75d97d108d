"""Bytes and repeats in blocks of a deflate stream: where the use of symbols changes, codes of its own save bits."""

from __future__ import annotations

from couplant.pack.deflate_codes import LONGEST_CODE, LONGEST_OF_LENGTHS, code_lengths, in_runs
from couplant.pack.deflate_symbols import (
    DISTANCE_EXTRA,
    DISTANCES,
    END,
    LENGTH_EXTRA,
    LENGTH_SYMBOL,
    LITERALS,
    distance_symbol,
)

_PIECE = 512
"""Bytes and repeats that a block has at least."""
ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
"""Order in which the lengths of the codes for lengths are told."""
_EXTRA = [0] * (END + 1) + LENGTH_EXTRA

Block = tuple[int, int, list[int], list[int]]
"""First of its bytes and repeats, the one behind its last, and how often symbols and symbols of distances occur."""
Head = tuple[int, int, list[tuple[int, int, int]], list[int], int]
"""How codes are told: how many lengths for symbols, and for symbols of distances; all of them in runs; the lengths of
the codes for these, and how many of those are told."""


def blocks(steps: list[int], values: list[int]) -> list[Block]:
    """Return the blocks of a stream.

    Parameters
    ----------
    steps, values : list of int
        What `parse` returns.

    Notes
    -----
    Pieces of equal numbers of steps join the block before them, unless two blocks take fewer bits than one.
    """
    found = [_counted(steps, values, 0, min(_PIECE, len(steps)))]
    taken = _size(found[0])
    for start in range(_PIECE, len(steps), _PIECE):
        piece = _counted(steps, values, start, min(start + _PIECE, len(steps)))
        joined = _joined(found[-1], piece)
        apart, together = _size(piece), _size(joined)
        if taken + apart < together:
            found.append(piece)
            taken = apart
        else:
            found[-1] = joined
            taken = together
    return found


def _counted(steps: list[int], values: list[int], start: int, end: int) -> Block:
    """Return a block with what occurs in it."""
    literals, far = [0] * LITERALS, [0] * DISTANCES
    for i in range(start, end):
        if steps[i] == 0:
            literals[values[i]] += 1
        else:
            literals[END + 1 + LENGTH_SYMBOL[steps[i]]] += 1
            far[distance_symbol(values[i])] += 1
    literals[END] = 1
    return start, end, literals, far


def _joined(one: Block, other: Block) -> Block:
    """Return a block and the next one as one."""
    literals = [one[2][symbol] + other[2][symbol] for symbol in range(LITERALS)]
    literals[END] = 1
    return one[0], other[1], literals, [one[3][symbol] + other[3][symbol] for symbol in range(DISTANCES)]


def _size(block: Block) -> int:
    """Return what a block with codes of its own takes [bit]."""
    literals, far = code_lengths(block[2], LONGEST_CODE), code_lengths(block[3], LONGEST_CODE)
    return size_of_head(head(literals, far)) + size_of_body(block, literals, far)


def size_of_body(block: Block, literals: list[int], far: list[int]) -> int:
    """Return what the bytes and repeats of a block take [bit].

    Parameters
    ----------
    literals, far : list of int
        Lengths of the codes for symbols, and for symbols of distances [bit].
    """
    total = 0
    for symbol in range(LITERALS):
        total += block[2][symbol] * (literals[symbol] + _EXTRA[symbol])
    for symbol in range(DISTANCES):
        total += block[3][symbol] * (far[symbol] + DISTANCE_EXTRA[symbol])
    return total


def head(literals: list[int], far: list[int]) -> Head:
    """Return how codes are told; arguments as for `size_of_body`, `literals` and `far`."""
    of_literals, of_far = _last(literals, END + 1), _last(far, 1)
    runs = in_runs(literals[:of_literals] + far[:of_far])
    counts = [0] * len(ORDER)
    for run in runs:
        counts[run[0]] += 1
    lengths = code_lengths(counts, LONGEST_OF_LENGTHS)
    told = _last([lengths[symbol] for symbol in ORDER], 4)
    return of_literals, of_far, runs, lengths, told


def size_of_head(told: Head) -> int:
    """Return what it takes to tell codes [bit]."""
    total = 5 + 5 + 4 + 3 * told[4]
    for symbol, _, width in told[2]:
        total += told[3][symbol] + width
    return total


def _last(lengths: list[int], least: int) -> int:
    """Return how many lengths there are up to the last that is not 0, at least `least`."""
    number = len(lengths)
    while number > least and lengths[number - 1] == 0:
        number -= 1
    return number
