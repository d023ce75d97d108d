"""The crane in libcosim and Ecos: the motion of example 10, and its energy as an FMU that watches the bond tells it."""

import json
import sys

import numpy as np
import pytest

from couplant.config.ref import Ref
from couplant.cosim.run.reference import Reference
from tests.cosim.conftest import EXAMPLES
from tests.importers.conftest import require
from tests.importers.crane import STEPS
from tests.isolated import isolated
from tests.unwired import simulate

NEEDED = {"ecos": ("ecospy", "ecospy.lib"), "libcosim": ("libcosimpy", "libcosimpy.CosimExecution", (3, 11))}
LATE = {"ecos": 0, "libcosim": 1}
"""Steps by which the energy is told late: Ecos sets inputs before it reads."""


@pytest.fixture(scope="module")
def ours():
    """Return length of the cylinder and residual energy of example 10 after each step."""
    with pytest.MonkeyPatch.context() as patch:
        none = Reference({Ref("arm", "s"): np.zeros(STEPS + 1)}, 1, 0.0)
        patch.setattr(sys.modules["couplant.cosim.simulate"], "solve", lambda *_: none)
        (run,) = simulate(EXAMPLES / "10_crane" / "scenario.toml").runs
    return run.traces["s"].sent[1:], run.bonds["cylinder"].residual


@pytest.mark.sample(1)
@pytest.mark.parametrize(("tool", "fmi"), [("ecos", "2"), ("ecos", "3"), ("libcosim", "2")])
def test_the_crane_moves_as_in_the_example_and_its_bond_is_watched(tmp_path, ours, tool, fmi):
    require(*NEEDED[tool])
    found = json.loads(isolated("tests.importers.crane", tmp_path, tool, fmi)[-1])
    lengths, energies = ours
    assert found["lengths"] == pytest.approx(lengths, abs=1e-12)
    assert found["energies"][LATE[tool] :] == pytest.approx(energies[: STEPS - LATE[tool]], abs=1e-9)
