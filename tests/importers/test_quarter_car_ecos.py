"""The quarter car in Ecos, both versions of the standard: with steps of 1 ms the published energy is created."""

import json

import pytest

from tests.importers.conftest import require
from tests.isolated import isolated


@pytest.mark.landing("a published study")
@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_constant_steps_create_the_published_energy(tmp_path, fmi):
    require("ecospy", "ecospy.lib")
    created = json.loads(isolated("tests.importers.quarter_car_ecos", tmp_path, fmi)[-1])
    assert created == pytest.approx(6.349, rel=0.005)
