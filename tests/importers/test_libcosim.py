"""Coupling FMUs of FMI 2.0 in libcosim, the core of the Open Simulation Platform."""

import pytest

from tests.importers import checks
from tests.importers.conftest import outcome, require


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    require("libcosimpy", "libcosimpy.CosimExecution", least_python=(3, 11))
    return outcome("libcosim", tmp_path_factory.mktemp("fmus"))


def test_steps_continue(report):
    for records in report["records"].values():
        checks.steps_continue(records)


def test_outputs_are_those_of_the_python_runtime_bit_for_bit(report):
    checks.outputs_are_those_of_the_python_runtime(report)


def test_receivers_get_the_estimate_of_the_step_before_which_is_valid_for_the_start_of_theirs(report):
    for records in report["records"].values():
        given = [record.outputs["y_hat"] for record in records]
        assert [record.received for record in records[1:]] == given[:-1]


def test_estimates_make_up_for_the_latency(report):
    checks.estimates_make_up_for_the_latency(report)
