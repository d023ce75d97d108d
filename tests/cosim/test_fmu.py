"""FMUs of both versions as components: values, states, refusals, freeing."""

import zipfile

import pytest

from couplant.base.errors import CouplantError, UsageError
from couplant.cosim.fmu.load import FmuLibrary
from couplant.pack.models import build_model_fmu


@pytest.fixture(scope="module", params=["2", "3"])
def fmus(request, tmp_path_factory):
    folder, fmi = tmp_path_factory.mktemp("fmus"), request.param
    return {name: build_model_fmu(name, folder, fmi=fmi, macro_step=0.1) for name in ("mass_2", "network")}


@pytest.fixture
def library():
    with FmuLibrary() as library:
        yield library


@pytest.fixture
def started(fmus, library):
    """Return a function that starts an instance; all are freed after the test."""
    made = []

    def start(name, instance="i", **parameters):
        made.append(library.open(fmus[name], instance))
        made[-1].start(0.0, {key.replace("__", "."): value for key, value in parameters.items()})
        return made[-1]

    yield start
    for component in made:
        component.free()


def test_ports_come_from_the_model_description(fmus, library):
    component = library.open(fmus["mass_2"], "m")
    assert component.restorable
    assert component.inputs() == ("x1", "x1.slope", "v1", "v1.slope")
    assert set(component.feedthrough("f")) == {"x1", "v1"}
    assert component.feedthrough("x2") == ()
    assert component.ports["m2"].causality == "parameter"


def test_direct_feedthrough_is_seen_after_a_set(started):
    component = started("mass_2", cc=2.0, dc=0.5)
    component.begin()
    component.writer(["v1", "x1"])([3.0, 1.0])
    assert component.reader(["x2", "f"])() == pytest.approx([0.0, -2.0 * 1.0 - 0.5 * 3.0])


def test_types_are_read_and_set_in_the_order_asked_for(started):
    network = started("network", latency__mode="constant", latency__seconds=0.1, reordering=True, seed=3)
    network.begin()
    network.writer(["value"])([5.0])
    network.step(0.0, 0.1)
    assert network.reader(["valid", "received", "latency.mode", "stamp", "seed"])() == [1, 5.0, 1, 0.0, 3]


def test_a_saved_state_can_be_taken_back_any_number_of_times(started):
    component = started("mass_2", force__start=0.0)
    component.begin()
    read = component.reader(["x2", "v2", "f"])
    component.step(0.0, 0.1)
    component.save()
    component.step(0.1, 0.1)
    first = read()
    for _ in range(2):
        component.restore()
        component.step(0.1, 0.1)
        assert read() == first


def test_instances_of_one_fmu_do_not_know_each_other(started):
    one, other = started("mass_2", "one"), started("mass_2", "other")
    for component in (one, other):
        component.begin()
    one.writer(["x1"])([1.0])
    one.step(0.0, 0.1)
    other.step(0.0, 0.1)
    assert one.reader(["x2"])() != other.reader(["x2"])()
    assert other.reader(["x2"])() == [0.0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"m9": 1.0}, "i has no parameter m9; allowed are m2, c2"),
        ({"x2": 1.0}, "i has no parameter x2"),
        ({"m2": "heavy"}, "i.m2 = heavy is refused"),
    ],
)
def test_wrong_parameters_are_refused(started, parameters, message):
    with pytest.raises(UsageError, match=message):
        started("mass_2", **parameters)


def test_a_parameter_out_of_range_is_refused_at_the_start(started):
    with pytest.raises(CouplantError, match=r"i refuses to start: m2 = -1, allowed 1e-6 to"):
        started("mass_2", m2=-1.0)


def test_an_unknown_item_of_an_enumeration_is_refused(started):
    with pytest.raises(UsageError, match=r"i.latency.mode = fast is refused"):
        started("network", latency__mode="fast")


def test_a_refused_step_names_component_and_time(started):
    component = started("mass_2")
    component.begin()
    with pytest.raises(CouplantError, match=r"i refused the step of -1 s at t = 0 s"):
        component.step(0.0, -1.0)


def test_freeing_is_allowed_at_any_time_and_ends_the_life(fmus, library):
    component = library.open(fmus["mass_2"], "m")
    component.free()
    component.start(0.0, {})
    component.save()
    component.free()
    component.free()
    with pytest.raises(CouplantError, match="freed"):
        component.step(0.0, 0.1)


def test_each_fmu_is_unpacked_once_and_removed_at_the_end(fmus):
    with FmuLibrary() as library:
        first, second = library.open(fmus["mass_2"], "a"), library.open(fmus["mass_2"], "b")
        library.open(fmus["network"], "c")
        root = library.root
        assert first.folder == second.folder
        assert len(list(root.iterdir())) == 2
    assert not root.exists()


def test_what_is_no_fmu_is_refused_in_one_line(tmp_path, library):
    for name, content in (("a.fmu", b"no zip"), ("b.fmu", b"")):
        (tmp_path / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / "c.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", "<fmiModelDescription")
    with zipfile.ZipFile(tmp_path / "d.fmu", "w") as archive:
        archive.writestr("x", "")
    for name in ("a.fmu", "b.fmu", "c.fmu", "d.fmu", "none.fmu"):
        with pytest.raises(UsageError) as error:
            library.open(tmp_path / name, "x")
        assert str(error.value).startswith(str(tmp_path / name))
        assert "\n" not in str(error.value)


def test_an_fmu_for_another_machine_is_told(tmp_path, fmus, library):
    with zipfile.ZipFile(fmus["mass_2"]) as whole, zipfile.ZipFile(tmp_path / "x.fmu", "w") as part:
        for name in whole.namelist():
            if not name.startswith("binaries/"):
                part.writestr(name, whole.read(name))
    with pytest.raises(CouplantError, match="x cannot be loaded"):
        library.open(tmp_path / "x.fmu", "x").start(0.0, {})
