"""Origin of an FMU, which it carries: whose it is, and the configuration that it was built from.

Signal c of interface a_b and signal b_c of interface a are both called a_b_c.fmu. `couplant build` makes the same FMU
of the configuration.
"""

from typing import Any

from couplant.config.frame.written_toml import Real, toml
from couplant.config.hosts import SEQUENTIAL
from couplant.config.interface import Interface, Signal
from couplant.pack.archive.libraries import dump
from couplant.version import __version__

ORIGIN = "extra/couplant/origin.txt"  # interface and signal, each in a line

CONFIGURATION = "extra/couplant/interface.toml"
_SEQUENTIAL = "A sequential host: what its order adds is in latency.host_lead."


def origin_file(interface: Interface, signal: str) -> dict[str, bytes]:
    """Return the file that tells whose the FMU of a `signal` is, by name inside the archive."""
    return {ORIGIN: f"{interface.name}\n{signal}\n".encode()}


def configuration_file(interface: Interface, signal: str) -> dict[str, bytes]:
    """Return the settings of a `signal` and of what shares a bond with it, without tokens, by name in the archive."""
    bonds = {name: bond for name, bond in interface.bonds.items() if signal in (bond.effort, bond.flow)}
    ends = [end for bond in bonds.values() for end in (bond.effort, bond.flow) if end]
    comments = [f"couplant {__version__}"]
    head: dict[str, Any] = {"name": interface.name, "macro_step": Real(interface.macro_step)}
    if interface.micro_step is not None:
        head["micro_step"] = Real(interface.micro_step)
    head["timing"] = interface.timing
    if interface.inputs != "all":
        head["inputs"] = interface.inputs
    if interface.host is not None:  # without the order of the others a sequential host would be refused
        head["host"] = "jacobi" if interface.host == SEQUENTIAL else interface.host
    if interface.host == SEQUENTIAL:
        comments.append(_SEQUENTIAL)
    document: dict[str, Any] = {"interface": head}
    names = list(dict.fromkeys([signal, *ends]))
    document["signals"] = {name: _show(interface.signals[name]) for name in names}
    models = {name: one for name, one in interface.models.items() if signal in one.outputs}
    if models:
        document["models"] = {name: dump(one) for name, one in models.items()}
    if bonds:
        document["bonds"] = {name: dump(bond) for name, bond in bonds.items()}
    return {CONFIGURATION: toml(document, comments).encode()}


def _show(signal: Signal) -> dict[str, Any]:
    found = dump(signal)
    found.pop("energy", None)
    if "learning" in found:
        found["learning"].pop("token", None)
    return found
