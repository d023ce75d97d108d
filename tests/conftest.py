"""Tests that need a program of the operating system: skipped where it is absent, except in continuous integration.

Scenario files written by tests.
"""

import os
import shutil

import pytest


def pytest_runtest_setup(item):
    """Look for the programs that `needs_system` names."""
    for marker in item.iter_markers("needs_system"):
        missing = [program for program in marker.args if shutil.which(program) is None]
        if missing and os.environ.get("CI"):
            pytest.fail(f"needs {', '.join(missing)}: continuous integration has to install it", pytrace=False)
        if missing:
            pytest.skip(f"needs {', '.join(missing)}")


@pytest.fixture
def scenario(tmp_path):
    """Return a function that writes a scenario file and returns its path."""

    def write(text, name="scenario.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write
