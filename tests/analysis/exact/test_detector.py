"""Rows of the spectral detector."""

import numpy as np
import pytest

from couplant.analysis.exact.tables import detector_rows


def test_they_are_a_windowed_dft():
    real, imaginary = (np.array(rows) for rows in detector_rows())
    x = np.random.default_rng(1).normal(size=8)
    window = 0.5 * (1 - np.cos(np.pi * np.arange(1, 9) / 8)) * 2 / 8 * 16 / 9
    bins = np.fft.rfft(window * x)[1:]
    assert np.hypot(real @ x, imaginary @ x) == pytest.approx(np.abs(bins), rel=1e-12)
    assert real @ x - 1j * imaginary @ x == pytest.approx(bins.conj(), rel=1e-12)


def test_no_zero_has_a_sign():
    assert not np.signbit([row[0] for row in detector_rows()[1]]).any()
