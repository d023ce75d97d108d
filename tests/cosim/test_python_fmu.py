"""FMUs made with PythonFMU survive many instantiations in one process."""

import subprocess
import sys

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu

SCRIPT = """
import gc, sys
from pathlib import Path
from couplant.cosim.fmu import FmuLibrary

with FmuLibrary() as library:
    for _ in range(20):
        component = library.open(Path(sys.argv[1]), "c")
        component.start(0.0, {})
        component.begin()
        component.step(0.0, 0.1)
        component.free()
        gc.collect()
print("alive")
"""


@pytest.fixture
def fmu(tmp_path):
    document = {"interface": {"name": "i", "macro_step": 0.1}, "signals": {"s": {"algorithm": "foh"}}}
    return build_coupling_fmu(parse_interface(document, "test"), "s", tmp_path)


def test_twenty_instances_and_collections_leave_the_interpreter_whole(fmu):
    environment = {"PYTHONPATH": ":".join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(fmu)], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout.strip()) == (0, "alive"), done.stderr[-2000:]
