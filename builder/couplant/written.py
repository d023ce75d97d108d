"""The one written form of a real number, in Python and on the page of the workbench."""

from __future__ import annotations

import math


def real(value: float) -> str:
    """Return the shortest decimal that is read as the same double.

    Parameters
    ----------
    value : float
        Any finite number; a whole number is written as a real one.

    Returns
    -------
    str
        With a point from 1e-4 up to below 1e16, as ``0.1``, ``-0.0`` and ``3.0``; else with an exponent of two digits
        or more, as ``1e-05`` and ``1.5e+16``. It is a number in JSON, TOML, XML and CSV files, too.

    Raises
    ------
    ValueError
        If it is infinite or not a number, which files have no common form for.

    Notes
    -----
    In JavaScript this is `real` of ``workbench/python/real.js``; both are held to ``tests/vectors/numbers.txt``.
    """
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} cannot be written: allowed are finite numbers")
    return repr(number)
