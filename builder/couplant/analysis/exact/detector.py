"""Rows of the spectral detector of jumps: a windowed DFT of the last values."""

from __future__ import annotations

from couplant.analysis.exact.trigonometry import PI, sine_cosine
from couplant_runtime.generated.numbers import BINS, WINDOW

Rows = tuple[tuple[float, ...], ...]


def detector_rows() -> tuple[Rows, Rows]:
    """Return cosines and sines of the detector times its window.

    Returns
    -------
    tuple of tuple of tuple of float
        Two tables of BINS rows (bins 1..4 of the real DFT) and WINDOW columns (values, oldest first): half a Hann
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
