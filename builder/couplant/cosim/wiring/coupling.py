"""From the coupling of a scenario to the settings of each coupling FMU."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.base.units import check_scale
from couplant.config import Interface, parse_interface
from couplant.config.bonds import BondEnd, bond_end
from couplant.config.frame.read import Content, merge, read_toml
from couplant.config.hosts import READS_AGAIN, HostLead
from couplant.config.interface import Bonded
from couplant.config.latency import asks_to_follow, with_hold
from couplant.config.load import with_learnt
from couplant.config.models import MODEL
from couplant.config.network import latency_in
from couplant.config.own import PLACE_NAME, Own, find_algorithm
from couplant.config.rules.steps import BondTable
from couplant.config.scenario import CONFIGURED, LEARNING, Loaded, flat
from couplant.cosim.wiring.network import gaps_of

_log = logging.getLogger(__name__)
_BUILD = ("backend", "fmi")
_SOURCES = ("configuration", "signal", "fmu", *_BUILD)
_IGNORED_BY_FMUS = ("unit", "debug", "start", "burst")


@dataclass(frozen=True)
class Prebuilt:
    """A coupling FMU that exists already."""

    path: Path
    parameters: dict[str, Any]  # values to set, by variable
    end: BondEnd | None = None  # what it stands at in a power bond
    start: float | None = None  # value before the first one arrives, signal unit; None: what the sender begins with


@dataclass(frozen=True)
class Wire:
    """A signal without coupling FMU: its receiver takes what comes out of the network."""

    start: float | None = None  # value before the first one arrives, signal unit; None: what the sender begins with
    offset: float = 0.0  # lag of the signal itself that coupling FMUs would make up for, s


def wire_of(loaded: Loaded, signal: str) -> Wire:
    """Return the plain wire of a signal: what counts of the settings of its coupling FMU."""
    merged = merge(loaded.scenario.coupling, loaded.scenario.signals[signal].coupling)
    given = merge(_from_file(loaded, merged, signal), {k: merged[k] for k in ("start", "latency") if k in merged})
    latency = given.get("latency")
    return Wire(given.get("start"), float(latency.get("offset", 0.0)) if isinstance(latency, dict) else 0.0)


def coupling_of(
    loaded: Loaded, signal: str, algorithm: str, timing: str, added: float = 0.0, late: bool = False
) -> "Settings":
    """Return the settings of the coupling FMU of a signal; `added` are macro steps that the host adds to the latency.

    `late` tells that what goes back to the sender follows at once from the estimate.

    Where several give the same setting, the first of these counts: the algorithm of the run, the table `coupling` of
    the signal, that of the scenario, the latency of the network and of the host if the scenario names one, the settings
    file that the scenario names. A power bond is what the scenario says of it, whatever that file says. Raises
    UsageError if the settings are wrong.
    """
    if algorithm == WIRE:
        return wire_of(loaded, signal)
    table = loaded.scenario.signals[signal]
    merged = merge(loaded.scenario.coupling, table.coupling)
    own = {key: value for key, value in merged.items() if key not in _SOURCES}
    if asks_to_follow(own.get("latency")) or _select(own, algorithm) == MODEL:
        added = 0.0  # the lag that is learnt has it in it, a model knows what outputs follow from
    run: Content = {}
    if algorithm in LEARNING:
        run = {"algorithm": {"selected": "network"}, "learning": LEARNING[algorithm]}
    elif algorithm != CONFIGURED:
        run = {"algorithm": {"selected": algorithm}}
    mine = _own_algorithm(own, algorithm)
    run = {"algorithm": {"selected": PLACE_NAME}} if mine is not None else run
    known = "host" in loaded.scenario.model_fields_set and ("fmu" in merged or "configuration" in merged)
    lead = {"latency": {"host_lead": added}} if added or known else {}
    tables = merge(_latency_of(loaded, signal, own, algorithm), lead), _long_form(own), run
    if mine is not None:
        _refuse_for_own(loaded, signal, mine, merged)
    if "fmu" in merged:
        path, end = loaded.file(str(merged["fmu"])), end_of(loaded, signal)
        return Prebuilt(path, _parameters(merge(*tables)), end, own.get("start"))
    shown = {"unit": table.unit} if "unit" in table.model_fields_set else {}
    logged = {"debug": True} if table.debug else {}
    derived = {"derivative": table.derivative} if table.derivative is not None else {}
    every = merge(_from_file(loaded, merged, signal), *tables, shown, logged, derived)
    settings = with_learnt(every, signal, loaded.file)
    scenario = loaded.scenario
    common = {"name": identifier(scenario.name), "macro_step": scenario.macro_step, "timing": timing}
    common |= {} if scenario.micro_step is None else {"micro_step": scenario.micro_step}
    document = {"interface": common, "signals": {signal: settings}, "bonds": _bonds(loaded, signal)}
    document["models"] = _models(loaded, signal, late)
    made = _with_far_end(loaded, parse_interface(document, f"{loaded.path} (coupling)"), signal)
    if mine is not None:
        return InProcess(made, mine)
    return _with_hold_lead(made, signal) if added and "host_lead" not in own.get("latency", {}) else made


def _refuse_for_own(loaded: Loaded, signal: str, own: Own, merged: Mapping[str, Any]) -> None:
    """Refuse an FMU, a backend and a version of the standard for an algorithm of the user's, `own`."""
    for key in ("fmu", *_BUILD):
        if key in merged:
            where = f"{loaded.path}: signals.{signal}: coupling.{key} = {merged[key]}"
            raise UsageError(f"{where}, allowed without: algorithm {own.name} runs in process, without an FMU")


