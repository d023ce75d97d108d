"""Tables as an FMU has them: rows of the spectral detector of jumps, ζ and δ by horizon."""

from couplant.analysis.exact.numerics import PI, sine_cosine
from couplant.analysis.exact.tolerance import shorten, tolerance_of_observer, tolerance_of_weights
from couplant_runtime.algorithms.rows import PURE, weights
from couplant_runtime.generated.constants import SHARE_OF_LIMIT
from couplant_runtime.generated.numbers import BINS, HORIZONS, WINDOW
from couplant_runtime.known import Weights

Rows = tuple[tuple[float, ...], ...]

Tables = tuple[tuple[float, ...], tuple[float, ...]]


def detector_rows() -> tuple[Rows, Rows]:
    """Return cosines and sines of the detector times its window.

    These are two tables of BINS rows (bins 1..4 of the real DFT) and WINDOW columns (values, oldest first): half a Hann
    window 1/2 (1 - cos(pi n / N)), n = 1..N, times 2/N and the amplitude correction 16/9.
    """
    scale = 2.0 / WINDOW * 16.0 / 9.0
    real, imaginary = [], []
    for b in range(1, BINS + 1):
        cosines, sines = [], []
        for i in range(WINDOW):
            weight = 0.5 * (1.0 - sine_cosine(PI * (i + 1) / WINDOW)[1]) * scale
            sine, cosine = sine_cosine(2.0 * PI * b * i / WINDOW)
            cosines.append(weight * cosine)
            sines.append(0.0 - weight * sine)
        real.append(tuple(cosines))
        imaginary.append(tuple(sines))
    return tuple(real), tuple(imaginary)


def tables_of_generic(name: str, step: bool) -> Tables:
    """Return zeta / ΔT and delta of the generic algorithm `name`, HORIZONS of each, to 32 bits, -.

    With `step` those of step timing, else of event timing.
    """
    zeta, delta = [0.0] * HORIZONS, [0.0] * HORIZONS
    late = 1 if step else 0
    for k in range(HORIZONS - 1):
        if name in PURE:
            a, slopes = weights(name, k)
            found = tolerance_of_weights(Weights(k, tuple(a), tuple(slopes)), 0.0, step)
        else:
            found = tolerance_of_observer(k, SHARE_OF_LIMIT, step)
        zeta[k + late], delta[k + late] = shorten(found[0]), shorten(found[1])
    if not step:
        zeta[HORIZONS - 1], delta[HORIZONS - 1] = zeta[HORIZONS - 2], delta[HORIZONS - 2]
    return tuple(zeta), tuple(delta)


def tables_of_weights(entries: tuple[Weights, ...], fraction: float, step: bool) -> Tables:
    """Return the same of given weights, 0 at horizons without any.

    Their newest value is a `fraction` younger than their latency [macro steps]; with `step` those of step timing.
    """
    zeta, delta = [0.0] * HORIZONS, [0.0] * HORIZONS
    for entry in entries:
        found = tolerance_of_weights(entry, fraction, step)
        at = entry.steps + (1 if step else 0)
        zeta[at], delta[at] = shorten(found[0]), shorten(found[1])
    return tuple(zeta), tuple(delta)
