"""The exact macro step of a coupled system in which estimates come from models of the senders.

Every quantity is a row over one column for each number of the state before, of what comes from outside, and, until it
is solved for, of what there is at once: sent values Y, estimates in effect U and their slopes S.
"""

from dataclasses import dataclass

import numpy as np

from couplant.analysis.by_model import ByModel, Line, Sender, line
from couplant.analysis.macro_map import Recursion, discretise, recursion, solve_loop
from couplant.analysis.system import Connection, System
from couplant.base.arrays import Matrix


@dataclass(frozen=True, eq=False)
class MacroStep:
    """One macro step: (s⁺, U) = whole (s, w, w⁺, v).

    s is the state, w what excites the prototypes at a macro point, w⁺ at the next, linear in between, v the noise of
    the outputs that are sent, U the estimates in effect.
    """

    split: tuple[int, int, int, int]  # how many numbers s, w, w⁺ and v have
    # state, estimates: shapes (N, sum of split), (connections, sum of split): the rows of s⁺ and U
    state: Matrix
    estimates: Matrix

    @property
    def matrix(self) -> Matrix:
        """Return the matrix that takes the state over a macro step, shape (N, N)."""
        return self.state[:, : self.split[0]]


def sent_of(system: System) -> list[str]:
    """Return the outputs that are sent, as ``prototype.signal``: those of connections, then companions without any."""
    # companions are sent too, although no connection leads from them
    told = [name for sender in senders_of(system) for name in sender.outputs]
    return list(dict.fromkeys([*(name for c in system.connections for name in c.sent), *told]))


def senders_of(system: System) -> list[Sender]:
    """Return the models that estimates of a system come from."""
    found = (c.algorithm.sender for c in system.connections if isinstance(c.algorithm, ByModel))
    return list({id(one): one for one in found}.values())


def way_back(system: System, sender: Sender) -> list[int]:
    """Return which connections lead to the inputs of a model."""
    targets = [c.target for c in system.connections]
    return [targets.index(name) for name in sender.inputs]


def macro_step(system: System, excited: Matrix | None = None) -> MacroStep:
    """Return the macro step of a coupled system.

    `excited` tells how w acts on the states of all prototypes side by side, shape (nx, nw); not given: there is none.
    Raises CouplantError if direct feedthrough without latency closes an algebraic loop that has no unique solution;
    UsageError for the transfer function of the observer, which has no finite state.
    """
    states = sum(len(one.A) for one in system.prototypes)
    return _Step(system, np.zeros((states, 0)) if excited is None else excited).result()


def _part(connection: Connection) -> Line | Recursion:
    one = connection.algorithm
    return line(one.sender, one.own, one.k, one.lead) if isinstance(one, ByModel) else recursion(one)


