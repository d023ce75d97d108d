"""Data classes, tuples with names, inheritance, properties, errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import ClassVar, NamedTuple, Protocol

from couplant.base.errors import CouplantError, UsageError


class Shape(Protocol):
    def area(self) -> float: ...


@dataclass(frozen=True)
class Point:
    """A point."""

    x: float
    y: float = 0.0
    tags: tuple[str, ...] = ()
    origin: ClassVar[str] = "here"

    @property
    def double(self) -> float:
        return 2 * self.x

    @cached_property
    def seen(self) -> list[int]:
        return [1]

    def moved(self, by: float, *, up: float = 0.0) -> Point:
        return replace(self, x=self.x + by, y=self.y + up)

    @staticmethod
    def zero() -> Point:
        return Point(0.0)

    @classmethod
    def of(cls, text: str) -> Point:
        return cls(*(float(part) for part in text.split(",")))


@dataclass(frozen=True)
class Named(Point):
    name: str = "none"
    others: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.name == "bad":
            raise UsageError(f'name = "{self.name}", allowed others')

    def moved(self, by: float, *, up: float = 0.0) -> Point:
        return super().moved(2 * by, up=up)


@dataclass(eq=False)
class Box:
    content: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.content)

    def __contains__(self, name: str) -> bool:
        return name in self.content

    def __iter__(self) -> Iterator[str]:
        return iter(self.content)

    def __getitem__(self, name: str) -> int:
        return self.content[name]

    def doubled(self) -> list[int]:
        def twice(name: str) -> int:
            return 2 * self.content[name]

        return [twice(name) for name in self.content] + list(map(self.one, self.content))

    def one(self, name: str) -> int:
        return self.content[name]

    def walk(self) -> Iterator[int]:
        yield from (self.content[name] + 1 for name in self.content)


class Pair(NamedTuple):
    left: int
    right: str = "r"

    @property
    def both(self) -> str:
        return f"{self.left}{self.right}"


@dataclass(frozen=True)
class Derived:
    a: int
    twice: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.a)


class Counter:
    """A plain class."""

    step = 2

    def __init__(self, start: int = 0) -> None:
        self.n = start
        self.seen: list[int] = []

    def up(self) -> Counter:
        self.n += self.step
        self.seen.append(self.n)
        return self


class Slower(Counter):
    step = 1

    def __init__(self) -> None:
        super().__init__(100)


def case_data():
    p = Point(1.0, tags=("a",))
    return [
        p.x, p.y, p.double, p.moved(1.0, up=2.0).y, p == Point(1.0, 0.0, ("a",)), p == Point(2.0), p != Point(1.0),
        Point.zero().x, Point.of("3,4").y, asdict(p), {p: 1}[Point(1.0, tags=("a",))], len({p, Point(1.0, 0.0,
        ("a",))}),
        p.seen is p.seen, Point.origin, p.origin, [q.x for q in map(Point, [1.0, 2.0])], p in [Point(1.0, tags=("a",))],
    ]  # fmt: skip


def case_inheritance():
    n = Named(1.0, name="n")
    n.others.append(3)
    other = Named(1.0)
    return [
        n.moved(1.0).x, n.double, n.others, other.others, isinstance(n, Point), isinstance(Point(1.0), Named),
        Derived(4).twice, replace(Derived(4), a=5).twice, Derived(1) == Derived(1), n == other, asdict(n),
        Slower().up().up().seen, Counter(5).up().n, Named(1.0, name="n", others=[3]) == n,
    ]  # fmt: skip


def case_protocols():
    box, empty = Box({"a": 1, "b": 2}), Box()
    return [
        len(box), "a" in box, "z" in box, list(box), box["b"], bool(empty), bool(box), box.doubled(), list(box.walk()),
        box == Box({"a": 1, "b": 2}), box == box, [name for name in box], empty.content, sorted(box),
    ]  # fmt: skip


def case_tuples():
    a = Pair(1)
    left, right = a
    return [a.left, a[1], a == (1, "r"), left, right, a.both, a._replace(right="z").both, list(a), a < Pair(2), len(a)]


def case_errors():
    def of(make) -> list[object]:
        try:
            make()
        except UsageError as error:
            return ["usage", str(error), error.exit_code]
        except (KeyError, IndexError) as error:
            return ["lookup", str(error)]
        except ValueError as error:
            return ["value", str(error)]
        finally:
            seen.append(len(seen))
        return []

    def refuse(error: Exception) -> None:
        raise error

    def again() -> None:
        try:
            refuse(ValueError("first"))
        except ValueError as error:
            raise UsageError(f"again: {error}") from error

    seen: list[int] = []
    cases = [
        lambda: refuse(UsageError("u")), lambda: refuse(KeyError("k")), lambda: refuse(ValueError("v")), again,
        lambda: Named(1.0, name="bad"), lambda: refuse(IndexError("i")), lambda: None,
    ]  # fmt: skip
    return [[of(case) for case in cases], seen, isinstance(UsageError("x"), ValueError), issub(CouplantError("y"))]


def issub(error: Exception) -> list[bool]:
    return [isinstance(error, (ValueError, KeyError)), isinstance(error, CouplantError), isinstance(error, Exception)]


def case_types():
    values = [None, True, 1, 1.5, "a", [], (), {}, set(), b"", Point(1.0), Pair(1)]
    return [
        [isinstance(v, str), isinstance(v, (int, float)), isinstance(v, list), isinstance(v, tuple), isinstance(v,
        dict),
         isinstance(v, bool), isinstance(v, (set, frozenset)), isinstance(v, bytes), isinstance(v, Point | Pair)]
        for v in values
    ] + [[getattr(Point(1.0), "x", None), getattr(Point(1.0), "none", 5), vars(Point(2.0))]]  # fmt: skip
