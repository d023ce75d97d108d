"""ARIMA models against table and equations of the dissertation (3.3) and against predictions made one by one."""

import numpy as np
import pytest

from couplant.analysis import LinearAlgorithm, generic
from couplant.analysis.arima import Arima, arima
from couplant.base.errors import UsageError

TABLE = {
    "zoh": ("ARIMA(0,1,0)", (1,)),  # (3-25)
    "foh": ("ARIMA(0,2,0)", (2, -1)),  # (3-28), which the predictor of a PD controller is too, (3-31)
    "eros3": ("ARIMA(0,3,0)", (3, -3, 1)),  # (3-41)
    "eros4": ("ARIMA(1,3,0)", (3 + 1 / 2, -3 - 3 / 2, 1 + 3 / 2, -1 / 2)),  # (3-42)
}


@pytest.mark.parametrize("name", TABLE)
def test_table_of_the_dissertation(name):
    found = arima(name)
    assert found.name == TABLE[name][0]
    assert found.weights == pytest.approx(TABLE[name][1], abs=1e-12)


def test_the_observer_weighs_its_past_error():
    """(3-34): ŷ_n = 2 y_{n-1} - y_{n-2} + (1 - λΔT) e_{n-1}, λΔT = 0.85 π/2."""
    found = arima("smb")
    assert found.name == "ARIMA(0,2,1)" and found.weights == pytest.approx((2, -1))
    assert found.ma == pytest.approx((1 - 0.85 * np.pi / 2,))
    with pytest.raises(UsageError, match="weighs all past values"):
        found.algorithm(3)


def test_orders_are_counted_in_the_weights_of_any_model():
    """The filter of four weights (3-40) takes no differences; one root at 1 is one difference."""
    assert arima(LinearAlgorithm(0, (1, 0, 0, 0), (-0.8, 0.3, 0.1, -0.2))).name == "ARIMA(4,0,0)"
    assert arima(LinearAlgorithm(0, (1, 0), (-0.5, 0.5))).ar == pytest.approx((-0.5,))


@pytest.mark.parametrize("seed", range(12))
def test_any_model_to_weights_and_back(seed):
    rng = np.random.default_rng(seed)
    p, d, k = (int(rng.integers(*ends)) for ends in ((0, 5), (0, 4), (0, 9)))
    model = Arima(tuple(rng.uniform(-0.7, 0.7, max(p, int(not d)))), d)
    algorithm, past = model.algorithm(k), rng.normal(size=12)
    assert (algorithm.k, algorithm.m) == (k, len(model.ar) + d)
    level, slope = (np.dot(weights, past[: algorithm.m]) for weights in (algorithm.a, algorithm.A))
    start, end = predicted(model, past, k), predicted(model, past, k + 1)
    assert (level, slope) == pytest.approx((start, end - start), rel=1e-9)
    back = arima(algorithm)
    assert back.d == d and back.ar == pytest.approx(model.ar, abs=1e-6)


def predicted(model, past, steps):
    """Carry (3-22) on: past differences of order d, the next of them, added up again d times."""
    series = list(past[::-1])
    for _ in range(steps):
        differences = [np.diff(series, order) for order in range(model.d + 1)]
        new = sum(w * x for w, x in zip(model.ar, differences[-1][::-1], strict=False))
        series.append(new + sum(row[-1] for row in differences[:-1]))
    return series[-1]


def test_zoh_and_foh_are_one_model_at_every_latency_and_eros_is_not():
    for k in (0, 1, 5, 20):
        assert arima(generic("zoh", k)).name == "ARIMA(0,1,0)"
        assert arima(generic("foh", k)).name == "ARIMA(0,2,0)"
        assert Arima((), 2).algorithm(k).a == pytest.approx(generic("foh", k).a)
    for name in ("eros3", "eros4"):
        with pytest.raises(UsageError, match=rf"algorithm {name} at k = 3 is not an ARIMA"):
            arima(generic(name, 3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Arima((), 0), "predicts nothing"),
        (lambda: Arima((0.5,), -1), "d at least 0"),
        (lambda: Arima((float("nan"),), 1), "allowed finite weights"),
        (lambda: arima(generic("smb", 3)), "at k = 1 it is an ARIMA"),
        (lambda: arima("best"), "allowed zoh"),
        (lambda: arima(LinearAlgorithm(2, (0, 1), (0, 0))), "not an ARIMA"),
    ],
)
def test_mistakes_are_one_sentence(make, message):
    with pytest.raises(UsageError, match=message):
        make()
