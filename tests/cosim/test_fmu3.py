"""Event Mode by the book: which functions are called when, what is read, where a step stops."""

import pytest

from couplant.base.errors import CouplantError
from couplant.config import parse_interface
from couplant.cosim.fmu.load import FmuLibrary
from couplant.pack import build_coupling_fmu
from couplant.pack.models import build_model_fmu

MACRO_STEP = 0.1


def interface(timing, **changes):
    signal = {"algorithm": "foh", "latency": {"constant_steps": 1}, **changes}
    table = {"interface": {"name": "bench", "macro_step": MACRO_STEP, "timing": timing}, "signals": {"s": signal}}
    return parse_interface(table, "test")


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fmus")
    return {
        timing: build_coupling_fmu(interface(timing), "s", folder / timing, fmi="3") for timing in ("event", "step")
    }


@pytest.fixture
def library():
    with FmuLibrary() as library:
        yield library


class Calls(list):
    """Names of the FMI functions that an instance is called with."""

    def follow(self, component):
        call = component._loaded._call

        def record(name, *arguments):
            if not name.startswith(("fmi3Get", "fmi3Free")):
                self.append(name.removeprefix("fmi3"))
            return call(name, *arguments)

        component._loaded._call = record

    def take(self):
        taken = list(self)
        self.clear()
        return taken


@pytest.fixture
def started(library):
    """Return a function that starts an instance and returns it with the calls that follow."""
    made = []

    def start(path, **parameters):
        made.append(library.open(path, "i"))
        made[-1].start(0.0, {key.replace("__", "."): value for key, value in parameters.items()})
        calls = Calls()
        calls.follow(made[-1])
        made[-1].begin()
        return made[-1], calls

    yield start
    for component in made:
        component.free()


def test_the_order_of_calls_is_that_of_the_standard(fmus, started):
    component, calls = started(fmus["event"])
    write, read = component.writer(["y", "y_valid"]), component.reader(["y_hat"])
    for n in range(2):
        write([1.0, 1.0])
        read()
        component.step(n * MACRO_STEP, MACRO_STEP)
    step = ["SetFloat64", "SetBoolean", "UpdateDiscreteStates", "EnterStepMode", "DoStep"]
    assert calls.take() == ["ExitInitializationMode", *step, "EnterEventMode", *step]


def test_an_event_that_waits_is_handled_without_a_new_input(fmus, started):
    component, calls = started(fmus["event"])
    component.step(0.0, MACRO_STEP)
    calls.take()
    component.step(MACRO_STEP, MACRO_STEP)
    assert calls.take() == ["EnterEventMode", "UpdateDiscreteStates", "EnterStepMode", "DoStep"]


def test_between_events_nothing_but_steps_is_called(fmus, started):
    component, calls = started(fmus["event"])
    component.step(0.0, MACRO_STEP / 4)
    calls.take()
    component.step(MACRO_STEP / 4, MACRO_STEP / 4)
    assert calls.take() == ["DoStep"]


def test_a_step_over_several_macro_points_stops_at_each(fmus, started):
    component, calls = started(fmus["event"])
    component.step(0.0, 2.5 * MACRO_STEP)
    assert calls.take().count("DoStep") == 3
    assert component.reader(["time"])() == pytest.approx([2.5 * MACRO_STEP], abs=1e-15)
    component.step(2.5 * MACRO_STEP, MACRO_STEP)
    assert component.reader(["time"])() == pytest.approx([3.5 * MACRO_STEP], abs=1e-15)


def test_outputs_are_those_before_the_event_until_an_input_is_set(fmus, started):
    """FOH of a ramp, one step late: 3 after the steps with 0, 1, 2 and 2 more than the value with the jump to 12."""
    component, _ = started(fmus["event"])
    write, read = component.writer(["y"]), component.reader(["y_hat"])
    for n in range(4):
        write([float(max(n - 1, 0))])
        component.step(n * MACRO_STEP, MACRO_STEP)
    before = read()
    assert before == pytest.approx([4.0])
    write([12.0])
    assert read() == pytest.approx([22.0]), "12 + 1 step with slope 10"
    write([3.0])
    assert read() == pytest.approx([4.0])


def test_previews_do_not_change_what_follows(fmus, started):
    def estimates(values):
        component, _ = started(fmus["event"])
        write, read, found = component.writer(["y"]), component.reader(["y_hat"]), []
        for n, tried in enumerate(values):
            for value in tried:
                write([value])
                found.append(read()) if value == tried[-1] else read()
            component.step(n * MACRO_STEP, MACRO_STEP)
            found.append(read())
        return found

    assert estimates([[1.0], [2.0], [4.0], [8.0]]) == estimates([[9.0, 1.0], [2.0], [-5.0, 7.0, 4.0], [8.0]])


def test_a_saved_state_brings_its_mode_along(fmus, started):
    component, calls = started(fmus["event"])
    write, read = component.writer(["y"]), component.reader(["y_hat"])
    write([1.0])
    component.save()
    outcomes = []
    for _ in range(2):
        component.restore()
        component.step(0.0, MACRO_STEP)
        outcomes.append(read())
    write([2.0])
    component.restore()
    component.step(0.0, MACRO_STEP)
    assert [*outcomes, read()] == 3 * [outcomes[0]]
    assert calls.take().count("UpdateDiscreteStates") == 3


def test_without_event_mode_inputs_are_set_between_steps(fmus, started):
    component, calls = started(fmus["step"])
    component.writer(["y"])([1.0])
    component.step(0.0, MACRO_STEP)
    assert calls.take() == ["ExitInitializationMode", "SetFloat64", "DoStep"]


def test_direct_feedthrough_is_read_in_event_mode(tmp_path, started):
    component, calls = started(build_model_fmu("mass_2", tmp_path, fmi="3", macro_step=MACRO_STEP))
    write, read = component.writer(["x1"]), component.reader(["f"])
    component.step(0.0, MACRO_STEP)
    calls.take()
    write([1.0])
    assert read() == [-2.0]
    assert calls.take() == ["EnterEventMode", "SetFloat64"]


def test_the_end_of_the_run_is_told(tmp_path, started):
    path = build_coupling_fmu(
        interface("event", quality={"action": "stop", "zeta": 0.0, "delta": 1e-6}), "s", tmp_path, fmi="3"
    )
    component, _ = started(path)
    write = component.writer(["y"])
    with pytest.raises(CouplantError, match=r"i ended the run at t = .* s: "):
        for n in range(40):
            write([float(n * n % 7)])
            component.step(n * MACRO_STEP, MACRO_STEP)


def test_items_of_enumerations_are_set_by_name(tmp_path, started):
    component, _ = started(build_model_fmu("network", tmp_path, fmi="3"), latency__mode="erlang", latency__order=3)
    assert component.reader(["latency.mode", "latency.order"])() == [3, 3]


@pytest.mark.parametrize("h", [MACRO_STEP, MACRO_STEP / 4])
def test_far_from_zero_a_step_is_one_step(fmus, library, h):
    """Times of events there are rounded by more than a millionth of a step."""
    component, calls, time, count = library.open(fmus["event"], "far"), Calls(), 1.7e9, 400
    component.start(time, {})
    calls.follow(component)
    component.begin()
    calls.take()
    for _ in range(count):
        component.step(time, h)
        time += h
    assert calls.take().count("DoStep") == count
    component.free()
