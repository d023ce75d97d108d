"""Result of tuning a bench: latencies, candidates, what was taken back, and the settings that measured best."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from couplant.base.arrays import Vector
from couplant.base.style import WIRE
from couplant.bench.record import spread
from couplant.bench.tune.lanes import FIRST_LANE, WIRE_LANE
from couplant.bench.tune.leader import Trial
from couplant.bench.tune.sides import Candidate, with_models
from couplant.bench.tune.tuner import Window
from couplant.config import Interface
from couplant.config.load import parse_interface
from couplant.config.models import MODEL
from couplant.config.scenario import Loaded
from couplant.cosim.wiring.coupling import coupling_of

TUNED, INTERFACE = "tuned.toml", "interface.toml"
TIMED = ("stamps", "round_trip", "resequenced")  # modes of the latency that know the age of a value

_TABLES = ("components", "coupling", "signals", "bench")  # which may name files
_FILES = ("ca", "certificate", "key", "system", "fmu", "source", "recording", "configuration")


@dataclass(frozen=True, eq=False)
class Way:
    """One direction, and its messages."""

    sender: str
    receiver: str
    latency: Vector  # shape (K,): from leaving to arriving, by a common clock where there is one [s]
    age: Vector  # shape (K,): of the newest value when it arrived [s]
    counts: Mapping[str, int]  # lost, overtaken, doubled and dropped

    @classmethod
    def of(cls, sender: str, receiver: str, messages: Vector, counts: Mapping[str, int]) -> "Way":
        """Return the direction of some `messages`, shape (K, 3), and their `counts`, as a `SideRecord` has them."""
        stamp, left, arrived = messages.T
        return cls(sender, receiver, arrived - left, arrived - stamp, counts)

    def to_dict(self, macro_step: float) -> dict[str, Any]:
        """Return the figures, with the age in macro steps of `macro_step` [s]."""
        age = spread(self.age / macro_step)
        return {"from": self.sender, "to": self.receiver, "latency": spread(self.latency), "age_steps": age,
                "counts": dict(self.counts)}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Tuned:
    """A bench that was tuned."""

    loaded: Loaded
    before: Candidate
    candidates: Mapping[int, Candidate]  # by lane
    chosen: int  # lane of the settings that measured best
    trials: Sequence[Trial]
    windows: Mapping[str, Sequence[Window]]  # by side
    taken_back: Mapping[str, Sequence[tuple[float, int, str]]]  # by side: when [s], lane, why
    ways: Sequence[Way] = ()
    shadow: Mapping[str, float] = field(default_factory=dict)  # errors on the recording over the plain wire, by name
    time: float = 0.0  # of the bench [s]
    dry: bool = False
    late: Mapping[str, float] = field(default_factory=dict)  # share of late steps by side [-]
    reason: str = ""  # why it ended early

    @property
    def settings(self) -> Candidate:
        """Return the settings that measured best."""
        if self.chosen == WIRE_LANE:
            return Candidate(WIRE, WIRE)
        return self.before if self.chosen == FIRST_LANE else self.candidates[self.chosen]

    @property
    def is_new(self) -> bool:
        """Return whether they are others than before."""
        return self.settings.algorithm != self.before.algorithm or bool(self.settings.models)

    def name_of(self, key: int) -> str:
        """Return the name of the lane `key`."""
        if key == FIRST_LANE:
            return self.before.algorithm
        return WIRE if key == WIRE_LANE else self.candidates[key].name if key in self.candidates else str(key)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON; errors are over the size of the signals [-], times in seconds."""
        h = self.loaded.scenario.macro_step
        shown = {
            side: [{"time": one.time, "given": self.name_of(one.given), "error": one.error, "wire": one.wire,
                    "in_force": one.force} for one in windows]
            for side, windows in self.windows.items()
        }  # fmt: skip
        back = {side: [{"time": t, "settings": self.name_of(key), "why": why} for t, key, why in rows]
                for side, rows in self.taken_back.items()}  # fmt: skip
        expected = [{"name": one.name, "algorithm": one.algorithm, "expected": _finite(one.expected),
                     "shadow": _finite(self.shadow.get(one.name))} for one in self.candidates.values()]  # fmt: skip
        return {
            "bench": self.loaded.scenario.name, "macro_step": h, "dry_run": self.dry, "time": self.time,
            "before": self.before.algorithm, "chosen": self.settings.name, "latency": self.latency_settings(),
            "ways": [way.to_dict(h) for way in self.ways], "candidates": expected,
            "trials": [{k: _finite(value) for k, value in asdict(one).items() if k != "key"} for one in self.trials],
            "late": dict(self.late), "taken_back": back, "windows": shown, "reason": self.reason,
        }  # fmt: skip

    def latency_settings(self) -> dict[str, Any]:
        """Return settings of coupling FMUs that follow from the messages; nothing without messages."""
        ages = [way.age for way in self.ways if way.age.size]
        if not ages:
            return {}
        h = self.loaded.scenario.macro_step
        usual = [spread(age / h) for age in ages]
        least, most = min(u["q05"] for u in usual if u), max(u["max"] for u in usual if u)
        lost = any(way.counts.get("lost") for way in self.ways)
        varies = most - least > 0.5 or lost
        coast = max(int(most - least) + 2, 3)
        return {"mode": "stamps" if varies else "constant", "coast_steps": min(coast, 64), "burst": 3 if lost else 1}

    def files(self, folder: Path) -> dict[str, str]:
        """Return the texts of the files for a `folder`: the bench with the new settings, and these for `build`."""
        found = {TUNED: tomlkit.dumps(_bench_document(self.loaded, self.settings, folder))}
        if self.settings.algorithm != WIRE:
            found[INTERFACE] = tomlkit.dumps(interface_document(self.loaded, self.settings))
        return found

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not abs(value) < float("inf") else value


