"""Linear prototypes of a system file in scenarios: runs are those of theory, in every timing and communication step."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tomlkit

from couplant.analysis.algorithms import generic
from couplant.analysis.loop_error import follow_undelayed, loop_errors, undelayed_radius
from couplant.analysis.macro_map import macro_map
from couplant.analysis.model_map import macro_step
from couplant.analysis.stability import stability
from couplant.analysis.system import System
from couplant.analysis.system_file import parse_system
from couplant.base.errors import UsageError
from couplant.config.scenario import load_scenario
from couplant.cosim import simulate
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.fmu.prototype import Scene
from couplant.cosim.run.reference import solve
from couplant.cosim.wiring.components import Workshop
from couplant.cosim.wiring.loops import signal_names
from couplant.design.observers import observers
from couplant.sweep.advised import SCENARIO, SYSTEM, Setup, files_of, system_document
from tests.sweep.loops import document, system

COUNT = 120
TIMINGS = [("event", 1), ("step", 1), ("step", 4)]


def run_of(setup: Setup, folder: Path, steps: int = COUNT):
    for name, text in files_of(setup, steps).items():
        (folder / name).write_text(text, encoding="utf-8")
    return simulate(folder / SCENARIO, ["wire=false"]).runs[0]


def loop(name: str, k: int, timing: str, micro: int, algorithm: str, scene: Scene) -> tuple[System, dict]:
    """Return a loop with an algorithm as theory has it, and the observers of its models."""
    given = document(name, k, timing, micro_steps=micro)
    if algorithm == "wire":
        bare = parse_system({**given, "algorithm": "zoh"}, name)
        wires = (replace(c, algorithm=generic("zoh", k), lead=0.0, wired=True) for c in bare.connections)
        return replace(bare, connections=tuple(wires)), {}
    tables = dict(observers(scene.system, scene.sizes))[""] if algorithm == "model" else {}
    more = {"models": tables} if tables else {}
    return parse_system({**given, **more, "algorithm": algorithm}, name), tables


@pytest.mark.sample(8)
@pytest.mark.parametrize(("timing", "micro"), TIMINGS)
@pytest.mark.parametrize(
    ("algorithm", "count", "within"),
    [("wire", COUNT, 1e-9), ("zoh", COUNT, 1e-9), ("foh", 400, 1e-4), ("model", 400, 1e-4)],
)
@pytest.mark.parametrize(("name", "k"), [("dcmotor", 2), ("cart", 3)])
def test_estimates_of_a_run_are_those_of_theory(name, k, timing, micro, algorithm, count, within, tmp_path):
    """Without noise all begins at 0; FOH and models begin otherwise than theory, which is forgotten by the end."""
    scene = Scene(system(name, k, timing, micro_steps=micro, noise=0.0), count)
    one, tables = loop(name, k, timing, micro, algorithm, scene)
    run = run_of(Setup(scene.system, algorithm, tables), tmp_path, count)
    step, names = macro_step(one, one.excited), signal_names(one)
    n, _, _, ny = step.split
    w = scene.excitations
    rows, z, theory = np.vstack([step.state, step.estimates]), np.zeros(sum(step.split)), []
    for i in range(count):
        z[n:] = np.concatenate([w[i], w[i + 1], np.zeros(ny)])
        after = rows @ z
        theory.append(after[n:])
        z[:n] = after[:n]
    for c, column in zip(one.connections, np.array(theory).T, strict=True):
        trace = run.traces[names[c.source]]
        coarse = trace.estimate[:: (len(trace.time) - 1) // count][:count]
        late = slice(-COUNT, None)
        assert coarse[late] == pytest.approx(column[late], abs=within * np.abs(column).max())
    assert stability(one).radius == pytest.approx(run.radius, rel=1e-9)


@pytest.mark.parametrize("micro", [1, 10])
def test_the_map_without_models_has_the_modes_of_the_one_with(micro):
    for algorithm in ("wire", "foh"):
        one, _ = loop("dcmotor", 3, "step", micro, algorithm, Scene(system("dcmotor", 3, "step"), COUNT))
        radii = [np.abs(np.linalg.eigvals(m)).max() for m in (macro_map(one), macro_step(one).matrix)]
        assert radii[0] == pytest.approx(radii[1], rel=1e-9)


def test_a_wire_is_as_good_at_any_communication_step_and_an_fmu_comes_near_to_it():
    """An FMU foresees one communication step: at a tenth of the macro step holding is hardly later than the wire."""
    scene = Scene(system("dcmotor", 3, "step"), COUNT)
    wires = [stability(loop("dcmotor", 3, "step", m, "wire", scene)[0]).radius for m in (1, 10)]
    held = [stability(loop("dcmotor", 3, "step", m, "zoh", scene)[0]).radius for m in (1, 10)]
    assert wires[0] == pytest.approx(wires[1], rel=1e-12)
    assert abs(held[1] - wires[1]) < 0.2 * abs(held[0] - wires[0])


def test_a_model_is_as_good_at_ten_communication_steps_as_at_one():
    """Taken for held over the macro step, what the prototype was given would be half a macro step wrong."""
    errors = []
    for micro in (1, 10):
        scene = Scene(system("dcmotor", 3, "step", micro_steps=micro), 1000)
        one, _ = loop("dcmotor", 3, "step", micro, "model", scene)
        w = scene.excitations[None]
        errors.append(loop_errors([one], w, np.zeros((1, 1000, 2)))[0].mean())
    assert errors[1] < errors[0] < 0.06


def test_the_system_without_delay_is_what_waveform_relaxation_finds(tmp_path):
    one = system("two_masses", 2, "event", noise=0.0)
    for name, text in files_of(Setup(one, "zoh"), COUNT).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    loaded = load_scenario(tmp_path / SCENARIO)
    with FmuLibrary() as library:
        workshop = Workshop(loaded, library, Builder(tmp_path / "fmus"))
        found = solve(workshop.reference, one.macro_step, COUNT).values
        exact = workshop.scene().reference(1)
    for ref, values in found.items():
        assert values == pytest.approx(exact[str(ref)], abs=1e-5 * np.abs(values).max())


def test_noise_is_on_what_is_sent_and_not_in_the_reference(tmp_path):
    one = system("cart", 2, "event", noise=0.05)
    run = run_of(Setup(one, "wire"), tmp_path, 800)
    quiet = run_of(Setup(replace(one, noise=0.0), "wire"), tmp_path, 800)
    for name, trace in run.traces.items():
        assert (trace.reference == quiet.traces[name].reference).all()
        rough = np.diff(trace.sent, 4).std() / np.sqrt(70.0)  # white noise is all that fourth differences leave
        assert rough == pytest.approx(0.05 * np.sqrt(np.mean(trace.reference**2)), rel=0.15)


def test_the_seed_of_a_component_makes_other_runs_and_the_same_again(tmp_path):
    one = Setup(system("cart", 2, "event"), "wire")
    for name, text in files_of(one, COUNT).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    seeds = [f"components.{side}.parameters.seed=3" for side in "ab"]
    first, again, other = (
        simulate(tmp_path / SCENARIO, given).runs[0].traces["s"].sent for given in ([], [], seeds)
    )
    assert (first == again).all()
    assert not np.allclose(first, other)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"excitation": {"a": {"states": [1.0], "deviation": 1.0, "bandwidth": 1.0}}}, "acts on 1 states"),
        ({"excitation": {"c": {"states": [1.0], "deviation": 1.0, "bandwidth": 1.0}}}, "no prototype of this name"),
        ({"micro_step": 0.0003}, "micro_step = 0.0003"),
        ({"noise": 1.5}, "noise"),
    ],
)
def test_what_is_wrong_in_a_system_is_told(change, words):
    with pytest.raises(UsageError, match=words):
        parse_system({**document("dcmotor", 3, "step"), **change}, "system.toml")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("components.a.parameters.loudness=2", "loudness = 2, allowed noise and seed"),
        ("components.a.parameters.noise=-1", "noise = -1"),
    ],
)
def test_a_parameter_that_a_prototype_has_not_is_told(change, words, tmp_path):
    for name, text in files_of(Setup(system("cart", 2, "event"), "wire"), COUNT).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        simulate(tmp_path / SCENARIO, [change])


def test_a_component_without_a_prototype_of_its_name_is_told(tmp_path):
    for name, text in files_of(Setup(system("cart", 2, "event"), "wire"), COUNT).items():
        text = text.replace("prototypes.a", "prototypes.c").replace("excitation.a", "excitation.c")
        text = text.replace('"a.', '"c.') if name == SYSTEM else text
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="no such prototype, allowed c, b"):
        simulate(tmp_path / SCENARIO)


def test_excitations_keep_their_prototypes_in_any_order():
    given = document("dcmotor", 2, "event")
    turned = {**given, "excitation": dict(reversed(given["excitation"].items()))}
    one, other = (Scene(parse_system(it, ""), COUNT) for it in (given, turned))
    assert (other.system.excited == one.system.excited[:, ::-1]).all()
    for name, values in one.reference(1).items():
        assert other.reference(1)[name] == pytest.approx(values, rel=1e-9, abs=1e-9 * np.abs(values).max())


def test_communication_steps_do_not_matter_in_event_timing():
    one = system("dcmotor", 3, "event")
    assert stability(replace(one, micro_steps=10)).radius == stability(one).radius


def test_a_system_is_the_same_when_its_file_is_read_again():
    one = system("quarter_car", 2, "step", micro_steps=5)
    again = parse_system(tomlkit.parse(tomlkit.dumps(system_document(one))).unwrap(), "system.toml")
    given = parse_system(document("quarter_car", 2, "step", micro_steps=5), "")
    assert stability(again).radius == stability(given).radius
    assert (again.micro_steps, again.stale, again.excitation) == (one.micro_steps, one.stale, one.excitation)
    assert undelayed_radius(again) == undelayed_radius(one)


def test_errors_of_plants_side_by_side_are_those_of_each_alone():
    scene = Scene(system("dcmotor", 2, "event"), COUNT)
    one, _ = loop("dcmotor", 2, "event", 1, "zoh", scene)
    other = replace(one, prototypes=system("dcmotor", 2, "event").prototypes[::-1][::-1])
    bad, _ = loop("dcmotor", 6, "event", 1, "eros4", scene)
    w = scene.excitations[None]
    v = np.zeros((1, COUNT, 2))
    both = loop_errors([one, other], np.repeat(w, 2, axis=0), np.repeat(v, 2, axis=0))
    assert (both[0] == both[1]).all()
    assert both[0] == pytest.approx(loop_errors([one], w, v)[0], rel=1e-12)
    assert np.isinf(loop_errors([bad], w, v)).all()
    assert follow_undelayed(one, w[0], 3)[::3] == pytest.approx(follow_undelayed(one, w[0]), rel=1e-6, abs=1e-9)
