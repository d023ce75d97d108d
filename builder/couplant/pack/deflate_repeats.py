"""Where the bytes of a file stood before: for every length of a repeat the nearest place, up to `WINDOW` bytes back.

Places that begin with the same three, four, up to eight bytes stand in a tree, whose nodes know the newest of them. A
node has no branches until a second place comes to it. Longer repeats are looked for among the newest places of the last
nodes.
"""

from __future__ import annotations

from couplant.pack.deflate_symbols import LONGEST, SHORTEST, WINDOW

ENOUGH = 64
"""Length from which on a repeat is taken as it is [byte]: nothing is looked for inside."""
_DEPTH = 8
"""Bytes that the tree tells apart."""
_TRIES = 8
"""Places that are looked at for longer repeats."""
_NONE = -1

Tree = tuple[dict[int, int], dict[int, int], list[int], list[bool]]
"""Nodes by three bytes, by a node and one more byte; of each node its newest place, and if it has branches."""


def repeats(content: bytes) -> tuple[list[int], list[int], list[int]]:
    """Return the repeats in a file, ordered by place and length.

    Returns
    -------
    list of int
        Number of the first repeat of each place; one more entry, so that those of place i end before entry i + 1.
    list of int
        The longest length that each serves, longer than the one before [byte].
    list of int
        How far back it stands, farther than the one before [byte].
    """
    first: list[int] = []
    lengths: list[int] = []
    distances: list[int] = []
    tree: Tree = ({}, {}, [], [])
    before = [_NONE] * len(content)  # the place before with the same first bytes
    known = [0, 0]  # distance of the longest repeat so far, and the place where it ends
    free = 0
    for place in range(len(content)):
        first.append(len(lengths))
        if place < free or place + SHORTEST > len(content):
            continue
        deepest = _descend(content, place, tree, lengths, distances)
        if deepest >= 0 and place - deepest <= WINDOW:
            before[place] = deepest
            _lengthen(content, place, before, known, lengths, distances)
            if lengths[-1] >= ENOUGH:
                free = place + lengths[-1]
    first.append(len(lengths))
    return first, lengths, distances


def _descend(content: bytes, place: int, tree: Tree, lengths: list[int], distances: list[int]) -> int:
    """Put a place into the tree and add its repeats; return the newest place that is the same as deep as it goes."""
    roots, branches, newest, branched = tree
    key = content[place] + content[place + 1] * 256 + content[place + 2] * 65536
    node = roots.get(key, _NONE)
    if node < 0:
        roots[key] = len(newest)
        newest.append(place)
        branched.append(False)
        return _NONE
    length, last = SHORTEST, _NONE
    deepest = min(_DEPTH, len(content) - place)
    while True:
        here = newest[node]
        newest[node] = place
        if here == last:
            lengths[-1] = length
        elif place - here <= WINDOW:
            lengths.append(length)
            distances.append(place - here)
            last = here
        if length == deepest:
            return here if length == _DEPTH else _NONE
        if not branched[node]:
            branched[node] = True
            branches[node * 256 + content[here + length]] = len(newest)
            newest.append(here)
            branched.append(False)
        key = node * 256 + content[place + length]
        node = branches.get(key, _NONE)
        if node < 0:
            branches[key] = len(newest)
            newest.append(place)
            branched.append(False)
            return _NONE
        length += 1


def _lengthen(
    content: bytes, place: int, before: list[int], known: list[int], lengths: list[int], distances: list[int]
) -> None:
    """Add repeats that are longer than the tree is deep."""
    limit = min(LONGEST, len(content) - place)
    best = 0
    here = before[place]
    for _ in range(_TRIES):
        if best == 0 or content[here + best] == content[place + best]:
            length = _DEPTH
            if place - here == known[0] and known[1] - place > length:
                length = min(known[1] - place, limit)
            while length < limit and content[here + length] == content[place + length]:
                length += 1
            if length > best:
                if distances[-1] == place - here:
                    lengths[-1] = length
                else:
                    lengths.append(length)
                    distances.append(place - here)
                best = length
                known[0] = place - here
                known[1] = place + length
        here = before[here]
        if best == limit or here < 0 or place - here > WINDOW:
            return
