"""Linear prototypes of FMUs against the exact matrices of ours, and a foreign FMU against its equations by hand."""

import json
import math
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis.realisation import realise_steps, step_responses
from couplant.analysis.stability import stability
from couplant.analysis.system import Prototype
from couplant.analysis.system_file import read_system
from couplant.base.errors import CouplantError, UsageError
from couplant.base.paths import resource
from couplant.cli import main
from couplant.cosim.fmu.linear import DERIVATIVES, RESPONSES, Point, linearise_fmu
from couplant.pack import build_model_fmu
from couplant.pack.binaries.compile import host_compiler
from couplant.pack.binaries.platforms import host
from tests import attacker, commands

MASS_1 = ([[0, 1], [-1, -0.01]], [[0], [1]], np.eye(2), np.zeros((2, 1)))
MASS_2 = ([[0, 1], [-120, -0.02]], [[0, 0], [20, 0.01]], [[2, 0.001], [1, 0], [0, 1]], [[-2, -0.001], [0, 0], [0, 0]])
"""docs/reference.md 3: states are position and velocity."""

SOURCE = Path(__file__).parents[1] / "c" / "swing.c"
SWING = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="swing" guid="swing">
  <CoSimulation modelIdentifier="swing" canHandleVariableCommunicationStepSize="true" {told}/>
  <DefaultExperiment stepSize="0.02"/>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="1" causality="input"><Real start="0.0"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="2"><Real/></ScalarVariable>
    <ScalarVariable name="v" valueReference="3"><Real/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="4"><Real derivative="2"/></ScalarVariable>
    <ScalarVariable name="der(v)" valueReference="5"><Real derivative="3"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="6" causality="output"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="6"/></Outputs><Derivatives><Unknown index="4"/><Unknown index="5"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>
"""


@pytest.fixture(scope="module")
def swing(tmp_path_factory):
    """Return foreign FMUs of x'' = u - sin x - x', y = x² + 3 u, with and without directional derivatives."""
    folder = tmp_path_factory.mktemp("swing")
    flags = ["-shared", "-fPIC", "-O1", f"-I{resource('headers/fmi2')}"]
    found = {}
    for name, told in (("told", 'providesDirectionalDerivative="true"'), ("silent", ""), ("rough", "")):
        library = folder / name / f"swing{host().suffix}"
        library.parent.mkdir()
        rough = ["-DROUGH"] if name == "rough" else []
        commands.run([*host_compiler(), *flags, *rough, "-o", str(library), str(SOURCE), "-lm"], check=True)
        found[name] = folder / f"{name}.fmu"
        with zipfile.ZipFile(found[name], "w") as fmu:
            fmu.writestr("modelDescription.xml", SWING.format(told=told))
            fmu.write(library, f"binaries/{host().folder('2')}/{library.name}")
    return found


@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize(("name", "exact"), [("mass_1", MASS_1), ("mass_2", MASS_2)])
def test_the_oscillator_has_its_exact_matrices(name, exact, fmi, tmp_path):
    found = linearise_fmu(Point(build_model_fmu(name, tmp_path, fmi=fmi)))
    for part, matrix in zip("ABCD", exact, strict=True):
        assert getattr(found.prototype, part) == pytest.approx(np.array(matrix, dtype=float), abs=1e-7, rel=1e-7)
    assert found.way == RESPONSES and max(found.deviation, found.asymmetry) < 1e-9


@pytest.mark.sample(1)
@attacker.POSIX
@pytest.mark.parametrize("name", ["told", "silent"])
def test_a_foreign_fmu_about_a_point(name, swing):
    """At rest under u = 1/2: sin x = 1/2, so der v = u - cos x · x - v with cos x = √3/2, and y = 2 x · x + 3 u."""
    found = linearise_fmu(Point(swing[name], values={"u": 0.5}, time=40.0, step=0.1))
    one, x = found.prototype, math.asin(0.5)
    assert found.way == {"told": DERIVATIVES, "silent": RESPONSES}[name]
    s = np.array([0.1j, 1j, 5j])
    expected = 2 * x / (s * s + s + math.sqrt(3) / 2) + 3
    assert one.response(s)[:, 0, 0] == pytest.approx(expected, rel=1e-5)
    assert one.A.shape == (2, 2) and found.deviation < 1e-5 and found.asymmetry < 1e-4


@attacker.POSIX
def test_a_solver_with_a_tolerance_gets_larger_steps(swing):
    """6e-6 is near what its outputs resolve: up and down differ though it is linear there."""
    point = Point(swing["rough"], values={"u": 0.5}, time=40.0, step=0.1, order=2)
    assert linearise_fmu(replace(point, change=6e-6)).asymmetry > 1e-3
    found = linearise_fmu(point)
    assert found.asymmetry < 1e-3 and found.deviation < 1e-3


@attacker.POSIX
def test_what_is_not_linear_is_said(swing):
    """Swinging far away from the point, up and down differ."""
    assert linearise_fmu(Point(swing["told"], values={"u": 0.5}, time=40.0, step=0.1, change=1.0)).asymmetry > 0.05


