"""A run of the tests ends, however it was started, and names what hangs."""

import sys
from pathlib import Path

import pytest

from tests import commands

ROOT = Path(__file__).resolve().parents[1]
ABOUT_SIGNALS = (
    "tests/cosim/test_foreign.py::test_control_c_ends_an_fmu_that_hangs",
    "tests/sweep/test_foreign.py::test_control_c_ends_points_that_hang",
    "tests/cli/test_stop.py::test_what_ends_a_command_lets_it_tidy_up",
    "tests/cli/test_router.py::test_it_runs_until_control_c_and_says_when_a_port_is_taken",
    "tests/elsewhere/helics/test_failures.py::test_the_command_is_stopped_or_killed",
)
HANGING = """
import threading

def test_that_waits_for_ever():
    threading.Event().wait()

def test_after_it():
    pass
"""


def pytest_of(*words, before=""):
    """Run pytest as a script of the shell starts it, behind the words `before`."""
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    script = ["sh", "-c", f'{before} exec "$@"', "sh", *run]
    return commands.run(script, cwd=ROOT, capture_output=True, text=True, timeout=900.0)


@pytest.mark.landing("runs tests of half a minute once more, behind nohup in the background")
@pytest.mark.timeout(1000)
@pytest.mark.needs_system("sh", "ps")
def test_a_run_that_ignores_signals_hears_them_where_tests_need_it():
    done = pytest_of("-m", "", *ABOUT_SIGNALS, before="trap '' INT HUP;")
    assert done.returncode == 0, done.stdout


@pytest.mark.needs_system("sh")
def test_a_test_that_hangs_is_ended_and_named(tmp_path):
    path = tmp_path / "test_hanging.py"
    path.write_text(HANGING, encoding="utf-8")
    done = pytest_of("--rootdir", str(tmp_path), "--timeout=1", str(path))
    assert "test_that_waits_for_ever" in done.stdout and "1 failed, 1 passed" in done.stdout, done.stdout
