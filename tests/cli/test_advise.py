"""``couplant advise`` and what ``build`` says of a loop that it knows."""

import json
from dataclasses import replace

import numpy as np
import pytest
import tomlkit

from couplant.analysis.algorithms import generic
from couplant.analysis.loop_error import loop_errors, noise_of_sent
from couplant.analysis.model_map import sent_of
from couplant.analysis.stability import stability
from couplant.analysis.system_file import parse_system
from couplant.cosim import simulate
from couplant.cosim.fmu.prototype import Scene
from couplant.pack import build_model_fmu
from couplant.sweep import advice as sweep_advice
from couplant.sweep import loop_source
from couplant.sweep.advice import errors_of
from couplant.sweep.advised import Setup, files_of
from couplant.sweep.advised import system_document as text_of
from tests.sweep.loops import document, record, system

FILES = {"system.toml", "scenario.toml", "interface.toml", "advice.html"}


@pytest.fixture(scope="module")
def advised(tmp_path_factory):
    """Return the folder of an advice, as the verb writes it, its figures, and what it says."""
    folder = tmp_path_factory.mktemp("advised")
    path = folder / "motor.toml"
    path.write_text(tomlkit.dumps(document("dcmotor", 3, "event")), encoding="utf-8")
    return path, folder


def test_the_advice_is_what_is_built_shown_and_saved(advised, couplant):
    path, folder = advised
    out = folder / "out"
    done = couplant("advise", str(path), "-o", str(out), "--no-open", "--json")
    assert done.status == 0, done.err
    figures = json.loads(done.out)
    assert {one.name for one in out.iterdir()} == FILES
    runs = {run.algorithm: run for run in simulate(out / "scenario.toml").runs}
    errors = errors_of(runs["configured"], system("dcmotor", 3, "event"))
    assert sum(errors.values()) / 2 == pytest.approx(figures["advised"]["simulated"], rel=1e-9)
    assert figures["advised"]["algorithm"] == "model"
    assert runs["configured"].radius == pytest.approx(figures["advised"]["radius"], rel=1e-9)
    wire = errors_of(runs["wire"], system("dcmotor", 3, "event"))
    assert figures["advised"]["simulated"] < 0.5 * sum(wire.values()) / 2
    built = couplant("build", str(out / "interface.toml"), "-o", str(folder), "--strict", "--json")
    assert built.status == 0, built.err
    assert json.loads(built.out)["loop"]["radius"] == pytest.approx(figures["advised"]["radius"], rel=1e-9)
    assert (folder / "a_b_w.fmu").exists()
    page = (out / "advice.html").read_text(encoding="utf-8")
    assert "less error than without FMU, in this loop" in page


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "k", "algorithm", "stable"),
    [
        ("dcmotor", 1, "eros4", False),
        ("dcmotor", 3, "eros3", False),
        ("dcmotor", 3, "zoh", True),
        ("driveline", 3, "eros3", False),
        ("shaft3", 3, "foh", False),
        ("servo", 3, "eros3", False),
        ("cylinder", 3, "eros3", True),
    ],
)
def test_build_warns_of_a_loop_that_is_unstable_with_the_settings(name, k, algorithm, stable, tmp_path, couplant):
    one = system(name, k, "step")
    texts = files_of(Setup(one, "model", {"a": {"order": 1}, "b": {"order": 1}}), 100)
    settings = tomlkit.parse(texts["interface.toml"])
    for signal in settings["signals"].values():
        signal["algorithm"] = algorithm
    path = tmp_path / "interface.toml"
    path.write_text(tomlkit.dumps(settings), encoding="utf-8")
    (tmp_path / "system.toml").write_text(texts["system.toml"], encoding="utf-8")
    loose = couplant("build", str(path), "-o", str(tmp_path), "--json")
    assert loose.status == 0
    loop = json.loads(loose.out)["loop"]
    judged = parse_system(document(name, k, "step") | {"algorithm": algorithm}, name)
    assert loop["radius"] == pytest.approx(stability(judged).radius, abs=1e-9)  # of which advice goes by
    assert (loop["radius"] < 1.0) == stable
    assert ("the loop is unstable with these settings" in loose.err) != stable
    if not stable:
        assert f"the plain wire is {'un' * (loop['wire_radius'] >= 1.0)}stable" in loose.err
        assert "couplant advise" in loose.err
    worse = "the plain wire errs less in this loop" in loose.err
    assert worse == (stable and mean_error(judged, one) > mean_error(wired(judged), one))
    assert couplant("build", str(path), "-o", str(tmp_path), "--strict").status == (worse or not stable)


def mean_error(judged, moved):
    """Return the mean error of a system in an excitation and a noise, over the sizes of its signals."""
    scene = Scene(moved, 1000)
    sizes = [scene.sizes[c.source] for c in judged.connections]
    white = np.random.default_rng(5).standard_normal((1000, len(sent_of(judged))))
    noise = noise_of_sent(judged, sizes, white)
    return loop_errors([judged], scene.excitations[None], noise[None]).mean()


