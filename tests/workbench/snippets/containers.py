"""Lists, tuples, dictionaries, sets, comprehensions."""

from __future__ import annotations

import itertools
from itertools import chain, groupby, pairwise


def case_lists():
    xs = [5, 3, 4]
    ys = xs
    ys += [1]
    ys.insert(1, 9)
    ys.extend((7, 8))
    last = xs.pop()
    second = xs.pop(1)
    xs.remove(4)
    xs[0], xs[-1] = xs[-1], xs[0]
    xs[1:2] = [10, 11, 12]
    del xs[0]
    copy = xs[:]
    copy.reverse()
    copy.append(0)
    zs = [[0] * 2 for _ in range(2)]
    zs[1][0] = 5
    zs[0][-1] += 3
    return [xs, ys is xs, last, second, copy, zs, xs.index(12), xs.count(11), xs + xs, [0] * 3, xs[-1], xs[::2]]


def case_tuples():
    t = 1, 2, 3
    a, *b = t
    *c, d = t
    (e, f), g = (4, 5), [6]
    h = i = 7
    return [t[1:], t + t, a, b, c, d, e, f, g, h, i, t == (1, 2, 3), t == [1, 2, 3], () == (), t * 2, 2 in t,
        hash_of(t)]


def hash_of(t: tuple[int, ...]) -> bool:
    return {t: "x"}[(1, 2, 3)] == "x"


def case_equality():
    values = [None, 0, 1, True, "", "a", [], [1], (), (1,), {}, {"a": 1}, set(), {1}, b"", b"a", [1, (2, "x")], 1.0]
    return [[a == b for a in values] for b in values]


def case_truth():
    values = [None, 0, 1, -1, 0.0, 2.5, "", "a", [], [0], (), (0,), {}, {"a": 1}, set(), {0}, b"", b"a", True, False]
    nan = float("nan")
    typed: list[int] = []
    return [
        [bool(v) for v in values], [not v for v in values], [v or "other" for v in values], [v and 1 for v in values],
        [1 if v else 0 for v in values], nan and 1, typed or [1], bool(typed), [] or {} or 0, any(values), all(values),
    ]  # fmt: skip


def case_dictionaries():
    d: dict[object, object] = {"b": 1, "a": 2, (1, "x"): 3, 7: 4, True: 5, None: 6}
    d["c"] = 8
    d[(1, "x")] = 9
    e = {**d, "z": 0} | {"a": 10}
    e |= {"y": 1}
    popped = e.pop("b")
    del e["c"]
    counts: dict[str, list[int]] = {}
    for n, letter in enumerate("abca"):
        counts.setdefault(letter, []).append(n)
    inverted = {v: k for k, v in {"p": 1, "q": 2}.items()}
    d.update({"u": 1})
    d.update([("v", 2)])
    return [
        list(d), list(d.values()), [list(pair) for pair in e.items()], popped, counts, inverted, e.get("none"),
        e.get("none", 3), (1, "x") in e, 1 in e, 1.0 in d, len(d), d == dict(d), {"a": 1} == {"a": 1.0},
        {"a": 1, "b": 2} == {"b": 2, "a": 1}, dict(x=1, **{"y": 2}), dict([("k", 1)]), dict.fromkeys("ab", 0),
        sorted(d.keys() & {"a", "b"}), list(reversed([1, 2])), {"a": 1}.keys() == {"a"}, e.pop("gone", None),
    ]  # fmt: skip


def case_sets():
    a, b = {1, 2, 3}, {3, 4}
    c = frozenset([(1, 2), (1, 2), (2, 1)])
    a.add(9)
    a.discard(100)
    b |= {5}
    return [
        sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), len(c), (2, 1) in c, {1} <= a, a < a, a == {1, 2,
        3, 9},
        sorted({x % 3 for x in range(10)}), a.isdisjoint({7}), sorted({"x"}.union(["y"])), {1}.issubset({1, 2}),
    ]  # fmt: skip


def case_comprehensions():
    rows = [[1, 2], [3, 4], []]
    return [
        [x for row in rows for x in row if x % 2], [[x * y for x in row] for y, row in enumerate(rows, 1)],
        {k: v for k, v in zip("ab", [1, 2], strict=True)}, [y for x in range(5) if (y := x * x) > 3 if y < 10],
        list(x + 1 for x in (1, 2)), tuple(a + b for a, b in [(1, 2), (3, 4)]), sum(x for x in range(4)),
        any(x > 2 for x in range(4)), all(x for row in rows for x in row), ", ".join(str(x) for x in range(3)),
        sorted((len(r), n) for n, r in enumerate(rows)), max((len(r) for r in rows), default=0),
        [(a, b, c) for a, (b, c) in [(1, (2, 3))]], [i for i, *_ in [(1, 2, 3), (4,)]],
    ]  # fmt: skip


def case_functions():
    words = ["pear", "Apple", "fig", "apple"]
    return [
        sorted(words), sorted(words, key=str.lower), sorted(words, key=len, reverse=True), list(map(len, words)),
        list(filter(None, [0, 1, "", "a"])), list(map(str.upper, words)), list(zip([1, 2], "abc")),  # noqa: B905
        list(enumerate("ab", start=5)), list(reversed(words)), list(range(5)), list(range(5, 0, -2)), list(map(max, [1,
        5], [3, 2])),
        sorted([(2, "b"), (1, "z"), (2, "a")]), sorted([3, 1, 2], reverse=True), list(filter(str.isdigit, ["1", "a"])),
        sorted([(1, "b"), (0, "x"), (1, "a")], key=lambda pair: -pair[0]),
    ]  # fmt: skip


def case_itertools():
    return [
        list(chain([1], (2, 3), "a")), list(chain.from_iterable([[1], [2, 3]])), list(pairwise([1, 2, 3])),
        [[k, list(g)] for k, g in groupby([1, 1, 2, 1])], [[k, len(list(g))] for k, g in groupby("aabbb",
        key=str.upper)],
        list(itertools.islice([1, 2, 3, 4], 2)), list(itertools.islice("abcdef", 1, None, 2)),
        list(itertools.accumulate([1, 2, 3])),
        list(itertools.islice(itertools.count(3), 2)), list(itertools.repeat("x", 2)),
    ]  # fmt: skip


def case_errors():
    def of(make):
        try:
            return make()
        except (IndexError, KeyError, ValueError) as error:
            return [isinstance(error, LookupError), isinstance(error, ValueError)]

    xs = [1, 2]
    three = [1, 2, 3]

    def taken():
        a, b = three
        return [a, b]

    def set_outside():
        xs[5] = 1

    return [
        of(lambda: xs[2]), of(lambda: xs[-3]), of(lambda: {}["a"]), of(taken), of(set_outside), of(lambda: [].pop()),
        of(lambda: list(zip([1], [1, 2], strict=True))), of(lambda: xs.index(9)), of(lambda: xs.remove(9)),
    ]  # fmt: skip


def case_places_in_loops():
    xs: list[int] = [0] * 8
    raw = bytes(range(200, 208))
    table: list[int] = list(raw)
    for i in range(8):
        xs[i] = table[i] ^ raw[7 - i]
        xs[i - 8] += 1
    total = 0
    i = -1
    while i >= -8:
        total = total * 3 + xs[i]
        i -= 1
    return [xs, total, table[-1], raw[-8]]
