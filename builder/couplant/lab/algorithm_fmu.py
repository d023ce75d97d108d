"""Coupling FMUs that run an algorithm of the user's: those of the Python backend, with its file in them."""

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from couplant.base.errors import CouplantError, UsageError
from couplant.base.files import write_atomic
from couplant.config import Interface, parse_interface
from couplant.config.frame.read import Source as Settings
from couplant.config.frame.read import read_source, source_name
from couplant.config.own import PLACE_NAME
from couplant.lab.carried import check_imports
from couplant.lab.source import Source
from couplant.pack.archive.origin import CONFIGURATION
from couplant.pack.archive.write import check_origin
from couplant.pack.binaries.python import OwnFile, PythonRuntime, check_loader, own_settings, run_rows
from couplant.pack.describe.xml import EnumType, Variable, check_version
from couplant.pack.fmu import build_fmu
from couplant.pack.plan import Plan, coupling_plan, python_capabilities, tell_missing
from couplant.pack.reference import Row
from couplant_runtime import config
from couplant_runtime import step as runtime
from couplant_runtime.errors import ParameterRefused, StepRefused
from couplant_runtime.own import OwnAlgorithm


class Carried(Protocol):
    """Algorithm of the user's that goes along; `couplant.lab.algorithm` has it."""

    name: str

    @property
    def source(self) -> Source:
        """Return the Python text that makes it."""

    def runtime(self, macro_step: float) -> OwnAlgorithm:
        """Return a new instance for a `macro_step` ΔT [s]."""


def build_own(own: Carried, source: Settings, output: Path, signal: str | None, fmi: str) -> dict[str, Path]:
    """Build the FMUs of an interface, or of one `signal` of it, that run an algorithm; return them by signal.

    Raises UsageError if the settings are wrong, or the text of the algorithm cannot go along.
    """
    check_version(fmi)
    check_loader(fmi)
    interface = _interface(own, source, signal)
    names = list(interface.signals) if signal is None else [signal]
    text = own.source
    check_imports(text, f"algorithm {own.name}")
    backend = PythonRuntime(fmi, own=OwnFile(text.file, text.text, own.name))
    contents = {}
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        for name in names:
            plan = _plan(own, interface, name, fmi)
            path = build_fmu(Path(scratch) / f"{plan.description.name}.fmu", plan, backend)
            check_origin(output / path.name, interface, name)
            contents[name] = output / path.name, path.read_bytes()
    return {name: write_atomic(target, content) for name, (target, content) in contents.items()}


def _interface(own: Carried, source: Settings, signal: str | None) -> Interface:
    """Return the settings in which the algorithm stands in the place of another one."""
    document = read_source(source)
    signals: Any = document.get("signals")
    names = signals.keys() if isinstance(signals, dict) else ()
    if signal is not None and signal not in names:
        raise UsageError(f"signal = {signal}, allowed {', '.join(names) or 'none: the settings have no signals'}")
    for name in names if isinstance(signals, dict) else ():
        table = signals[name]
        if isinstance(table, dict) and (signal is None or name == signal):
            signals[name] = {**table, "algorithm": PLACE_NAME}
    return parse_interface(document, source_name(source))


def _plan(own: Carried, interface: Interface, signal: str, fmi: str) -> Plan:
    settings = own_settings(interface, signal)
    capabilities = python_capabilities(fmi)
    capabilities = replace(capabilities, states="kept" if capabilities.states == "serialised" else capabilities.states)
    plan = coupling_plan(interface, signal, settings, capabilities, partial(_run, own))
    shown = replace(plan.shown, facts={**plan.shown.facts, "algorithm": f"{own.name}, in Python"})
    # the settings file would build another algorithm
    files = {name: content for name, content in plan.files.items() if name != CONFIGURATION}
    variables = tuple(_rename(variable, own.name) for variable in plan.description.variables)
    return replace(
        plan, description=replace(plan.description, variables=variables), files=files, shown=tell_missing(shown, fmi)
    )


def _run(own: Carried, settings: config.Settings, rows: list[Row]) -> list[list[float]]:
    """Return the outputs at each row, as `couplant.pack.reference.Run` says. Raises CouplantError if it fails there."""
    state = runtime.reset(settings)
    try:
        state.own = own.runtime(state.parameter.macro_step)
        runtime.init(settings, state, 0.0)
        outputs = [v.name for v in settings.variables() if v.causality == "output"]
        return list(run_rows(settings, state, rows, outputs))
    except (ParameterRefused, StepRefused) as problem:
        raise CouplantError(f"{problem}: on the signal with which FMUs are tried when they are built.") from None


def _rename(variable: Variable, name: str) -> Variable:
    """Return a variable whose enumeration calls the algorithm by its name."""
    if variable.enum is None or PLACE_NAME not in [item[0] for item in variable.enum.items]:
        return variable
    items = tuple((name if item == PLACE_NAME else item, value, words) for item, value, words in variable.enum.items)
    return replace(variable, enum=EnumType(variable.enum.name, items))
