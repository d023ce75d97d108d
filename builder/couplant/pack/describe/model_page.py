"""Page and terminals of a prototype, of the network and of the probe."""

from __future__ import annotations

from couplant.pack.describe.model_sheet import Sheet
from couplant.pack.describe.shown import Shown, Terminal

_SLOPE = ".slope"
_FIRST, _LIST = "[1]", "["


def model_page(sheet: Sheet) -> Shown:
    """Return the page of the model of a `sheet`."""
    inputs = [variable.name for variable in sheet.variables if variable.causality == "input"]
    sloped = [name for name in inputs if name + _SLOPE in inputs]
    pairs = [Terminal(name, f"Input {name}", {name: "value", name + _SLOPE: "slope"}) for name in sloped]
    return Shown(
        kind=f"model `{sheet.name}`",
        facts={"communication step": f"{sheet.step_size:g} s", "stop time": f"{sheet.stop_time:g} s"},
        connect=_connect(sheet, sloped),
        terminals=(*pairs, *_terminals(sheet)),
    )


def _connect(sheet: Sheet, sloped: list[str]) -> dict[str, str]:
    found = {"communication step": f"{sheet.step_size:g} s is what it was made for; any constant step will do."}
    if sloped:
        names = ", ".join(f"`{name}{_SLOPE}`" for name in sloped)
        found["slopes"] = f"{names}: per s, over the step that begins. Importers that know none leave them at 0."
    names_of = {variable.reference: variable.name for variable in sheet.variables}
    direct = [
        f"`{one.name}` ({', '.join(names_of[reference] for reference in one.dependencies)})"
        for one in sheet.variables
        if one.causality == "output" and one.dependencies and not _later(one.name)
    ]
    if direct:
        found["at once"] = f"Outputs that follow inputs without a step between: {', '.join(direct)}."
    return found


def _later(name: str) -> bool:
    return _LIST in name and not name.endswith(_FIRST)


def _terminals(sheet: Sheet) -> list[Terminal]:
    """Return the terminals that the sheet names; members that are lists have all their entries."""
    names = [variable.name for variable in sheet.variables]
    return [
        Terminal(name, one.description, {
            variable: member + variable.removeprefix(base)
            for member, base in one.members.items()
            for variable in names
            if variable == base or variable.startswith(base + _LIST)
        })
        for name, one in sheet.terminals.items()
    ]  # fmt: skip