@attacker.POSIX
def test_an_fmu_that_crashes_is_a_sentence(tmp_path, monkeypatch):
    attacker.build(tmp_path)
    monkeypatch.setenv("ATTACK", "DoStep 3 segv")
    with pytest.raises(CouplantError, match=r"^attacker .* in fmi2DoStep at t = 0\.2 s: segmentation fault"):
        linearise_fmu(Point(tmp_path / attacker.NAME, step=0.1))


@attacker.POSIX
def test_outputs_that_are_no_numbers(swing):
    with pytest.raises(CouplantError, match=r"^silent gives outputs that are no finite numbers\.$"):
        linearise_fmu(Point(swing["silent"], values={"u": 1e308}, count=8))


@attacker.POSIX
def test_an_integrator(tmp_path, monkeypatch):
    """y' = -u, which the attacker is when it does nothing; it refuses the derivatives that it promises."""
    promised = attacker.DESCRIPTION.replace("<CoSimulation", '<CoSimulation providesDirectionalDerivative="true"')
    monkeypatch.setattr(attacker, "DESCRIPTION", promised)
    attacker.build(tmp_path)
    one = linearise_fmu(Point(tmp_path / attacker.NAME, step=0.1, count=20)).prototype
    assert np.block([[one.A, one.B], [one.C, one.D]]) == pytest.approx(np.array([[0.0, -1.0], [1.0, 0.0]]), abs=1e-12)


def test_from_the_command_line_into_a_system(tmp_path, capsys):
    """The oscillator of two FMUs has the spectral radius of docs/reference.md 3."""
    text = 'macro_step = 0.02\ntiming = "event"\nlatency_steps = 3\n'
    for name in ("mass_1", "mass_2"):
        path = tmp_path / f"{name}.toml"
        assert main(["linearise", str(build_model_fmu(name, tmp_path)), "-o", str(path)]) == 0
        assert path.read_text(encoding="utf-8").strip() == capsys.readouterr().out.strip()
        text += path.read_text(encoding="utf-8")
    for source, target in (("mass_1.x1", "mass_2.x1"), ("mass_1.v1", "mass_2.v1"), ("mass_2.f", "mass_1.f")):
        text += f'[[connections]]\nfrom = "{source}"\nto = "{target}"\n'
    (tmp_path / "system.toml").write_text(text, encoding="utf-8")
    assert stability(read_system(tmp_path / "system.toml")).radius == pytest.approx(0.999870486, abs=1e-8)


def test_parameters_and_figures_from_the_command_line(tmp_path, capsys):
    words = ["--set", "m1=2", "--set", "c1=8", "--response", "x1", "--step", "0.05", "--count", "100", "--json"]
    assert main(["linearise", str(build_model_fmu("mass_1", tmp_path)), *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["inputs"], found["outputs"], found["C"]) == (["f"], ["x1"], [[1.0, 0.0]])
    assert found["A"][1] == pytest.approx([-4.0, -0.005], rel=1e-5) and found["B"][1] == pytest.approx([0.5])


def test_feedthrough_alone_has_no_states(tmp_path):
    steps = np.tile([[2.0, -1.0]], (41, 1, 1))
    one = realise_steps("gain", steps, 0.1, ("a", "b"), ("y",))
    assert one.A.shape == (0, 0) and one.D.tolist() == [[2.0, -1.0]]


@pytest.mark.parametrize("seed", range(5))
def test_realisation_of_random_systems(seed):
    """Stable modes, two inputs and two outputs of very different units, with the noise of differences."""
    rng = np.random.default_rng(seed)
    A, units = rng.normal(size=(4, 4)), [[1e-4], [1.0]]
    A -= (np.linalg.eigvals(A).real.max() + 0.3) * np.eye(4)
    B, C, D = rng.normal(size=(4, 2)), units * rng.normal(size=(2, 4)), units * rng.normal(size=(2, 2))
    one = Prototype("random", A, B * [1.0, 1e3], C, D * [1.0, 1e3])
    steps = step_responses(one, 0.1, 120)
    noise = 1e-12 * np.abs(steps).max(axis=0) * rng.normal(size=steps.shape)
    found = realise_steps("random", steps + noise, 0.1, one.inputs, one.outputs, order=4)
    s = 1j * np.geomspace(0.1, 10, 9)
    assert np.abs((found.response(s) - one.response(s)) / np.abs(steps).max(axis=0)).max() < 1e-5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"inputs": ("g",)}, "mass_1 has no input g, allowed f"),
        ({"outputs": ("g",)}, "mass_1 has no output g, allowed x1, v1"),
        ({"time": -1.0}, "time = -1.0, allowed 0 s and more"),
        ({"step": 0.0}, "step = 0.0, allowed above 0 s"),
        ({"count": 4}, "count = 4, allowed 8 to 1000"),
        ({"change": 0.0}, "change = 0.0, allowed above 0"),
        ({"order": 150}, "samples are too few for 150 states"),
        ({"values": {"m7": 1.0}}, "no parameter m7"),
    ],
)
def test_mistakes_are_one_sentence(settings, message, tmp_path):
    with pytest.raises(UsageError, match=message):
        linearise_fmu(Point(build_model_fmu("mass_1", tmp_path), **settings))


def test_a_dead_time_is_none_of_a_continuous_system():
    with pytest.raises(CouplantError, match="dead time"):
        realise_steps("late", np.repeat([0.0, 1.0], [3, 9])[:, None, None], 0.1, ("u",), ("y",))
