"""FMI 3 Event Mode: a master that goes by the book gets the published figures of the oscillator."""

from __future__ import annotations

import ctypes as ct

import fmpy
import numpy as np
import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from tests.cosim import oracle
from tests.native import ERROR, OK, Native

K, STEP = 3, 0.02
PUBLISHED = {  # MAE against the delay-free reference, C
    "zoh": (1.201901, 9.6255),
    "foh": (0.033265, 2.1073),
    "smb": (0.034386, 2.4605),
    "eros3": (0.007821, 0.7052),
    "eros4": (0.006440, 0.6189),
}
SIGNALS = ("x1", "v1", "f")


def interface(algorithm="eros3", timing="event"):
    signal = {"algorithm": algorithm, "latency": {"constant_steps": K}}
    head = {"name": "book", "macro_step": STEP, "timing": timing}
    return parse_interface({"interface": head, "signals": {"s": signal}}, "book")


@pytest.fixture(scope="module")
def couplings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("couplings")

    def build(algorithm="eros3", timing="event"):
        return build_coupling_fmu(interface(algorithm, timing), "s", folder / f"{algorithm}-{timing}", fmi="3")

    return build


class Component(Native):
    """An FMU in Event Mode, with the calls that the book wants."""

    def __init__(self, path, folder, **values):
        super().__init__(path, folder, event_mode=True, early=True)
        assert self.component, self.messages
        self.initialise(**values)

    def update(self):
        """Iterate the event; return the time of the next one, or infinity."""
        again = ct.c_bool(True)
        while again.value:
            flags, next_time = [ct.c_bool() for _ in range(4)], ct.c_double()
            answers = [again, *flags, next_time]
            assert self.call("UpdateDiscreteStates", *map(ct.byref, answers)) == OK
        return next_time.value if flags[3].value else np.inf

    def slope(self, name):
        """Return the output derivative."""
        reference = (ct.c_uint32 * 1)(self.variables[name].valueReference)
        order, value, one = (ct.c_int32 * 1)(1), (ct.c_double * 1)(), ct.c_size_t(1)
        assert self.call("GetOutputDerivatives", reference, one, order, value, one) == OK
        return value[0]


class Book:
    """The oscillator of two prototypes and three couplings; the network is a delay of K macro steps."""

    def __init__(self, models, coupling, folder):
        self.masses = [Component(path, folder / path.stem) for path in models]
        self.channels = {name: Component(coupling, folder / name) for name in SIGNALS}
        self.all = [*self.masses, *self.channels.values()]
        self.sent = {name: [] for name in SIGNALS}
        self.estimate = {name: [] for name in SIGNALS}

    def exchange(self, name, value, receiver):
        """Send a value; hand what comes out at this event to the receiver, with its slope."""
        channel, history = self.channels[name], self.sent[name]
        history.append(value)
        assert channel.set("y", history[-1 - K] if len(history) > K else 0.0) == OK
        estimate = channel.get("y_hat")
        assert channel.get("y_hat") == estimate
        self.estimate[name].append(estimate)
        assert receiver.set(name, estimate) == OK
        assert receiver.set(f"{name}.slope", channel.slope("y_hat")) == OK

    def event(self):
        """Exchange everything in the order of its dependence; return the time of the next event."""
        one, two = self.masses
        for name in ("x1", "v1"):
            self.exchange(name, one.get(name), two)
        self.exchange("f", two.get("f"), one)
        return min(component.update() for component in self.all)

    def step(self, time, end):
        """Step to the event; return where the components stopped."""
        for component in self.all:
            assert component.call("EnterStepMode") == OK
            assert component.step(time, end - time) == OK, component.messages
        needed = [component.answers[0].value for component in self.channels.values()]
        ends = {component.answers[3].value for component in self.all}
        assert all(needed) and len(ends) == 1
        for component in self.all:
            assert component.call("EnterEventMode") == OK
        return ends.pop()

    def run(self, count):
        time = 0.0
        for n in range(count):
            next_time = self.event()
            assert next_time == pytest.approx((n + 1) * STEP, abs=1e-12)
            time = self.step(time, next_time)
        for component in self.all:
            component.free()
        return [np.array([rows[name] for name in SIGNALS]).T for rows in (self.sent, self.estimate)]


