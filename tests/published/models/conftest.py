"""Published prototypes, built from their sources and driven through ctypes."""

from tests.models.conftest import built  # noqa: F401
