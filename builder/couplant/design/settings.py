"""Designs as settings: weights into a configuration file, or as TOML to paste."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomlkit

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.config.frame.read import Content, read_toml
from couplant.config.load import parse_interface
from couplant.config.models import MODEL
from couplant.config.network import NetworkTable, latency_in
from couplant.config.scenario import check_scenario
from couplant.design.optimal import Design

NOTHING: Mapping[str, Any] = MappingProxyType({})


def algorithm_settings(designs: Mapping[int, Design], selected: str = "linear", varies: bool = False) -> dict[str, Any]:
    """Return the table ``algorithm`` of a signal from designs by latency, `designs`; several become a weight table.

    The algorithm `selected` runs with them, linear or auto. Where the latency `varies` one does too.
    """
    return weight_settings({one.fmu_steps: one.algorithm for one in designs.values()}, selected, varies)


def weight_settings(
    weights: Mapping[int, LinearAlgorithm], selected: str = "linear", varies: bool = False
) -> dict[str, Any]:
    """Return the table ``algorithm`` of a signal from `weights` by the steps that the FMU counts [macro steps].

    The algorithm `selected` runs with them, linear or auto. Where the latency `varies` all hold for their own one.
    """
    rows = [{"steps": steps, **_row(one)} for steps, one in weights.items()]
    one = len(rows) == 1 and not varies
    return {"selected": selected, **rows[0]} if one else {"selected": selected, "table": rows}


def _row(one: LinearAlgorithm) -> dict[str, list[float]]:
    derived = {"b": list(one.b), "B": list(one.B)} if one.b else {}
    return {"a": list(one.a), "A": list(one.A), **derived}


def settings_text(name: str, algorithm: str | Mapping[str, Any], network: NetworkTable, *,
                  ladder: bool = True, jumps: bool = False, lead: float = 0.0, burst: int = 0,
                  protection: Mapping[str, Any] = NOTHING) -> str:  # fmt: skip
    """Return the table of a signal as TOML to paste below ``[interface]``, its `algorithm` a name or a table.

    `network` tells the latency. After a jump FOH runs until the algorithm may with `ladder`, else the output holds;
    `jumps` detects jumps; `lead` is `latency.hold_lead` [macro steps]. `protection` are tables ``output`` and
    ``discontinuity`` of the signal, as `couplant.analysis.signal.sampling` has them. With a `burst`, the values in a
    message, ages come from stamps.
    """
    told = {"latency": {"mode": "stamps"}, "burst": burst} if burst else latency_in(network)
    signal: dict[str, Any] = {**told, "algorithm": algorithm}
    signal["latency"] |= {"hold_lead": lead} if lead else {}
    detected = {"enabled": True, "hold": not ladder} if jumps else {}
    if found := detected | protection.get("discontinuity", {}):
        signal["discontinuity"] = found
    if "output" in protection:
        signal["output"] = dict(protection["output"])
    return tomlkit.dumps({"signals": {name: signal}})


def weights_text(name: str, weights: Mapping[int, LinearAlgorithm], lead: float) -> str:
    """Return the table of a signal as TOML to paste; `name` is its name, `weights` and `lead` as in `write_weights`."""
    latency = {"latency": {"hold_lead": lead}} if lead else {}
    return tomlkit.dumps({"signals": {name: latency | {"algorithm": weight_settings(weights)}}})


def write_settings(path: str | Path, signal: str, designs: Mapping[int, Design], burst: int = 0) -> Path:
    """Write `designs` by latency [macro steps] and their lead as `write_weights` does, and raise what it raises.

    With a `burst`, the values in a message, ages come from stamps.
    """
    lead = next(iter(designs.values())).task.lead
    return write_weights(path, signal, {one.fmu_steps: one.algorithm for one in designs.values()}, lead, burst)


def write_weights(
    path: str | Path, signal: str, weights: Mapping[int, LinearAlgorithm], lead: float | None = None, burst: int = 0
) -> Path:
    """Write `weights` by latency [macro steps] as the ``algorithm`` of a `signal` into a configuration file.

    `lead` is their ``latency.hold_lead`` [macro steps], None: what is there stays. With a `burst`, the values in a
    message, ages come from stamps. Comments are kept; returns the path
    of the file. Raises UsageError if the file is wrong, before or after, or has no such signal; it is then unchanged.
    """

    def change(section: Any) -> None:
        table = tomlkit.table()
        table.update(weight_settings(weights))
        section["algorithm"] = table
        if lead is not None and ("hold_lead" in _with_latency(section)["latency"] or lead):
            section["latency"]["hold_lead"] = lead
        if burst:
            latency = _with_latency(section)["latency"]
            latency["mode"] = "stamps"
            latency.pop("constant_steps", None)
            section["burst"] = burst

    return change_signal(path, signal, change)


def write_offset(path: str | Path, signal: str, offset: float) -> Path:
    """Write `offset` [s] as ``latency.offset`` of a `signal` into a configuration file, which keeps its comments.

    Returns its path. Raises UsageError if the file is wrong, before or after, or has no such signal; it is then
    unchanged.
    """

    def change(section: Any) -> None:
        _with_latency(section)["latency"]["offset"] = offset

    return change_signal(path, signal, change)


def _with_latency(section: Any) -> Any:
    if section.get("latency") is None:
        section["latency"] = tomlkit.inline_table()
    return section


def write_models(path: str | Path, models: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write `models` by name into a configuration file or a scenario, which keeps its comments; return its path.

    Signals of a configuration file that they send get the algorithm ``model``. Raises UsageError if the file is wrong,
    before or after; it is then unchanged.
    """

    def change(document: Any) -> None:
        if "models" not in document:
            document["models"] = tomlkit.table(is_super_table=True)
        for name, table in models.items():
            document["models"][name] = table
            for signal in set(table["outputs"]) & set(document["signals"] if "interface" in document else ()):
                document["signals"][signal]["algorithm"] = MODEL

    return change_file(path, change)


def change_signal(path: str | Path, signal: str, change: Callable[[Any], None]) -> Path:
    """Apply a change to the section of a signal and write the file, if it is right afterwards; return its path.

    `change` is given the section, a table of tomlkit, to change in place. Raises UsageError if the file is wrong,
    before or after, or has no such signal; it is then unchanged.
    """
    before = parse_interface(read_toml(path), str(path))
    if signal not in before.signals:
        raise UsageError(f"{path}: no signal {signal!r}, allowed {', '.join(before.signals)}")
    return change_file(path, lambda document: change(document["signals"][signal]))


def change_file(path: str | Path, change: Callable[[Any], None]) -> Path:
    """Apply a change to a configuration file or a scenario and write it, if it is right afterwards; return its path.

    `change` is given the document of tomlkit to change in place. Raises UsageError if the file is wrong, before or
    after; it is then unchanged.
    """
    path = Path(path)
    _check(read_toml(path), path)
    document: Any = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    change(document)
    text = tomlkit.dumps(document)
    _check(tomlkit.parse(text).unwrap(), path)
    return write_atomic(path, text)


def _check(document: Content, path: Path) -> None:
    if "components" in document and "interface" not in document:
        check_scenario(path, document)
    else:
        parse_interface(document, str(path))
