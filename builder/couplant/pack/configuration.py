"""The configuration that an FMU was built from, which it carries: `couplant build` makes the same FMU of it."""

from __future__ import annotations

from typing import Any

from couplant.config.hosts import SEQUENTIAL
from couplant.config.interface import Interface
from couplant.version import __version__
from couplant.written_toml import Real, toml

CONFIGURATION = "extra/couplant/interface.toml"
_DUMPED: dict[str, Any] = {"mode": "json", "exclude_unset": True, "exclude_none": True, "by_alias": True}
_SEQUENTIAL = "A sequential host: what its order adds is in latency.host_lead."


def configuration_file(interface: Interface, signal: str) -> dict[str, bytes]:
    """Return the settings of a `signal`, and of what shares a power bond with it, by name inside the archive.

    The token of a learning server is left out.
    """
    bonds = {name: bond for name, bond in interface.bonds.items() if signal in (bond.effort, bond.flow)}
    ends = [end for bond in bonds.values() for end in (bond.effort, bond.flow) if end]
    comments = [f"couplant {__version__}"]
    head = {"name": interface.name, "macro_step": interface.macro_step, "timing": interface.timing}
    if interface.inputs != "all":
        head["inputs"] = interface.inputs
    if interface.host is not None:  # without the order of the others a sequential host would be refused
        head["host"] = "jacobi" if interface.host == SEQUENTIAL else interface.host
    if interface.host == SEQUENTIAL:
        comments.append(_SEQUENTIAL)
    document: dict[str, Any] = {"interface": head}
    hidden: dict[str, Any] = {"energy": True, "learning": {"token"}}
    signals = {name: interface.signals[name] for name in dict.fromkeys([signal, *ends])}
    document["signals"] = {name: one.model_dump(**_DUMPED, exclude=hidden) for name, one in signals.items()}
    models = {name: one for name, one in interface.models.items() if signal in one.outputs}
    if models:
        document["models"] = {name: one.model_dump(**_DUMPED) for name, one in models.items()}
    if bonds:
        document["bonds"] = {name: bond.model_dump(**_DUMPED) for name, bond in bonds.items()}
    return {CONFIGURATION: toml(_marked(document), comments).encode()}


def _marked(value: Any) -> Any:
    """Return values with their real numbers marked as such."""
    if isinstance(value, dict):
        return {key: _marked(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_marked(one) for one in value]
    return Real(value) if isinstance(value, float) else value
