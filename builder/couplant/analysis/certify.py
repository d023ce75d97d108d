"""Proofs that coupled systems are stable for every pattern of their messages, or patterns that refute it.

A proof is a quadratic form P_i > 0 for each node i of a graph of patterns such that A' P_j A < P_i on each edge i -> j
with the macro step A: a path-complete Lyapunov function (Ahmadi, Jungers, Parrilo, Roozbehani 2014). It is found by
Newton's method on the logarithmic barrier, rounded, and checked in whole numbers (`resources/check_certificate.py`).
"""

import json
import runpy
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from couplant.analysis.algorithms import Recursive
from couplant.analysis.model_map import macro_step, senders_of
from couplant.analysis.pattern_search import Cycle, find_cycle, mean_step
from couplant.analysis.patterns import Label, Patterns, Rules, patterns_of
from couplant.analysis.system import System
from couplant.analysis.system_file import read_system
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError, require
from couplant.base.files import write_atomic
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.paths import resource
from couplant.config.frame.read import Source

if TYPE_CHECKING:
    import pandas

CHECKER = "check_certificate.py"

_MOST_UNKNOWNS = 4500  # numbers in all forms P that one try has at most
_SLOW, _LIGHT = 0.9, 1e-4  # modes of the mean step that are slow, and how little they weigh
_AT_ONCE, _HOPELESS = 10, 3e-8  # constraints that are taken in at once; t that may still be won of a try given up
_BITS, _FINE = 60, 70  # behind the point of steps and forms

_LEVELS: tuple[tuple[Label, int], ...] = (
    (lambda node: 0, 0),
    (lambda node: node.missing > 0, 0),
    (lambda node: node.age, 0),
    (lambda node: node.missing > 0, 2),
    (lambda node: (node.age, node.missing, node.usable, node.held), 0),
    (lambda node: node.age, 2),
)
"""What tells nodes apart, and how many modes before it: memory that grows from try to try."""

_Constraint = tuple[int, int, Matrix]  # P_i > A' P_j A


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(Shows):
    """Answer for all patterns of a coupled system."""

    verdict: str  # {"proven", "refuted", "undecided"}: whether it is stable for every pattern
    rules: Rules  # for what the messages do
    margin: float  # what the forms lose in each macro step, as a share of their metric; 0 or less without a proof, -
    proof: Mapping[str, Any] | None  # for `resources/check_certificate.py`
    cycle: Cycle | None  # the pattern that refutes it
    forms: int  # how many the last try had
    seconds: float  # CPU time that it took, s

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON, without the proof."""
        found: dict[str, Any] = {name: getattr(self, name) for name in ("verdict", "margin", "forms", "seconds")}
        return found | asdict(self.rules) | {"pattern": self.cycle.to_dict() if self.cycle else None}

    def save(self, path: Path) -> list[Path]:
        """Write the proof with its checker beside it, or the pattern that refutes it, one file for each way.

        Raises UsageError if there is neither.
        """
        if self.proof is not None:
            checker = resource(CHECKER).read_text(encoding="utf-8")
            return [write_atomic(path, json.dumps(self.proof)), write_atomic(path.with_name(CHECKER), checker)]
        if self.cycle is None:
            raise UsageError("undecided: there is neither a proof nor a pattern to write")
        texts = self.cycle.tables()
        return [write_atomic(path.with_suffix(f".{name}.csv"), text) for name, text in texts.items()]

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a row with verdict, margin and rules; needs pandas."""
        return data_frame([self.to_dict()])

    def _summary(self) -> Summary:
        return Summary(self.words(), (), [])

    def words(self) -> str:
        """Return the verdict in a sentence."""
        if self.verdict == "proven":
            forms = "one form" if self.forms == 1 else f"{self.forms} forms"
            return f"stable for every pattern: proven, with {forms} and a margin of {self.margin:.2g}"
        if self.cycle is not None:
            growth, length = self.cycle.radius, len(self.cycle.events)
            return f"not stable for every pattern: one of {length} macro steps grows by {growth:.9g} in each of them"
        margin = f"margin {self.margin:.2g}" if self.margin > -1.0 else "no try ended in time"
        return f"undecided: no proof found, {margin}, and no pattern that grows"


