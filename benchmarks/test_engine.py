"""Runs and references by the loop in C, against the loop in Python and against what a user writes with FMPy.

Two masses that exchange three signals; the same FMUs, in one process, one after the other in turns.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

from couplant.config.ref import Ref
from couplant.cosim.fmu.load import FmuLibrary
from couplant.cosim.run import master, reference, store
from couplant.cosim.run.master import Grid, Wiring, run
from couplant.cosim.wiring.order import Link, Value
from couplant.pack import build_model_fmu

STEP, COUNT, TURNS = 0.02, 10_000, 5
LINKS = [Link(Value(Ref("mass_1", name)), Ref("mass_2", name)) for name in ("x1", "v1")]
LINKS.append(Link(Value(Ref("mass_2", "f")), Ref("mass_1", "f")))
START = {"mass_1": {"x1.start": 1.0}}


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("masses")
    return [build_model_fmu(name, folder, macro_step=STEP) for name in ("mass_1", "mass_2")]


@pytest.fixture
def system(paths):
    """Return a function that wires fresh components."""
    with FmuLibrary() as library:

        def wire():
            components = {path.stem: library.open(path, path.stem) for path in paths}
            return Wiring(components, LINKS, START, [Ref("mass_1", "x1"), Ref("mass_2", "f")])

        yield wire


def by_hand(paths):
    """Step both FMUs as users of FMPy do, after the exchange of values; return what was recorded."""
    fmus, references = [], []
    for path in paths:
        folder = extract(str(path))
        description = read_model_description(folder, validate=False)
        references.append({v.name: v.valueReference for v in description.modelVariables})
        name = description.coSimulation.modelIdentifier
        fmu = FMU2Slave(guid=description.guid, unzipDirectory=folder, modelIdentifier=name, instanceName=name)
        fmu.instantiate()
        fmus.append(fmu)
    (one, other), (first, second) = fmus, references
    one.setReal([first["x1.start"]], [1.0])
    for fmu in fmus:
        fmu.setupExperiment(startTime=0.0)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
    motion, given, force, back = [first["x1"], first["v1"]], [second["x1"], second["v1"]], [second["f"]], [first["f"]]
    rows = np.empty((COUNT, 2))
    for n in range(COUNT):
        x, v = one.getReal(motion)
        other.setReal(given, [x, v])
        (f,) = other.getReal(force)
        one.setReal(back, [f])
        rows[n] = x, f
        for fmu in fmus:
            fmu.doStep(currentCommunicationPoint=n * STEP, communicationStepSize=STEP)
    for fmu in fmus:
        fmu.terminate()
        fmu.freeInstance()
    return rows


def in_python(patch):
    patch.setattr(master, "is_native", lambda components: False)
    patch.setattr(reference, "is_native", lambda components: False)


def cpu(work):
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


def test_a_macro_step_of_a_run(system, paths, cost):
    seconds = {"C": [], "Python": [], "FMPy by hand": []}
    for _ in range(TURNS):
        took, found = cpu(lambda: run(system(), Grid(STEP, COUNT)))
        seconds["C"].append(took)
        with pytest.MonkeyPatch.context() as patch:
            in_python(patch)
            took, again = cpu(lambda: run(system(), Grid(STEP, COUNT)))
        seconds["Python"].append(took)
        took, rows = cpu(lambda: by_hand(paths))
        seconds["FMPy by hand"].append(took)
        assert found.watched[Ref("mass_1", "x1")].tobytes() == again.watched[Ref("mass_1", "x1")].tobytes()
        assert found.watched[Ref("mass_1", "x1")][:-1].tobytes() == rows[:, 0].tobytes()
    tell("`simulate`, a macro step of two masses", seconds, "FMPy by hand", cost)
    assert min(seconds["C"]) < min(seconds["FMPy by hand"]) / 3.0


def test_a_macro_step_of_the_reference(system, monkeypatch, cost):
    monkeypatch.setattr(store, "load", lambda *_: None)
    seconds = {"C": [], "Python": []}
    for _ in range(TURNS):
        took, found = cpu(lambda: reference.solve(system, STEP, COUNT // 5))
        seconds["C"].append(took)
        with pytest.MonkeyPatch.context() as patch:
            in_python(patch)
            took, again = cpu(lambda: reference.solve(system, STEP, COUNT // 5))
        seconds["Python"].append(took)
        assert found.values[Ref("mass_1", "x1")].tobytes() == again.values[Ref("mass_1", "x1")].tobytes()
    tell("`simulate`, a macro step of the delay-free reference", seconds, "Python", cost, COUNT // 5)
    assert min(seconds["C"]) < min(seconds["Python"]) / 5.0


def tell(what, seconds, baseline, cost, count=COUNT):
    cost(what, min(seconds["C"]) / count, baseline, min(seconds[baseline]) / count)
