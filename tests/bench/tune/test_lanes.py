"""Lanes: what is given is what a coupling FMU alone would give, and errors are those of the estimates."""

import numpy as np
import pytest

from couplant.bench import load_bench
from couplant.bench.tune.dry import run_plain
from couplant.bench.tune.lanes import FADE, FIRST_LANE, Lane, Lanes, Truth, WireLane
from couplant.bench.tune.meter import Meter
from couplant.cosim.fmu.component import LocalComponent, Port
from couplant.cosim.fmu.load import FmuLibrary
from tests.bench.tune.benches import tried, write_bench

H = 0.01


class Fixed(LocalComponent):
    """Estimates a constant."""

    def __init__(self, value):
        super().__init__("fixed", [Port("y", causality="input"), Port("y_time", causality="input"), Port("y_hat")])
        self.value, self.freed = value, False

    def reader(self, names):
        return lambda: [self.value if name == "y_hat" else 0.0 for name in names]

    def free(self):
        self.freed = True


def begun(*values):
    """Return lanes that have begun, the first with the first value, others added."""
    made = Lanes("lanes", Lane(Fixed(values[0]), {}), [], H, 0.0)
    made.start(0.0, {})
    made.begin()
    for key, value in enumerate(values[1:], start=2):
        made.add(key, Fixed(value))
    return made


def feed(made, n, value, age=3):
    made.writer(["y", "y_time"])([value, (n - age) * H])
    found = made.reader(["y_hat"])()[0]
    made.step(n * H, H)
    made.advance()
    return found


@pytest.mark.parametrize("algorithm", ["wire", "auto"])
@pytest.mark.parametrize(("jitter", "loss"), [(0.0, 0.0), (1.5, 0.05)])
def test_a_bench_on_which_nothing_is_tried_is_the_plain_one_bit_for_bit(algorithm, jitter, loss, tmp_path):
    path = write_bench("cart", tmp_path, jitter=jitter, loss=loss, duration=4.0, algorithms=[algorithm])
    loaded = load_bench(path)
    _, run = tried(path, tmp_path / "tuned")
    with FmuLibrary() as library:
        records, _ = run_plain(loaded, algorithm, library, tmp_path / "plain")
    for ours, plain in zip(run.records, records, strict=True):
        assert ours.estimate.tobytes() == plain.estimate.tobytes()
        assert ours.sent.tobytes() == plain.sent.tobytes()


def test_the_error_is_that_of_the_estimate_for_the_time_at_which_a_value_was_sent():
    made = begun(1.0, 3.0)
    for n in range(10):
        feed(made, n, 2.0 + n)
    truth = made.truths[-1]
    assert (truth.known, truth.age, truth.value) == (9, 3, 11.0)
    assert truth.errors == {0: (2.0 + 6) - 11.0, FIRST_LANE: 1.0 - 11.0, 2: 3.0 - 11.0}
    assert len({(one.known - one.age) for one in made.truths}) == len(made.truths) == 7


def test_a_value_sent_between_macro_points_is_compared_with_what_is_between_the_estimates():
    made = begun(1.0)
    for n in range(6):
        made.lanes[FIRST_LANE].value = float(n)
        feed(made, n, 2.0, age=1.75)
    assert made.truths[-1].errors[FIRST_LANE] == pytest.approx(3.25 - 2.0)


def test_a_lane_fades_over_in_some_macro_steps_and_is_taken_back_at_once():
    made = begun(0.0, 1.0)
    feed(made, 0, 0.0)
    made.give(2)
    seen = [feed(made, n, 0.0) for n in range(1, FADE + 3)]
    assert np.all(np.diff(seen[: FADE + 1]) > 0.0)
    assert seen[FADE:] == [1.0, 1.0]
    made.give(FIRST_LANE, fade=False)
    assert feed(made, 8, 0.0) == 0.0


def test_a_slope_sees_no_lane_fade_over():
    """Event timing reads an estimate twice in a step: a change between would be a jump over a small time."""
    made = begun(0.0, 1.0)
    feed(made, 0, 0.0)
    made.give(2)
    read = made.reader(["y_hat"])
    before = read()
    made.step(H, H / 2)
    assert read() == before


def test_a_lane_that_leaves_is_taken_out_when_nothing_fades_over_from_it():
    made = begun(0.0, 1.0)
    lane = made.lanes[2]
    made.give(2, fade=False)
    made.give(FIRST_LANE)
    made.leave(2)
    for n in range(FADE + 2):
        assert (2 in made.lanes) == (n <= FADE - 1)
        feed(made, n, 0.0)
    assert not lane.freed
    assert made.leavers() == [lane]
    assert made.leavers() == []


def test_what_was_taken_out_is_freed_with_the_rest_where_nobody_asked_for_it():
    made = begun(0.0, 1.0)
    lane = made.lanes[2]
    made.drop(2)
    assert not lane.freed
    made.free()
    assert lane.freed


def test_the_wire_holds_the_newest_value_by_its_stamp():
    wire = WireLane("wire", 5.0)
    read, write = wire.reader(["y_hat"]), wire.writer(["y", "y_time", "y_valid"])
    assert read() == [5.0]
    for *values, shown in [(1.0, 0.2, 1.0, 1.0), (2.0, 0.1, 1.0, 1.0), (3.0, 0.3, 0.0, 1.0), (4.0, 0.3, 1.0, 4.0)]:
        write(values)
        assert read() == [shown]


def ringing(size, decay, count=200):
    """Return a meter of one signal, of the size 1 when it was recorded, that rings and dies away."""
    made, n = begun(0.0), np.arange(count)
    for i, value in enumerate(size * np.exp(-decay * n) * np.sin(0.5 * n)):
        made.truths.append(Truth(i, 3, value, {FIRST_LANE: value}, FIRST_LANE))
    return Meter({"y": made}, {"y": 1.0})


@pytest.mark.parametrize("decay", [0.0, 0.002, 0.02])
def test_what_rings_is_known_by_how_it_dies_away(decay):
    assert ringing(1000.0, decay).ring(100) == pytest.approx(np.exp(-50.0 * decay), rel=0.02)
    assert ringing(1.0, decay).ring(100) is None


def test_the_course_of_an_error_has_a_mean_for_each_window():
    found = ringing(1.0, 0.0).course(FIRST_LANE, 50)
    values = np.sin(0.5 * np.arange(200)).reshape(4, 50)
    assert [*found] == [0, 1, 2, 3]
    assert [*found.values()] == pytest.approx(np.sqrt(np.mean(values**2, axis=1)))
