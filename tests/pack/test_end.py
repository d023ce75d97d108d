"""The end of a process in which a Python FMU ran: PythonFMU's loader gives up the interpreter once, not twice."""

import sys
import sysconfig
from pathlib import Path

import pytest

from couplant.pack.binaries.platforms import host
from tests import commands
from tests.c.programs import HERE, environment, program
from tests.c.test_loader import LINUX, Unpacked
from tests.isolated import isolated
from tests.pack.runs import build, interface

pytestmark = LINUX


@pytest.fixture(scope="module")
def freed():
    return program(HERE / "freed.c", "-shared", "-fPIC")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["two_instances", "side_by_side"])
def test_a_python_host(name, freed, tmp_path, monkeypatch):
    monkeypatch.setenv("LD_PRELOAD", str(freed))
    assert isolated("tests.pack.runs", name, tmp_path)


@pytest.mark.landing("a host in Python and its FMU")
def test_a_python_host_whose_calls_are_refused_and_an_fmu_that_cannot_start(freed, tmp_path, monkeypatch):
    monkeypatch.setenv("LD_PRELOAD", str(freed))
    assert isolated("tests.pack.observations", tmp_path)


def test_a_host_in_c_with_the_interpreter_put_before_it(freed, tmp_path):
    python = Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME"))
    if not sysconfig.get_config_var("Py_ENABLE_SHARED") or not python.is_file():
        pytest.skip("needs a Python with a shared library")
    command = [program(HERE / "instances.c")]
    for name in ("one", "two", "three"):
        unpacked = Unpacked(build(interface("foh", name=name), tmp_path / name), tmp_path / name / "unpacked")
        command += unpacked.arguments(host())[1:]
    done = commands.run(
        [str(word) for word in command],
        env=environment() | {"LD_PRELOAD": f"{python}:{freed}", "PYTHONHOME": sys.base_prefix},
        capture_output=True,
        text=True,
        timeout=300.0,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "3 instances\n", "")
