"""The article of 2019: two masses of 100 kg and 1 kg, weights that were trained and optimised, a stop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.linalg import expm

from couplant.analysis import LinearAlgorithm
from couplant.analysis.macro_map import macro_map
from couplant.analysis.stability import stability
from couplant.analysis.system import System
from couplant.base.arrays import Matrix, Vector
from couplant.config.scenario import load_scenario
from couplant.cosim.judgement.stability import coupled_system
from couplant.cosim.wiring.coupling import couplings_of
from couplant.design.published import PublishedTask, published_cost
from examples.published.oscillator import coupled
from examples.published.section import Row, Section, close, published

_STEP, _K, _DEGREE = 1e-3, 3, 2.0
"""ΔT [s], k and relative degree r of the article."""

_STOP, _RESTITUTION, _DURATION, _SHOWN = -0.1, 0.7, 500.0, 50.0
"""Where the stop is [m], what is left of a velocity [-], length of the run and of its last part [s]."""

_MASSES = (
    f"macro_step={_STEP}",
    "components.mass_1.parameters={m1=100.0, c1=10.0, d1=0.01}",
    "components.mass_2.parameters={m2=1.0, c2=10.0, d2=0.01, cc=10.0, dc=0.01}",
)


def early(examples: Path) -> Section:
    """Return what the article says of the loop, the weights and the stop; example 01 has the masses."""
    table, system = published("early"), _system(examples)
    trained, optimal = (_weights(table[name]) for name in ("trained", "optimal"))
    rows = [_loop_row(system, "no compensation", _weights([1.0]), "unstable")]
    rows += [_loop_row(system, "trained (12)", trained, "stable"), _loop_row(system, "optimal (20)", optimal, "stable")]
    rows += [_modes_row(system, optimal), *_cost_rows(tuple(table["band"]), optimal)]
    rows += _stop_rows(table["first_hit"], table["amplitude"], system, optimal)
    text = [
        "ΔT = 1 ms, k = 3 each way, estimates held. ρ is the spectral radius of a macro step, exact; Nyquist plots are "
        f"published. The weights (12) add up to {sum(table['trained']):.4g}, and constants come out too small. "
        "Verdict: statements as printed; frequencies within 0.1 %, times and lengths within 10 %. The stop acts at the "
        "end of a macro step here."
    ]
    return Section("Two masses of 2019", table["source"], "examples.published.early", rows, text)


def _system(examples: Path) -> System:
    loaded = load_scenario(examples / "01_two_mass_oscillator" / "scenario.toml", _MASSES)
    system = coupled_system(loaded, couplings_of(loaded, "zoh", "event"), "event")
    assert system is not None
    return system


def _weights(a: Sequence[float]) -> LinearAlgorithm:
    return LinearAlgorithm(_K, tuple(a), (0.0,) * len(a), "published")


def _loop_row(system: System, what: str, algorithm: LinearAlgorithm, theirs: str) -> Row:
    found = stability(system.with_algorithm(algorithm))
    ours = "stable" if found.stable else "unstable"
    text = f"{ours}, ρ - 1 = {found.radius - 1.0:.2e} at {found.frequency:.3g} rad/s"
    return Row(what, theirs, text.replace("-", "−"), ours == theirs)


def _modes_row(system: System, optimal: LinearAlgorithm) -> Row:
    """Judge that resonances stay where they are."""
    ideal = np.abs(np.linalg.eigvals(coupled(system)).imag)
    found = np.angle(np.linalg.eigvals(macro_map(system.with_algorithm(optimal)))) / _STEP
    pairs = [(mode, float(found[np.argmin(np.abs(found - mode))])) for mode in np.unique(ideal.round(9))]
    ours = ", ".join(f"{mode:.5g} → {now:.5g}" for mode, now in pairs)
    return Row("resonances with (20)", "unchanged", f"{ours} rad/s", all(close(b, a, 1e-3) for a, b in pairs))


def _cost_rows(band: tuple[float, float], optimal: LinearAlgorithm) -> list[Row]:
    flat = _weights(_flat(len(optimal.a)))
    printed, right = (PublishedTask(_STEP, _K, band, 4, r) for r in (1.0 / _DEGREE, _DEGREE))
    excess = published_cost(optimal, printed).rest
    bound = Row(
        "(20) within the bound (ω/ω_max)^v", "yes, v = 1/(2r)", f"{excess:.3g} rad/s above it", excess <= 0.0,
        f"With v = r/2 it is: {published_cost(optimal, right).rest:g} rad/s. So printed in D (4-33).",
    )  # fmt: skip
    ours, least = (published_cost(one, right).total for one in (optimal, flat))
    why = f"Found numerically; the maximally flat weights, [{', '.join(f'{a:.5g}' for a in flat.a)}], have less."
    cost = Row("(20) has the least cost", "yes", f"J = {ours:.3g}; {least:.3g} is possible", ours <= least, why)
    return [bound, cost]


def _flat(m: int) -> list[float]:
    """Return the m weights of a held estimate whose G_p differs from 1 in the order s^m only.

    G_p = Σ a_l e^{-ls} (1 - e^{-s})/s e^{-ks} with s in 1/ΔT: the moments of a are those of s e^{ks}/(1 - e^{-s}).
    """
    hold = np.array([1.0, 0.5, 1.0 / 12.0, 0.0])[:m]  # s/(1 - e^-s)
    lead = np.array([_K**i / math.factorial(i) for i in range(m)])
    moments = [float(hold[: i + 1] @ lead[i::-1]) * math.factorial(i) for i in range(m)]
    powers = np.array([[float((-age) ** i) for age in range(m)] for i in range(m)])
    return [float(a) for a in np.linalg.solve(powers, moments)]


class _Flight(NamedTuple):
    """What happened to the first mass."""

    hits: Vector  # times of hits, s
    amplitude: float  # largest distance in the last part, m


def _stop_rows(first: float, amplitude: float, system: System, optimal: LinearAlgorithm) -> list[Row]:
    late, ideal = _fly(system, _weights([1.0])), _fly(system, None)
    helped = _fly(system, optimal)
    end = _DURATION - _SHOWN
    often = int(np.sum(late.hits > end))
    row = Row("first hit of the stop", f"at {first:g} s", f"at {ideal.hits[0]:.2f} s", close(ideal.hits[0], first, 0.1))
    text = f"{often} hits in the last {_SHOWN:g} s, {late.amplitude:.3g} m"
    unstable = Row(
        "stop, no compensation", f"hit to the end, {amplitude:g} m", text,
        often > 0 and close(late.amplitude, amplitude, 0.1),
    )  # fmt: skip
    last = f"last hit at {helped.hits[-1]:.0f} s, {helped.amplitude:.3g} m; without delay {ideal.hits[-1]:.0f} s"
    settled = max(helped.hits[-1], ideal.hits[-1]) < end and close(helped.amplitude, ideal.amplitude, 0.1)
    return [row, unstable, Row("stop, optimal (20)", "dies out as without delay", last, settled)]


def _fly(system: System, algorithm: LinearAlgorithm | None) -> _Flight:
    """Let both masses go from 1 m; without `algorithm` they are coupled without delay."""
    state = np.array([1.0, 0.0, 1.0, 0.0])
    if algorithm is None:
        step: Matrix = expm(_STEP * coupled(system))
    else:
        step = macro_map(system.with_algorithm(algorithm))
        past = [np.full(_K + algorithm.m - 1, start) for start in (1.0, 0.0, 0.0)]  # x1, v1, force
        state = np.concatenate([state, *past])
    hits, largest, count = [], 0.0, round(_DURATION / _STEP)
    for n in range(count):
        state = step @ state
        if state[0] < _STOP and state[1] < 0.0:
            state[1] *= -_RESTITUTION
            hits.append(n * _STEP)
        if n * _STEP >= _DURATION - _SHOWN:
            largest = max(largest, abs(float(state[0])))
    return _Flight(np.array(hits), largest)

