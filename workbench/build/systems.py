"""What the page simulates, as data for `workbench/engine`: components, the order of an exchange, settings of FMUs.

The page knows no name of a signal and no variable: all that is asked of an FMU stands in these data, which come from
the wiring of `couplant.cosim`.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np

from couplant.base import paths
from couplant.config.frame.read import Source
from couplant.config.scenario import Loaded, load_scenario
from couplant.cosim.wiring.components import Workshop
from couplant.design.recommendation import EVERY, PHASOR
from couplant.pack.archive.identity import SettingsFile
from couplant.tables import Series
from workbench.build import plans
from workbench.build.drafts import COUPLING, Draft, DraftBuilder, DraftLibrary, Lists

TOKEN = "couplant"
"""Of all FMUs of the page."""

TIMINGS = ("step", "event")

_SWITCHED = {"k": ("network.latency_steps", 3), "jitter": ("network.jitter_steps", 2), "loss": ("network.loss", 0.1)}
"""Knobs that other components or settings belong to once they are above 0, with a value that is."""

_MADE = {
    "linear": "coupling.algorithm={table=[{steps=0, a=[1.0], A=[0.0]}, {steps=3, a=[1.0], A=[0.0]}]}",
    PHASOR: "coupling.algorithm={frequency=5.0}",
}
"""Algorithms whose settings are made of a recording, with some that they are wired with."""
_RUNS = (*EVERY, *_MADE)


@dataclass
class _Store:
    """Parts that several have, each once; what has them keeps their places."""

    parts: list[Any] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def place(self, part: Any) -> int:
        text = json.dumps(part)
        if text not in self.places:
            self.places[text] = len(self.parts)
            self.parts.append(part)
        return self.places[text]


class _Settings(_Store):
    """Settings of FMUs, each the places of its lines; those whose numbers have been seen are not written again."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = _Store()
        self._seen: dict[tuple[tuple[str, bytes], ...], int] = {}

    def place_of(self, lists: Lists) -> int:
        numbers = tuple((key, array("d", values).tobytes()) for key, values in lists.items())
        if numbers not in self._seen:
            self._seen[numbers] = self.place([self.lines.place(line) for line in settings_text(lists).splitlines()])
        return self._seen[numbers]


def engine_data() -> dict[str, Any]:
    """Return the data of the page's systems, fit for JSON.

    Returns
    -------
    dict
        `bare`: settings of what needs none; `lines` of other settings and `settings`, each the places of its lines;
        `plans` (`workbench.build.plans`); `systems` with the place of the plan `direct` without delay and `cases`,
        by timing, algorithm and which of the knobs k, jitter and loss are above 0 (``"100"``) the places of the plan
        and of the settings of its coupling FMUs; none for `linear` and `phasor`: what they need is not known here.
    """
    settings, kept = _Settings(), _Store()
    systems: dict[str, Any] = {}
    for name, source in {"recording": recorded_scenario(), "masses": masses_scenario()}.items():
        cases: dict[str, Any] = {}
        wired = cache(partial(_Wired, source))
        for timing, algorithm, switches in product(TIMINGS, _RUNS, product((False, True), repeat=len(_SWITCHED))):
            needed = [_MADE[algorithm]] if algorithm in _MADE else []
            plan, every = wired((*_assignments(switches), *needed)).couple(algorithm, timing)
            case = "".join(str(int(on)) for on in switches)
            places = [kept.place(plan), *(settings.place_of(lists) for lists in every if algorithm not in _MADE)]
            cases.setdefault(timing, {}).setdefault(algorithm, {})[case] = places
        systems[name] = {"direct": kept.place(direct(source)), "cases": cases}
    stored = {"lines": settings.lines.parts, "settings": settings.parts, "plans": kept.parts}
    return {"bare": settings_text({}), **stored, "systems": systems}


def masses_scenario() -> Source:
    """Return the scenario of two masses that `couplant demo` runs."""
    return paths.demonstration() / "scenario.toml"


def recorded_scenario() -> dict[str, Any]:
    """Return a scenario for one recorded signal, as `couplant try` writes it."""
    return {
        "name": "recording",
        "macro_step": 0.01,
        "duration": 1.0,
        "components": {"recording": {"recording": "recording.csv"}},
        "signals": {"signal": {"from": "recording.value"}},
    }


def settings_text(lists: Lists) -> str:
    """Return `settings.txt` of an FMU of the page from its `lists` of numbers."""
    return SettingsFile(TOKEN, f"{1:016x}", lists).text()


def coupled(
    source: Source, algorithm: str, timing: str, assignments: Sequence[str] = ()
) -> tuple[dict[str, Any], list[Lists]]:
    """Return the plan of a scenario, changed by `assignments`, and the settings of its coupling FMUs in their order.

    Raises
    ------
    UsageError
        If the scenario is wrong, or the algorithm cannot run with it.
    """
    return _Wired(source, assignments).couple(algorithm, timing)


def direct(source: Source) -> dict[str, Any]:
    """Return the plan of the undelayed reference of a scenario."""
    return _Wired(source).direct()


class _Wired:
    """A scenario, changed by assignments, read once for all that is wired of it."""

    def __init__(self, source: Source, assignments: Sequence[str] = ()) -> None:
        self._loaded = load_scenario(source, assignments)
        self._workshop = _workshop(self._loaded)

    def couple(self, algorithm: str, timing: str) -> tuple[dict[str, Any], list[Lists]]:
        wiring = self._workshop.couple(algorithm, timing)
        drafts = (one for one in wiring.components.values() if isinstance(one, Draft))
        return plans.coupled_plan(self._loaded, wiring), [one.lists for one in drafts if one.module == COUPLING]

    def direct(self) -> dict[str, Any]:
        return plans.direct_plan(self._loaded, self._workshop.reference())


def _assignments(switches: Sequence[bool]) -> list[str]:
    return [f"{key}={value if on else 0}" for on, (key, value) in zip(switches, _SWITCHED.values(), strict=True)]


def _workshop(loaded: Loaded) -> Workshop:
    builder = DraftBuilder()
    signals, tables = loaded.scenario.signals.values(), loaded.scenario.components.items()
    recorded = {name for name, table in tables if table.recording is not None}
    columns = {name: {s.source.variable for s in signals if s.source.component == name} for name in recorded}
    ends = np.array([0.0, 1.0]), np.zeros(2)
    series = {name: Series(dict.fromkeys(used, ends)) for name, used in columns.items()}
    return Workshop(loaded, DraftLibrary(builder), builder, series, {signal.source: 0.0 for signal in signals})