class _Step:
    """The rows of one macro step; `was` has those of the state before by name, `new` those after."""

    def __init__(self, system: System, excited: Matrix) -> None:
        self._system, self._event = system, system.timing == "event"
        self._connections, self._sent, self._senders = system.connections, sent_of(system), senders_of(system)
        self._source = [self._sent.index(c.source) for c in system.connections]
        self._back = [way_back(system, one) for one in self._senders]
        A, B, C, D = system.matrices()
        outputs = [system.output_names.index(name) for name in self._sent]
        # where the host reads before it sets, feedthrough acts one step later
        late = np.isin(self._sent, system.stale)[:, None]
        D = D[np.ix_(outputs, system.targets)]
        self._C, self._D, self._D_late = C[outputs], np.where(late, 0.0, D), np.where(late, D, 0.0)
        # in step timing receivers hold each estimate over a micro step
        self._micro = system.micro_steps
        self._plant = discretise(A, np.hstack([B[:, system.targets], excited]), system.macro_step / self._micro)
        self._parts = [_part(c) for c in system.connections]
        self._lay_out(excited.shape)
        self._wired = np.array([[c.wired and not self._event] for c in self._connections])
        for i, part in enumerate(self._parts):
            if self._wired[i] and isinstance(part, Recursion):
                # a plain wire has no FMU whose step it waits for
                self._U[i] = part.h @ self.was[f"{i}"]
        self.new: dict[str, Matrix] = {}

    def _lay_out(self, excited: tuple[int, ...]) -> None:
        """Give every number a column."""
        ny, nc = len(self._sent), len(self._connections)
        # a line of k steps ahead needs the inputs of as many steps back
        back = max((one.sent.shape[1] for one in self._parts if isinstance(one, Line)), default=1)
        # the state: plants, sent values, inputs, slopes or held values, models, and what each estimate remembers
        sizes: dict[str, tuple[int, ...]] = {"x": (excited[0],), "Y": (max(back - 1, 1), ny), "U": (nc,)}
        sizes["S" if self._event else "held"] = (nc,)
        # what outputs follow that the host reads before it sets inputs
        sizes |= {"before": (nc,)} if self._D_late.any() and self._micro > 1 else {}
        sizes |= {f"model {i}": (len(one.plant.phi),) for i, one in enumerate(self._senders)}
        for i, one in enumerate(self._parts):
            sizes[f"{i}"] = (self._connections[i].algorithm.k, 2) if isinstance(one, Line) else (len(one.F),)
        counts = {name: int(np.prod(shape)) for name, shape in sizes.items()}
        self._split = (sum(counts.values()), excited[1], excited[1], ny)
        # unknowns that depend on each other at once: Y, and in event timing U and its slope S
        free = (ny, nc, nc) if self._event else (ny,)
        every = np.split(np.eye(sum(self._split) + sum(free)), np.cumsum([*counts.values(), *self._split[1:], *free]))
        blocks = zip(sizes.items(), every, strict=False)
        self.was = {name: rows.reshape(*shape, rows.shape[1]) for (name, shape), rows in blocks}
        self._w, self._w_next, self._noise, self._Y, *rest = every[len(sizes) : -1]
        self._U, self._S = rest or (self.was["held"], 0.0 * self.was["held"])

    def result(self) -> MacroStep:
        """Return the macro step."""
        was, new, nu = self.was, self.new, len(self._connections)
        for i, sender in enumerate(self._senders):
            new[f"model {i}"] = self._correct_states(i, sender)
        estimates = np.array([self._estimate(i, one) for i, one in enumerate(self._parts)])
        # what is sent: direct feedthrough of now, late feedthrough of the micro step before, noise
        y = self._C @ was["x"] + self._D @ self._U + self._D_late @ was.get("before", was["U"]) + self._noise
        new["Y"], new["U"] = np.concatenate([self._Y[None], was["Y"]])[:-1], self._U
        if self._event:
            new["x"], new["S"] = self._advance(was["x"], self._U, self._S, 0), self._S
        else:
            # advance the plant by micro steps over which it holds what estimates are at their beginning
            x, held = self.was["x"], self._U
            for step in range(self._micro):
                x, before = self._advance(x, held, 0.0 * held, step), held
                # in step timing the value at the end of the step is what is held next
                held = estimates[:, 0] + np.where(self._wired, 0.0, (step + 1) / self._micro) * estimates[:, 1]
            self.new |= {"x": x, "held": held} | ({"before": before} if "before" in self.was else {})
        count, width = sum(self._split), y.shape[1]
        free = np.vstack([y, estimates[:, 0], estimates[:, 1]]) if self._event else y
        # Y, U, S stand on both sides: (I - own part) free = the rest, solved once
        solved = solve_loop(np.eye(len(free)) - free[:, count:], free[:, :count])
        rows = np.vstack([*(new[name].reshape(-1, width) for name in was), self._U])
        # the unknowns are put in, columns of the state alone remain
        rows = rows @ np.vstack([np.eye(count), solved])
        return MacroStep(self._split, rows[:-nu], rows[-nu:])

    def _advance(self, x: Matrix, level: Matrix, change: Matrix, step: int) -> Matrix:
        """Return the states after a micro step; inputs begin at a `level` and `change` over it, as what excites."""
        phi, gamma, gamma_slope = self._plant
        rise = (self._w_next - self._w) / self._micro
        inputs, changes = np.vstack([level, self._w + step * rise]), np.vstack([change, rise])
        return np.asarray(phi @ x + gamma @ inputs + gamma_slope @ changes)

    def _correct_states(self, i: int, sender: Sender) -> Matrix:
        """Return the states of a model at the sender, corrected by what it sends now."""
        (phi, level, change, C, D, K), back = sender.matrices, self._back[i]
        held = sender.plant.micro_step
        if sender.plant.echo:
            # an echo tells the model what the prototype was really given
            given, now = self.was["U"][back], self._U[back]
            rise = self.was["S"][back] if self._event else (now - given if held < 1.0 else 0.0 * given)
        else:
            # without an echo the model has what was sent back, taken as a line over the step
            places = [self._source[j] for j in back]
            given, now = self.was["Y"][0][places], self._Y[places]
            rise = now - given
        # a staircase is half a micro step later than the line through it
        late = 0.5 * held if held < 1.0 and sender.plant.echo else 0.0
        x = phi @ self.was[f"model {i}"] + level @ (given - late * rise) + change @ rise
        seen = self._Y[[self._sent.index(name) for name in sender.outputs]]
        # Kalman's correction: prediction plus K times what was sent less what was expected
        seen_by = given + (1.0 - held) * rise if sender.plant.stale else now
        return np.asarray(x + K @ (seen - C @ x - D @ seen_by))

    def _estimate(self, i: int, part: Line | Recursion) -> Matrix:
        """Return the estimate that a connection makes now, and its slope. What the connection remembers is advanced."""
        one, was = self._connections[i], self.was[f"{i}"]
        if isinstance(part, Line):
            sender = one.algorithm.sender if isinstance(one.algorithm, ByModel) else None
            which = next(j for j, other in enumerate(self._senders) if other is sender)
            places = [self._source[j] for j in self._back[which]]
            # what went to the sender since, newest first: the line weighs it
            past = np.concatenate([self._Y[None], self.was["Y"]])[: part.sent.shape[1], places]
            coming, since = part.states @ self.new[f"model {which}"], np.einsum("rlm,lmc->rc", part.sent, past)
            # an estimate made at the sender waits k steps until it counts here
            waiting = np.concatenate([coming[None], was])
            self.new[f"{i}"] = waiting[:-1]
            rows = np.asarray(waiting[-1] + since)
        else:
            y = self._Y[[self._sent.index(name) for name in one.sent]]
            # derivatives enter as ΔT y'
            y[1:] = self._system.macro_step * y[1:]
            rows = np.array([part.h @ was + part.j @ y, part.h_slope @ was + part.j_slope @ y])
            self.new[f"{i}"] = part.F @ was + part.g @ y
        return rows * [[1.0], [0.0]] if one.hold and self._event else rows
