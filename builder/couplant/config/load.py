"""Reading settings files of interfaces, with learnt weights that they name, and the prototypes at their ends."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from couplant.base.archives import read_description
from couplant.base.errors import UsageError
from couplant.config.frame.read import Content, Source, check, read_source, read_toml, refuse, source_name
from couplant.config.frame.sentences import require_kind
from couplant.config.interface import Document, Interface
from couplant.config.leads import Described, with_leads
from couplant.config.rules.interface import STAND_IN, problems

if TYPE_CHECKING:
    from fmpy.model_description import ModelDescription


def load_interface(path: Source, assignments: Sequence[str] = ()) -> Interface:
    """Read and check a settings file, or a mapping in its place, changed by `assignments` ``key=TOML value``.

    Raises UsageError if the file cannot be read or anything in it is wrong: one line for each thing, all at once.
    """
    name = source_name(path)
    return parse_interface(all_with_learnt(read_source(path, assignments), name.parent), name)


def parse_interface(document: Content, origin: str | Path) -> Interface:
    """Check settings that are already plain Python values; `origin` is the name of the file, for messages.

    Raises UsageError if anything is wrong: one line for each thing, all at once.
    """
    require_kind(document, "interface", origin)
    checked = check(Document, document, origin, problems, STAND_IN)
    common, folder = checked.interface, Path(origin).parent
    signals, added, wrong = with_leads(checked, lambda name: describe_fmu(folder / name))
    if wrong:
        refuse(origin, [problem.text for problem in wrong])
    return Interface.model_construct(
        name=common.name,
        macro_step=common.macro_step,
        timing=common.timing,
        inputs=common.inputs,
        signals=signals,
        bonds=checked.bonds,
        models=checked.models,
        host=common.host if "host" in common.model_fields_set else None,
        added=added,
        micro_step=common.micro_step,
    )


def describe_fmu(path: Path) -> Described:
    """Return the direct feedthrough of an FMU and all its inputs."""
    description = read_description(path)
    return Described(str(path), direct_feedthrough(description), inputs_of(description))


def direct_feedthrough(description: "ModelDescription") -> dict[str, tuple[str, ...]]:
    """Return by output the inputs that act on it at once, as a model description says it; silence means all.

    FMI 1.0 is silent here, and an FMU whose model structure does not list an output.
    """
    inputs = inputs_of(description)
    told = {
        unknown.variable.name: tuple(d.name for d in unknown.dependencies if d.name in inputs)
        for unknown in description.outputs
        if unknown.dependencies is not None
    }
    outputs = [v for v in description.modelVariables if v.causality == "output"]
    return {v.name: told.get(getattr(v.alias, "name", v.name), inputs) for v in outputs}  # FMI 3 lists no aliases


def inputs_of(description: "ModelDescription") -> tuple[str, ...]:
    """Return the names of the inputs of a model description."""
    return tuple(v.name for v in description.modelVariables if v.causality == "input")


def with_learnt(settings: Any, signal: str, file: Callable[[str], Path]) -> Any:
    """Return the table `settings` of a `signal` with the weights in the file that its `network.learnt` names.

    `file` gives the path of a file that is named so. Tables that are wrong in another way are left as they are: the
    schema says what is wrong. Raises UsageError if the file cannot be read or has no weights for the signal.
    """
    network = settings.get("network") if isinstance(settings, dict) else None
    name = network.get("learnt") if isinstance(network, dict) else None
    if not isinstance(network, dict) or not isinstance(name, str) or "weights" in network:
        return settings
    found: Any = read_toml(file(name))
    for key in ("signals", signal, "network", "weights"):
        found = found.get(key) if isinstance(found, dict) else None
    if found is None:
        raise UsageError(f"{file(name)}: no signals.{signal}.network.weights, as network.learnt needs them")
    return {**settings, "network": {**network, "weights": found}}


def all_with_learnt(document: Content, folder: Path) -> Content:
    """Return a `document` with the weights that its signals name; files are relative to `folder`.

    Raises UsageError if a file cannot be read or has no weights for the signal.
    """
    signals = document.get("signals")
    if not isinstance(signals, dict):
        return document
    return {**document, "signals": {n: with_learnt(one, n, lambda text: folder / text) for n, one in signals.items()}}
