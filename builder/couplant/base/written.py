"""The written forms of a real number, in Python and on the page of the workbench.

There is one in decimal, for people, and one in hexadecimal, for what runs. In JavaScript they are functions of the same
names in ``workbench/python/real.js``; both are held to ``tests/vectors/numbers.txt``.
"""

import math


def real(value: float) -> str:
    """Return the shortest decimal that is read as the same double; a whole `value` is written as a real one.

    It has a point from 1e-4 up to below 1e16, as ``0.1``, ``-0.0`` and ``3.0``; else an exponent of two digits or more,
    as ``1e-05`` and ``1.5e+16``. It is a number in JSON, TOML, XML and CSV files, too. Raises ValueError if it is
    infinite or not a number, which files have no common form for.
    """
    return repr(_finite(value))


def hexadecimal(value: float) -> str:
    """Return the bits of a double `value` as C99 reads them, without zeros at the end of the fraction.

    As ``0x1.8p+1``, ``-0x0p+0`` and ``0x0.0000000000001p-1022``. Raises ValueError as `real`.
    """
    mantissa, power = _finite(value).hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{power}"


def _finite(value: float) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} cannot be written: allowed are finite numbers")
    return number
