"""Run a module in a process of its own: a crash must not take the tests along, nor old code of another FMU stay."""

import os
import sys
from pathlib import Path

from tests import commands

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT, ROOT / "builder", ROOT / "fmu_src")


def isolated(module: str, *arguments: str | Path, timeout: float = 300.0) -> list[str]:
    """Return the lines that `python -m module` prints; fail with its errors if it does not end well."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, SOURCES)), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = commands.run(command, capture_output=True, text=True, timeout=timeout, check=False, env=environment)
    assert done.returncode == 0, f"{module} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout.splitlines()
