"""Reading settings files of interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from couplant.config.bond_rules import bonded
from couplant.config.ends import added_by_host, with_lead
from couplant.config.interface import Document, Interface, Signal
from couplant.config.kinds import require_kind
from couplant.config.latency import with_own_hold
from couplant.config.learnt import all_with_learnt
from couplant.config.rules import lead_problems, problems, waits_for_host
from couplant.frame import Content, Source, check, read_source, refuse, source_name

_STAND_IN = {"interface": {"name": "interface", "macro_step": 1.0}}


def load_interface(path: Source, assignments: Sequence[str] = ()) -> Interface:
    """Read and check a settings file, or a mapping in its place, changed by `assignments` ``key=TOML value``.

    Raises
    ------
    UsageError
        If the file cannot be read or anything in it is wrong: one line for each thing, all at once.
    """
    name = source_name(path)
    return parse_interface(all_with_learnt(read_source(path, assignments), name.parent), name)


def parse_interface(document: Content, origin: str | Path) -> Interface:
    """Check settings that are already plain Python values; `origin` is the name of the file, for messages.

    Raises
    ------
    UsageError
        If anything is wrong: one line for each thing, all at once.
    """
    require_kind(document, "interface", origin)
    checked = check(Document, document, origin, problems, _STAND_IN)
    common, added = checked.interface, added_by_host(checked, Path(origin).parent)
    led = {name: with_lead(signal, added[name], common.step) for name, signal in checked.signals.items()}
    signals = {name: with_own_hold(signal, common.timing) for name, signal in led.items()}
    waiting = [name for name, signal in checked.signals.items() if waits_for_host(signal, common)]
    found = [p.text for name in waiting for p in lead_problems(signals[name], common, f"signals.{name}")]
    if found:
        refuse(origin, found)
    return Interface.model_construct(
        name=common.name,
        macro_step=common.macro_step,
        timing=common.timing,
        inputs=common.inputs,
        signals=bonded(signals, checked.bonds, common),
        bonds=checked.bonds,
        models=checked.models,
        host=common.host if "host" in common.model_fields_set else None,
        added={name: lead._replace(hold=_held(checked.signals[name], signals[name])) for name, lead in added.items()},
    )


def _held(before: Signal, after: Signal) -> float:
    return after.latency.hold_lead - before.latency.hold_lead
