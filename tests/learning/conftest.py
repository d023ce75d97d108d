import numpy as np
import pytest

from couplant_runtime.learning.neural import Neural
from tests.learning.coupling import EROS3


@pytest.fixture
def net():
    """The network of the dissertation at k = 3: 4-2-1 from EROS3."""
    a, slopes = EROS3
    return Neural(3, 4, 2, 0.01, False, 4, tuple(a), tuple(slopes))


@pytest.fixture
def bent():
    """The same with offsets."""
    a, slopes = EROS3
    return Neural(3, 4, 2, 0.01, False, 4, tuple(a), tuple(slopes), offsets=True)


@pytest.fixture(params=["net", "bent"])
def either(request):
    """Both of them."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def chance():
    return np.random.default_rng(7)
