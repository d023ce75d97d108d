"""From a signal of the configuration to the settings of its FMU, tables included."""

from functools import cache, lru_cache
from typing import Any

from couplant.analysis.algorithms import hermite
from couplant.analysis.exact.autocorrelation import spectrum_of_band, tolerances_of_spectrum
from couplant.analysis.exact.tables import Tables, detector_rows, tables_of_generic, tables_of_weights
from couplant.analysis.morphism import neural_weights
from couplant.config.interface import MAX_STEPS, Interface, Signal
from couplant.config.latency import added_steps, derivative_weights, latency_steps, own_weights, uses_derivative
from couplant.config.rules.neural import neural_of
from couplant.pack.describe.coupling import features
from couplant.pack.plants import plant_of
from couplant_runtime.algorithms import BY_NAME, GENERIC
from couplant_runtime.config import Settings, Spectrum, Weights
from couplant_runtime.generated.algorithms import ROWS
from couplant_runtime.generated.constants import USUAL_GUARD
from couplant_runtime.generated.numbers import EARLIER_COMPANIONS, EARLIER_INPUTS, HORIZONS
from couplant_runtime.generated.variables import ALL
from couplant_runtime.variable import Variable
from couplant_runtime.variables import choose, items

Row = tuple[float, ...]
_PUBLISHED = (0.0,) * HORIZONS, (0.1,) * HORIZONS
"""Tolerance of Stettinger 2017, zeta and delta by horizon: algorithms that adapt have no limit frequency."""

_USUAL: dict[str, dict[str, float | str]] = {
    "auto": {"discontinuity.enabled": True, "discontinuity.detector": "residual", "output.guard": USUAL_GUARD},
    "phasor": {"discontinuity.enabled": False},  # it tells jumps by itself, and each crest looks like one
}
"""What algorithms begin with where a file says nothing, by variable."""

BAND = (0.01, 0.24)
"""Band of a signal about which nothing is said, radians per macro step: from 600 to 26 values a period."""


def runtime_settings(interface: Interface, signal_name: str) -> Settings:
    """Return the settings of the FMU of one signal; raise `KeyError` if there is no such signal."""
    signal = interface.signals[signal_name]
    k = latency_steps(signal.latency, interface.macro_step)
    weights, plant, neural = weights_of(signal, k), plant_of(interface, signal_name), neural_of(signal, k)
    spectrum = spectrum_of(interface, signal)
    fraction = k - signal.latency.constant_steps - added_steps(signal.latency, interface.macro_step)
    step = interface.timing == "step"
    of_needs = {"weights": _of_weights(weights, max(fraction, 0.0), step)}
    of_needs |= {"spectrum": tolerances(spectrum, step)} if spectrum else {}
    tables = {name: _generic(name, step) for name in GENERIC}
    tables |= {row.name: of_needs[row.needs] for row in ROWS if row.needs in of_needs}
    selected = BY_NAME[signal.algorithm.selected]
    tables |= {selected.name: _PUBLISHED} if selected.needs in ("model", "plant", "phasor") else {}
    real, imaginary = detector_rows()
    wanted = {"weights": len(weights[0].a) if len(weights) == 1 else 0, "network": neural.size if neural else 0}
    if plant:
        _, inputs, outputs = plant.sizes
        wanted |= {"plant": inputs, "companions": outputs - 1, "given": inputs * (plant.echo > 0)}
    elif any(entry.b for entry in weights):
        wanted["companions"] = 1
    for feature, most in (("companions", EARLIER_COMPANIONS), ("given", EARLIER_INPUTS)):
        width = wanted.get(feature, 0)  # numbers with each value
        wanted[f"earlier {feature}"] = width * min(signal.burst - 1, most // max(width, 1))
    positions = choose(features(signal) | wanted)
    learnt = neural_weights(signal, neural, interface.timing) if neural else ()
    return Settings(
        event=not step,
        chosen=positions,
        start=tuple(_start_value(interface, signal, weights, learnt, ALL[position - 1]) for position in positions),
        weights=weights,
        zeta={name: zeta for name, (zeta, _) in tables.items()},
        delta={name: delta for name, (_, delta) in tables.items()},
        real=real,
        imaginary=imaginary,
        spectrum=spectrum,
        neural=neural,
        plant=plant,
    )


@cache
def _generic(name: str, step: bool) -> Tables:
    return tables_of_generic(name, step)


@cache
def _of_weights(weights: tuple[Weights, ...], fraction: float, step: bool) -> Tables:
    return tables_of_weights(weights, fraction, step)


def _start_value(
    interface: Interface, signal: Signal, weights: tuple[Weights, ...], learnt: Row, variable: Variable
) -> float:
    if variable.start is None:
        return 0.0
    if variable.field == "base":
        return learnt[variable.index]
    if variable.field in ("a", "slopes"):
        return (weights[0].a if variable.field == "a" else weights[0].slopes)[variable.index]
    value = _value_of(interface, signal, variable.name, variable.start)
    if not isinstance(value, str):
        return float(value)
    selected = BY_NAME[signal.algorithm.selected]
    return float(items(variable.items, selected.number if selected.needs == "model" else 0)[value])


def _value_of(interface: Interface, signal: Signal, name: str, default: float) -> float | str:
    """Return the value of the configuration under the name of a variable."""
    if name == "y":
        return signal.start
    if name == "macro_step":
        return interface.macro_step
    usual = _USUAL.get(signal.algorithm.selected, {})
    if name in usual:
        section, key = name.split(".")
        if key not in getattr(signal, section).model_fields_set:
            return usual[name]
    value: Any = signal
    for key in name.split("."):
        value = getattr(value, key, default)
    return value if isinstance(value, str) else float(value)


def spectrum_of(interface: Interface, signal: Signal) -> Spectrum | None:
    """Return the autocorrelation of a signal with equal power at all frequencies of its band, if it is needed."""
    algorithm = signal.algorithm
    if BY_NAME[algorithm.selected].needs != "spectrum":
        return None
    low, high = BAND if algorithm.band is None else (omega * interface.macro_step for omega in algorithm.band)
    return _spectrum(low, high, algorithm.values, algorithm.exact, algorithm.noise)


@lru_cache
def _spectrum(low: float, high: float, values: int, degree: int, noise: float) -> Spectrum:
    return spectrum_of_band(low, high, values, degree, noise)


@lru_cache
def tolerances(spectrum: Spectrum, step: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return zeta / ΔT and delta of a `spectrum` by horizon, -, with `step` those of step timing."""
    return tolerances_of_spectrum(spectrum, step)


def weights_of(signal: Signal, k: int) -> tuple[Weights, ...]:
    """Return the weights of a signal by latency; `k` is its own [macro steps].

    Without weights in the settings, where the sender sends the derivative, they are those of `hermite`: for all
    latencies with stamps, else for its own and those of the steps without news that are bridged.
    """
    given, derived = own_weights(signal, k), derivative_weights(signal, k)
    if given or not uses_derivative(signal):
        bare: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
        return tuple(Weights(at, a, A, *derived.get(at, bare)) for at, (a, A) in sorted(given.items()))
    last = k + signal.latency.coast_steps if signal.latency.mode == "constant" else MAX_STEPS
    first = k if signal.latency.mode == "constant" else 0
    found = [hermite(at) for at in range(first, min(last, MAX_STEPS) + 1)]
    return tuple(Weights(one.k, one.a, one.A, one.b, one.B) for one in found)