def certify(
    system: Source | System, latencies: tuple[int, int], *, loss: int = 0, messages: str = "way", burst: int = 1,
    coast_steps: int = 3, in_order: bool = False, stamps: bool = True, seconds: float = 60.0,
    by_k: Callable[[int], Recursive] | None = None, assignments: Sequence[str] = (),
) -> Certificate:  # fmt: skip
    """Prove that a coupled system is stable whatever its messages do, or find a pattern for which it is not.

    Parameters
    ----------
    system : str, Path, mapping or System
        Its file (docs/system.md), or what that would contain, or what `read_system` returns.
    latencies : (int, int)
        The least and the largest latency [macro steps].
    loss : int
        How many messages in a row may get lost.
    messages : {"way", "signal", "all"}
        What comes in one message: all from one prototype to another, each signal by itself, or all alike in both ways.
    burst : int
        Values in a message, as the FMUs have it.
    coast_steps : int
        Steps without news that the FMUs bridge [macro steps].
    in_order : bool
        No message overtakes another one.
    stamps : bool
        The FMUs see stamps; else they take each value for as late as the connection says.
    seconds : float
        CPU time for search and proof, about [s].
    by_k : callable, optional
        Algorithm for each k, in place of the system's own.
    assignments : sequence of str
        Changes of the file in the form ``key=TOML value``.

    Returns
    -------
    Certificate
        The answer, with a proof or a pattern.

    Raises
    ------
    UsageError
        If the file is wrong, an algorithm is not linear or has a state of its own, or there are too many patterns.
    """
    one = system if isinstance(system, System) else read_system(system, assignments)
    began = time.process_time()
    constant = None if stamps else max(c.algorithm.k for c in one.connections)
    rules = Rules(*latencies, loss, burst, coast_steps, in_order, constant)
    if senders_of(one):
        return _certify_models(one, rules, began)
    found = patterns_of(one, rules, messages, by_k)
    until = began + seconds
    cycle = find_cycle(found, began + 0.1 * seconds, until)
    margin, proof, forms = (-1.0, None, 0) if cycle else _prove(found, began + 0.75 * seconds)
    if cycle is None and proof is None:
        cycle = find_cycle(found, 0.0, until)
    verdict = "refuted" if cycle else "undecided" if proof is None else "proven"
    margin = -float(np.log(cycle.radius)) if cycle else margin
    return Certificate(verdict, rules, margin, proof, cycle, forms, time.process_time() - began)


def _certify_models(system: System, rules: Rules, began: float) -> Certificate:
    """Answer for a system with models, whose memory takes one latency without losses."""
    from scipy.linalg import solve_discrete_lyapunov  # takes long to load

    require(rules.least == rules.most and not rules.loss, "model: allowed one latency without losses")
    ks = {c.algorithm.k for c in system.connections}
    require(ks == {rules.most}, f"model: latency = {rules.most}, allowed that of the system, {max(ks)} macro steps")
    matrix = macro_step(system).matrix
    radius = float(np.abs(np.linalg.eigvals(matrix)).max())
    if radius >= 1.0:
        cycle = Cycle(radius, ((rules.most,),), ("all",), system.macro_step)
        return Certificate("refuted", rules, 1.0 - radius, None, cycle, 0, time.process_time() - began)
    form = solve_discrete_lyapunov(matrix.T, np.eye(len(matrix)))
    margin, proof = _round([(0, 0, matrix)], [form], np.eye(len(matrix)), 1.0 - radius)
    return Certificate("proven" if proof else "undecided", rules, margin, proof, None, 1, time.process_time() - began)


def _prove(patterns: Patterns, until: float) -> tuple[float, Mapping[str, Any] | None, int]:
    """Return margin, proof if there is one, and the number of forms of the last try; ends about `until` [s]."""
    best, forms, tried = -1.0, 0, set()
    for label, memory in _LEVELS:
        count, rows = patterns.lift(label, memory)
        unknowns = count * patterns.size * (patterns.size + 1) // 2
        if (count, len(rows)) in tried or unknowns > _MOST_UNKNOWNS or time.process_time() > until:
            continue
        tried.add((count, len(rows)))
        steps = {modes: patterns.matrix(modes) for _, _, modes in rows}
        if any(i == j and np.abs(np.linalg.eigvals(steps[modes])).max() >= 1.0 for i, j, modes in rows):
            continue
        constraints = [(i, j, steps[modes]) for i, j, modes in rows]
        metric, forms = _metric(list(steps.values())), count
        found = _Barrier(constraints, count, metric).solve(until)
        best = max(best, found[0])
        if found[0] > 0.0:
            margin, proof = _round(constraints, found[1], metric, found[0])
            if proof is not None:
                return margin, proof, count
    return best, None, forms