@pytest.fixture
def oscillator(built, couplings, tmp_path):
    return lambda algorithm: Book(
        [built("mass_1", "3"), built("mass_2", "3")], couplings(algorithm), tmp_path / algorithm
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("algorithm", PUBLISHED)
def test_the_published_figures(oscillator, algorithm):
    sent, estimate = oscillator(algorithm).run(1251)
    expected = oracle.simulate(algorithm, "event", oracle.Case())
    assert np.abs(estimate - expected.estimate).max() < 1e-9 * np.abs(expected.estimate).max()
    mae, c = PUBLISHED[algorithm]
    assert np.abs(estimate - expected.reference).mean(axis=0).sum() == pytest.approx(mae, rel=1e-3)
    m = np.abs(np.sqrt((estimate**2).sum(0) / (sent**2).sum(0)) - 1.0)
    cosine = (sent * estimate).sum(0) / np.sqrt((sent**2).sum(0) * (estimate**2).sum(0))
    p = np.arccos(np.clip(cosine, -1.0, 1.0)) / np.pi
    assert 100.0 * np.hypot(m, p).sum() == pytest.approx(c, rel=1e-3)


def test_a_step_stops_at_the_macro_point_or_is_refused(couplings, tmp_path):
    component = Component(couplings(), tmp_path / "a")
    assert component.update() == STEP
    component.call("EnterStepMode")
    assert component.step(0.0, 0.5 * STEP) == OK
    assert [answer.value for answer in component.answers] == [False, False, False, 0.5 * STEP]
    assert component.step(0.5 * STEP, 3.0 * STEP) == OK
    assert [answer.value for answer in component.answers] == [True, False, True, STEP]
    component.free()
    strict = Native(couplings(), tmp_path / "b", event_mode=True).initialise()
    strict.call("EnterStepMode")
    assert strict.step(0.0, STEP) == OK and strict.answers[0].value and not strict.answers[2].value
    strict.free()


def test_previews_in_event_mode_are_repeatable_and_committed_by_the_next_step(couplings, tmp_path):
    one, other = (Component(couplings("eros3"), tmp_path / name) for name in "ab")
    for n in range(12):
        for probe in (5.0, -3.0, np.sin(0.3 * n)):
            one.set("y", probe)
            seen = one.get("y_hat"), one.get("algorithm.active"), one.get("quality.error")
            assert (one.get("y_hat"), one.get("algorithm.active"), one.get("quality.error")) == seen
        other.set("y", np.sin(0.3 * n))
        for component in (one, other):
            component.update()
            component.call("EnterStepMode")
            assert component.step(n * STEP, STEP) == OK
        assert one.get("quality.error") == seen[2]
        for component in (one, other):
            component.call("EnterEventMode")
    assert one.serialise() == other.serialise()
    one.free(), other.free()


def test_event_mode_must_be_there_and_asked_for(couplings, tmp_path):
    refused = Native(couplings("eros3", "step"), tmp_path / "a", event_mode=True)
    assert refused.component is None and "Event Mode" in refused.messages[-1][2]
    plain = Native(couplings(), tmp_path / "b").initialise()
    assert plain.call("EnterEventMode") == ERROR
    assert plain.step(0.0, STEP) == OK and not plain.answers[0].value
    plain.free()


@pytest.mark.parametrize("event_mode", [False, True])
def test_the_loop_of_fmpy_runs_it(couplings, event_mode):
    path = str(couplings("eros3"))
    time = np.arange(200) * STEP
    signal = np.rec.fromarrays([time, np.sin(2.0 * time)], names=["time", "y"])
    rows = fmpy.simulate_fmu(
        path, stop_time=2.0, output_interval=STEP, input=signal, output=["y_hat", "state"], use_event_mode=event_mode
    )
    assert rows["state"][-1] == 2
    late = rows["time"] > 1.0
    # the value on y counts as sent K macro steps ago, so the estimate is K macro steps ahead of it
    assert np.abs(rows["y_hat"] - np.sin(2.0 * (rows["time"] + K * STEP)))[late].max() < 0.05
