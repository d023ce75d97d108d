"""Settings of a coupling FMU: what the builder fixed, as one text that travels in the FMU.

The text has one item a line, `key value value ...`; floating point as hexadecimal floats. Both runtimes read it
once, when the FMU is instantiated.
"""

import hashlib
from dataclasses import dataclass, field

from .algorithms import NAMES
from .errors import SettingsError
from .variables import Variable, table

FIRST_LINE = "couplant-settings 1"
HORIZONS = 66
WINDOW = 8
BINS = 4
TAPS = 64
LENGTHS = {"start": 1, "zeta": HORIZONS, "delta": HORIZONS, "real": WINDOW, "imaginary": WINDOW}


@dataclass(frozen=True)
class Weights:
    """Weights of a linear algorithm for one latency.

    Attributes
    ----------
    steps : int
        Latency k [macro steps] for which the weights hold.
    a, slopes : tuple of float
        a and A, newest first, 1 to 64 of them, equally many.
    """

    steps: int
    a: tuple[float, ...]
    slopes: tuple[float, ...]


@dataclass(frozen=True)
class Settings:
    """Everything that never changes while an FMU runs.

    Attributes
    ----------
    event : bool
        Event timing instead of step timing.
    debug : bool
        The results of the stages are outputs.
    start : dict of str to float
        Start values of inputs and parameters by variable name, complete.
    weights : tuple of Weights
        Weights of the algorithm `linear`, one entry for each latency; empty without that algorithm.
    zeta, delta : dict of str to tuple of float
        For each algorithm HORIZONS values by horizon [macro steps]: zeta / dT [-] and delta [-].
    real, imaginary : tuple of tuple of float
        BINS rows of WINDOW values, oldest first: scaled window times cosine and sine of the detector.
    """

    event: bool
    debug: bool
    start: dict[str, float]
    weights: tuple[Weights, ...]
    zeta: dict[str, tuple[float, ...]]
    delta: dict[str, tuple[float, ...]]
    real: tuple[tuple[float, ...], ...]
    imaginary: tuple[tuple[float, ...], ...]
    by_steps: dict[int, Weights] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the weights by latency."""
        object.__setattr__(self, "by_steps", {entry.steps: entry for entry in self.weights})

    @property
    def shown_taps(self) -> int:
        """Number of weights that are parameters of the FMU: those of a single latency, else none."""
        return len(self.weights[0].a) if len(self.weights) == 1 else 0

    def variables(self) -> tuple[Variable, ...]:
        """Return the variables of the FMU in the order of their value references."""
        return table(self.shown_taps, self.debug)

    def to_text(self) -> str:
        """Return the settings as text; the same settings give the same text."""
        lines = [FIRST_LINE, f"timing {'event' if self.event else 'step'}", f"debug {int(self.debug)}"]
        lines += [f"start {name} {_hex(value)}" for name, value in self.start.items()]
        for entry in self.weights:
            lines.append(f"weights {entry.steps} {len(entry.a)}{_row(entry.a)}{_row(entry.slopes)}")
        for name in NAMES:
            lines.append(f"zeta {name}{_row(self.zeta[name])}")
            lines.append(f"delta {name}{_row(self.delta[name])}")
        lines += [f"real {i}{_row(row)}" for i, row in enumerate(self.real)]
        lines += [f"imaginary {i}{_row(row)}" for i, row in enumerate(self.imaginary)]
        return "\n".join([*lines, "end", ""])

    @classmethod
    def from_text(cls, text: str) -> "Settings":
        """Return the settings that `to_text` wrote.

        Raises
        ------
        SettingsError
            If the text is damaged, truncated, foreign or of another version.
        """
        lines = text.split("\n")
        if lines[0] != FIRST_LINE or lines[-2:] != ["end", ""]:
            raise SettingsError(f"settings begin with {lines[0][:40]!r}, allowed is a whole text with {FIRST_LINE!r}")
        try:
            return _parse([line.split(" ") for line in lines[1:-2]])
        except (ValueError, IndexError, KeyError) as problem:
            raise SettingsError(f"settings are damaged: {problem}") from problem


def fingerprint(text: str) -> int:
    """Return 64 bits that identify a settings text: FNV-1a over its UTF-8 bytes."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def content_hash(text: str) -> str:
    """Return the hexadecimal SHA-256 of a settings text, from which GUID and unique names are made."""
    return hashlib.sha256(text.encode()).hexdigest()


def _hex(value: float) -> str:
    return float(value).hex()


def _row(values: tuple[float, ...]) -> str:
    return "".join(f" {_hex(value)}" for value in values)


def _numbers(words: list[str], count: int) -> tuple[float, ...]:
    if len(words) != count:
        raise ValueError(f"{len(words)} numbers where {count} are needed")
    return tuple(float.fromhex(word) for word in words)


def _parse(lines: list[list[str]]) -> Settings:
    found = {key: {} for key in LENGTHS}
    plain, weights = {}, []
    for key, *words in lines:
        if key == "weights":
            steps, m = int(words[0]), int(words[1])
            numbers = _numbers(words[2:], 2 * m)
            weights.append(Weights(steps, numbers[:m], numbers[m:]))
        elif key in ("timing", "debug"):
            plain[key] = words[0]
        else:
            found[key][words[0]] = _numbers(words[1:], LENGTHS[key])
    if set(found["zeta"]) != set(NAMES) or set(found["delta"]) != set(NAMES):
        raise ValueError("a table of tolerances is missing")
    return Settings(
        event=plain["timing"] == "event",
        debug=plain["debug"] == "1",
        start={name: numbers[0] for name, numbers in found["start"].items()},
        weights=tuple(weights),
        zeta=found["zeta"],
        delta=found["delta"],
        real=tuple(found["real"][str(i)] for i in range(BINS)),
        imaginary=tuple(found["imaginary"][str(i)] for i in range(BINS)),
    )
