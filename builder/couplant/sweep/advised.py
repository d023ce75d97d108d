"""A loop and its configuration as files: system, scenario, and settings of the coupling FMUs of both sides."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import tomlkit

from couplant.analysis.senders import Weights, with_models
from couplant.analysis.system import Prototype, System
from couplant.base.arrays import Matrix
from couplant.base.style import WIRE
from couplant.config.frame.read import Content
from couplant.config.hosts import JACOBI, READS_AGAIN
from couplant.config.models import AUTO, MODEL
from couplant.config.network import NetworkTable, latency_in
from couplant.config.scenario import CONFIGURED
from couplant.cosim.wiring.loops import bare_loop, signal_names
from couplant.cosim.wiring.network import gaps_of
from couplant.design.models import model_tables
from couplant.design.observers import Tables

STEPS = 1000  # macro steps of a run

SYSTEM, SCENARIO, INTERFACE = "system.toml", "scenario.toml", "interface.toml"


@dataclass(frozen=True, eq=False)
class Setup:
    """A loop and what stands in it."""

    system: System  # prototypes, connections with their latencies, excitation and noise
    algorithm: str  # of all signals, ``wire`` without FMUs
    models: Tables = field(default_factory=dict)  # tables ``[models.NAME]`` of observers, for models
    network: Content = field(default_factory=dict)  # what it does besides the latency, as a scenario has it
    fallback: str = AUTO  # what models fall back to
    settings: Content = field(default_factory=dict)  # of the algorithm, besides its name
    # recordings that drive inputs, as parts of a scenario; nothing else moves the prototypes then
    drive: Content = field(default_factory=dict)

    @property
    def selected(self) -> Content:
        """Return the algorithm as a table of settings."""
        return {"selected": self.algorithm, **self.settings}

    @property
    def host(self) -> str:
        """Return the importer."""
        return JACOBI if self.system.stale else READS_AGAIN

    def latency(self, source: str) -> int:
        """Return the latency of the signal from a `source` [macro steps]."""
        return next(c.algorithm.k for c in self.system.connections if c.source == source)


def files_of(setup: Setup, steps: int, seed: int = 0) -> dict[str, str]:
    """Return the texts of all files by name; the scenario runs `steps` macro steps, random by the `seed`."""
    moved = replace(setup.system, excitation={}) if setup.drive else setup.system
    files = {SYSTEM: system_document(moved), SCENARIO: _scenario(setup, steps, seed)}
    files |= {} if setup.algorithm == WIRE else {INTERFACE: _interface(setup)}
    return {name: tomlkit.dumps(document) for name, document in files.items()}


def system_document(system: System) -> Content:
    """Return a system as its file, with numbers in the place of formulas."""
    found: Content = {"macro_step": system.macro_step, "timing": system.timing}
    found |= {"host": JACOBI} if system.stale else {}
    found |= _micro_step(system)
    noise = {c.source: system.noise_of(c.source) for c in system.connections}
    found |= {"noise": noise} if any(noise.values()) else {}
    found["prototypes"] = {one.name: _prototype(one) for one in system.prototypes}
    acting = {name: {"states": list(w.states), "deviation": w.deviation, "bandwidth": w.bandwidth, "lags": w.lags}
              for name, w in system.excitation.items()}  # fmt: skip
    found["excitation"] = acting
    rows = [{"from": c.source, "to": c.target, "latency_steps": c.algorithm.k} for c in system.connections]
    return found | {"connections": rows}


def _prototype(one: Prototype) -> Content:
    matrices: dict[str, Matrix] = {part: getattr(one, part) for part in "ABCD"}
    found: Content = {part: matrix.tolist() for part, matrix in matrices.items() if part != "D" or matrix.any()}
    return found | {"inputs": list(one.inputs), "outputs": list(one.outputs)}


def _scenario(setup: Setup, steps: int, seed: int) -> Content:
    system, names = setup.system, signal_names(setup.system)
    found = _head(setup, "name") | {"duration": steps * system.macro_step, "timing": [system.timing]}
    found |= {"algorithms": [WIRE if setup.algorithm == WIRE else CONFIGURED]}
    parameters = {"parameters": {"seed": seed}} if seed else {}
    found["components"] = {one.name: {"system": SYSTEM} | parameters for one in system.prototypes}
    if setup.drive:
        drive = dict(setup.drive)
        del found["duration"]  # that of the recordings, where the scenario says nothing
        found["components"] |= drive.pop("components")
        found |= drive
    latencies = {source: setup.latency(source) for source in names}
    usual = max(latencies.values())
    found["network"] = {"latency_steps": usual, **setup.network}
    chosen = {} if setup.algorithm == WIRE else {"coupling": {"algorithm": setup.selected}}
    for source, name in names.items():
        to = [c.target for c in system.connections if c.source == source]
        network = {} if latencies[source] == usual else {"network": {"latency_steps": latencies[source]}}
        found.setdefault("signals", {})[name] = {"from": source, "to": to} | network | chosen
    return found | _models(setup)


def _head(setup: Setup, name: str) -> Content:
    system = setup.system
    found: Content = {name: "_".join(one.name for one in system.prototypes), "macro_step": system.macro_step}
    found |= {"host": setup.host} if setup.host != READS_AGAIN else {}
    return found | _micro_step(system)


def _micro_step(system: System) -> Content:
    step = float(f"{system.macro_step / system.micro_steps:.12g}")
    return {"micro_step": step} if system.micro_steps > 1 else {}


def _interface(setup: Setup) -> Content:
    system, names = setup.system, signal_names(setup.system)
    found: Content = {"interface": _head(setup, "name") | {"timing": system.timing}}
    ends = {}
    for one in system.prototypes:
        acting = {output: list(inputs) for output, inputs in one.acting().items() if inputs}
        ends[one.name] = {"system": SYSTEM} | ({"feedthrough": acting} if acting else {})
    found["components"] = ends
    found["signals"] = {}
    for source, name in names.items():
        to = [c.target for c in system.connections if c.source == source]
        network = NetworkTable.model_validate({"latency_steps": setup.latency(source), **setup.network})
        gaps = gaps_of(network, system.macro_step, name)
        told = latency_in(network, gaps=gaps, modelled=setup.algorithm == MODEL)
        found["signals"][name] = {"from": source, "to": to} | told
        found["signals"][name] |= {"algorithm": setup.selected if setup.settings else setup.algorithm}
    return found | _models(setup)


def _weights(table: Mapping[str, Any]) -> Weights:
    rows: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return Weights(**rows)


def _models(setup: Setup) -> Content:
    if setup.algorithm != MODEL:
        return {}
    system = setup.system
    weights = {name: _weights(table) for name, table in setup.models.items()}
    one = with_models(bare_loop(system), weights, bool(system.stale))
    tables = model_tables(one, weights, signal_names(system))
    return {"models": {name: table | {"fallback": setup.fallback} for name, table in tables.items()}}
