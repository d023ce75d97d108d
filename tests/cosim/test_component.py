"""Recordings in place of prototypes: values between samples, no parameters."""

import numpy as np
import pytest

from couplant.cosim.component import RecordingComponent
from couplant.errors import UsageError
from couplant.tables import Series


def recorded(time, values):
    return RecordingComponent("r", Series(np.array(time), {"a": np.array(values)}))


def test_values_between_samples_lie_on_the_line():
    component = recorded([0.0, 1.0, 3.0], [0.0, 10.0, -10.0])
    read = component.reader(["a"])
    component.start(0.0, {})
    seen = [read()[0]]
    for n in range(6):
        component.step(n * 0.5, 0.5)
        seen.append(read()[0])
    assert np.allclose(seen, [0, 5, 10, 5, 0, -5, -10])


def test_a_recording_has_no_parameters():
    component = recorded([0.0, 1.0], [1.0, 2.0])
    with pytest.raises(UsageError, match="r is a recording"):
        component.start(0.0, {"gain": 2.0})
