"""Functions, their arguments, closures, generators, scopes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")
Mode = Literal["a", "b"]
Row = tuple[float, ...]
__all__ = ["arguments"]

FIRST, SECOND = 1, "two"
LIMIT = 3
_calls: list[int] = []


def arguments(a: int, b: int = 2, *rest: int, scale: int = 10, **more: int) -> list[object]:
    """Return all of them."""
    return [a, b, list(rest), scale, sorted(more.items())]


def behind(*parts: str, sep: str = "-", **more: int) -> str:
    return sep.join(parts) + str(sorted(more))


def keyword_only(a: int, *, b: int = 5, c: int) -> list[int]:
    return [a, b, c]


def case_arguments():
    some = [3, 4, 5]
    options = {"b": 1, "c": 2}
    return [
        arguments(1), arguments(1, 3), arguments(1, 2, 3, 4), arguments(a=1, scale=2), arguments(1, x=3, y=4),
        keyword_only(1, c=2), keyword_only(c=1, a=2, b=3), keyword_only(1, **options), positional(*some),
        behind(*"ab"), behind(*"ab", "c", sep="+"), behind(n=1, **options),
    ]  # fmt: skip


def positional(a: int, b: int, c: int) -> int:
    return 100 * a + 10 * b + c


def counter() -> Callable[[], int]:
    n = 0

    def step() -> int:
        nonlocal n
        n += 1
        return n

    return step


def case_closures():
    one, other = counter(), counter()
    added = [lambda x, d=i: x + d for i in range(3)]
    return [one(), one(), other(), [f(10) for f in added], (lambda *xs: len(xs))(1, 2, 3)]


def squares(n: int) -> Iterator[int]:
    for i in range(n):
        if i == 3:
            continue
        yield i * i
    yield from (100, 200)


def first_of(path: Path | None, mode: Mode, row: Row) -> object:
    return [path, mode, row[0]]


def case_generators():
    run = squares(6)
    first = next(run)
    head = []
    for x in run:
        head.append(x)
        if x > 3:
            break
    return [first, head, list(run), list(itertools.islice(squares(9), 2, 5)), next(iter([]), "none"), sum(squares(4))]


def case_scopes():
    x = 1
    found = [x for x in range(3)]
    y: int
    if x:
        y = 5
    else:
        y = 6
    for i in range(4):
        last = i * 2
    total = 0
    n = 0
    while True:
        n += 1
        if n > LIMIT:
            break
        total += n
    return [x, found, y, i, last, total, FIRST, SECOND, first_of(None, "a", (1.5,))]


@cache
def slow(n: int, text: str = "") -> int:
    _calls.append(n)
    return n if n < 2 else slow(n - 1) + slow(n - 2)


def case_cache():
    return [slow(20), len(_calls), slow(3, "a"), slow(3, "a"), len(_calls)]


def case_recursion():
    def depth(tree: Sequence[object]) -> int:
        return 1 + max([depth(one) for one in tree if isinstance(one, list)], default=0)

    return depth([1, [2, [3]], []])


def nothing(x):
    if x:
        return x


def case_without_return():
    return [nothing(0) is None, nothing(1)]


def case_reserved_names():
    new, delete, default, this, function, var = 1, 2, 3, 4, 5, 6
    return [new, delete, default, this, function, var, switch(class_=7)]


def switch(class_: int, package: int = 1) -> int:
    return class_ + package


def case_order_of_evaluation():
    seen: list[int] = []

    def note(n: int) -> int:
        seen.append(n)
        return n

    result = [note(1) < note(2) < note(3), note(4) < note(3) < note(5), note(0) or note(6), note(7) and note(8)]
    return [result, seen]


def case_loops():
    out = []
    for i in range(10, 0, -3):
        out.append(i)
    for i in range(2, 9, 2):
        i = i * 10
        out.append(i)
    xs = [1, 2]
    for n in range(len(xs)):
        xs.append(n)
    for a, (b, *c) in [(1, (2, 3, 4)), (5, (6,))]:
        out.append([a, b, c])
    for k, v in {"x": 1, "y": 2}.items():
        out.append(f"{k}{v}")
    for k in {"x": 1, "y": 2}:
        out.append(k)
    for letter in "aß😀":
        out.append(letter)
    return [out, xs]


def case_nothing_as_a_value():
    xs: list[int] = []
    makers = [lambda: xs.append(1), lambda: xs.extend([2]), lambda: xs.sort()]
    return [[make() for make in makers], [].append(1), {}.get("a"), xs]


def case_finally():
    log: list[str] = []

    def told(x: int) -> str:
        try:
            if x == 0:
                raise ValueError("zero")
            if x == 1:
                return "one"
            log.append("body")
        except ValueError as error:
            log.append(str(error))
            return "caught"
        finally:
            log.append("finally")
        return "end"

    return [told(0), told(1), told(2), log]


def three() -> tuple[int, int, int]:
    return 1, 2, 3


LOW, HIGH = BOTH = (4, 5)
ONE = OTHER = 6
_, LAST, _ = three()


def case_the_same_name_twice_in_a_target():
    found = [a for a, _, _ in [(1, 2, 3)]]
    for b, _, _ in [(4, 5, 6), (7, 8, 9)]:
        found += [b, _]
    (c, _), _ = (10, 11), 12
    d, _, *_ = [13, 14, 15, 16]
    return [found, c, d, _, {e: f for e, _, f, _ in [(1, 2, 3, 4)]}]


def case_targets_with_a_name_that_is_bound_before(of: int = 9):
    a = 0
    a, b, c = three()
    of, d = 7, 8
    place = 5
    for place, share in zip([1, 2], [3, 4], strict=True):
        place += share
    for place, of, *others in [(1, 2, 3, 4)]:
        d += place + of + len(others)
    return [a, b, c, of, d, place, share, others]


def case_several_targets():
    a, b = c = three()[:2]
    d = e = [c]
    d = a = a + 1
    a, f = f, a = 1, 2
    return [a, b, c, d, e, f]


def case_names_of_several_targets_in_a_module():
    return [LOW, HIGH, BOTH, ONE, OTHER, LAST]
