"""How plants go on in time: the same in this process and inside of FMUs, into which this file goes as it is.

    continuous:  dx/dt = f(t, x, u),  y = g(t, x, u)      matrices: exactly; functions: by extrapolation, to a tolerance
    discrete:    x[n+1] = f(t_n, x[n], u[n]),  t_n = t_0 + n dt;  u[n] is the input at t_n

Inputs of continuous plants are lines inside a communication step, others are held.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Function = Callable[..., Any]

_COLUMNS = 9  # of the extrapolation at most, of the order of twice as many
_HALVINGS = 24  # of a step at most: what is left at a kink is as small as the part of the step in which it lies
_PARTS = 4000  # of a communication step at most
_NEAR = 1e-9  # share of dt by which a time may miss a point of a discrete plant
_TERMS = 20  # of the series of the exponential of a matrix whose norm is below a half


class PlantFailure(ValueError):
    """A plant cannot go on; the message says why and when."""


def arguments_of(function: Function) -> int:
    """Return how many arguments by place a `function` takes, at most 4: t, x, u, parameters; 0: not known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 0
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return 3
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return min(len(places), 4)


def exponential(matrix: Array) -> Array:
    """Return the exponential of a square `matrix`, by the series of a part of it that is squared again."""
    norm = float(np.abs(matrix).sum(axis=0).max(initial=0.0))
    squarings = max(int(np.ceil(np.log2(norm))) + 1, 0) if norm > 0.0 else 0
    part = matrix / 2.0**squarings
    total = term = np.eye(len(matrix))
    for i in range(1, _TERMS):
        term = term @ part / i
        total = total + term
    for _ in range(squarings):
        total = total @ total
    return np.asarray(total)


class Dynamics:
    """States of a plant and how they go on.

    Parameters
    ----------
    start : sequence of float
        States at the start, nx of them.
    counts : tuple of int
        Number of inputs nu and of outputs ny.
    dt : float
        Period of a discrete plant [s], 0 for a continuous one.
    """

    def __init__(self, start: Any, counts: tuple[int, int], dt: float = 0.0) -> None:
        self.start = np.array(start, dtype=float).reshape(-1)
        self.nu, self.ny = counts
        self.dt = dt
        self.parameters: dict[str, float] = {}
        self.reset(0.0)

    def reset(self, t_0: float) -> None:
        """Go to the start at `t_0` [s]; inputs are 0."""
        self.x, self.u, self.slope = self.start.copy(), np.zeros(self.nu), np.zeros(self.nu)
        self.now = self.t_0 = t_0
        self.n, self.pending, self.latched = 0, False, np.zeros(self.nu)

    def state(self) -> tuple[Any, ...]:
        """Return a copy of all that changes."""
        kept = self.x.copy(), self.u.copy(), self.slope.copy(), self.latched.copy()
        return (*kept, self.now, self.t_0, self.n, self.pending)

    def set_state(self, kept: tuple[Any, ...]) -> None:
        """Go back to `kept`, what `state` returned."""
        self.x, self.u, self.slope, self.latched = (one.copy() for one in kept[:4])
        self.now, self.t_0, self.n, self.pending = kept[4:]

    def step(self, t: float, h: float) -> None:
        """Go from `t` to `t` + `h` [s]. Raises PlantFailure if a function fails."""
        if self.dt > 0.0:
            self._sample(t + h)
        else:
            self._go(t, h)
            self.u = self.u + h * self.slope
        self.now = t + h

    def outputs(self) -> Array:
        """Return the outputs at the present time, shape (ny,). Raises PlantFailure if a function fails."""
        raise NotImplementedError

    def _sample(self, end: float) -> None:
        """Take the inputs at the points of time of the plant, and its new states a period after each."""
        near = _NEAR * self.dt
        while True:
            point = self.t_0 + self.n * self.dt
            if self.pending and point + self.dt <= end + near:
                self.x, self.pending, self.n = self._next(point, self.x, self.latched), False, self.n + 1
            elif not self.pending and point < end - near:
                self.latched, self.pending = self.u.copy(), True
            else:
                return

    def _go(self, t: float, h: float) -> None:
        raise NotImplementedError

    def _next(self, t: float, x: Array, u: Array) -> Array:
        raise NotImplementedError


