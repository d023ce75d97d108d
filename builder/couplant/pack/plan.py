"""From the settings of a signal to the plan of its coupling FMU, and the files that follow from a plan alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from couplant.config.interface import Interface
from couplant.pack.archive.identity import SettingsFile, identity_text
from couplant.pack.archive.libraries import sha256
from couplant.pack.archive.origin import configuration_file, origin_file
from couplant.pack.archive.zipped import Packed
from couplant.pack.describe.coupling import describe
from couplant.pack.describe.coupling_page import coupling_page
from couplant.pack.describe.shown import Around, Shown, shown_files
from couplant.pack.describe.xml import Capabilities, ModelDescription, write_xml
from couplant.pack.reference import Run, reference_files
from couplant_runtime.config import Settings

DESCRIPTION = "modelDescription.xml"
SETTINGS = "resources/settings.txt"
_VARIANT = "89ab"  # first digits of the fourth part of a UUID (RFC 9562)


@dataclass(frozen=True)
class Plan:
    """Plan of an FMU: all that it does not share with others of its backend."""

    description: ModelDescription  # without token and sources
    lists: Mapping[str, Sequence[float]]  # its settings
    # what it carries besides by name, such as its reference result; no part of its identity
    files: Mapping[str, bytes] = field(default_factory=dict)
    shown: Shown = field(default_factory=Shown)  # what importers show of it besides; no part of its identity either


def identify(plan: Plan, fmi: str, digest: str) -> SettingsFile:
    """Return the settings of an FMU of version `fmi` with what tells it from all others.

    What runs in it has the hash `digest`. Its token is a UUID of version 5.
    """
    found = sha256(identity_text(plan.description, fmi, plan.lists, digest))
    variant = _VARIANT[int(found[16], 16) % 4]
    parts = (found[:8], found[8:12], "5" + found[13:16], variant + found[17:20], found[20:32])
    return SettingsFile("{" + "-".join(parts) + "}", found[:16], plan.lists)


def whole(
    plan: Plan,
    fmi: str,
    settings: SettingsFile,
    runs: Mapping[str, bytes | Packed],
    around: Around,
    source_files: tuple[str, ...] = (),
) -> dict[str, bytes | Packed]:
    """Return all files of an FMU of version `fmi` by their names in the archive.

    `settings` are those of `identify`, `runs` is what runs in it, `source_files` what an importer may compile.
    """
    description = replace(plan.description, token=settings.token, source_files=source_files)
    files: dict[str, bytes | Packed] = {
        DESCRIPTION: write_xml(description, fmi).encode(),
        SETTINGS: settings.text().encode(),
        **runs,
        **plan.files,
    }
    return {**files, **shown_files(description, fmi, plan.shown, list(files), around)}


def native_capabilities(settings: Settings, fmi: str) -> Capabilities:
    """Return the capabilities of native coupling FMUs of version `fmi`."""
    event = settings.event and fmi == "3"
    return Capabilities(directional_derivatives=True, max_output_derivative_order=1, event_mode=event)


PYTHON_3 = (
    "PythonFMU3, which runs it, keeps no states, has no Event Mode and runs on 64-bit Linux and Windows on x86 only."
)
"""What a Python FMU of FMI 3.0 cannot do."""


def python_capabilities(fmi: str) -> Capabilities:
    """Return the capabilities of coupling FMUs of version `fmi` in Python."""
    return Capabilities(needs_execution_tool=True, states="none" if fmi == "3" else "serialised")


def tell_missing(shown: Shown, fmi: str) -> Shown:
    """Return a page, `shown`, that says what a Python FMU of version `fmi` cannot do."""
    return replace(shown, connect={**shown.connect, "limits of Python": PYTHON_3}) if fmi == "3" else shown


def needs_energy(settings: Settings) -> bool:
    """Tell whether an FMU needs the code of power bonds, of a lag that is learnt and of phasors."""
    return settings.bonded or settings.follows or settings.hears or settings.periodic


def coupling_plan(
    interface: Interface, signal: str, settings: Settings, capabilities: Capabilities, run: Run | None
) -> Plan:
    """Return the plan of a `signal` with `settings`, `capabilities` of its backend, and what may `run` a reference."""
    section, name = interface.signals[signal], f"{interface.name}_{signal}"
    files = reference_files(settings, run) if run else {}
    files |= origin_file(interface, signal) | configuration_file(interface, signal)
    needed, step = interface.inputs == "needed", interface.communication_step
    description = describe(settings, name, section, capabilities, needed_only=needed, step=step)
    return Plan(description, settings.lists(), files, coupling_page(interface, signal, description, capabilities))
