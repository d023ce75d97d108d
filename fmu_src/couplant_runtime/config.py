"""Settings of a coupling FMU: what the builder fixed, as one text that travels in the FMU.

The text has a token, a hash and lists of numbers by key, one a line: `KEY COUNT VALUE VALUE ..`, floating point as
hexadecimal floats. Both runtimes read it once, when the FMU is instantiated.
"""

from collections.abc import Set
from dataclasses import dataclass, field

from .algorithms import ALL as NAMED
from .algorithms import BY_NAME, NAMES, TABLED
from .errors import SettingsError
from .generated.numbers import BINS, HORIZONS, TAPS, WINDOW
from .generated.variables import ALL
from .known import Spectrum as Spectrum
from .known import Weights as Weights
from .learning.neural import Neural
from .plant import Plant
from .row import Need
from .variable import Variable

FIRST_LINE = "couplant settings 1"
WEIGHTS = "weights."
DERIVATIVE = "derivative."


@dataclass(frozen=True)
class Settings:
    """Everything that never changes while an FMU runs."""

    event: bool  # event timing instead of step timing
    # which of all variables the FMU has: positions in `variables.ALL` from 1, in the order of their references
    chosen: tuple[int, ...]
    start: tuple[float, ...]  # start value of each of these variables; 0 for outputs
    # weights of the algorithm `linear`, one entry for each latency; empty without that algorithm
    weights: tuple[Weights, ...]
    zeta: dict[str, tuple[float, ...]]  # zeta / dT [-] by algorithm; HORIZONS values by horizon [macro steps]
    delta: dict[str, tuple[float, ...]]  # the same of delta [-]
    real: tuple[tuple[float, ...], ...]  # BINS rows of WINDOW values, oldest first: window of the detector times cosine
    imaginary: tuple[tuple[float, ...], ...]  # the same times sine
    token: str = ""  # GUID of the FMU
    fingerprint: int = 0  # 64 bits; states of FMUs that differ in it do not fit each other
    spectrum: Spectrum | None = None  # for the algorithms `irregular` and `auto`; None in an FMU without them
    neural: Neural | None = None  # of the algorithm `network`; None in an FMU without it
    plant: Plant | None = None  # of the algorithm `model`; None in an FMU without it
    by_steps: dict[int, Weights] = field(init=False, repr=False, compare=False)
    compared: int = field(init=False, repr=False, compare=False)
    bonded: bool = field(init=False, repr=False, compare=False)
    follows: bool = field(init=False, repr=False, compare=False)
    periodic: bool = field(init=False, repr=False, compare=False)
    derived: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the weights by latency; note what the FMU has by its variables."""
        object.__setattr__(self, "by_steps", {entry.steps: entry for entry in self.weights})
        object.__setattr__(self, "derived", any(entry.b for entry in self.weights))
        object.__setattr__(self, "compared", _algorithm_beside(self.features))
        object.__setattr__(self, "bonded", "energy" in self.features)
        object.__setattr__(self, "follows", "latency.follow" in self.features)
        object.__setattr__(self, "periodic", "phasor" in self.features)

    @property
    def companions(self) -> int:
        """Number of signals that messages tell besides y."""
        return self.plant.sizes[2] - 1 if self.plant else int(self.derived)

    @property
    def hears(self) -> bool:
        """Tell whether messages tell more than y."""
        return self.plant is not None or self.derived

    @property
    def shown_taps(self) -> int:
        """Number of weights that are parameters of the FMU: those of a single latency, else none."""
        return len(self.weights[0].a) if len(self.weights) == 1 else 0

    @property
    def features(self) -> frozenset[str]:
        """Features of the FMU, by its variables."""
        return frozenset(variable.feature for variable in self.variables() if variable.feature)

    def has(self, need: Need) -> bool:
        """Return whether the FMU was built with what an algorithm may `need`."""
        if need == "":
            return True
        parts = {"weights": self.weights, "spectrum": self.spectrum, "neural": self.neural, "phasor": self.periodic}
        return bool((parts | {"model": self.compared, "plant": self.plant})[need])

    def variables(self) -> tuple[Variable, ...]:
        """Return the variables of the FMU in the order of their value references, from 1."""
        return tuple(ALL[position - 1] for position in self.chosen)

    def lists(self) -> dict[str, tuple[float, ...]]:
        """Return the numbers of the settings by key, in the order of the text."""
        lists = {"timing": (float(self.event),), "variables": tuple(map(float, self.chosen)), "start": self.start}
        lists |= {f"{WEIGHTS}{entry.steps}": entry.a + entry.slopes for entry in self.weights}
        lists |= {f"{DERIVATIVE}{entry.steps}": entry.b + entry.b_slopes for entry in self.weights if entry.b}
        for name in _with_tolerance(self.spectrum is not None, self.compared, self.plant is not None, self.periodic):
            lists |= {f"zeta.{name}": self.zeta[name], f"delta.{name}": self.delta[name]}
        lists |= {"real": _flat(self.real), "imaginary": _flat(self.imaginary)}
        if self.spectrum:
            spectrum = self.spectrum
            lists["irregular"] = (float(spectrum.values), float(spectrum.degree), *spectrum.noise)
            lists |= {"correlation": spectrum.correlation, "gradient": spectrum.gradient}
        lists |= {"plant": self.plant.numbers()} if self.plant else {}
        return lists | (self.neural.lists() if self.neural else {})

    @classmethod
    def from_text(cls, text: str) -> "Settings":
        """Return the settings in the `text` of an FMU.

        Raises
        ------
        SettingsError
            If the text is damaged, truncated, foreign or of another version.
        """
        lines = text.split("\n")
        if lines[0] != FIRST_LINE:
            raise SettingsError(f"settings begin with {lines[0][:40]!r}, allowed {FIRST_LINE!r}")
        if lines[-1] != "" or len(lines) < 4:
            raise SettingsError(f"settings end after {len(lines)} lines, in the middle of a line or too early")
        try:
            token, value = _words(lines[1], "token"), int(_words(lines[2], "hash"), 16)
            return _from_lists(dict(map(_list, lines[3:-1])), token, value)
        except (ValueError, IndexError, KeyError) as problem:
            raise SettingsError(f"settings are damaged: {problem}") from problem


def _algorithm_beside(features: Set[str]) -> int:
    if "element" in features:
        return BY_NAME["coupling_element"].number
    return BY_NAME["recursive_fir"].number if "identification" in features else 0


def _with_tolerance(with_spectrum: bool, compared: int, with_plant: bool, periodic: bool) -> tuple[str, ...]:
    """Return the names of the algorithms that have a tolerance of their own."""
    names = NAMES if with_spectrum else TABLED
    others = (*((NAMED[compared - 1],) if compared else ()), *(("model",) if with_plant else ()))
    return (*names, *others, *(("phasor",) if periodic else ()))


def _flat(rows: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    return tuple(value for row in rows for value in row)


def _words(line: str, key: str) -> str:
    found, _, rest = line.partition(" ")
    if found != key:
        raise ValueError(f"{found!r} where {key!r} is needed")
    return rest


def _list(line: str) -> tuple[str, tuple[float, ...]]:
    key, count, *words = line.split(" ")
    if len(words) != int(count):
        raise ValueError(f"{key} has {len(words)} numbers, announced are {count}")
    return key, tuple(float.fromhex(word) for word in words)


def _rows(numbers: tuple[float, ...], length: int, count: int) -> tuple[tuple[float, ...], ...]:
    if len(numbers) != length * count:
        raise ValueError(f"{len(numbers)} numbers where {length * count} are needed")
    return tuple(numbers[i * length : (i + 1) * length] for i in range(count))


def _weights(lists: dict[str, tuple[float, ...]], key: str) -> Weights:
    steps = key.removeprefix(WEIGHTS)
    of_derivative = DERIVATIVE + steps
    derived = _halves(of_derivative, lists[of_derivative]) if of_derivative in lists else ()
    return Weights(int(steps), *_halves(key, lists[key]), *derived)


def _halves(key: str, numbers: tuple[float, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    m = len(numbers) // 2
    if len(numbers) != 2 * m or not 1 <= m <= TAPS:
        raise ValueError(f"{key} has {len(numbers)} numbers, allowed 2 to {2 * TAPS}, even")
    return numbers[:m], numbers[m:]


def _spectrum(lists: dict[str, tuple[float, ...]]) -> Spectrum | None:
    if "irregular" not in lists:
        return None
    values, degree, *noise = lists["irregular"]
    return Spectrum(int(values), int(degree), tuple(noise), lists["correlation"], lists["gradient"])


def _from_lists(lists: dict[str, tuple[float, ...]], token: str, value: int) -> Settings:
    chosen = tuple(map(int, lists["variables"]))
    if not all(1 <= position <= len(ALL) for position in chosen) or len(lists["start"]) != len(chosen):
        raise ValueError("variables and start values do not fit each other")
    features = {ALL[position - 1].feature for position in chosen}
    names = _with_tolerance("irregular" in lists, _algorithm_beside(features), "plant" in lists, "phasor" in features)
    return Settings(
        event=lists["timing"][0] != 0.0,
        chosen=chosen,
        start=lists["start"],
        weights=tuple(_weights(lists, key) for key in lists if key.startswith(WEIGHTS)),
        zeta={name: _rows(lists[f"zeta.{name}"], HORIZONS, 1)[0] for name in names},
        delta={name: _rows(lists[f"delta.{name}"], HORIZONS, 1)[0] for name in names},
        real=_rows(lists["real"], WINDOW, BINS),
        imaginary=_rows(lists["imaginary"], WINDOW, BINS),
        token=token,
        fingerprint=value,
        spectrum=_spectrum(lists),
        neural=Neural.from_lists(lists),
        plant=Plant.from_lists(lists),
    )
