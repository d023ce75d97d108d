"""Build the FMUs of prototypes and network from their C sources.

A model is a folder of `fmu_src/models`: `model.toml` lists its variables and `model.c` moves them. From the list come
the model description and the table that the C code is compiled with, so that the two agree.
"""

from __future__ import annotations

import csv
import hashlib
import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from couplant import __version__, paths
from couplant.errors import UsageError
from couplant.pack.archive import write_fmu
from couplant.pack.compile import Unit, binary
from couplant.pack.model_sheet import Sheet, read_sheet
from couplant.pack.native import c_table, settings_text
from couplant.pack.platforms import host
from couplant.pack.xml import Capabilities, ModelDescription, Value, write_fmi2, write_fmi3

NAMES = ("mass_1", "mass_1_stop", "mass_2", "network", "probe")

_LOG_CATEGORIES = (
    ("call", "calls that are refused"),
    ("parameter", "refused values"),
    ("timing", "refused steps"),
    ("state", "refused states"),
    ("model", "what happens to the model"),
)


def build_model_fmu(
    name: str,
    directory: Path,
    *,
    fmi: str = "2",
    macro_step: float | None = None,
    file_name: str | None = None,
    unit: str | None = None,
    latencies: Path | Sequence[float] | None = None,
    **starts: Value | str,
) -> Path:
    """Build the FMU of a prototype or of the network for this machine.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    directory : Path
        Folder for the FMU; made if needed.
    fmi : str
        ``"2"`` or ``"3"``.
    macro_step : float, optional
        Preferred communication step, s; for the network also `sample_time`.
    file_name : str, optional
        Name of the file without suffix, by default `name`.
    unit : str, optional
        Unit of the values that the network carries.
    latencies : Path or sequence of float, optional
        Measured latencies for the network, s; a path is that of a CSV file whose last column holds them.
    **starts : float, int, bool or str
        Start values of inputs and parameters by their names; items of enumerations as text.

    Returns
    -------
    Path
        The file; equal input gives equal bytes.

    Raises
    ------
    UsageError
        If the name, a variable, a value or the CSV file is wrong.
    CouplantError
        If the sources cannot be compiled.
    """
    if name not in NAMES:
        raise UsageError(f"model = {name}, allowed {', '.join(NAMES)}")
    if fmi not in ("2", "3"):
        raise UsageError(f"fmi = {fmi}, allowed 2, 3")
    sheet = read_sheet(name)
    if macro_step is not None:
        sheet = replace(sheet, step_size=macro_step)
        starts = {"sample_time": macro_step, **starts} if name == "network" else starts
    sheet = _with_unit(sheet.started(starts), unit)
    lists = {} if latencies is None else {"latencies": read_latencies(latencies)}
    return write_fmu(Path(directory) / f"{file_name or name}.fmu", _files(sheet, lists, fmi))


def model_unit(name: str, fmi: str) -> Unit:
    """Return what is compiled for the model `name`: its C source behind the face of an `fmi` version."""
    models, frame = paths.fmu_source("models"), paths.fmu_source("fmi")
    sheet = read_sheet(name)
    return Unit(
        source=frame / "all.c",
        folders=(models / name, models / "common", frame, paths.resource(f"headers/fmi{fmi}")),
        generated={"variables.h": c_table(sheet.variables, sheet.any_value)},
        defines=(f"CP_FMI={fmi}",),
    )


def read_latencies(source: Path | str | Sequence[float]) -> tuple[float, ...]:
    """Return measured latencies.

    Parameters
    ----------
    source : Path, str or sequence of float
        The latencies, s, or a CSV file whose last column holds them below any headings.

    Raises
    ------
    UsageError
        If there are none, or one is negative or not finite.
    """
    is_file = isinstance(source, (str, Path))
    values = _read_last_column(source) if is_file else [float(value) for value in source]
    origin = source if is_file else "latencies"
    if not values:
        raise UsageError(f"{origin}: no latencies")
    for value in values:
        if not 0.0 <= value < math.inf:
            raise UsageError(f"{origin}: latency = {value} s, allowed 0 s and more")
    return tuple(values)


def _read_last_column(path: str | Path) -> list[float]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            cells = [row[-1].strip() for row in csv.reader(stream) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    values: list[float] = []
    for cell in cells:
        try:
            values.append(float(cell))
        except ValueError:
            if values:
                raise UsageError(f"{path}: {cell!r} is not a latency") from None
    return values


def _with_unit(sheet: Sheet, unit: str | None) -> Sheet:
    """Return the network with a unit on what it carries."""
    if unit is None:
        return sheet
    carried = ("value", "received", "received.start")
    return replace(
        sheet,
        variables=tuple(replace(v, unit=unit) if v.name.partition("[")[0] in carried else v for v in sheet.variables),
    )


def _files(sheet: Sheet, lists: Mapping[str, Sequence[float]], fmi: str) -> dict[str, bytes]:
    write = write_fmi2 if fmi == "2" else write_fmi3
    unit = model_unit(sheet.name, fmi)
    lists = {"start": [float(v.start or 0.0) for v in sheet.variables], **lists}
    without_token = write(_describe(sheet, "", fmi)) + settings_text("", 0, lists) + unit.digest()
    fingerprint = hashlib.sha256(without_token.encode()).digest()
    token = f"{{{uuid.UUID(bytes=fingerprint[:16], version=5)}}}"
    settings = settings_text(token, int.from_bytes(fingerprint[:8], "big"), lists)
    library = f"binaries/{host().folder(fmi)}/{sheet.name}{host().suffix}"
    return {
        "modelDescription.xml": write(_describe(sheet, token, fmi)).encode(),
        "resources/settings.txt": settings.encode(),
        library: binary(unit, host()),
    }


def _describe(sheet: Sheet, token: str, fmi: str) -> ModelDescription:
    feedthrough = sheet.name == "mass_2"
    return ModelDescription(
        model_name=sheet.name,
        model_identifier=sheet.name,
        token=token,
        variables=sheet.variables,
        description=sheet.description,
        version=__version__,
        license="MIT",
        stop_time=sheet.stop_time,
        step_size=sheet.step_size,
        log_categories=_LOG_CATEGORIES,
        capabilities=Capabilities(directional_derivatives=feedthrough, event_mode=feedthrough and fmi == "3"),
    )
