"""From the settings of a signal to the plan of its coupling FMU."""

from __future__ import annotations

from couplant.config.interface import Interface
from couplant.pack.archive.configuration import configuration_file
from couplant.pack.archive.origin import origin_file
from couplant.pack.describe.coupling import describe
from couplant.pack.describe.coupling_page import coupling_page
from couplant.pack.describe.xml import Capabilities
from couplant.pack.plan import Plan
from couplant.pack.reference import Run, reference_files
from couplant_runtime.config import Settings


def native_capabilities(settings: Settings, fmi: str) -> Capabilities:
    """Return the capabilities of native coupling FMUs of version `fmi`."""
    event = settings.event and fmi == "3"
    return Capabilities(directional_derivatives=True, max_output_derivative_order=1, event_mode=event)


def needs_energy(settings: Settings) -> bool:
    """Tell whether an FMU needs the code of power bonds and of a lag that is learnt."""
    return settings.bonded or settings.follows or settings.hears


def coupling_plan(
    interface: Interface, signal: str, settings: Settings, capabilities: Capabilities, run: Run
) -> Plan:
    """Return the plan of the FMU of a `signal`, whose backend has `capabilities`.

    Parameters
    ----------
    settings : Settings
        Those of the signal.
    run : callable
        Gives the reference result.
    """
    section, name = interface.signals[signal], f"{interface.name}_{signal}"
    files = reference_files(settings, run) | origin_file(interface, signal) | configuration_file(interface, signal)
    description = describe(settings, name, section, capabilities, needed_only=interface.inputs == "needed")
    return Plan(description, settings.lists(), files, coupling_page(interface, signal, description, capabilities))
