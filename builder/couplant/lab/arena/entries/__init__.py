"""Entries of the arena: algorithms of couplant that need no settings, foreign ones written from their papers, yours.

Settings of foreign ones, such as how fast they forget, were chosen on tasks of the same kinds that another seed makes,
and are the same for all tasks. All of them come in by the door for users, `couplant.algorithm`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from couplant.base.arrays import Matrix
from couplant.base.errors import UsageError
from couplant.base.style import WIRE, label
from couplant.lab.arena.entries.adaptive import AdaptiveInverse, AdaptiveTimeSeries, AutoRegression, NormalisedLms
from couplant.lab.arena.entries.filters import DampedHolt, Kalman
from couplant.lab.arena.entries.models import KnownLoop
from couplant.lab.arena.entries.networks import EchoState, Perceptron
from couplant.lab.arena.entries.polynomial import Horiuchi, LinearAcceleration
from couplant.lab.arena.entries.windows import BoostedTrees, Ridge

OURS, FOREIGN, YOURS = "couplant", "foreign", "yours"
NOTHING, LOOP = "nothing", "the loop without latency"


@dataclass(frozen=True)
class Entry:
    """An algorithm that takes part."""

    name: str
    side: str  # `OURS`, `FOREIGN` or `YOURS`
    source: str = ""  # where it was published
    knows: str = NOTHING  # what must be known of a task beforehand, besides latency and macro step
    make: type[Any] | None = None  # of a foreign one
    needs: str = ""  # package that it needs besides

    @property
    def label(self) -> str:
        """Return its name for readers."""
        return label(self.name) if self.side == OURS else self.name

    @property
    def missing(self) -> str:
        """Return a sentence if it cannot run here, else nothing."""
        absent = self.needs and find_spec(self.needs) is None
        return f"{self.name} is left out: the package {self.needs} is missing (pip install {self.needs})" * bool(absent)

    def register(self, states: Matrix | None) -> bool:
        """Make the name known to scenarios of this process; `states` is the matrix of a loop without latency [1/s].

        Return whether it can take part in the task that has those.
        """
        if self.make is None:
            return True
        if self.knows == LOOP and states is None:
            return False
        from couplant.lab.algorithm import algorithm

        told = {"states": states} if self.knows == LOOP else {}  # a class has it before it is called
        algorithm(values=self.make.values, name=self.name)(type(self.make.__name__, (self.make,), told))
        return True


ENTRIES = (
    *(Entry(name, OURS) for name in (WIRE, "foh", "smb", "eros3", "eros4", "irregular", "auto")),
    Entry("horiuchi", FOREIGN, "Horiuchi, Inoue, Konno, Namita 1999: cubic of values the latency apart", make=Horiuchi),
    Entry("linear_acceleration", FOREIGN, "Horiuchi, Konno 2001: acceleration along its line", make=LinearAcceleration),
    Entry("ats", FOREIGN, "Chae, Kazemibidokhti, Ricles 2013: adaptive time series", make=AdaptiveTimeSeries),
    Entry("adaptive_inverse", FOREIGN, "Chen, Ricles 2010: inverse compensation, here by RLS", make=AdaptiveInverse),
    Entry("kalman", FOREIGN, "Kalman 1960: constant acceleration, white jerk", make=Kalman),
    Entry("holt", FOREIGN, "Gardner, McKenzie 1985: exponential smoothing, damped trend", make=DampedHolt),
    Entry("nlms", FOREIGN, "Nagumo, Noda 1967: normalised least mean squares", make=NormalisedLms),
    Entry("ar_rls", FOREIGN, "Ljung 1999: autoregressive model by RLS with forgetting", make=AutoRegression),
    Entry("ridge", FOREIGN, "Hoerl, Kennard 1970: ridge regression over a sliding window", make=Ridge),
    Entry("perceptron", FOREIGN, "Kingma, Ba 2015: two layers, trained online by Adam", make=Perceptron),
    Entry("echo_state", FOREIGN, "Jaeger, Haas 2004: echo state network, read out by RLS", make=EchoState),
    Entry("lightgbm", FOREIGN, "Ke and others 2017: boosted trees", make=BoostedTrees, needs="lightgbm"),
    Entry("known_loop", FOREIGN, "after Smith 1957: the model runs ahead", knows=LOOP, make=KnownLoop),
)  # fmt: skip
"""All entries but those of users."""

SMALL = ("wire", "foh", "auto", "horiuchi", "kalman", "ar_rls", "known_loop")
"""Names of the entries of a short run."""


def find_entries(names: Sequence[str] = (), files: Sequence[Path] = ()) -> tuple[Entry, ...]:
    """Return the entries with some names, all without any, and those that `files` of users define; the wire is there.

    Raise `UsageError` if there is no such entry, or a file defines none.
    """
    known = {entry.name: entry for entry in ENTRIES}
    for name in names:
        if name not in known:
            raise UsageError(f"entry = {name}, allowed {', '.join(known)}")
    chosen = [entry for entry in ENTRIES if not names or entry.name in (WIRE, *names)]
    return *chosen, *(Entry(name, YOURS) for path in files for name in load_entries(path))


def load_entries(path: Path) -> list[str]:
    """Return the names of the algorithms that a file of a user defines; raise `UsageError` if there are none."""
    from couplant.config.own import load_algorithms

    found = [one.name for one in load_algorithms(path)]
    taken = next((name for name in found if any(entry.name == name for entry in ENTRIES)), None)
    if taken is not None:
        raise UsageError(f"{path}: the name {taken} is that of an entry of the arena, allowed are other ones")
    if not found:
        raise UsageError(f"{path}: defines no algorithm, allowed are files with @couplant.algorithm")
    return found
