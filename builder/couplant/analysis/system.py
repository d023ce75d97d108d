"""Coupled linear prototypes: the plant side of stability and design.

Prototypes are continuous and linear, ẋ = Ax + Bu, y = Cx + Du; a connection leads one output through a network with
latency and a coupling algorithm to one input.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from couplant.analysis.algorithms import LinearAlgorithm, Recursive, check_timing, generic, lead_by
from couplant.analysis.by_model import ByModel
from couplant.base.arrays import ComplexArray, Matrix, Vector
from couplant.base.errors import UsageError


@dataclass(frozen=True, eq=False)
class Prototype:
    """A linear prototype with nx states, nu inputs, ny outputs.

    Raises UsageError if shapes or names do not fit, or an entry is not finite.
    """

    name: str  # name for messages and connections
    # A, B, C, D: shapes (nx, nx), (nx, nu), (ny, nx), (ny, nu): state space; time in s, signals in their own units
    A: Matrix
    B: Matrix
    C: Matrix
    D: Matrix
    # inputs, outputs: lengths nu and ny: names of the signals; u1.., y1.. if not given
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check shapes and fill in names."""
        for part in "ABCD":
            what = f"prototype {self.name}: {part}"
            try:
                matrix = np.array(getattr(self, part), dtype=float, ndmin=2)
            except (TypeError, ValueError):
                raise UsageError(f"{what} is not a matrix of numbers") from None
            if matrix.ndim != 2 or not np.all(np.isfinite(matrix)):
                raise UsageError(f"{what} is not a matrix of finite numbers")
            object.__setattr__(self, part, matrix)
        nx, nu, ny = self.A.shape[0], self.B.shape[1], self.C.shape[0]
        expected = {"A": (nx, nx), "B": (nx, nu), "C": (ny, nx), "D": (ny, nu)}
        for part, shape in expected.items():
            if getattr(self, part).shape != shape:
                raise UsageError(f"prototype {self.name}: {part} is {getattr(self, part).shape}, expected {shape}")
        object.__setattr__(self, "inputs", self._names("inputs", "u", nu))
        object.__setattr__(self, "outputs", self._names("outputs", "y", ny))

    def _names(self, what: str, letter: str, count: int) -> tuple[str, ...]:
        names = tuple(getattr(self, what)) or tuple(f"{letter}{i + 1}" for i in range(count))
        if len(names) != count or len(set(names)) != count:
            raise UsageError(f"prototype {self.name}: {what} = {list(names)}, expected {count} different names")
        return names

    def acting(self) -> dict[str, tuple[str, ...]]:
        """Return by output the inputs that act on it at once."""
        rows = zip(self.outputs, self.D, strict=True)
        return {output: tuple(i for i, d in zip(self.inputs, row, strict=True) if d) for output, row in rows}

    def response(self, s: ArrayLike) -> ComplexArray:
        """Return C (sI - A)⁻¹ B + D, shape (N, ny, nu), at `s`, shape (N,), rad/s."""
        z = np.atleast_1d(np.asarray(s, dtype=complex))
        # solved rather than inverted: the resolvent is nearly singular at lightly damped modes
        resolvent = z[:, None, None] * np.eye(self.A.shape[0]) - self.A
        return np.asarray(self.C @ np.linalg.solve(resolvent, self.B.astype(complex)[None]) + self.D, dtype=complex)


@dataclass(frozen=True)
class Connection:
    """One coupled signal: an output, its network and its coupling FMU, an input."""

    # source, target: ``prototype.signal`` of the output and of the input
    source: str
    target: str
    algorithm: Recursive | ByModel  # coupling algorithm with the latency k it compensates
    hold: bool = False  # reconstruction: the estimate of θ = 0 is held inside the macro step (event timing only)
    # how much further than its latency an algorithm that `System.with_algorithms` puts here looks ahead, macro steps
    lead: float = 0.0
    # ``prototype.signal`` of the output that is the derivative of the source and is sent with it; an algorithm with
    # weights of the derivative needs it
    derivative: str | None = None
    # no coupling FMU: in step timing what `algorithm` gives for a macro point is there at once, for all of the step.
    # The latency is at least one macro step then
    wired: bool = False

    @classmethod
    def wire(cls, source: str, target: str, k: int) -> "Connection":
        """Return a connection without coupling FMU and with a latency of `k` macro steps."""
        return cls(source, target, generic("zoh", k), wired=True)

    @property
    def sent(self) -> tuple[str, ...]:
        """Signals that the algorithm acts on: the source, and its derivative if there are weights of it."""
        derived = isinstance(self.algorithm, LinearAlgorithm) and self.algorithm.b
        return (self.source, self.derivative or "") if derived else (self.source,)


