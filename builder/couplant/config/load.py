"""Reading settings files of interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from couplant.config.ends import describe_fmu
from couplant.config.frame.kinds import require_kind
from couplant.config.frame.read import Content, Source, check, read_source, refuse, source_name
from couplant.config.interface import Document, Interface
from couplant.config.leads import with_leads
from couplant.config.learnt import all_with_learnt
from couplant.config.rules.interface import STAND_IN, problems


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
    )
