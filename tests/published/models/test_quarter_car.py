"""The half of a quarter car against forward Euler by hand."""

import math

import pytest

from couplant.pack.models import build_model_fmu
from tests.native import Native
from tests.prototypes import PUBLISHED


def by_hand(root, parts, h, velocity, force):
    """x, v, f after a step from rest: mass 40, spring 150e3 to 0.1, suspension 15e3 and 1000."""
    x = v = e = 0.0
    for _ in range(parts):
        pull = suspension(root, e, velocity - v)
        x, v, e = (
            x + h / parts * v,
            v + h / parts * (pull + force - 150e3 * (x - 0.1)) / 40.0,
            e + h / parts * (velocity - v),
        )
    return x, v, -suspension(root, e, velocity - v)


def suspension(root, e, w):
    return 15e3 * e + 1000.0 * (math.copysign(math.sqrt(abs(w)), w) if root else w)


@pytest.mark.parametrize("parts", [1, 10])
@pytest.mark.parametrize("root", [False, True])
def test_a_step_is_euler_in_parts(tmp_path, root, parts):
    starts = {"suspension.root": root, "parts": parts}
    path = build_model_fmu(PUBLISHED / "quarter_car", tmp_path, **starts)
    car = Native(path, tmp_path / "run").initialise(0.0, velocity=0.3, force=-50.0)
    assert car.get("f") == -suspension(root, 0.0, 0.3)
    ((x, v, f),) = car.run(1, 0.01, "x", "v", "f")
    assert [x, v, f] == pytest.approx(by_hand(root, parts, 0.01, 0.3, -50.0), rel=1e-12)
    car.free()