class Linear(Dynamics):
    """dx/dt = A x + B u (discrete: the next x), y = C x + D u; lines of inputs are followed exactly.

    Parameters
    ----------
    matrices : tuple of array
        A (nx, nx), B (nx, nu), C (ny, nx) and D (ny, nu); time in s.
    start : sequence of float
        States at the start, nx of them.
    dt : float
        Period of a discrete plant [s], 0 for a continuous one.
    """

    def __init__(self, matrices: Any, start: Any, dt: float = 0.0) -> None:
        self.A, self.B, self.C, self.D = (np.array(one, dtype=float) for one in matrices)
        self._steps: dict[float, tuple[Array, Array, Array]] = {}
        super().__init__(start, (self.B.shape[1], self.C.shape[0]), dt)

    def outputs(self) -> Array:
        """Return the outputs at the present time, shape (ny,)."""
        return np.asarray(self.C @ self.x + self.D @ self.u)

    def _next(self, t: float, x: Array, u: Array) -> Array:
        return np.asarray(self.A @ x + self.B @ u)

    def _go(self, t: float, h: float) -> None:
        if h not in self._steps:
            nx, nu = self.B.shape
            block = np.zeros((nx + 2 * nu, nx + 2 * nu))  # Van Loan: states, inputs, their change
            block[:nx, :nx], block[:nx, nx : nx + nu] = self.A * h, self.B * h
            block[nx : nx + nu, nx + nu :] = np.eye(nu)
            whole = exponential(block)[:nx]
            self._steps[h] = whole[:, :nx], whole[:, nx : nx + nu], whole[:, nx + nu :]
        phi, level, change = self._steps[h]
        self.x = phi @ self.x + level @ self.u + change @ (h * self.slope)


class Nonlinear(Dynamics):
    """A plant of two functions f(t, x, u) and g(t, x, u), or f(t, x), or with a fourth argument, the parameters.

    Parameters
    ----------
    f : callable
        Derivatives of the states, or their next values, shape (nx,).
    g : callable or None
        Outputs, shape (ny,); None: the states.
    start : sequence of float
        States at the start, nx of them.
    counts : tuple of int
        Number of inputs nu and of outputs ny.
    settings : mapping
        `dt` [s], `rtol` and `atol` of the integration, `method`: None or one of those of scipy's solve_ivp.
    """

    def __init__(self, f: Function, g: Function | None, start: Any, counts: tuple[int, int], settings: Any) -> None:
        self._f, self._g, self._settings = f, g, settings
        self._takes = {"f": arguments_of(f), "g": 0 if g is None else arguments_of(g)}
        super().__init__(start, counts, settings.get("dt", 0.0))

    def outputs(self) -> Array:
        """Return the outputs at the present time, shape (ny,). Raises PlantFailure if g fails."""
        return self.x if self._g is None else self._call("g", self._g, self.ny, self.now, self.x, self.u)

    def _next(self, t: float, x: Array, u: Array) -> Array:
        return self._call("f", self._f, x.size, t, x, u)

    def _call(self, name: str, function: Function, size: int, t: float, x: Array, u: Array) -> Array:
        given = (t, x.copy(), u.copy(), self.parameters)[: self._takes[name] or 3]
        try:
            raw = function(*given)
        except Exception as error:
            words = str(error).strip() or "no words"
            raise PlantFailure(f"at t = {t:.10g} s: {name} raises {type(error).__name__}: {words}") from error
        try:
            found = np.asarray(raw, dtype=float).reshape(-1)
        except (TypeError, ValueError):
            raise PlantFailure(f"at t = {t:.10g} s: {name} gives {raw!r:.60}, allowed {size} numbers") from None
        if found.size != size:
            words = f"{name} gives {found.size} number{'s' * (found.size != 1)}, allowed {size}"
            raise PlantFailure(f"at t = {t:.10g} s: {words}")
        if not np.isfinite(found).all():
            raise PlantFailure(f"at t = {t:.10g} s: {name} gives {found.tolist()!r:.60}, allowed finite numbers")
        return found

    def _go(self, t: float, h: float) -> None:
        u_0, slope = self.u, self.slope

        def rate(time: float, x: Array) -> Array:
            return self._call("f", self._f, x.size, time, x, u_0 + (time - t) * slope)

        tolerances = self._settings["rtol"], self._settings["atol"]
        method = self._settings.get("method")
        if method is not None:
            from scipy.integrate import solve_ivp

            found = solve_ivp(rate, (t, t + h), self.x, method=method, rtol=tolerances[0], atol=tolerances[1])
            if not found.success:
                raise PlantFailure(f"at t = {float(found.t[-1]):.10g} s: {method} stops: {found.message}")
            self.x = np.asarray(found.y[:, -1])
        elif self.x.size:
            self.x = integrate(rate, t, h, self.x, tolerances)