@dataclass(frozen=True)
class Excitation:
    """Excitation of a prototype that nobody measures: b w in ẋ = Ax + Bu + b w, w noise below a bandwidth."""

    states: tuple[float, ...]  # b, how it acts on each state
    deviation: float  # standard deviation of w, at least 0, in its own unit
    bandwidth: float  # of the first-order lags that white noise passes to be w, above 0, rad/s
    lags: int = 2  # how many, 1 or 2

    def course(self, macro_step: float, count: int, random: np.random.Generator) -> Vector:
        """Return w at `count` + 1 macro points, shape (count + 1,): white noise of `random` behind the lags.

        `macro_step` is ΔT [s].
        """
        from scipy.signal import lfilter  # takes long to load

        kept = float(np.exp(-self.bandwidth * macro_step))
        before = int(np.ceil(10.0 / (1.0 - kept)))  # what was before has died out
        found = random.standard_normal(before + count + 1)
        for _ in range(self.lags):
            found = lfilter([1.0 - kept], [1.0, -kept], found)
        # the variance that white noise has behind one such lag, or two
        power = (1.0 - kept) / (1.0 + kept)
        power *= 1.0 if self.lags == 1 else (1.0 - kept) * (1.0 + kept**2) / ((1.0 + kept) * (1.0 - kept**2))
        return np.asarray(found[before:] * (self.deviation / np.sqrt(power)))