def _metric(steps: Sequence[Matrix]) -> Matrix:
    """Return M of a measure |M x| of states: nearly a form for the mean step, in which slow modes weigh little.

    Jumps between patterns couple slow modes and fast ones; what that adds to the slow ones, which decay little in a
    step, must not outweigh that decay.
    """
    from scipy.linalg import cholesky, schur, solve_discrete_lyapunov, solve_sylvester  # takes long to load

    mean = mean_step(steps)
    T, Z, k = schur(mean, output="real", sort=lambda re, im=0.0: np.hypot(re, im) > _SLOW)
    whole = np.eye(len(mean))
    if 0 < k < len(mean):
        # slow and fast modes apart: T11 X - X T22 = -T12
        whole[:k, k:] = -solve_sylvester(T[:k, :k], -T[k:, k:], -T[:k, k:])
    form = np.zeros_like(mean)
    if k:
        slow = solve_discrete_lyapunov(T[:k, :k].T, np.eye(k))
        form[:k, :k] = _LIGHT * slow / np.linalg.norm(slow, 2)
    form[k:, k:] = solve_discrete_lyapunov(_SLOW * T[k:, k:].T, np.eye(len(mean) - k))
    turned = whole @ Z.T
    form = turned.T @ form @ turned
    return np.asarray(cholesky((form + form.T) / 2))


class _Barrier:
    """Newton's method for the largest t with P_i - A' P_j A > t I and P_c > 0, in the coordinates of a metric.

    The traces of the forms together are bounded. Weighted products K(X) take svec(U) to svec(X U X').
    """

    def __init__(self, constraints: Sequence[_Constraint], count: int, metric: Matrix) -> None:
        size, back = len(metric), np.linalg.inv(metric)
        self._constraints = [(i, j, metric @ A @ back) for i, j, A in constraints]
        self._size, self._count = size, count
        self._rows, self._columns = np.triu_indices(size)
        self._n = len(self._rows)
        self._weights = np.where(self._rows == self._columns, 1.0, np.sqrt(2.0))
        self._pairs = 0.5 * np.outer(self._weights, self._weights)

    def solve(self, until: float) -> tuple[float, list[Matrix]]:
        """Return t and the forms for all constraints, of which few matter; it ends about `until` [s] of CPU time."""
        every, forms = self._constraints, [np.eye(self._size)] * self._count
        chosen: list[int] = []
        t = 1.0
        while True:
            self._constraints = every
            least = np.array([np.linalg.eigvalsh(one)[0] for one in self._slacks(forms, 0.0)])
            violated = [i for i in np.argsort(least).tolist() if least[i] <= 0.0 and i not in chosen]
            if chosen and (not violated or t <= 0.0):
                return min(float(least.min()), t), forms
            chosen += violated[:_AT_ONCE] or [0]
            self._constraints = [every[i] for i in chosen]
            t, forms = self._maximise(forms, until)

    def _maximise(self, forms: list[Matrix], until: float) -> tuple[float, list[Matrix]]:
        """Return the largest t for the constraints, less where it is above 0 or never will be, and its forms."""
        t = min(np.linalg.eigvalsh(one)[0] for one in self._slacks(forms, 0.0))
        t -= 0.1 * abs(t) + 1e-9
        terms = (len(self._constraints) + self._count) * self._size + 1
        weight = terms / max(abs(t), 1e-12)
        while time.process_time() < until:
            gradient, hessian = self._derivatives(forms, t)
            gradient[-1] -= weight
            if not (np.isfinite(hessian).all() and (np.diag(hessian) > 0.0).all()):
                break  # forms so far from each other in size that rounding decides
            step = _newton_step(hessian, gradient)
            decrease, share = -gradient @ step, 1.0
            value = self._value(forms, t, weight)
            moves = [self._unpack(step[c * self._n : (c + 1) * self._n]) for c in range(self._count)]
            while share > 1e-9:
                tried = [form + share * move for form, move in zip(forms, moves, strict=True)]
                found = self._value(tried, t + share * step[-1], weight)
                if found <= value - 0.01 * share * decrease + 1e-9 * abs(value):
                    forms, t = tried, t + share * step[-1]
                    break
                share *= 0.5
            if decrease < 1.0 or share <= 1e-9:
                gap = terms / weight
                # forms of nothing allow t = 0: a t that does not pass it has none
                if gap < 0.5 * t or (t < 0.0 and gap < _HOPELESS):
                    break
                weight *= 20.0
        return float(t), forms

    def _slacks(self, forms: list[Matrix], t: float) -> list[Matrix]:
        return [forms[i] - A.T @ forms[j] @ A - t * np.eye(self._size) for i, j, A in self._constraints]

    def _room(self, forms: list[Matrix]) -> float:
        return float(1.05 * self._count * self._size - sum(np.trace(form) for form in forms))

    def _value(self, forms: list[Matrix], t: float, weight: float) -> float:
        left = self._room(forms)
        if left <= 0.0:
            return np.inf
        total = -weight * t - np.log(left)
        for one in (*self._slacks(forms, t), *forms):
            try:
                total -= 2.0 * np.log(np.diag(np.linalg.cholesky(one))).sum()
            except np.linalg.LinAlgError:
                return np.inf
        return float(total)

    def _derivatives(self, forms: list[Matrix], t: float) -> tuple[Vector, Matrix]:
        n, count = self._n, self._count
        gradient, hessian = np.zeros(count * n + 1), np.zeros((count * n + 1,) * 2)
        for (i, j, A), one in zip(self._constraints, self._slacks(forms, t), strict=True):
            inverse = np.linalg.inv((one + one.T) / 2)
            through, around = A @ inverse, A @ inverse @ A.T
            before, after = slice(i * n, i * n + n), slice(j * n, j * n + n)
            gradient[before] -= self._pack(inverse)
            gradient[after] += self._pack(around)
            gradient[-1] += np.trace(inverse)
            hessian[before, before] += self._product(inverse)
            hessian[after, after] += self._product(around)
            mixed = self._product(through)
            hessian[after, before] -= mixed
            hessian[before, after] -= mixed.T
            for place, part in ((before, -inverse @ inverse), (after, through @ through.T)):
                hessian[place, -1] += self._pack(part)
                hessian[-1, place] += self._pack(part)
            hessian[-1, -1] += np.sum(inverse**2)
        for c, form in enumerate(forms):
            inverse, place = np.linalg.inv(form), slice(c * n, c * n + n)
            gradient[place] -= self._pack(inverse)
            hessian[place, place] += self._product((inverse + inverse.T) / 2)
        hessian[:-1, :-1] *= np.tile(self._pairs, (count, count))
        traces = np.append(np.tile(self._pack(np.eye(self._size)), count), 0.0)
        left = self._room(forms)
        return gradient + traces / left, hessian + np.outer(traces, traces) / left**2

    def _product(self, X: Any) -> Matrix:
        """Return K(X) but for `_pairs`, by columns that begin with the same row: gathering them takes twice as long."""
        rows, columns, place = X[self._rows], X[self._columns], 0
        found = np.empty((self._n, self._n))
        for i in range(self._size):
            part = found[:, place : place + self._size - i]
            np.multiply(rows[:, i : i + 1], columns[:, i:], out=part)
            part += columns[:, i : i + 1] * rows[:, i:]
            place += self._size - i
        return found

    def _pack(self, matrix: Any) -> Vector:
        return np.asarray(matrix[self._rows, self._columns] * self._weights)

    def _unpack(self, vector: Vector) -> Matrix:
        found = np.zeros((self._size, self._size))
        found[self._rows, self._columns] = vector / self._weights
        return np.asarray(found + found.T - np.diag(np.diag(found)))


