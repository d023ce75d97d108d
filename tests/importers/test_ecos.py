"""Coupling FMUs of both versions of the standard in Ecos."""

import pytest

from tests.importers import checks
from tests.importers.conftest import outcome, require
from tests.importers.oscillator import replay


@pytest.fixture(scope="module", params=["2", "3"], ids=["FMI 2", "FMI 3"])
def report(request, tmp_path_factory):
    require("ecospy", "ecospy.lib")
    return outcome("ecos", tmp_path_factory.mktemp("fmus"), request.param)


@pytest.mark.sample(1)
def test_steps_continue(report):
    for records in report["records"].values():
        checks.steps_continue(records)


@pytest.mark.sample(1)
def test_outputs_are_those_of_the_python_runtime_bit_for_bit(report):
    checks.outputs_are_those_of_the_python_runtime(report)


def test_receivers_get_the_estimate_of_the_present_step(report):
    """Ecos sets one connection after the other: read before or after the next input of the coupling FMU was set."""
    for signal, records in report["records"].items():
        for record, step in zip(records, replay(signal, records), strict=True):
            assert record.received in (step.estimate, step.outputs["y_hat"])


def test_estimates_make_up_for_the_latency(report):
    checks.estimates_make_up_for_the_latency(report)
