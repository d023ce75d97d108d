"""Tables of every generic algorithm and of given weights."""

import numpy as np
import pytest

from couplant.analysis import GENERIC, generic
from couplant.analysis.exact.tables import tables_of_generic, tables_of_weights
from couplant_runtime.config import Weights
from couplant_runtime.generated.numbers import HORIZONS
from tests.analysis.exact import oracle

SHORT = 2.0**-32


@pytest.mark.sample(2)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("name", GENERIC)
def test_every_horizon_by_numpy(name, timing):
    """Large weights that cancel are as many times less exact."""
    step = timing == "step"
    zeta, delta = tables_of_generic(name, step)
    assert len(zeta) == len(delta) == HORIZONS
    assert (zeta[0], delta[0]) == (0.0, 0.0)
    for k in range(65):
        one = generic(name, k)
        size = 1.0 if name == "smb" else np.abs(one.a).sum()
        expected = oracle.tolerance(one, timing)
        assert (zeta[k + step], delta[k + step]) == pytest.approx(expected, rel=SHORT + 5e-12 + 1e-14 * size)
    if not step:
        assert (zeta[65], delta[65]) == (zeta[64], delta[64])


@pytest.mark.parametrize("step", [False, True])
def test_weights_stand_at_their_horizon(step):
    entries = tuple(Weights(k, generic("eros3", k).a, generic("eros3", k).A) for k in (0, 4, 64))
    zeta, delta = tables_of_weights(entries, 0.0, step)
    whole = tables_of_generic("eros3", step)
    for at in range(HORIZONS):
        there = at - step in (0, 4, 64)
        assert (zeta[at], delta[at]) == ((whole[0][at], whole[1][at]) if there else (0.0, 0.0))
