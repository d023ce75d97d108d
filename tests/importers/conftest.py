"""Importers of other makers: absent ones are skipped, except in continuous integration, which installs them."""

import importlib.util
import json
import os
import platform
import sys

import pytest

from tests import commands
from tests.importers.oscillator import Record
from tests.isolated import isolated

NEEDED = {
    "libcosim": ("libcosimpy", "libcosimpy.CosimExecution", (3, 11)),
    "ecos": ("ecospy", "ecospy.lib"),
    "fmucontainer": ("fmu_manipulation_toolbox", "fmu_manipulation_toolbox.assembly"),
}
"""Package, module and least version of Python of each importer."""


def require(package, module, least_python=(3, 10)):
    """Skip the test if an importer does not run here; fail with the reason if CI is set and it could."""
    if sys.version_info < least_python or platform.machine() != "x86_64" or sys.platform != "linux":
        pytest.skip(f"{package} is not there for this machine and version of Python")
    if importlib.util.find_spec(package) is None:
        reason = f"{package} is not installed: requirements-importers.txt"
    else:
        found = commands.run([sys.executable, "-c", f"import {module}"], capture_output=True, text=True, check=False)
        reason = found.stderr.strip().rpartition("\n")[2] if found.returncode else ""
    if reason and os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    if reason:
        pytest.skip(reason)


def outcome(module, *arguments):
    """Return what a module of this folder reports, with records as such."""
    report = json.loads(isolated(f"tests.importers.{module}", *arguments)[-1])
    report["records"] = {signal: [Record(*row) for row in rows] for signal, rows in report["records"].items()}
    return report
