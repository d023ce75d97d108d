"""One call that sets several parameters of a coupling counts as a whole, and nothing comes from what was refused."""

import ctypes as ct
import math

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant_runtime.step import reset
from tests.drivers import PythonDriver
from tests.native import DISCARD, ERROR, OK, Native

SIGNAL = {"output": {"min": -1.0, "max": 1.0}}
INTERFACE = parse_interface({"interface": {"name": "calls", "macro_step": 0.01}, "signals": {"s": SIGNAL}}, "test")
LIMITS = ("output.min", "output.max")


class NativeCalls:
    """A native FMU of either version."""

    def __init__(self, path, folder):
        self.instance = Native(path, folder)
        self.variables, self.get = self.instance.variables, self.instance.get

    def enter(self):
        assert self.instance.enter() == OK

    def put(self, values):
        """Set real variables in one call; return what was refused and why."""
        numbers = (ct.c_uint32 * len(values))(*(self.variables[name].valueReference for name in values))
        fmi3 = self.instance.fmi == "3"
        count = ct.c_size_t(len(values))
        array = (ct.c_double * len(values))(*values.values())
        status = self.instance.call("SetFloat64" if fmi3 else "SetReal", numbers, count, array, *[count] * fmi3)
        assert status in (OK, ERROR if fmi3 else DISCARD)
        return "" if status == OK else self.instance.messages[-1][2]

    def step(self, time, size):
        assert self.instance.step(time, size) == OK


class PythonCalls:
    """The Python FMU, called as its loader does."""

    def __init__(self):
        driver = PythonDriver(interface=INTERFACE)
        self.slave, self.references, self.get = driver.slave, driver.references, driver.get
        self.step = driver.step

    def enter(self):
        """Begin anew, in Initialization Mode."""
        self.slave.state, self.slave.seen, self.slave.running = reset(self.slave.settings), None, False
        self.slave.enter_initialization_mode()

    def put(self, values):
        before = len(self.slave.log_queue)
        self.slave.set_real([self.references[name] for name in values], list(values.values()))
        return "".join(message.msg for message in self.slave.log_queue[before:])


@pytest.fixture(params=["2", "3", "python"])
def coupling(request, tmp_path):
    """Return a coupling with the limits -1 and 1."""
    if request.param == "python":
        return PythonCalls()
    made = NativeCalls(build_coupling_fmu(INTERFACE, "s", tmp_path, fmi=request.param), tmp_path / "x")
    request.addfinalizer(made.instance.free)
    return made


@pytest.fixture
def running(coupling):
    """Return it after initialisation."""
    if isinstance(coupling, NativeCalls):
        coupling.instance.initialise()
    return coupling


@pytest.mark.parametrize("limits", [(2.0, 3.0), (-3.0, -2.0), (1.0, 1.0)])
@pytest.mark.parametrize("names", [LIMITS, LIMITS[::-1]])
def test_both_limits_move_beyond_the_old_ones_in_one_call(running, limits, names):
    new = dict(zip(LIMITS, limits, strict=True))
    assert running.put({name: new[name] for name in names}) == ""
    assert tuple(map(running.get, LIMITS)) == limits


@pytest.mark.parametrize("names", [LIMITS, LIMITS[::-1]])
def test_limits_that_cross_change_neither(running, names):
    new = {"output.min": 0.75, "output.max": 0.5}
    assert running.put({"y": 0.25} | {name: new[name] for name in names}).startswith("output.min = 0.75, allowed up to")
    assert (*map(running.get, LIMITS), running.get("y")) == (-1.0, 1.0, 0.25)


def test_a_value_out_of_range_leaves_the_others_of_its_call(running):
    assert "output.max" in running.put({"output.min": -2.0, "output.max": math.nan})
    assert tuple(map(running.get, LIMITS)) == (-2.0, 1.0)


@pytest.mark.parametrize("refused", [{"output.max": math.nan}, {"output.min": 2.0}, {}])
def test_a_call_that_is_refused_leaves_the_outputs_of_the_last_step(running, refused):
    for step, y in enumerate((0.0, 0.25)):
        running.put({"y": y})
        running.step(0.01 * step, 0.01)
    before = running.get("y_hat")
    assert bool(running.put(refused)) == bool(refused)
    assert running.get("y_hat") == before == 0.5
    running.put({"y": 0.25})
    assert running.get("y_hat") == 0.25


def test_a_start_time_is_shown_at_once(coupling):
    if isinstance(coupling, PythonCalls):
        coupling.slave.running = False
        coupling.slave.setup_experiment(5.0)
    elif coupling.instance.fmi == "2":
        assert coupling.get("time") == 0.0
        zero, five = map(ct.c_double, (0.0, 5.0))
        assert coupling.instance.call("SetupExperiment", 0, zero, five, 0, zero) == OK
    else:
        assert coupling.get("time") == 0.0
        assert coupling.instance.enter(5.0) == OK
    assert coupling.get("time") == 5.0


def test_a_state_saved_before_a_negative_start_time_is_taken_back(coupling):
    if isinstance(coupling, PythonCalls):
        coupling.slave.state, coupling.slave.running = reset(coupling.slave.settings), False
        coupling.slave.setup_experiment(-5.0)
        coupling.slave._set_fmu_state(coupling.slave._get_fmu_state())
        assert not coupling.slave.log_queue
        return
    assert coupling.instance.enter(-5.0) == OK
    status, state = coupling.instance.deserialise(coupling.instance.serialise())
    assert status == OK and coupling.instance.restore(state) == OK


@pytest.mark.parametrize("value", [-math.inf, math.nan, -5.0])
def test_before_initialisation_ends_no_estimate_comes_from_limits_that_are_refused(coupling, value):
    coupling.enter()
    before = coupling.get("y_hat")
    coupling.put({"output.max": value})
    assert coupling.get("y_hat") == before
    assert coupling.put({"output.max": 3.0, "y": 2.0}) == ""
    assert coupling.get("y_hat") == 2.0
