"""Which coupling FMUs the page writes itself; translated for it."""

from __future__ import annotations

from couplant.config.interface import Interface
from couplant.config.latency import uses_derivative
from couplant.pack.describe.coupling import features
from couplant_runtime.algorithms import BY_NAME

_COMMAND = "couplant build interface.toml"


def left_to_command(interface: Interface, signal: str) -> str:
    """Return the sentence that says why the page does not write the FMU of a `signal`, empty if it does.

    The page has no neural networks, no models of prototypes, no phasors and only the kernel without what
    `needs_energy` of `couplant.pack.plan` tells.
    """
    section = interface.signals[signal]
    row = BY_NAME[section.algorithm.selected]
    if not row.native:
        return f'algorithm = "{row.name}" runs in Python only: {_COMMAND} --backend python makes the FMU of {signal}.'
    if row.needs in ("neural", "plant", "phasor"):
        return f'algorithm = "{row.name}" is left to the command: {_COMMAND} makes the FMU of {signal}.'
    features_of_signal = features(section)
    wanted = {
        "a power bond": "energy" in features_of_signal,
        "a derivative": uses_derivative(section),
        "a lag that can be learnt": "latency.follow" in features_of_signal,
    }
    for what, has in wanted.items():
        if has:
            return f"What runs with {what} is not in the page: {_COMMAND} makes the FMU of {signal}."
    return ""
