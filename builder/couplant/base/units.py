"""Units of measurement in terms of the SI base units that FMI knows."""

import math
import re
from dataclasses import dataclass

from couplant.base.errors import UsageError

SYMBOLS = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")

_PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "h": 1e2, "c": 1e-2, "m": 1e-3, "u": 1e-6, "n": 1e-9}

# symbol: (factor, powers of SYMBOLS); those in _SCALABLE take a prefix
_NAMED: dict[str, tuple[float, dict[str, int]]] = {
    **{symbol: (1.0, {symbol: 1}) for symbol in SYMBOLS},
    "1": (1.0, {}),
    "%": (1e-2, {}),
    "g": (1e-3, {"kg": 1}),
    "t": (1e3, {"kg": 1}),
    "min": (60.0, {"s": 1}),
    "h": (3600.0, {"s": 1}),
    "d": (86400.0, {"s": 1}),
    "deg": (0.017453292519943295, {"rad": 1}),
    "rev": (6.283185307179586, {"rad": 1}),
    "rpm": (0.10471975511965977, {"rad": 1, "s": -1}),
    "Hz": (1.0, {"s": -1}),
    "N": (1.0, {"kg": 1, "m": 1, "s": -2}),
    "Pa": (1.0, {"kg": 1, "m": -1, "s": -2}),
    "bar": (1e5, {"kg": 1, "m": -1, "s": -2}),
    "J": (1.0, {"kg": 1, "m": 2, "s": -2}),
    "W": (1.0, {"kg": 1, "m": 2, "s": -3}),
    "C": (1.0, {"A": 1, "s": 1}),
    "V": (1.0, {"kg": 1, "m": 2, "s": -3, "A": -1}),
    "Ohm": (1.0, {"kg": 1, "m": 2, "s": -3, "A": -2}),
    "F": (1.0, {"kg": -1, "m": -2, "s": 4, "A": 2}),
    "H": (1.0, {"kg": 1, "m": 2, "s": -2, "A": -2}),
    "Wb": (1.0, {"kg": 1, "m": 2, "s": -2, "A": -1}),
    "T": (1.0, {"kg": 1, "s": -2, "A": -1}),
    "l": (1e-3, {"m": 3}),
}
_SCALABLE = ("m", "s", "g", "A", "K", "mol", "Hz", "N", "Pa", "bar", "J", "W", "C", "V", "Ohm", "F", "H", "T", "l")
_FACTOR = re.compile(r"([A-Za-z%]+|1)(-?\d{1,2})?")
_LONGEST = 60  # letters of an expression
_SIGNS = {"·": ".", "*": ".", "°C": "degC", "°": "deg", "Ω": "Ohm", "µ": "u", "μ": "u", "²": "2", "³": "3", "^": ""}
_WORDS = {"U/min": "rpm", "sec": "s", "kmh": "km/h", "kph": "km/h", "ohm": "Ohm", "Nms": "N.m.s"}
_JOINED = re.compile(r"([kMm]?(?:N|W|V|A|J|Pa))(m|mm|s|h)")
_SAME = 1e-9  # share by which factors may differ that are the same [-]


@dataclass(frozen=True)
class Unit:
    """A unit: value in base units = factor * value + offset; `exponents` as (symbol, power), none of them zero."""

    exponents: tuple[tuple[str, int], ...]
    factor: float = 1.0
    offset: float = 0.0


def unit_of(expression: str) -> Unit | None:
    """Return the unit that a Modelica unit expression such as `"N.m"`, `"m/s2"`, `"N/(m/s)"`, `"degC"` stands for.

    None if some part of it is not known; importers then treat the name as opaque.
    """
    if expression == "degC":
        return Unit((("K", 1),), offset=273.15)
    short = expression.replace(" ", "")
    parsed = _product(re.findall(r"[().*/]|[^().*/]+", short)) if len(short) <= _LONGEST else None
    if parsed is None or not 0.0 < parsed[0] < math.inf:
        return None
    factor, powers = parsed
    return Unit(tuple((symbol, powers[symbol]) for symbol in SYMBOLS if powers.get(symbol)), factor)


def known_symbol(text: str) -> str | None:
    """Return the symbol of a unit as tools write it, ``N.m`` for ``Nm`` and ``N·m``; None if that is not known."""
    unit = text.strip(" []()")
    for sign, written in _SIGNS.items():
        unit = unit.replace(sign, written)
    joined = _JOINED.fullmatch(unit)
    written_so = (unit, _WORDS.get(unit, ""), ".".join(joined.groups()) if joined else "")
    return next((found for found in written_so if found and unit_of(found) is not None), None)


def doubt(text: str) -> str:
    """Return a warning about a unit that is not known, empty for one that is."""
    if not text or unit_of(text) is not None:
        return ""
    other = known_symbol(text)
    return f'"{text}" is no known unit' + (f', did you mean "{other}"?' if other else ", and is taken as it is.")


def scale(one: str, other: str) -> float | None:
    """Return how many of the unit `other` the unit `one` is; None for other quantities, and where one is not known.

    Units with an offset, such as ``degC``, are no multiple of those without: NaN.
    """
    a, b = (unit_of(found) if (found := known_symbol(text)) else None for text in (one, other))
    if a is None or b is None or a.exponents != b.exponents or not a.exponents:
        return None
    if a.offset != b.offset:
        return math.nan
    factor = a.factor / b.factor
    return 1.0 if abs(factor - 1.0) <= _SAME else factor


def check_scale(what: str, one: str, where: str, other: str) -> None:
    """Refuse two units of one quantity that differ in scale.

    `what` has the unit `one`, `where` the unit `other`, for the message. Raises UsageError if they do.
    """
    factor = scale(one, other)
    if factor is not None and factor != 1.0:
        times = "another zero" if math.isnan(factor) else f"{factor:.6g} times as large"
        raise UsageError(f'{what} is in "{one}", allowed "{other}" as {where}: {times}.')


def _product(tokens: list[str]) -> tuple[float, dict[str, int]] | None:
    """Multiply the factors of a flat or once bracketed expression."""
    factor, powers, sign, bracket = 1.0, dict[str, int](), 1, 0
    for token in tokens:
        if token == "/":
            sign = -1
        elif token == "(":
            bracket = 1 if sign > 0 else -1
            sign = 1
        elif token == ")":
            bracket = 0
        elif token not in ".*":
            single = _single(token)
            if single is None or not single[0]:
                return None
            power = sign * (bracket or 1)
            factor = factor * single[0] if power > 0 else factor / single[0]
            for symbol, exponent in single[1].items():
                powers[symbol] = powers.get(symbol, 0) + power * exponent
            sign = 1
    return factor, powers


def _single(token: str) -> tuple[float, dict[str, int]] | None:
    match = _FACTOR.fullmatch(token)
    if match is None:
        return None
    # a unit by its name, else one with a prefix
    symbol, scale = match[1], 1.0
    if symbol not in _NAMED:
        scale, symbol = _PREFIXES.get(symbol[:1], 0.0), symbol[1:]
        if not scale or symbol not in _SCALABLE:
            return None
    base, powers = scale * _NAMED[symbol][0], _NAMED[symbol][1]
    power, factor = int(match[2] or 1), 1.0
    for _ in range(abs(power)):
        factor = factor * base if power > 0 else factor / base
    return factor, {name: exponent * power for name, exponent in powers.items()}
