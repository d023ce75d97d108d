"""``couplant container``: what is in the FMU, what it says, what is refused; tests/importers runs it in other hosts."""

import json
import sys
import zipfile

import numpy as np
import pytest
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu

from couplant.base.errors import CouplantError, UsageError
from couplant.elsewhere.container import RUNS_ON, contain
from couplant.pack.archive.write import is_own
from couplant.pack.binaries.platforms import host
from couplant.pack.check import check_fmu
from tests import attacker
from tests.pack.entries import entries

pytestmark = pytest.mark.skipif(host().name not in RUNS_ON, reason="there is no container for this machine")


@pytest.fixture(scope="module")
def made(oscillator, tmp_path_factory):
    """Return the side of mass 2 as a container."""
    file = tmp_path_factory.mktemp("contained") / "bench 2.fmu"
    return contain(oscillator, file, ["mass_2"], ('watch=["mass_2.x2", "mass_1.v1"]', "duration=2.0"), "eros3")


def test_it_is_valid_by_the_standard_and_by_our_own_rules(made):
    assert validate_fmu(str(made.file)) == []
    assert check_fmu(made.file).problems == ()


def test_what_comes_in_and_goes_out_has_plain_names_and_units(made):
    assert [end.name for end in made.inputs] == [f"{s}.{v}" for s in ("x1", "v1") for v in ("y", "y_time", "y_valid")]
    status = ("y_hat", "algorithm.active", "state", "discontinuity.detected", "output.limited")
    states = [f"{s}.{v}" for s in ("x1", "v1") for v in status]
    assert [end.name for end in made.outputs] == ["f", *states, "mass_2.x2"]
    variables = {v.name: v for v in read_model_description(str(made.file)).modelVariables}
    assert variables.keys() == {"time", *(end.name for end in (*made.inputs, *made.outputs))}
    units = {"x1.y": "m", "v1.y": "m/s", "x1.y_time": "s", "f": "N", "v1.y_hat": "m/s", "mass_2.x2": "m", "time": "s"}
    assert {name: variables[name].unit for name in units} == units
    assert read_model_description(str(made.file)).variableNamingConvention == "structured"


def test_it_says_whose_work_it_is_and_not_who_made_the_file(made):
    description = read_model_description(str(made.file))
    assert description.author is None and description.generationDateAndTime is None
    assert description.generationTool.startswith("couplant ") and "FMU Manipulation" in description.generationTool
    words = ": mass_2, coupled over a network; communication steps are multiples of 0.02 s"
    assert description.description.endswith(words)
    assert description.modelName == "bench_2" and float(description.defaultExperiment.stepSize) == 0.02
    assert not description.coSimulation.canGetAndSetFMUstate


def test_what_its_own_steps_add_is_predicted(made, oscillator, tmp_path):
    assert (made.host, made.step, made.order) == ("jacobi", 0.02, ("mass_2", "x1_coupling", "v1_coupling"))
    told = [(one.signal, one.network, one.host, one.hold) for one in made.received]
    assert told == [("x1", 3, 1.0, 0.0), ("v1", 3, 1.0, 0.0)]
    assert all(one.reasons == ("mass_2.f depends on it at once",) for one in made.received)
    with zipfile.ZipFile(made.file) as archive:
        archive.extractall(tmp_path)
    starts = {v.name: v.start for v in read_model_description(str(tmp_path / "resources" / "01")).modelVariables}
    assert (float(starts["latency.constant_steps"]), float(starts["latency.host_lead"])) == (3.0, 1.0)
    finer = contain(oscillator, tmp_path / "fine.fmu", ["mass_2"], ("micro_step=0.005",), "eros4")
    assert finer.step == 0.005 and [(one.host, one.hold) for one in finer.received] == [(0.25, 0.0625)] * 2


def test_whoever_steps_first_is_a_step_newer(oscillator, tmp_path):
    made = contain(oscillator, tmp_path / "turns.fmu", ["mass_2"], (), "zoh", order=["x1.coupling", "mass_2"])
    assert (made.host, made.order[:2]) == ("sequential", ("x1_coupling", "mass_2"))
    assert [(one.signal, one.host) for one in made.received] == [("x1", 0.0), ("v1", 1.0)]
    assert "x1.coupling has its turn before mass_2" in made.received[0].reasons
    with zipfile.ZipFile(made.file) as archive:
        assert archive.read("resources/container.txt").decode().splitlines()[2] == "0 0 1"


