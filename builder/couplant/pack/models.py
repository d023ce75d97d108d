"""Build the FMUs of prototypes and network from their C sources.

A model is a folder of `fmu_src/models`, or one like these elsewhere: `model.toml` lists its variables, `model.c` moves
them. From the list come the model description and the table that the C code is compiled with, so that the two agree.
"""

import math
import re
from collections.abc import Sequence, Set
from pathlib import Path

from couplant.base.errors import UsageError
from couplant.pack.binaries.compile import Unit, face_unit, in_page
from couplant.pack.binaries.platforms import choose
from couplant.pack.describe.model_sheet import CODE, SHEET, Sheet, limits, model_names, model_page, read_sheet
from couplant.pack.describe.xml import ModelDescription, Value, Variable, check_version
from couplant.pack.fmu import Native, build_fmu
from couplant.pack.plan import Plan
from couplant.tables import open_table
from couplant_runtime.guard import UNLIMITED

_LOG_CATEGORIES = (
    ("call", "calls that are refused"),
    ("parameter", "refused values"),
    ("timing", "refused steps"),
    ("state", "refused states"),
    ("model", "what happens to the model"),
)

_ROLES = {"input": "CP_INPUT", "output": "CP_OUTPUT", "independent": "CP_TIME"}
_TYPES = {"Real": "CP_REAL", "Integer": "CP_INTEGER", "Boolean": "CP_BOOLEAN", "Enumeration": "CP_ENUMERATION"}


def build_model_fmu(
    name: str | Path,
    directory: Path,
    *,
    fmi: str = "2",
    platform: str = "host",
    sources: bool = False,
    macro_step: float | None = None,
    file_name: str | None = None,
    unit: str | None = None,
    latencies: Path | Sequence[float] | None = None,
    **starts: Value | str,
) -> Path:
    """Build the FMU of a prototype, of the network or of the probe; equal input gives equal entries and the same token.

    The `name` is a folder of `fmu_src/models`, or the path of one with a `model.c` and a `model.toml`; `file_name` is
    that of the file without suffix, by default `name`. `fmi` is ``"2"`` or ``"3"``, `platform` ``"host"``, ``"all"``,
    or names of platforms with commas between them; the FMU carries its C `sources` too if they are wanted. The
    `macro_step` is the preferred communication step [s], for the network also `sample_time`. For the network `unit` is
    that of the values that it carries, `latencies` are measured ones [s], NaN where a message is lost, or the path of a
    CSV file whose last column holds them. `starts` are start values of inputs and parameters by their names; items of
    enumerations as text.

    Raise `UsageError` if the name, a platform, a variable, a value or the CSV file is wrong, `CouplantError` if a
    binary must be compiled and cannot be.
    """
    check_version(fmi)
    sheet = _sheet(name, unit).with_starts(starts, macro_step)
    lists = {"start": [float(v.start or 0.0) for v in sheet.variables]}
    if latencies is not None:
        lists["latencies"] = read_latencies(latencies)
    backend = Native(model_unit(name, fmi), fmi, choose(platform), sources)
    plan = Plan(_describe(sheet), lists, shown=model_page(sheet))
    return build_fmu(Path(directory) / f"{file_name or sheet.name}.fmu", plan, backend)


def model_unit(name: str | Path, fmi: str) -> Unit:
    """Return the sources of the model `name`, or in this folder: its C source behind the face of `fmi`."""
    return face_unit(fmi, *_sources(name))


def model_module(name: str) -> Unit:
    """Return the sources of the model `name` in a page."""
    return in_page(*_sources(name))


def _sources(name: str | Path) -> tuple[dict[str, str], tuple[str | Path, ...]]:
    own = name.resolve() if isinstance(name, Path) else f"models/{name}"
    return {"variables.h": c_table(_sheet(name))}, (own, "models/common")


def _sheet(model: str | Path, unit: str | None = None) -> Sheet:
    """Return the sheet of a model, of one from elsewhere if its folder holds a whole prototype."""
    if isinstance(model, str):
        return read_sheet(model, unit)
    folder = model.resolve()
    if missing := [name for name in (CODE, SHEET) if not (folder / name).is_file()]:
        raise UsageError(f"{model}: a prototype is {CODE} and {SHEET} in a folder, {' and '.join(missing)} missing")
    if not re.fullmatch(r"[A-Za-z_]\w*", folder.name, re.ASCII):  # it becomes the prefix of functions in C
        raise UsageError(f"{model}: a prototype is called as its folder, allowed letters, digits and _")
    return read_sheet(folder / SHEET, unit)


def units(fmi: str) -> list[Unit]:
    """Return the units of all models behind the face of an `fmi` version."""
    return [model_unit(name, fmi) for name in model_names()]


def read_latencies(source: Path | str | Sequence[float]) -> list[float]:
    """Return measured latencies [s]: those of `source`, or of the last column of a CSV file.

    A message that `source` says to be lost, by NaN, has the largest number there is. Raise `UsageError` if there are
    none, or one is negative or not finite.
    """
    if isinstance(source, (str, Path)):
        table = open_table(source)
        origin, values = table.origin, table.finite(table.names[-1:])[0].tolist()
    else:
        origin, values = "latencies", [UNLIMITED if math.isnan(value) else value for value in source]
    latencies = [float(value) for value in values]
    if not latencies:
        raise UsageError(f"{origin}: no latencies")
    for value in latencies:
        if not 0.0 <= value < math.inf:
            raise UsageError(f"{origin}: latency = {value} s, allowed 0 s and more")
    return latencies


def _describe(sheet: Sheet) -> ModelDescription:
    return ModelDescription(
        name=sheet.name,
        variables=sheet.variables,
        description=sheet.description,
        stop_time=sheet.stop_time,
        step_size=sheet.step_size,
        log_categories=_LOG_CATEGORIES,
        capabilities=sheet.capabilities,
    )


def c_table(sheet: Sheet) -> str:
    """Return a C header with the variables of a model in the order of their value references.

    A variable `a.b` lives in the member `a_b` of `cp_state`; where there are `c`, `c[2]`, .. these live in `c[0]`,
    `c[1]`, ..
    """
    lists = {variable.name.partition("[")[0] for variable in sheet.variables if "[" in variable.name}
    rows = "".join(
        f"    {_row(variable, _member(variable.name, lists), variable.name in sheet.any_value)},\n"
        for variable in sheet.variables
    )
    count = len(sheet.variables)
    return f"static const cp_variable cp_variables[] = {{\n{rows}}};\nenum {{ CP_N_VARIABLES = {count} }};\n"


def _member(name: str, lists: Set[str]) -> str:
    base, _, entry = name.removesuffix("]").partition("[")
    place = f"[{int(entry or 1) - 1}]" if base in lists else ""
    return re.sub(r"[^A-Za-z0-9]", "_", base) + place


def _row(variable: Variable, member: str, any_value: bool) -> str:
    numbers = ", ".join(repr(float(value)) for value in (variable.start or 0.0, *limits(variable)))
    parameter = variable.causality == "parameter"
    role = f"CP_{variable.variability.upper()}" if parameter else _ROLES[variable.causality]
    words = f'"{variable.name}", "{variable.unit or ""}", {_TYPES[variable.type]}, {role}'
    return f"{{{words}, {'CP_ANY_VALUE' if any_value else '0'}, offsetof(cp_state, {member}), {numbers}}}"