def wired(judged):
    """Return the same loop without FMUs."""
    wires = (replace(c, algorithm=generic("zoh", c.algorithm.k), lead=0.0, wired=True) for c in judged.connections)
    return replace(judged, connections=tuple(wires))


def test_settings_without_their_system_file_are_built_and_it_is_said(advised, tmp_path, couplant):
    texts = files_of(Setup(system("cart", 2, "step"), "auto"), 100)
    (tmp_path / "interface.toml").write_text(texts["interface.toml"], encoding="utf-8")
    done = couplant("build", str(tmp_path / "interface.toml"), "-o", str(tmp_path))
    assert done.status == 0, done.err
    assert "components.a.system = system.toml: no such file beside interface.toml, its loop is not asked" in done.err


def test_settings_of_algorithms_that_look_at_one_signal_know_their_loop_too(tmp_path, couplant):
    """Without models in the file nothing but the system file beside it tells what the signals do to each other."""
    texts = files_of(Setup(system("dcmotor", 1, "step"), "eros3"), 100)
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = couplant("build", str(tmp_path / "interface.toml"), "-o", str(tmp_path), "--strict")
    assert done.status == 1
    assert "the plain wire errs less in this loop" in done.err


def test_a_loop_that_nothing_moves_has_no_errors_to_warn_of(tmp_path, couplant):
    texts = files_of(Setup(system("dcmotor", 1, "step"), "eros3"), 100)
    still = tomlkit.parse(texts["system.toml"])
    still.remove("excitation")
    (tmp_path / "system.toml").write_text(tomlkit.dumps(still), encoding="utf-8")
    (tmp_path / "interface.toml").write_text(texts["interface.toml"], encoding="utf-8")
    done = couplant("build", str(tmp_path / "interface.toml"), "-o", str(tmp_path), "--strict")
    assert done.status == 0, done.err
    assert "errs less" not in done.err


def test_build_asks_the_loop_of_the_fmus_at_the_ends(tmp_path, couplant):
    """Two masses, whose FMUs are linearised: the radius is the one that the models have."""
    for name in ("mass_1", "mass_2"):
        build_model_fmu(name, tmp_path)
    sent = {"x1": "mass_1", "v1": "mass_1", "f": "mass_2"}
    signals = {
        name: {"from": f"{side}.{name}", "to": [f"{'mass_2' if side == 'mass_1' else 'mass_1'}.{name}"],
               "latency": {"constant_steps": 6}, "algorithm": "eros3"}
        for name, side in sent.items()
    }  # fmt: skip
    settings = {"interface": {"name": "masses", "macro_step": 0.02, "timing": "event"}, "signals": signals}
    settings["components"] = {name: {"fmu": f"{name}.fmu"} for name in ("mass_1", "mass_2")}
    path = tmp_path / "interface.toml"
    path.write_text(tomlkit.dumps(settings), encoding="utf-8")
    done = couplant("build", str(path), "-o", str(tmp_path), "--json")
    assert done.status == 0, done.err
    scenario = {"name": "masses", "macro_step": 0.02, "duration": 1.0, "timing": ["event"], "algorithms": ["eros3"]}
    scenario |= {"components": {name: {"model": name} for name in ("mass_1", "mass_2")}}
    scenario |= {"network": {"latency_steps": 6}}
    scenario["signals"] = {name: {"from": one["from"], "to": one["to"]} for name, one in signals.items()}
    radii = {run.algorithm: run.radius for run in simulate(scenario).runs}
    loop = json.loads(done.out)["loop"]
    assert loop["radius"] == pytest.approx(radii["eros3"], abs=1e-5)
    assert loop["wire_radius"] == pytest.approx(radii["wire"], abs=1e-5)


def test_a_lead_that_was_not_tried_is_not_proposed_without_saying_so(tmp_path, couplant):
    text = """
[interface]
name = "one"
macro_step = 0.01
host = "jacobi"
[components.plant]
feedthrough = { y = ["u"] }
[signals.u]
from = "other.y"
to = ["plant.u"]
latency.constant_steps = 2
algorithm = "eros3"
[components.other]
"""
    path = tmp_path / "interface.toml"
    path.write_text(text, encoding="utf-8")
    done = couplant("build", str(path), "-o", str(tmp_path))
    assert done.status == 0, done.err
    proposed = [line for line in done.out.splitlines() if line.startswith("proposed")]
    assert all(line.endswith("it was not tried in this loop") for line in proposed)
    assert [line.split(",")[0] for line in proposed] == ["proposed: latency.hold_lead = 0.25 for u"]
    path.write_text(text.replace('host = "jacobi"', 'host = "jacobi"\nmicro_step = 0.001'), encoding="utf-8")
    done = couplant("build", str(path), "-o", str(tmp_path))
    assert "proposed: latency.hold_lead = 0.025 for u" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sends", "w"], "a system or scenario comes alone"),
        (["--timing", "sometimes"], "timing"),
        (["--steps", "0"], "nothing is late"),
    ],
)
def test_what_cannot_be_advised_is_one_sentence(advised, words, message, tmp_path, couplant):
    done = couplant("advise", str(advised[0]), "-o", str(tmp_path / "out"), "--no-open", *words)
    assert done.status == 2
    assert message in done.err
    assert not (tmp_path / "out").exists()


