"""FMUs of two masses and of networks, built once; archives made of them."""

import pytest

from couplant.pack import build_model_fmu
from tests.cli.conftest import couplant
from tests.elsewhere.ssp import systems

__all__ = ["couplant"]


@pytest.fixture(scope="session")
def masses(tmp_path_factory):
    """Return the FMUs of the two masses by version of FMI, by their names in an archive."""
    found = {}
    for fmi in ("2", "3"):
        folder = tmp_path_factory.mktemp(f"masses{fmi}")
        paths = {name: build_model_fmu(name, folder, fmi=fmi) for name in ("mass_1", "mass_2")}
        found[fmi] = {f"resources/{name}.fmu": path.read_bytes() for name, path in paths.items()}
    return found


@pytest.fixture(scope="session")
def networks(tmp_path_factory):
    """Return the FMUs of networks of 60 ms by version of FMI, by their names in an archive."""
    found = {}
    for fmi in ("2", "3"):
        folder = tmp_path_factory.mktemp(f"networks{fmi}")
        given = {"fmi": fmi, "macro_step": systems.STEP, "latency.seconds": systems.LATENCY}
        found[fmi] = {}
        for signal, unit in systems.UNITS.items():
            path = build_model_fmu("network", folder, file_name=f"net_{signal}", unit=unit, **given)
            found[fmi][f"resources/{path.name}"] = path.read_bytes()
    return found


@pytest.fixture
def flat(tmp_path, masses):
    """Return the archive of two masses."""
    return systems.archive(tmp_path / "flat.ssp", systems.flat(), masses["2"])
