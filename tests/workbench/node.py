"""Modules of the workbench in node: a script in, JSON in and out."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests import commands

ROOT = Path(__file__).resolve().parents[2]
WORKBENCH = ROOT / "workbench"

_AROUND = """\
import {{ readFileSync }} from "node:fs";
const given = JSON.parse(readFileSync(0, "utf8"));
{script}
"""


def run(script: str, given: object = None, *, folder: Path = WORKBENCH, timeout: float = 120.0) -> Any:
    """Run a `script`, an ES module that finds `given` under this name and ends with `answer(value)`; return the value.

    Names of modules that it imports are relative to `folder`, as in ``import { Fmu } from "./engine/fmu.js"``.
    """
    node = shutil.which("node")
    if node is None and os.environ.get("CI"):
        pytest.fail("needs node, a program of the system: continuous integration has to install it", pytrace=False)
    if node is None:
        pytest.skip("needs node, a program of the system")
    script = script.replace('from "./', f'from "{folder.as_uri()}/')
    answer = "const answer = (value) => process.stdout.write(JSON.stringify(value));\n"
    done = commands.run(
        [node, "--input-type=module", "-e", _AROUND.format(script=answer + script)],
        input=json.dumps(given, allow_nan=False), capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