def test_all_of_a_scenario_needs_nobody(oscillator, tmp_path):
    changes = ("duration=2.0", "components.mass_1.parameters.x1.start=0.5", 'watch=["mass_1.x1"]')
    made = contain(oscillator, tmp_path / "all.fmu", (), changes, "eros3", threads=True)
    assert made.inputs == () and len(made.order) == 8
    assert [end.name for end in made.outputs if end.part == "mass_1"] == ["mass_1.x1"]
    found = simulate_fmu(str(made.file), stop_time=2.0, output_interval=0.02, output=["mass_1.x1", "x1.y_hat"])
    assert found["mass_1.x1"][0] == 0.5 and np.ptp(found["mass_1.x1"]) > 0.1 and np.ptp(found["x1.y_hat"]) > 0.1


def test_equal_scenarios_give_equal_entries_which_are_nobodys_own(made, oscillator, tmp_path):
    again = tmp_path / made.file.name
    contain(oscillator, again, ["mass_2"], ('watch=["mass_2.x2", "mass_1.v1"]', "duration=2.0"), "eros3")
    assert entries(again) == entries(made.file)
    assert not is_own(made.file)  # there may be FMUs of others in it


@attacker.POSIX
def test_fmus_of_others_are_not_run(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTACK", "load 1 abort")
    done = contain(attacker.build(tmp_path), tmp_path / "out.fmu")
    with zipfile.ZipFile(done.file) as archive:
        assert {"bad", "y_coupling"} < set(done.order) and "resources/00/modelDescription.xml" in archive.namelist()


def test_values_of_fmus_from_elsewhere_are_set(foreign, tmp_path):
    done = contain(foreign, tmp_path / "foreign.fmu", ["first"], ('watch=["first.x1"]',))
    assert [end.name for end in done.inputs] == ["back.y", "back.y_time", "back.y_valid"]
    assert [end.name for end in done.outputs][:1] == ["first.x1"]
    found = simulate_fmu(str(done.file), stop_time=0.1, output_interval=0.02, output=["first.x1"])
    assert found["first.x1"][0] == 0.5
    both = contain(foreign, tmp_path / "both.fmu")
    with zipfile.ZipFile(both.file) as archive:
        lines = archive.read("resources/container.txt").decode().splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("# Start values of wire.fmu - integer32"))
    assert {line.split()[-1] for line in lines[place + 2 : place + 4]} == {"5", "2"}  # the seed, uniform


REFUSED = {
    "there is no component mass_3, allowed mass_1, mass_2": (["mass_3"], (), {}),
    "allowed one of them, such as algorithm = ": ([], (), {"algorithm": None}),
    "allowed are names that end in .fmu": ([], (), {"file": "side"}),
    "con is a device for Windows": ([], (), {"file": "con.fmu"}),
    "platform = x86-windows: FMU Manipulation Toolbox has no container": ([], (), {"platform": "win32"}),
    "platform = amiga": ([], (), {"platform": "amiga"}),
    "host = reads_again: a container does not read again": ([], (), {"host": "reads_again"}),
    "order = mass_1: not in the container": (["mass_2"], (), {"order": ["mass_1"]}),
    "with host = sequential only, not jacobi": ([], (), {"order": ["mass_1"], "host": "jacobi"}),
    "parts that take turns have no use for them": ([], (), {"host": "sequential", "threads": True}),
    "x1.coupling is an FMU of FMI 3.0": (["mass_2"], ('coupling.fmi="3"',), {}),
    "(recursive_fir) would be an FMU of the Python backend": (["mass_2"], (), {"algorithm": "recursive_fir"}),
    "goes to components of both sides": (
        ["mass_1"],
        ('signals.x1.to=["mass_2.x1", "mass_1.f"]', 'signals.f.to=["mass_1.f.slope"]'),
        {},
    ),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_is_one_sentence_and_writes_nothing(oscillator, tmp_path, words):
    components, changes, options = REFUSED[words]
    options = {"algorithm": "eros3", **options}
    file = tmp_path / "new" / options.pop("file", "side.fmu")
    with pytest.raises(UsageError) as caught:
        contain(oscillator, file, components, changes, **options)
    assert words in str(caught.value) and "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_fmus_that_do_not_run_there_are_named(foreign, tmp_path):
    other = next(name for name in RUNS_ON if name != host().name)
    with pytest.raises(UsageError, match=rf"platform = {other}: first has no binary for it .*, it has {host().fmi2}\."):
        contain(foreign, tmp_path / "out.fmu", ["first"], platform=other)
    with pytest.raises(UsageError, match=r"wire: latency.mode = often, allowed constant, uniform, erlang, replay"):
        contain(foreign, tmp_path / "out.fmu", (), ('components.wire.parameters.latency.mode="often"',))
    with pytest.raises(UsageError, match=r"wire: seed = 2.5 is refused: Start value is not conforming"):
        contain(foreign, tmp_path / "out.fmu", (), ("components.wire.parameters.seed=2.5",))
    assert not (tmp_path / "out.fmu").exists()


def changed(foreign, folder, old, new):
    """Copy a scenario, with other words in the model description of its prototype; return its path."""
    for file in foreign.parent.iterdir():
        if file.name != "prototype.fmu":
            (folder / file.name).write_bytes(file.read_bytes())
    before, after = foreign.parent / "prototype.fmu", folder / "prototype.fmu"
    with zipfile.ZipFile(before) as source, zipfile.ZipFile(after, "w") as to:
        for name in source.namelist():
            content = source.read(name)
            if name == "modelDescription.xml":
                assert old in content.decode()
                content = content.decode().replace(old, new).encode()
            to.writestr(name, content)
    return folder / foreign.name


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('modelIdentifier="mass_1"', 'modelIdentifier=""', 'modelIdentifier = "", allowed a letter, then'),
        ('modelIdentifier="mass_1"', 'modelIdentifier="../../evil"', 'modelIdentifier = "../../evil", allowed'),
        ('guid="', 'guid="a&#10;b', 'guid = "a b'),
    ],
)
def test_parts_that_the_container_would_not_find_again_are_refused(foreign, tmp_path, old, new, words):
    path = changed(foreign, tmp_path, old, new)
    with pytest.raises(UsageError) as caught:
        contain(path, tmp_path / "out.fmu", ["first"])
    assert str(caught.value).startswith(f"first: {words}") and "\n" not in str(caught.value)
    assert not (tmp_path / "out.fmu").exists()


