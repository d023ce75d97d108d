"""Native FMUs built once for all tests of the frame."""

import pytest

from couplant.pack.models import build_model_fmu
from tests.native import Native
from tests.prototypes import model


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return a function that builds a model once for each version and set of start values."""
    folder, kept = tmp_path_factory.mktemp("built"), {}

    def build(name, fmi="2", **settings):
        key = (name, fmi, repr(sorted(settings.items())))
        if key not in kept:
            kept[key] = build_model_fmu(model(name), folder, fmi=fmi, file_name=f"{name}-{len(kept)}", **settings)
        return kept[key]

    return build


@pytest.fixture(params=["2", "3"])
def fmi(request):
    return request.param


@pytest.fixture
def load(built, tmp_path):
    """Return a function that makes an instance of a model; all are freed in the end."""
    instances = []

    def make(name="mass_2", fmi="2", settings=None, **more):
        instance = Native(built(name, fmi, **(settings or {})), tmp_path / str(len(instances)), **more)
        instances.append(instance)
        return instance

    yield make
    for instance in instances:
        if instance.component:
            instance.free()