def _latency_of(loaded: Loaded, signal: str, own: Content, algorithm: str) -> Content:
    """Return the latency of a signal with the settings `own` as its network tells it."""
    network = loaded.networks[signal]
    gaps = gaps_of(network, loaded.scenario.macro_step, signal, loaded.file)
    return latency_in(network, own.get("latency"), gaps, modelled=_select(own, algorithm) == MODEL)


def bond_of(loaded: Loaded, signal: str) -> tuple[str, BondTable] | None:
    """Return the power bond that a signal belongs to, with its name."""
    bonds = loaded.scenario.bonds.items()
    return next(((name, bond) for name, bond in bonds if signal in (bond.effort, bond.flow)), None)


def end_of(loaded: Loaded, signal: str) -> BondEnd | None:
    """Return the end of a power bond that receives a signal; None where it belongs to no bond."""
    found = bond_of(loaded, signal)
    if found is None:
        return None
    bond = found[1]
    partner = loaded.scenario.signals.get(bond.flow if signal == bond.effort else bond.effort)
    return bond_end(bond, signal, "" if partner is None else partner.unit, stale=loaded.scenario.host != READS_AGAIN)


def _bonds(loaded: Loaded, signal: str) -> Content:
    """Return the end of the bond of a signal as a settings file writes it, whose other end is elsewhere."""
    found = bond_of(loaded, signal)
    if found is None:
        return {}
    name, bond = found
    left_out = {"scale", "tolerance", "until", *(("flow",) if signal == bond.effort else ("effort", "take_back"))}
    return {name: bond.model_dump(exclude=left_out, exclude_unset=True)}


def _select(own: Mapping[str, Any], algorithm: str) -> Any:
    """Return the algorithm that a run has, as far as the scenario says it."""
    table = own.get("algorithm")
    configured = table.get("selected") if isinstance(table, dict) else table
    return configured if algorithm == CONFIGURED else algorithm


def _own_algorithm(own: Mapping[str, Any], algorithm: str) -> Own | None:
    """Return the algorithm of the user's that a run has, None if it has none."""
    name = _select(own, algorithm)
    return find_algorithm(name) if isinstance(name, str) else None


def _models(loaded: Loaded, signal: str, late: bool) -> Content:
    """Return the model of the sender of a signal as a settings file writes it."""
    models = loaded.scenario.models.items()
    written = {name: model.model_dump(exclude_unset=True) for name, model in models if signal in model.outputs}
    host = {"late": late, "stale": loaded.scenario.host != READS_AGAIN}
    return {name: host | model for name, model in written.items()}


def _with_far_end(loaded: Loaded, made: Interface, signal: str) -> Interface:
    """Return settings that know what the scenario tells about the far end of the bond, and about the host."""
    end = end_of(loaded, signal)
    if end is None:
        return made
    return made.model_copy(update={"signals": {signal: made.signals[signal].model_copy(update={"energy": end})}})


