"""FMU Manipulation Toolbox makes one FMU of several: the only place that calls it, and imports it when called."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from couplant.base.archives import read_description
from couplant.base.errors import CouplantError, UsageError
from couplant.base.modules import load_extra
from couplant.cosim.fmu.instance import parameter_value
from couplant.elsewhere.export.formats import text_of
from couplant.elsewhere.export.side import Side
from couplant.elsewhere.export.system import Part

NAME = "FMU Manipulation Toolbox"
PACKAGE = "fmu_manipulation_toolbox"


def require() -> Any:
    """Return the module of the tool that makes containers.

    Raises
    ------
    UsageError
        If it is not installed.
    """
    load_extra(PACKAGE, f"a container needs {NAME}: pip install 'couplant[container]'.")
    from fmu_manipulation_toolbox import container

    return container


def container_files(side: Side, name: str, sequential: bool, threads: bool) -> dict[str, bytes]:
    """Return the files of a container, contents by name inside the FMU, as the tool makes them.

    Its model identifier is `name`; its parts take turns if it is `sequential`, each has its own thread with `threads`.

    Raises
    ------
    UsageError
        If a part has a value that the tool cannot set.
    CouplantError
        If the tool refuses.
    """
    tool = require()
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch, _quiet() as critical:
        try:
            container = tool.FMUContainer(name, scratch, fmi_version=2)
            _fill(container, side)
            file = Path(scratch) / f"{name}.fmu"
            container.make_fmu(file, step_size=side.step, sequential=sequential, mt=threads, debug=True)
        except UsageError:
            raise
        except Exception as error:  # it raises what it likes, and bare errors of what it calls
            raise CouplantError(f"{NAME} refuses: {_reason(error)}.") from None
        if critical:
            raise CouplantError(f"{NAME} refuses: {critical[0].rstrip('.')}.")
        folder = file.with_suffix("")
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def _fill(container: Any, side: Side) -> None:
    """Tell the tool what is in the container and how it is connected."""
    container.start_time, container.stop_time = 0.0, side.duration
    fmus = {part.name: container.get_fmu(str(part.fmu.resolve())) for part in side.parts}
    for a, b in side.connections:
        # variables, also where terminals have their names
        container.add_link_regular(fmus[a.part], a.name, fmus[b.part], b.name)
    for end in side.inputs:
        container.add_input(end.name, fmus[end.part].name, end.port.name)
    for end in side.outputs:
        container.add_output(fmus[end.part].name, end.port.name, end.name)
    for part in side.parts:
        for name, text in _starts(part):
            try:
                container.add_start_value(fmus[part.name].name, name, text)
            except Exception as error:
                raise UsageError(f"{part.name}: {name} = {text} is refused: {_reason(error)}.") from None


def _starts(part: Part) -> Iterator[tuple[str, str]]:
    """Yield the values of a part that it does not start with by itself."""
    variables = {v.name: v for v in read_description(part.fmu).modelVariables} if part.parameters else {}
    for port, given in part.parameters:
        value, what = parameter_value(variables[port.name], given), f"{part.name}: {port.name} = {given}"
        if port.causality not in ("parameter", "input"):
            raise UsageError(f"{what}: it is no parameter.")
        if port.kind == "string" and str(value).split() != [str(value)]:
            raise UsageError(f"{what}: a container sets texts of one word only; give it to the FMU when it is made.")
        if isinstance(value, float) and not isfinite(value):
            raise UsageError(f"{what}, allowed a finite number")
        if port.kind == "enumeration" and type(value) is not int:
            items = ", ".join(item.name for item in variables[port.name].declaredType.items)
            raise UsageError(f"{what}, allowed {items}")
        yield port.name, text_of(value)


@contextmanager
def _quiet() -> Iterator[list[str]]:
    """Keep the log of the tool from the screen; yield the list of errors that it calls critical and ignores."""
    log, critical = logging.getLogger(PACKAGE), _Critical()
    before = log.propagate
    log.addHandler(critical)
    log.propagate = False
    try:
        yield critical.lines
    finally:
        log.removeHandler(critical)
        log.propagate = before


class _Critical(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.CRITICAL)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message."""
        self.lines.append(record.getMessage())


def _reason(error: Exception) -> str:
    text = str(getattr(error, "reason", "") or error) or type(error).__name__
    return " ".join(text.split()).rstrip(".")
