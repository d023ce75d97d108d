"""What the probe measures in importers, in both orders of the components."""

import json

import pytest

from tests.importers import checks
from tests.importers.conftest import require
from tests.isolated import isolated

FIRST = ("coupling", "prototype")
NEEDS = {
    "libcosim": (("libcosimpy", "libcosimpy.CosimExecution"), {"least_python": (3, 11)}),
    "ecos": (("ecospy", "ecospy.lib"), {}),
    "fmucontainer": (("fmu_manipulation_toolbox", "fmu_manipulation_toolbox.assembly"), {}),
}
JACOBI = {
    **{"libcosim": "libcosim", "ecos": "Ecos", "fmpy": "FMPy"},
    **{"fmucontainer": "fmucontainer", "fmucontainer -mt": "fmucontainer"},
}
"""Their names in the table of the documentation."""


@pytest.fixture
def measure(tmp_path):
    """Return a function that returns what the probe measures in a host."""

    def measured(host, first, fmi="2"):
        needed, more = NEEDS.get(host.split()[0], ((), {}))
        if needed:
            require(*needed, **more)
        return json.loads(isolated("tests.importers.probes", host, tmp_path, fmi, first)[-1])

    return measured


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("host", JACOBI)
def test_outputs_with_direct_feedthrough_come_one_step_late(measure, host, first):
    checks.probes_measure(measure(host, first), (0, 0, 1), "`jacobi`", JACOBI[host])


@pytest.mark.landing("another version of the standard in another host")
def test_ecos_does_the_same_with_fmi_3(measure):
    checks.probes_measure(measure("ecos", "coupling", fmi="3"), (0, 0, 1), "`jacobi`", "Ecos")


@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("first", FIRST)
def test_our_own_master_reads_again(measure, first, fmi):
    checks.probes_measure(measure("couplant", first, fmi), (0, 0, 0))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("first", "leads"), [("coupling", (-1, 0, 1)), ("prototype", (0, -1, 1))])
def test_sequentially_who_steps_first_gives_a_step_early(measure, first, leads):
    checks.probes_measure(measure("fmucontainer -sequential", first), leads, "`sequential`", "fmucontainer")