def _newton_step(hessian: Matrix, gradient: Vector) -> Vector:
    """Return the step of Newton's method; the Hessian is scaled, and held positive where rounding spoils it."""
    from scipy.linalg import cho_factor, cho_solve  # takes long to load

    scale = 1.0 / np.sqrt(np.diag(hessian))
    scaled = hessian * scale[:, None] * scale
    for more in (1e-13, 1e-11, 1e-9, 1e-7):
        try:
            factor = cho_factor(scaled + more * np.eye(len(scaled)))
        except np.linalg.LinAlgError:
            continue
        return np.asarray(-scale * cho_solve(factor, scale * gradient))
    return -gradient


def _round(
    constraints: Sequence[_Constraint], forms: Sequence[Matrix], metric: Matrix, margin: float
) -> tuple[float, Mapping[str, Any] | None]:
    """Return the margin and the proof in whole numbers, None where rounding spoils it."""
    own = [metric.T @ form @ metric for form in forms]
    # states in units of powers of two, in which the forms are of one size: nothing is rounded by that
    exponents = np.round(0.5 * np.log2(np.maximum(np.diag(sum(own[1:], own[0])), 1e-300)))
    units = 2.0**exponents
    own = [form / np.outer(units, units) for form in own]
    largest = max(float(np.abs(form).max()) for form in own)
    whole = [_in_bits((form + form.T) / (2.0 * largest), _FINE) for form in own]
    steps: dict[bytes, int] = {}
    rows: list[list[list[int]]] = []
    edges = []
    for i, j, A in constraints:
        scaled = A * units[:, None] / units
        key = scaled.tobytes()
        if key not in steps:
            steps[key] = len(rows)
            rows.append(_in_bits(scaled, _BITS))
        edges.append([i, j, steps[key]])
    proof = {"bits": _BITS, "P": whole, "edges": edges, "steps": rows, "states": exponents.tolist()}
    right = runpy.run_path(str(resource(CHECKER)))["check"](proof)
    return margin, proof if right else None


def _in_bits(matrix: Matrix, bits: int) -> list[list[int]]:
    """Return numbers as whole multiples of 2^-bits."""
    return [[round(Fraction(number) * 2**bits) for number in row] for row in matrix.tolist()]