def _with_hold_lead(made: Interface, signal: str) -> Interface:
    """Return the interface with the lead for the receiver's hold that comes with that of the host."""
    bare = made.signals[signal]
    held = with_hold(bare, made.held)
    lead = HostLead(0, hold=held.latency.hold_lead - bare.latency.hold_lead)
    return made.model_copy(update={"signals": {signal: held}, "added": {signal: lead}})


def knows_age(loaded: Loaded, signal: str) -> bool:
    """Tell whether the coupling FMU of a signal reads from stamps how old a value is."""
    merged = merge(loaded.scenario.coupling, loaded.scenario.signals[signal].coupling)
    return bool(latency_in(loaded.networks[signal], merged.get("latency"))["latency"]["mode"] != "constant")


@dataclass(frozen=True)
class InProcess:
    """A coupling FMU whose algorithm is one of the user's, in Python; it runs in this process."""

    interface: Interface  # its settings; they name another algorithm, in whose place it runs
    own: Own

    @property
    def start(self) -> float | None:
        """Return the value of the signal before the first one arrives [signal unit]; None where no setting names it."""
        (signal,) = self.interface.signals.values()
        return signal.start if "start" in signal.model_fields_set else None


Settings = Interface | Prebuilt | Wire | InProcess  # what stands between network and receiver of a signal
Couplings = Mapping[str, Settings]  # what that is for each signal


def couplings_of(loaded: Loaded, algorithm: str, timing: str) -> Couplings:
    """Return the settings of the coupling FMUs of a run in a host that adds nothing."""
    return {name: coupling_of(loaded, name, algorithm, timing) for name in loaded.scenario.signals}


def build_options(loaded: Loaded, signal: str) -> dict[str, str]:
    """Return the options of `build_coupling_fmu` that the tables `coupling` give: backend, fmi."""
    merged = merge(loaded.scenario.coupling, loaded.scenario.signals[signal].coupling)
    return {key: str(merged[key]) for key in _BUILD if key in merged}


def start_value(coupling: Settings, signal: str) -> float | None:
    """Return the value of a signal before the first one arrives [signal unit]; None where the settings name none."""
    if not isinstance(coupling, Interface):
        return coupling.start
    settings = coupling.signals[signal]
    return settings.start if "start" in settings.model_fields_set else None


def offset_of(coupling: Settings, signal: str) -> float:
    """Return the lag of a signal itself that its coupling FMU is told to make up for [s]."""
    if isinstance(coupling, Prebuilt):
        return float(coupling.parameters.get("latency.offset", 0.0))
    if isinstance(coupling, Wire):
        return coupling.offset
    if isinstance(coupling, InProcess):
        return offset_of(coupling.interface, signal)
    return coupling.signals[signal].latency.offset


def identifier(text: str) -> str:
    """Return a title as a name of letters, digits and underscores."""
    words = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower()
    return (words if words[:1].isalpha() else f"scenario_{words}")[:30].rstrip("_")


def _from_file(loaded: Loaded, merged: Mapping[str, Any], signal: str) -> dict[str, Any]:
    if "configuration" not in merged:
        return {}
    path, name = loaded.file(str(merged["configuration"])), str(merged.get("signal", signal))
    document = read_toml(path)
    interface = parse_interface(document, str(path))
    if name not in interface.signals:
        raise UsageError(f"{path} has no signal {name}; there are: {', '.join(interface.signals)}.")
    if isinstance(interface.signals[name], Bonded) and bond_of(loaded, signal) is None:
        _log.warning(
            "signals.%s: a bond of %s does not count: give the scenario a table [bonds.NAME].", signal, path.name
        )
    table = loaded.scenario.signals[signal]
    if "unit" in table.model_fields_set:
        check_scale(f"{loaded.path}: signals.{signal}.unit", table.unit, str(path), interface.signals[name].unit)
    return _long_form(document["signals"][name])


def _long_form(settings: dict[str, Any]) -> dict[str, Any]:
    algorithm = settings.get("algorithm")
    return {**settings, "algorithm": {"selected": algorithm}} if isinstance(algorithm, str) else settings


def _parameters(settings: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in flat(settings).items() if key not in _IGNORED_BY_FMUS}