def integrate(rate: Function, t: float, h: float, x: Array, tolerances: tuple[float, float]) -> Array:
    """Return the states at `t` + `h` [s], `x` at `t`, whose derivatives are `rate(t, x)`.

    Gragg, Bulirsch, Stoer: the midpoint rule with 2, 4, 6, .. parts, extrapolated to none; the step is halved where
    that does not settle within the `tolerances`, relative and absolute.
    """
    end, size, first = t + h, h, None
    for _ in range(_PARTS):
        first = rate(t, x) if first is None else first
        found = _extrapolate(rate, t, size, x, first, tolerances)
        if found is None and size > h * 0.5**_HALVINGS:
            size *= 0.5
            continue
        x = x + size * first if found is None else found
        if end - (t + size) <= 1e-12 * h:
            return x
        t, first = t + size, None
        size = min(2.0 * size, end - t)
    words = f"{h:g} s need more than {_PARTS} parts: method='Radau' is for stiff plants, or larger tolerances"
    raise PlantFailure(f"at t = {t:.10g} s: {words}")


def _extrapolate(
    rate: Function, t: float, h: float, x: Array, first: Array, tolerances: tuple[float, float]
) -> Array | None:
    """Return the states a step of `h` [s] later, None where the columns do not settle."""
    rows: list[Array] = []
    for column in range(_COLUMNS):
        parts = 2 * (column + 1)
        part = h / parts
        before, now = x, x + part * first
        for i in range(1, parts):
            before, now = now, before + 2.0 * part * rate(t + i * part, now)
        new = [0.5 * (before + now + part * rate(t + h, now))]
        for back in range(column):
            ratio = (parts / (2.0 * (column - back))) ** 2
            new.append(new[-1] + (new[-1] - rows[back]) / (ratio - 1.0))
        if column >= 2:
            error = np.abs(new[-1] - new[-2])
            limit = tolerances[1] + tolerances[0] * np.maximum(np.abs(x), np.abs(new[-1]))
            if bool((error <= limit).all()):
                return np.asarray(new[-1])
        rows = new
    return None


def find_feedthrough(plant: Dynamics, names: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """Return by output the inputs that act on it at once.

    `names` are those of ``inputs`` and ``outputs``. Of functions that is tried, at the start and near it; a g that
    takes no u has none. What cannot be tried counts as acting.
    """
    every = tuple(names["inputs"])
    if isinstance(plant, Linear):
        acting = plant.D != 0.0
    elif plant._g is None or plant._takes["g"] == 2:  # type: ignore[attr-defined]
        acting = np.zeros((plant.ny, plant.nu), dtype=bool)
    else:
        acting = _try_inputs(plant)
    rows = zip(names["outputs"], acting, strict=True)
    return {output: tuple(n for n, acts in zip(every, row, strict=True) if acts) for output, row in rows}


def _try_inputs(plant: Dynamics) -> NDArray[np.bool_]:
    acting = np.zeros((plant.ny, plant.nu), dtype=bool)
    random = np.random.default_rng(1)
    kept = plant.state()
    try:
        for trial in range(8):
            plant.x = plant.start + (trial > 0) * random.standard_normal(plant.start.size)
            plant.u = (trial > 0) * random.standard_normal(plant.nu)
            base = plant.outputs()
            for i in range(plant.nu):
                plant.u[i] += 1.0 + trial
                acting[:, i] |= plant.outputs() != base
                plant.u[i] -= 1.0 + trial
    except PlantFailure:
        acting[:] = True
    finally:
        plant.set_state(kept)
    return acting
