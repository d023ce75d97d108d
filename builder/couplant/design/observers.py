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
    tables, walks, lags = {}, {}, {}
    for one in system.prototypes:
        if outputs := coupled_signals(system, one.name)[0]:
            w = system.excitation[one.name]
            noise = [max(system.noise_of(name), _QUIET) * max(sizes[name], 1e-12) for name in outputs]
            tables[one.name] = {"disturbance": list(w.states), "noise": [_short(size) for size in noise]}
            # what is not excited has an observer all the same: a thousandth of one unit
            power = max(w.deviation**2, 1e-6)
            # σ² ω: what a random walk gains in 1/ω
            walks[one.name] = power * w.bandwidth
            # white noise of this density has the variance σ² behind the lags: q / 2ω behind one, q / 4ω³ behind two
            density = 2.0 * w.bandwidth if w.lags == 1 else 4.0 * w.bandwidth**3
            lags[one.name] = {"order": w.lags, "leak": w.bandwidth, "drive": _short(power * density)}
    for name, faster in _DRIVES.items():
        yield name, {n: one | {"order": 1, "drive": _short(faster * walks[n])} for n, one in tables.items()}
    yield "observer of its bandwidth", {n: one | lags[n] for n, one in tables.items()}


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
