"""Prototypes and networks built once, driven through ctypes."""

import pytest

from couplant.pack.models import build_model_fmu
from tests.native import Native
from tests.prototypes import model


@pytest.fixture(scope="session")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {name: build_model_fmu(name, folder) for name in ("mass_1", "mass_1_stop", "mass_2", "network")}


@pytest.fixture
def make(fmus, tmp_path):
    """Return a function that makes an initialised instance of a model."""
    instances = []

    def initialised(name, start=0.0, **values):
        instance = Native(fmus[name], tmp_path / str(len(instances)))
        instances.append(instance)
        return instance.initialise(start, **values)

    yield initialised
    for instance in instances:
        instance.free()


@pytest.fixture
def built(tmp_path):
    """Return a function that builds a model with start values and returns an instance that is not initialised."""
    made = []

    def one(name, fmi="2", **starts):
        path = build_model_fmu(model(name), tmp_path, fmi=fmi, file_name=f"{name}_{len(made)}", **starts)
        made.append(Native(path, tmp_path / str(len(made))))
        return made[-1]

    yield one
    for instance in made:
        instance.free()
