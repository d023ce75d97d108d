"""The kernel under address and undefined-behaviour sanitizers, through the same random runs."""

import os
import sys

import pytest

from tests import commands
from tests.kernel.library import COMPILER, ROOT, SANITIZE, needs_compiler

pytestmark = [pytest.mark.night("the twin once more under the sanitizers, three minutes"), pytest.mark.timeout(3600)]

PROGRAM = """
import pytest
assert pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *(f"tests/kernel/test_{name}.py" for name in
    ("checks", "derivatives", "settings", "state", "step", "variables", "vectors"))]) == 0
from tests.twin.saved import run_changed
from tests.twin.scenario import neural_settings, run, run_extreme, run_into_noise, some_settings
print(sum(run(seed, 150).steps for seed in range(3000, 3040)))
print(sum(run_extreme(seed, 40).steps for seed in range(3000, 3080)))
print(sum(run(seed, 300, neural_settings).steps for seed in range(3000, 3020)))
print(sum(run_extreme(seed, 60, neural_settings).steps for seed in range(3000, 3060)))
print(run_into_noise(2).steps)
print(sum(sum(run_changed(seed, 20, make)) for seed in range(4000, 4020) for make in (some_settings, neural_settings)))
"""


def runtime_of_sanitizer(name):
    command = [str(COMPILER), f"-print-file-name={name}"]
    path = commands.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return path if os.path.isabs(path) else ""


@needs_compiler
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sanitizers are preloaded")
def test_no_report_of_a_sanitizer():
    libraries = [runtime_of_sanitizer(name) for name in ("libasan.so", "libubsan.so")]
    if not all(libraries):
        pytest.skip("the compiler has no sanitizers")
    environment = {
        **os.environ,
        SANITIZE: "1",
        "LD_PRELOAD": ":".join(libraries),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("", "builder", "fmu_src")),
    }
    run = [sys.executable, "-c", PROGRAM]
    done = commands.run(run, env=environment, capture_output=True, text=True, cwd=ROOT, timeout=1800)
    assert done.returncode == 0, done.stderr[-2000:]
    assert min(map(int, done.stdout.split()[-6:])) > 500