@pytest.mark.parametrize("start", ["nan", "inf"])
def test_a_start_that_is_no_number_is_refused(foreign, tmp_path, start):
    with pytest.raises(UsageError, match=rf"first: x1.start = {start}, allowed a finite number"):
        contain(foreign, tmp_path / "out.fmu", ["first"], (f"components.first.parameters.x1.start={start}",))
    assert not (tmp_path / "out.fmu").exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["der(x)", "x 1"])
def test_names_that_are_not_structured_are_called_flat(foreign, tmp_path, name):
    path = changed(foreign, tmp_path, 'name="v1"', f'name="{name}"')
    made = contain(path, tmp_path / "out.fmu", ["first"], (f'watch=["first.{name}"]',))
    assert read_model_description(str(made.file)).variableNamingConvention == "flat"
    assert check_fmu(made.file).problems == ()


def test_without_the_extra_it_says_what_to_install(oscillator, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fmu_manipulation_toolbox", None)
    with pytest.raises(UsageError, match=r"FMU Manipulation Toolbox: pip install 'couplant\[container\]'"):
        contain(oscillator, tmp_path / "out.fmu", algorithm="zoh")


def test_an_old_file_survives_what_goes_wrong(oscillator, tmp_path, monkeypatch):
    from fmu_manipulation_toolbox.container import FMUContainer

    file = tmp_path / "side.fmu"
    file.write_text("old", encoding="utf-8")
    for error in (RuntimeError("the disk\nis full"), KeyboardInterrupt()):
        monkeypatch.setattr(FMUContainer, "make_fmu_txt", _raises(error))
        with pytest.raises((CouplantError, KeyboardInterrupt)) as caught:
            contain(oscillator, file, ["mass_1"], (), "zoh")
        assert str(caught.value) in ("FMU Manipulation Toolbox refuses: the disk is full.", "")
    assert [path.name for path in tmp_path.iterdir()] == ["side.fmu"]
    assert file.read_text(encoding="utf-8") == "old"


def _raises(error):
    def raises(*_, **__):
        raise error

    return raises


def test_plain_values_hold_all_of_it(made):
    told = json.loads(json.dumps(made.to_dict()))
    assert told["signals"][0] == {**made.received[0].to_dict(), "reasons": ["mass_2.f depends on it at once"]}
    assert told["inputs"][0] == {"name": "x1.y", "part": "x1_coupling", "variable": "y", "unit": "m"}
    assert told["platforms"] == [host().name]
