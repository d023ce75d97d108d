import pytest

from tests.kernel.library import Kernel
from tests.twin.scenario import plain_settings


@pytest.fixture
def settings():
    return plain_settings()


@pytest.fixture
def kernel(settings):
    return Kernel(settings)
