"""Power bonds of a run through coupling FMUs: what its ends gave, from their own books or from the signals."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import Vector
from couplant.config.bonds import DISPLACEMENT, Bond
from couplant.config.hosts import READS_AGAIN
from couplant.config.ref import Ref
from couplant.config.rules.steps import BondTable
from couplant.config.scenario import Loaded
from couplant.cosim.run.master import Recording
from couplant.cosim.traces import BondTrace
from couplant.cosim.wiring.bonds import SHOWN
from couplant.cosim.wiring.links import arrival, coupling_name


class _Port(NamedTuple):
    """Signal of a bond at the N macro points, shape (N,)."""

    sent: Vector
    estimate: Vector


def bond_traces(loaded: Loaded, recording: Recording, timing: str) -> dict[str, BondTrace]:
    """Return the bonds of a run in its macro steps, by name.

    An end whose coupling FMU has no books is taken as its signals show it at macro points, estimates as held in step
    `timing` and as lines in event timing.
    """
    bonds = loaded.scenario.bonds
    books = {name: _books(loaded, bond, recording, timing) for name, bond in bonds.items()}
    count = min((one.known for one in books.values()), default=0)
    time, found = recording.time[: max(count, 1)], {}
    part, step = slice(1, time.size), np.full(time.size - 1, loaded.scenario.macro_step)
    for name, one in books.items():
        given = (np.diff(values[: time.size]) for values in one.given)
        stage = _stage(one.shown, part) if any(one.shown) else {}
        # nothing goes through a bond after the time until which it counts
        until = np.inf if (end := bonds[name].until) is None else end * (1.0 + 1e-9)
        power, effort, flow = (values * (time[1:] <= until) for values in (one.power[part], *given))
        found[name] = BondTrace(name, time[1:], step, power, effort, flow, **stage)
    return found


class _Books(NamedTuple):
    """Columns that a bond's energies are made of, shape (N,) each."""

    given: tuple[Vector, Vector]  # energy since the start at the ends that receive effort and flow, J
    power: Vector  # W
    shown: list[dict[str, NDArray[Any]]]  # outputs of the stages of both ends, by name

    @property
    def known(self) -> int:
        """Return the number of macro points until which both ends are known."""
        found = np.isfinite(self.given[0] + self.given[1])
        return int(found.size if found.all() else np.argmin(found))


def _books(loaded: Loaded, bond: BondTable, recording: Recording, timing: str) -> _Books:
    watched, time = recording.watched, recording.time
    ends = (bond.effort, bond.flow)
    shown = [{v: watched[ref] for v in SHOWN if (ref := Ref(coupling_name(s), v)) in watched} for s in ends]
    effort, flow = (_port(loaded, watched, s) for s in ends)
    with np.errstate(over="ignore", invalid="ignore"):
        stale = loaded.scenario.host != READS_AGAIN
        way_back = timing if bond.direct_flow is None else "event"  # it is given at communication points
        # the energy that both receivers have got, from the signals, shape (N,) [J]
        seen = (
            _sums(effort_energy(bond, effort.estimate, flow.sent, time, timing)),
            _sums(flow_energy(bond, effort.sent, flow.estimate, time, way_back, stale)),
        )
        # the power into the receiver of the effort as the signals are sent, shape (N,) [W]; the first is 0
        speed = np.diff(flow.sent) / np.diff(time) if bond.flow_is == DISPLACEMENT else flow.sent[1:]
        power = np.concatenate([[0.0], bond.sign * effort.sent[1:] * speed])
    given = [_book(told, time) if told else own for told, own in zip(shown, seen, strict=True)]
    return _Books((given[0], given[1]), power, shown)


def _port(loaded: Loaded, watched: Mapping[Ref, Vector], end: str) -> _Port:
    if (signal := loaded.scenario.signals.get(end)) is None:
        return _Port(watched[Ref.parse(end)], watched[Ref.parse(end)])
    estimate = Ref(coupling_name(end), "y_hat")
    return _Port(watched[signal.source], watched[estimate if estimate in watched else arrival(loaded, end)])


def _book(shown: Mapping[str, NDArray[Any]], time: Vector) -> Vector:
    """Return the energy that an end has given until each of the times, shape (N,) [J]; NaN where it is not known yet.

    The books are behind by what the coupling FMU did not know at a macro point: `energy.time` says it.
    """
    until, given = shown["energy.time"], shown["energy.given"]
    known = np.isfinite(until) & np.isfinite(given)
    if not known.any():
        return np.full(time.size, np.nan)
    at, last = np.unique(until[known][::-1], return_index=True)
    found = np.interp(time, at, given[known][::-1][last])
    return np.where(time <= at[-1] * (1.0 + 1e-9), found, np.nan)


def course_of(algorithm: str, timing: str) -> str:
    """Return the timing in which estimates are held, or run on, as those of an `algorithm` do in a `timing`."""
    return "step" if algorithm == "zoh" else timing


def effort_energy(bond: Bond, estimate: Vector, sent: Vector, time: Vector, timing: str) -> Vector:
    """Return the energy that the receiver of the effort gets in each step, shape (N - 1,) [J].

    It is given the `estimate` of the effort, and has `sent` its flow, at the times `time` [s], shape (N,) each; in step
    `timing` an estimate is held, in event timing it runs on as a line.
    """
    way = np.diff(sent) if bond.flow_is == DISPLACEMENT else _means(sent) * np.diff(time)
    return bond.sign * _port_values(estimate, timing) * way


def flow_energy(
    bond: Bond, sent: Vector, estimate: Vector, time: Vector, timing: str, stale: bool = False
) -> Vector:
    """Return the energy that the receiver of the flow gets in each step, shape (N - 1,) [J].

    It has `sent` its effort and is given the `estimate` of the flow, at the times `time` [s], shape (N,) each, in a
    `timing` as for `effort_energy`; `stale` efforts belong to the displacement of the step before.
    """
    way = np.diff(estimate) if bond.flow_is == DISPLACEMENT else _port_values(estimate, timing) * np.diff(time)
    if stale and bond.flow_is == DISPLACEMENT:
        way = np.diff(estimate, prepend=estimate[0])[:-1]
    return -bond.sign * _means(sent) * way


def _port_values(estimate: Vector, timing: str) -> Vector:
    return _means(estimate) if timing == "event" else estimate[:-1]


def _means(values: Vector) -> Vector:
    return 0.5 * (values[1:] + values[:-1])


def _sums(parts: Vector) -> Vector:
    return np.concatenate([[0.0], np.cumsum(parts)])


def _stage(shown: list[dict[str, NDArray[Any]]], part: slice) -> dict[str, Any]:
    """Return the work of the stages of both ends; NaN of an end without one."""
    nothing = np.full_like(next(one for one in shown if one)["energy.left"], np.nan)
    left, taken = ([one.get(key, nothing)[part] for one in shown] for key in ("energy.left", "energy.taken"))
    limited = np.any([one["energy.limited"][part] > 0 for one in shown if one], axis=0)
    return {"left_effort": left[0], "left_flow": left[1], "taken": taken[0], "limited": limited}
