"""Observers for the models of a system whose excitation and noise are known: those worth trying in its loop."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from couplant.analysis.senders import coupled_signals
from couplant.analysis.system import Excitation, System

Tables = dict[str, dict[str, Any]]  # weights of observers by prototype, as ``[models.NAME]`` of a system file has them
_QUIET = 1e-4  # noise over the rms of a signal that is counted at least: quantisation is everywhere [-]

_DRIVES = {"": 1.0, "fast observer": 10.0, "slow observer": 0.1}
"""Drives over that of the excitation, with what is said of them. [-]"""


def observers(system: System, sizes: Mapping[str, float]) -> Iterator[tuple[str, Tables]]:
    """Yield names and weights of observers of all prototypes that send, each of which the system excites.

    The first ones take the excitation w for a random walk that moves by its deviation in the time of its bandwidth, as
    it is, faster and slower; the last has the lags that w passed: the Kalman filter of the prototype. `sizes` are the
    rms values of the signals by output [signal unit].
    """
    senders = [one.name for one in system.prototypes if coupled_signals(system, one.name)[0]]
    for name, faster in _DRIVES.items():
        yield name, {one: _walk(system, one, sizes, faster) for one in senders}
    yield "observer of its bandwidth", {one: _lags(system, one, sizes) for one in senders}


def _walk(system: System, name: str, sizes: Mapping[str, float], faster: float) -> dict[str, Any]:
    w = system.excitation[name]
    # σ² ω: what a random walk gains in 1/ω
    return _table(system, name, sizes) | {"order": 1, "drive": _short(faster * _power(w) * w.bandwidth)}


def _lags(system: System, name: str, sizes: Mapping[str, float]) -> dict[str, Any]:
    w = system.excitation[name]
    # white noise of this density has the variance σ² behind the lags: q / 2ω behind one, q / 4ω³ behind two
    density = 2.0 * w.bandwidth if w.lags == 1 else 4.0 * w.bandwidth**3
    return _table(system, name, sizes) | {"order": w.lags, "leak": w.bandwidth, "drive": _short(_power(w) * density)}


def _power(w: Excitation) -> float:
    # what is not excited has an observer all the same: a thousandth of one unit
    return max(w.deviation**2, 1e-6)


def _table(system: System, name: str, sizes: Mapping[str, float]) -> dict[str, Any]:
    outputs = coupled_signals(system, name)[0]
    noise = [max(system.noise_of(one), _QUIET) * max(sizes[one], 1e-12) for one in outputs]
    return {"disturbance": list(system.excitation[name].states), "noise": [_short(one) for one in noise]}


def _short(value: float) -> float:
    """Return a weight as it stands in settings."""
    return float(f"{value:.4g}")


def with_usual_excitation(system: System, bandwidth: float) -> System:
    """Return a system in which each prototype that sends is excited below a `bandwidth` [rad/s], if it has nothing yet.

    That acts as the first input, with deviation 1: relative errors of a linear loop do not depend on its size.
    """
    found = dict(system.excitation)
    for one in system.prototypes:
        outputs, inputs = coupled_signals(system, one.name)
        if outputs and inputs and one.name not in found:
            column = one.B[:, one.inputs.index(inputs[0].partition(".")[2])]
            found[one.name] = Excitation(tuple(column.tolist()), 1.0, bandwidth)
    return replace(system, excitation=found)
