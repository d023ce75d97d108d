"""Card of an FMU, read from its file without running it."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from couplant.base.archives import open_archive, read_description
from couplant.base.notebook import Shows, Summary
from couplant.config.models import Model
from couplant.pack.archive.origin import CONFIGURATION, ORIGIN

if TYPE_CHECKING:
    from fmpy.model_description import ModelDescription

_INTERFACES = {"coSimulation": "co-simulation", "modelExchange": "model exchange", "scheduledExecution": "scheduled"}
_LARGEST = 2**20  # of what is read beside the model description [byte]
_BINARY = re.compile(r"binaries/[^/]+/.")
_FACTS = {
    "macro step": {"macro_step": ""},
    "algorithm": {"algorithm.selected": ""},
    "latency": {
        "latency.mode": "", "latency.constant_steps": "k = ", "latency.offset": "offset ",
        "latency.host_lead": "host lead ", "latency.hold_lead": "hold lead ",
    },
    "limits": {"output.min": "from ", "output.max": "up to ", "output.guard": "guard "},
    "detection": {"discontinuity.enabled": ""},
}  # fmt: skip
"""Parameters of our FMUs that tell most and the words before them, by what they are about."""
_SILENT = ("0.0", "-1.7976931348623157e+308", "1.7976931348623157e+308")  # start values of what is not in force


@dataclass(frozen=True, repr=False)
class Card(Shows):
    """Card of an FMU: kind, settings and contents."""

    facts: dict[str, str]  # what it is, what it runs on, how it estimates
    inputs: dict[str, str]  # units by name
    outputs: dict[str, str]  # units by name
    configuration: str | None  # settings file that it was built from; None where it carries none

    def to_dict(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        return asdict(self)

    def lines(self) -> dict[str, str]:
        """Return facts, inputs and outputs in words, by what they are about."""
        ports = {"inputs": self.inputs, "outputs": self.outputs}
        listed = {
            kind: ", ".join(f"{name} [{unit}]" if unit else name for name, unit in variables.items()) or "none"
            for kind, variables in ports.items()
        }
        return self.facts | listed

    def _summary(self) -> Summary:
        """Return facts and ports, as it is shown."""
        return Summary(self.facts["FMU"], ("about", "value"), [list(pair) for pair in self.lines().items()])


def info(fmu: str | Path) -> Card:
    """Describe an FMU, ours or not, without running it.

    Parameters
    ----------
    fmu : str or Path
        Its file.

    Returns
    -------
    Card
        `facts` in words, units of `inputs` and `outputs` by name, and the `configuration` that it was built from.

    Raises
    ------
    UsageError
        If it cannot be read as an FMU.
    """
    return card_of(Path(fmu))


def card_of(path: Path) -> Card:
    """Read the card of an FMU; raise `UsageError` if it cannot be read as an FMU."""
    description = read_description(path)
    with open_archive(path) as archive:
        names = archive.namelist()
        origin, configuration = (_text(archive, name) for name in (ORIGIN, CONFIGURATION))
    own = origin.splitlines() if origin else []
    kind = f"coupling FMU of signal {own[1]} of interface {own[0]}" if len(own) == 2 else description.modelName
    facts = {"FMU": f"{path.name}: {kind}", "made by": str(description.generationTool or "unknown")}
    kinds = [text for name, text in _INTERFACES.items() if getattr(description, name, None) is not None]
    facts |= {"standard": f"FMI {description.fmiVersion}, {', '.join(kinds)}"}
    facts |= {"platforms": ", ".join(sorted({one.split("/")[1] for one in names if _BINARY.match(one)})) or "none"}
    facts |= {"size": f"{path.stat().st_size:,} bytes".replace(",", " ")}
    if own:
        facts |= _settings_facts(configuration) | dict(_settings(description))
        step = description.defaultExperiment.stepSize if description.defaultExperiment is not None else None
        facts |= {"communication step": f"{float(step):g} s" if step else "the importer's first step"}
    units = {
        causality: {one.name: one.unit or "" for one in description.modelVariables if one.causality == causality}
        for causality in ("input", "output")
    }
    return Card(facts, units["input"], units["output"], configuration)


def _text(archive: zipfile.ZipFile, name: str) -> str | None:
    if name not in archive.namelist():
        return None
    with archive.open(name) as file:
        return file.read(_LARGEST).decode(errors="replace")


def _settings(description: ModelDescription) -> Iterator[tuple[str, str]]:
    """Return the start values that tell most, those of an enumeration by name."""
    known = {one.name: one for one in description.modelVariables}
    by_stamps = _start(known["latency.mode"]) != "constant"
    for about, names in _FACTS.items():
        shown = {name: word for name, word in names.items() if name in known and known[name].start not in _SILENT}
        if by_stamps:
            shown.pop("latency.constant_steps", None)
        yield about, ", ".join(f"{word}{_start(known[name])}" for name, word in shown.items()) or "none"


def _start(variable: Any) -> str:
    items = variable.declaredType.items if variable.declaredType is not None else None
    named: dict[str, str] = {str(item.value): item.name for item in items or ()}
    found = named.get(str(variable.start), str(variable.start))
    words = {"true": "on", "false": "off"}
    return words.get(found, found) + (f" {variable.unit}" if variable.unit not in (None, "", "1") else "")


def _settings_facts(configuration: str | None) -> dict[str, str]:
    """Return timing, host and the fallback of a model as the configuration has them."""
    if configuration is None:
        return {}
    import tomlkit

    document = tomlkit.parse(configuration).unwrap()
    head, usual = document.get("interface", {}), Model.model_fields["fallback"].default
    fallbacks = [str(model.get("fallback", usual)) for model in document.get("models", {}).values()]
    found = {"timing": str(head.get("timing", "")), "host": str(head.get("host", "reads_again"))}
    return found | ({"fallback of the model": ", ".join(fallbacks)} if fallbacks else {})
