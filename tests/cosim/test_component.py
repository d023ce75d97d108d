"""Recordings in place of prototypes: values between samples, no parameters."""

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.cosim.fmu.component import Kept, RecordingComponent, kept_output
from couplant.tables import Series


def recorded(time, values):
    return RecordingComponent("r", Series({"a": (np.array(time), np.array(values))}))


def test_values_between_samples_lie_on_the_line():
    component = recorded([0.0, 1.0, 3.0], [0.0, 10.0, -10.0])
    read = component.reader(["a"])
    component.start(0.0, {})
    seen = [read()[0]]
    for n in range(6):
        component.step(n * 0.5, 0.5)
        seen.append(read()[0])
    assert np.allclose(seen, [0, 5, 10, 5, 0, -5, -10])


@pytest.mark.parametrize("step", [0.01, 0.02, 0.1, 1e-3])
def test_at_the_times_of_samples_they_are_given_out_bit_for_bit(step):
    """Times of a run are sums of steps, which round; a line between samples would round the values."""
    values = np.random.default_rng(3).standard_normal(2000)
    component = recorded(np.array([float(f"{step * n:.9g}") for n in range(2000)]), values)
    read = component.reader(["a"])
    component.start(0.0, {})
    seen, late = [read()[0]], 0
    for n in range(1999):
        component.step(n * step, step)
        late += n * step + step != float(f"{step * (n + 1):.9g}")
        seen.append(read()[0])
    assert late > 100 and seen == values.tolist()


def test_a_recording_has_no_parameters():
    component = recorded([0.0, 1.0], [1.0, 2.0])
    with pytest.raises(UsageError, match="r is a recording"):
        component.start(0.0, {"gain": 2.0})


def test_what_is_kept_comes_a_step_later():
    """Read before the next inputs are set, or in its turn, at the end of the step for which they are set."""
    for turns, expected in ((False, [1.0, 2.0, 3.0]), (True, [0.5, 1.0, 2.0])):
        one = Kept("one", ("u",), turns)
        one.start(0.0, {})
        write, read = one.writer(["u"]), one.reader([kept_output("u")])
        write([0.5])
        one.begin()
        assert read() == [0.5]
        found = []
        for value in (1.0, 2.0, 3.0):
            write([value])
            one.step(0.0, 0.1)
            found += read()
        assert found == expected


def test_what_is_kept_is_saved_and_restored():
    one = Kept("one", ("u",), turns=True)
    write, read = one.writer(["u"]), one.reader([kept_output("u")])
    one.begin()
    write([1.0])
    one.step(0.0, 0.1)
    one.save()
    write([2.0])
    one.step(0.1, 0.1)
    one.restore()
    one.step(0.1, 0.1)
    assert read() == [1.0]
