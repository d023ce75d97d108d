"""FMUs to measure, loaded with FMPy, and the page of what was measured."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

PAGE = Path(__file__).parents[1] / "docs" / "costs.md"


@pytest.fixture
def cost():
    """Return a function that tells a cost and its baseline [s], puts them into the page and returns their ratio."""

    def tell(what, seconds, baseline, base):
        print(f"\n{what}: {seconds:.4g} s, {seconds / base:.3g} times {baseline} ({base:.4g} s)")
        row = f"| {what} | {in_words(seconds)} | {seconds / base:.2g} | {baseline} | {in_words(base)} |"
        head, _, rows = PAGE.read_text(encoding="utf-8").partition("|---|---|---|---|---|\n")
        rows = [one for one in rows.splitlines() if key_of(one) != key_of(row)]
        PAGE.write_text("\n".join([f"{head}|---|---|---|---|---|", *sorted([*rows, row]), ""]), encoding="utf-8")
        return seconds / base

    return tell


def key_of(row):
    """Return what a row of the page is about, without what changes from run to run."""
    return row.split("|")[1].partition(";")[0].strip()


def in_words(seconds):
    """Return a time of three digits with its unit."""
    unit, scale = next(((u, s) for u, s in (("s", 1.0), ("ms", 1e3)) if seconds * s >= 0.1), ("us", 1e6))
    return f"{seconds * scale:.3g} {unit}"


class Stepper:
    """One call is one communication step as an importer makes it: set the input, step, get the output."""

    def __init__(self, fmu, references, names, step):
        self.fmu, self.references, self.step = fmu, references, step
        self.inputs, self.outputs = ([references[name]] for name in names)
        self.n = 0

    def __call__(self, value):
        self.fmu.setReal(self.inputs, [value])
        self.fmu.doStep(self.n * self.step, self.step)
        self.n += 1
        return self.fmu.getReal(self.outputs)[0]


@contextmanager
def stepper(path, source, target, step):
    """Load an FMU, initialise it, yield its `Stepper`, free it."""
    folder = extract(str(path))
    description = read_model_description(folder, validate=False)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    identifier = description.coSimulation.modelIdentifier
    fmu = FMU2Slave(guid=description.guid, unzipDirectory=folder, modelIdentifier=identifier, instanceName=identifier)
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    try:
        yield Stepper(fmu, references, (source, target), step)
    finally:
        fmu.terminate()
        fmu.freeInstance()
        shutil.rmtree(folder, ignore_errors=True)
