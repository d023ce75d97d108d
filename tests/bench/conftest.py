"""The bench of the example in virtual time, built once."""

import pytest

from tests.bench.virtual import Bench, FmuLibrary, solve_reference


@pytest.fixture(scope="session")
def library():
    with FmuLibrary() as found:
        yield found


@pytest.fixture(scope="session")
def bench(library, tmp_path_factory):
    """Return the example on a clock of its own."""
    return Bench(library, tmp_path_factory.mktemp("bench"))


@pytest.fixture(scope="session")
def reference(bench):
    """Return the delay-free reference of the example."""
    return solve_reference(bench.loaded)
