"""Which bytes of a file are written as repeats of earlier ones: the way through it that takes the fewest bits.

What a symbol takes depends on how often it is used. It is estimated by what a quick way would use, then the cheapest of
all ways is looked for (dynamic programming, as in zopfli).
"""

from __future__ import annotations

from couplant.pack.deflate_repeats import ENOUGH, repeats
from couplant.pack.deflate_symbols import (
    DISTANCE_EXTRA,
    DISTANCES,
    END,
    LENGTH_EXTRA,
    LENGTH_SYMBOL,
    LITERALS,
    LONGEST,
    SHORTEST,
    distance_symbol,
)

_BIT = 16
"""Units of a price in a bit."""
_SELDOM = 8
"""What a symbol that does not occur costs more than one that occurs once [1/16 bit]."""
_ENDLESS = 1 << 30
_DEAR = (64, 1024, 8192)
"""Distances beyond which a repeat of 3, 4 and 5 bytes takes about what its bytes take [byte]."""


def parse(content: bytes) -> tuple[list[int], list[int]]:
    """Return a file as bytes and repeats.

    Returns
    -------
    list of int
        Lengths of the repeats, 0 for a byte.
    list of int
        Distances of the repeats, for a byte its value.
    """
    first, lengths, distances = repeats(content)
    symbols = [distance_symbol(distance) for distance in distances]
    prices = _prices(content, first, lengths, distances, symbols)
    cost = [_ENDLESS] * (len(content) + 1)
    cost[0] = 0
    taken = _cheapest(content, (first, lengths, symbols), prices, cost)
    steps: list[int] = []
    values: list[int] = []
    place = len(content)
    while place > 0:
        one = taken[place]
        length = one % 512
        steps.append(length)
        place -= max(length, 1)
        values.append(distances[one // 512] if length > 0 else content[place])
    steps.reverse()
    values.reverse()
    return steps, values


def _prices(
    content: bytes, first: list[int], lengths: list[int], distances: list[int], symbols: list[int]
) -> tuple[list[int], list[int], list[int]]:
    """Return what bytes, lengths and symbols of distances take [1/16 bit], as they occur on a quick way."""
    literals = [0] * LITERALS
    far = [0] * DISTANCES
    place = 0
    while place < len(content):
        length = _quick(place, first, lengths, distances)
        if length == 0:
            literals[content[place]] += 1
            place += 1
        else:
            literals[END + 1 + LENGTH_SYMBOL[length]] += 1
            far[symbols[first[place + 1] - 1]] += 1
            place += length
    literals[END] = 1
    of_literals, of_far = _entropy(literals), _entropy(far)
    of_lengths = [0] * SHORTEST
    for length in range(SHORTEST, LONGEST + 1):
        symbol = LENGTH_SYMBOL[length]
        of_lengths.append(of_literals[END + 1 + symbol] + LENGTH_EXTRA[symbol] * _BIT)
    return of_literals, of_lengths, [of_far[i] + DISTANCE_EXTRA[i] * _BIT for i in range(DISTANCES)]


def _quick(place: int, first: list[int], lengths: list[int], distances: list[int]) -> int:
    """Return the longest repeat at a place, or 0 if its bytes cost no more, or if one that is longer comes next."""
    last = first[place + 1] - 1
    if last < first[place]:
        return 0
    length = lengths[last]
    if length < SHORTEST + len(_DEAR) and distances[last] > _DEAR[length - SHORTEST]:
        return 0
    following = first[place + 2] - 1 if place + 2 < len(first) else last
    return 0 if following > last and lengths[following] > length else length


def _entropy(counts: list[int]) -> list[int]:
    """Return the information in each symbol, at least one bit [1/16 bit]."""
    total = 0
    for count in counts:
        total += count
    whole = _logarithm(max(total, 1))
    return [max(whole - (_logarithm(count) if count > 0 else -_SELDOM), _BIT) for count in counts]


def _logarithm(value: int) -> int:
    """Return 16 times the binary logarithm of a `value` from 1 on, rounded down, in whole numbers only."""
    power = 0
    while value >> power > 1:
        power += 1
    mantissa = value * 32768 // (1 << power)
    result = power
    for _ in range(4):  # each square gives one more binary digit
        mantissa = mantissa * mantissa // 32768
        result *= 2
        if mantissa >= 65536:
            mantissa //= 2
            result += 1
    return result


def _cheapest(
    content: bytes,
    found: tuple[list[int], list[int], list[int]],
    prices: tuple[list[int], list[int], list[int]],
    cost: list[int],
) -> list[int]:
    """Return for each place how it is reached: 512 times the number of a repeat, plus its length; 0 for a byte.

    Of ways that cost the same the first found stays: bytes before repeats, and near before far.
    """
    first, lengths, symbols = found
    of_bytes, of_lengths, of_far = prices
    taken = [0] * len(cost)
    place = 0
    while place < len(content):
        here = cost[place]
        price = here + of_bytes[content[place]]
        if price < cost[place + 1]:
            cost[place + 1] = price
            taken[place + 1] = 0
        least = SHORTEST
        for one in range(first[place], first[place + 1]):
            base = here + of_far[symbols[one]]
            for length in range(least, lengths[one] + 1):
                price = base + of_lengths[length]
                if price < cost[place + length]:
                    cost[place + length] = price
                    taken[place + length] = one * 512 + length
            least = lengths[one] + 1
        place += least - 1 if least > ENOUGH else 1
    return taken