def test_recordings_without_the_way_back_are_refused(tmp_path, couplant):
    path = tmp_path / "one.csv"
    path.write_text("time,w\n0,1\n1,2\n", encoding="utf-8")
    done = couplant("advise", str(path), "--sends", "w", "-o", str(tmp_path / "out"), "--no-open")
    assert done.status == 2
    assert "both ways" in done.err


def test_a_system_file_and_the_one_that_is_written_are_the_same_loop():
    one = system("cart", 2, "step")
    assert text_of(one)["micro_step"] == pytest.approx(one.macro_step / 10)


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """Return a recording whose loop is known, so that nothing is identified, and how often it was asked for."""
    monkeypatch.chdir(tmp_path)
    loop, asked, known = document("dcmotor", 3, "event"), [], {}
    judge = sweep_advice.advise

    def identified(one, changes):
        asked.append((one, changes))
        return loop, (), (), False

    def judged(content, others, **more):
        text = json.dumps(content)
        known[text] = known.get(text) or judge(content, others, **more)
        return known[text]

    monkeypatch.setattr(loop_source, "identify_loop", identified)
    monkeypatch.setattr(sweep_advice, "advise", judged)
    return record(system("dcmotor", 3, "event"), 0, tmp_path), asked


@pytest.mark.landing("an advice and its simulations: 25 s of CPU")
def test_every_verb_that_is_given_both_ways_says_the_same_of_the_loop(recorded, couplant, tmp_path):
    path, asked = recorded
    both = ("--sends", "w", "--receives", "u")
    said = json.loads(couplant("advise", path, *both, "-o", "advised", "--no-open", "--json").out)
    tried = json.loads(couplant("try", path, *both, "-o", "tried", "--no-open", "--json").out)
    inspected = json.loads(couplant("inspect", path, *both, "--json").out)
    done = couplant("init", "begun", "--recording", path, *both)
    assert done.status == 0, done.err
    assert "less error than without FMU, in this loop." in done.out
    assert all((one.paths, one.sends, one.receives) == ([path], ["w"], ["u"]) for one, _ in asked)
    assert [changes for _, changes in asked] == [{}] * 4
    assert said.pop("folder") == "advised"
    assert tried["loop"] == inspected["loop"] == said
    assert inspected["recommended"] == said["advised"]["algorithm"] == "model"
    assert list(inspected["alone"]) == ["w", "u"]
    for name in FILES - {"advice.html"}:
        text = (tmp_path / "advised" / name).read_text(encoding="utf-8")
        assert (tmp_path / "tried" / name).read_text(encoding="utf-8") == text
        assert (tmp_path / "begun" / name).read_text(encoding="utf-8").endswith(text)
    assert {"advice.html", "report.html"} <= {one.name for one in (tmp_path / "tried").iterdir()}
    result = simulate(tmp_path / "begun" / "scenario.toml")
    runs = {run.algorithm: run for run in result.runs}
    (wire,) = (row for row in said["candidates"] if row["algorithm"] == "wire")
    shown = json.loads(result.to_json())["runs"]
    for run, other in zip(shown, tried["simulation"]["runs"], strict=True):
        assert run["mae"] == pytest.approx(other["mae"], rel=1e-9)
    for name, figures in (("configured", said["advised"]), ("wire", wire)):
        errors = errors_of(runs[name], system("dcmotor", 3, "event"))
        assert sum(errors.values()) / 2 == pytest.approx(figures["simulated"], rel=1e-9)


@pytest.mark.sample(3)
@pytest.mark.parametrize("verb", [("try",), ("inspect",), ("init", "new", "--recording")])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--sends", "w"), "receives is missing: a loop has signals both ways"),
        (("--receives", "u"), "sends is missing: a loop has signals both ways"),
        (("--sends", "w", "--receives", "u", "--column", "w"), "--column is about a signal alone"),
    ],
)
def test_one_way_alone_is_one_sentence_and_nothing_is_written(recorded, verb, words, message, couplant, tmp_path):
    done = couplant(*verb, recorded[0], *words)
    assert (done.status, done.out) == (2, "")
    assert message in done.err and len(done.err.splitlines()) == 1
    assert [one.name for one in tmp_path.iterdir()] == [recorded[0].name]