def _bench_document(loaded: Loaded, one: Candidate, folder: Path) -> dict[str, Any]:
    """Return the content of a bench file with other settings, its files named as from a `folder`."""

    def from_there(part: Any) -> Any:
        if isinstance(part, list):
            return [from_there(entry) for entry in part]
        if not isinstance(part, dict):
            return part
        return {key: path_from_there(value) if key in _FILES and isinstance(value, str) else from_there(value)
                for key, value in part.items()}  # fmt: skip

    def path_from_there(name: str) -> str:
        return os.path.relpath(loaded.file(name), folder)

    tables = {key: from_there(loaded.document[key]) for key in _TABLES if key in loaded.document}
    found: dict[str, Any] = {**loaded.document, **tables, "algorithms": [one.algorithm]}
    if one.models:
        found["models"] = {name: model.model_dump(exclude_unset=True) for name, model in one.models.items()}
    return found


def interface_document(loaded: Loaded, one: Candidate) -> dict[str, Any]:
    """Return the content of a settings file for `build`: all signals with the settings of a candidate.

    Raises UsageError if they are not right.
    """
    known = with_models(loaded, one.models)
    found: dict[str, Any] = {}
    for name in loaded.scenario.signals:
        made = coupling_of(known, name, one.algorithm, loaded.scenario.timing[0])
        if not isinstance(made, Interface):
            continue
        if not found:
            found["interface"] = {"name": made.name, "macro_step": made.macro_step, "timing": made.timing}
            found["interface"] |= {"micro_step": made.micro_step} if made.micro_step is not None else {}
            found["signals"] = {}
        told: dict[str, Any] = {"mode": "json", "exclude_unset": True, "exclude_none": True, "by_alias": True}
        settings = made.signals[name].model_dump(**told)
        settings.pop("energy", None)  # comes from the bond
        found["signals"][name] = settings
        if made.bonds:
            found["bonds"] = found.get("bonds", {}) | {key: bond.model_dump(**told) for key, bond in made.bonds.items()}
    if one.algorithm == MODEL and one.models:
        found["models"] = {name: model.model_dump(exclude_unset=True) for name, model in one.models.items()}
    parse_interface(found, INTERFACE)
    return found