@dataclass(frozen=True, eq=False)
class System:
    """Prototypes and their connections.

    Raises UsageError if a name is unknown or used twice, the macro step is not positive, or outputs are stale in event
    timing.
    """

    prototypes: tuple[Prototype, ...]  # with different names
    # at most one for each input; inputs without one are external and do not matter for stability
    connections: tuple[Connection, ...]
    macro_step: float  # ΔT, above 0, s
    timing: str = "event"  # {"event", "step"}: when estimates take effect
    # gives the prototypes with scattered parameters for a random generator and a relative spread; without it every
    # entry of the matrices scatters by itself (see `scatter`)
    vary: Callable[[np.random.Generator, float], tuple[Prototype, ...]] | None = None
    # outputs, as ``prototype.signal``, that the host reads before it sets the inputs that act on them at once, and not
    # again: their direct feedthrough is that of the inputs of the step before. Step timing only
    stale: tuple[str, ...] = ()
    excitation: Mapping[str, Excitation] = field(default_factory=dict)  # what moves prototypes from outside, by name
    # standard deviation of the noise of what is sent over the rms of the signal without delay, by output or one, -
    noise: float | Mapping[str, float] = 0.0
    # communication steps in a macro step, in step timing: as often receivers get a new estimate, 1 to 100
    micro_steps: int = 1

    def __post_init__(self) -> None:
        """Check names, macro step and excitation."""
        object.__setattr__(self, "prototypes", tuple(self.prototypes))
        object.__setattr__(self, "connections", tuple(self.connections))
        check_timing(self.timing)
        if self.timing == "event":
            object.__setattr__(self, "micro_steps", 1)  # values act at macro points
        if not (np.isfinite(self.macro_step) and self.macro_step > 0):
            raise UsageError(f"macro_step = {self.macro_step}, allowed above 0 s")
        if not self.connections:
            raise UsageError("a system needs at least one connection")
        _all_different("prototype", [p.name for p in self.prototypes])
        _all_different("input", [c.target for c in self.connections])
        # a misspelt signal is told here, not in the middle of a calculation
        self.sources, self.targets, self.sent  # noqa: B018 - looks every name up
        # in event timing values are read until they settle: nothing is stale
        if self.stale and self.timing == "event":
            raise UsageError("event timing needs a host that reads outputs again after it has set inputs")
        for name in self.stale:
            _find(name, self.output_names, "output")
        sizes = {one.name: len(one.A) for one in self.prototypes}
        for name, one in self.excitation.items():
            if sizes.get(name) != len(one.states):
                there = f"{sizes[name]} states" if name in sizes else "no prototype of this name"
                raise UsageError(f"excitation.{name} acts on {len(one.states)} states, and there is {there}")

    def noise_of(self, output: str) -> float:
        """Return the noise of an `output`, ``prototype.signal``, over its rms [-]."""
        return self.noise.get(output, 0.0) if isinstance(self.noise, Mapping) else self.noise

    @property
    def excited(self) -> Matrix:
        """Return how each excitation acts on the states of all prototypes side by side, shape (nx, excitations)."""
        told, names = self.excitation, [p.name for p in self.prototypes]
        acting = [told[p.name].states if p.name in told else np.zeros(len(p.A)) for p in self.prototypes]
        return block_diag(np.array(states)[:, None] for states in acting)[:, [names.index(name) for name in told]]

    @property
    def sources(self) -> list[int]:
        """Index of the output of each connection, among all outputs."""
        return [_find(c.source, self.output_names, "output") for c in self.connections]

    @property
    def sent(self) -> list[int]:
        """Index of the outputs that the algorithms act on: of each connection the source, then its derivative."""
        return [_find(name, self.output_names, "output") for c in self.connections for name in c.sent]

    @property
    def targets(self) -> list[int]:
        """Index of the input of each connection, among all inputs."""
        return [_find(c.target, self.input_names, "input") for c in self.connections]

    @property
    def output_names(self) -> list[str]:
        """All outputs as ``prototype.signal``."""
        return [f"{p.name}.{s}" for p in self.prototypes for s in p.outputs]

    @property
    def input_names(self) -> list[str]:
        """All inputs as ``prototype.signal``."""
        return [f"{p.name}.{s}" for p in self.prototypes for s in p.inputs]

    def matrices(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Return A, B, C, D of all prototypes side by side, block diagonal."""
        blocks = (block_diag(getattr(p, part) for p in self.prototypes) for part in "ABCD")
        A, B, C, D = blocks
        return A, B, C, D

    def feedthrough(self, outputs: Sequence[int] | None = None) -> tuple[Matrix, Matrix]:
        """Return the direct effect of inputs on outputs, and that a step later where the host reads too early.

        Both have a row for each of the `outputs`, by index, the source of each connection if not given, and a column
        for the target of each connection.
        """
        rows = self.sources if outputs is None else outputs
        D = self.matrices()[3][np.ix_(rows, self.targets)]
        late = np.isin([self.output_names[row] for row in rows], self.stale)[:, None]
        return np.where(late, 0.0, D), np.where(late, D, 0.0)

    def with_algorithms(self, make: Callable[[int], Recursive], k: int) -> "System":
        """Return the same plant with the algorithm that `make` gives for a latency, at the latency `k`, with leads."""
        made = (replace(c, algorithm=lead_by(make, k, c.lead)) for c in self.connections)
        return replace(self, connections=tuple(made))

    def with_algorithm(self, algorithm: Recursive) -> "System":
        """Return the same plant with an algorithm on every connection."""
        return replace(self, connections=tuple(replace(c, algorithm=algorithm) for c in self.connections))

    def response(self, omega: ArrayLike) -> ComplexArray:
        """Return the response of all prototypes side by side, shape (N, ny, nu), at `omega`, shape (N,), rad/s."""
        s = 1j * np.atleast_1d(np.asarray(omega, dtype=float))
        blocks = [p.response(s) for p in self.prototypes]
        total = np.zeros((s.size, len(self.output_names), len(self.input_names)), dtype=complex)
        row = column = 0
        for block in blocks:
            ny, nu = block.shape[1:]
            total[:, row : row + ny, column : column + nu] = block
            row, column = row + ny, column + nu
        return total


def driven_outputs(prototypes: Iterable[Prototype], connections: Iterable[Connection]) -> tuple[str, ...]:
    """Return the outputs, as ``prototype.signal``, on which inputs act at once that `connections` lead to."""
    driven = {c.target for c in connections}
    acting = ((one.name, output, inputs) for one in prototypes for output, inputs in one.acting().items())
    return tuple(f"{name}.{output}" for name, output, inputs in acting if driven & {f"{name}.{i}" for i in inputs})


def block_diag(blocks: Iterable[Matrix]) -> Matrix:
    """Return matrices along a diagonal; scipy's function of this name takes ten times as long on small `blocks`."""
    blocks = list(blocks)
    whole = np.zeros((sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)))
    row = column = 0
    for block in blocks:
        whole[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return whole


def scatter(system: System, count: int = 100, spread: float = 0.05, seed: int = 0) -> list[System]:
    """Return `count` systems whose parameters lie at random within a relative spread of the nominal ones.

    The `vary` of the system scatters parameters; without it each entry of A, B, C, D is multiplied by an own factor,
    but 0, 1 and -1 are taken for structure and stay. `spread` is the largest relative deviation, uniform, 0 to
    below 1 [-]; `seed` that of the random generator. Raises UsageError if the spread is out of range.
    """
    if not 0.0 <= spread < 1.0:
        raise UsageError(f"spread = {spread}, allowed 0 to below 1")
    rng = np.random.default_rng(seed)
    vary = system.vary or (lambda rng, spread: tuple(vary_entries(p, rng, spread) for p in system.prototypes))
    return [replace(system, prototypes=vary(rng, spread)) for _ in range(count)]


def vary_entries(prototype: Prototype, rng: np.random.Generator, spread: float) -> Prototype:
    """Return a `prototype` whose entries but 0, 1 and -1 are at random within a relative `spread`, by `rng` [-]."""

    def vary(matrix: Matrix) -> Matrix:
        factor = 1.0 + spread * rng.uniform(-1.0, 1.0, matrix.shape)
        return np.where(np.isin(matrix, (0.0, 1.0, -1.0)), matrix, matrix * factor)

    A, B, C, D = (vary(matrix) for matrix in (prototype.A, prototype.B, prototype.C, prototype.D))
    return replace(prototype, A=A, B=B, C=C, D=D)


def transfer_prototype(
    name: str, numerator: Any, denominator: Any, inputs: Sequence[str] = (), outputs: Sequence[str] = ()
) -> Prototype:
    """Return a prototype from transfer functions.

    `numerator` and `denominator` have the coefficients, highest power of s first, proper: a list, or ny x nu nested
    lists. Raises UsageError if a transfer function is improper or its denominator is zero.
    """
    rows = numerator if _nested(numerator) else [[numerator]]
    dens = denominator if _nested(denominator) else [[denominator] * len(row) for row in rows]
    parts = [[_realise(name, n, d) for n, d in zip(*pair, strict=True)] for pair in zip(rows, dens, strict=True)]
    ny, nu = len(parts), len(parts[0])
    A = block_diag(p[0] for row in parts for p in row)
    B, C = np.zeros((A.shape[0], nu)), np.zeros((ny, A.shape[0]))
    start = 0
    for i, row in enumerate(parts):
        for j, (a, b, c, _) in enumerate(row):
            rows_of_part = slice(start, start + a.shape[0])
            B[rows_of_part, j], C[i, rows_of_part] = b[:, 0], c[0]
            start += a.shape[0]
    D = np.array([[p[3][0, 0] for p in row] for row in parts])
    return Prototype(name, A, B, C, D, tuple(inputs), tuple(outputs))


def _nested(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], (list, tuple))


def _realise(name: str, numerator: ArrayLike, denominator: ArrayLike) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    from scipy.signal import tf2ss  # takes long to load

    num, den = np.trim_zeros(np.atleast_1d(numerator), "f"), np.trim_zeros(np.atleast_1d(denominator), "f")
    if den.size == 0 or num.size > den.size or not np.all(np.isfinite([*num, *den])):
        raise UsageError(f"prototype {name}: transfer function {list(num)} / {list(den)} is not proper")
    if den.size == 1:
        return np.zeros((0, 0)), np.zeros((0, 1)), np.zeros((1, 0)), np.array([[num[0] / den[0] if num.size else 0.0]])
    A, B, C, D = tf2ss(num if num.size else [0.0], den)
    return A, B, C, D


def _find(name: str, names: list[str], what: str) -> int:
    if name not in names:
        raise UsageError(f"{what} {name!r} does not exist, allowed {', '.join(names)}")
    return names.index(name)


def _all_different(what: str, names: list[str]) -> None:
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise UsageError(f"{what} {', '.join(twice)} is used twice")
