"""An FMU that does harm costs its points of a sweep; one that hangs is ended by Ctrl-C, and the rows stay."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from multiprocessing.util import get_temp_dir
from pathlib import Path

import pytest

from couplant.base.errors import CouplantError
from couplant.sweep import CSV, Where, sweep
from couplant.sweep.table import read_table
from tests import attacker, commands

pytestmark = attacker.POSIX
ENDED = "bad (FMU attacker) ended its process in fmi2DoStep at t = 0.2 s: "


@pytest.fixture
def scratch():
    """Return a folder with a short name: sockets of multiprocessing in it have names of at most 107 bytes.

    Those of this process stay elsewhere, in a folder that it makes once.
    """
    get_temp_dir()
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.landing("foreign FMUs that crash")
@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "how"), [("segv", "segmentation fault (SIGSEGV)"), ("exit0", "exit(0)")])
def test_a_point_costs_one_point(tmp_path, scratch, monkeypatch, kind, how):
    path = attacker.build(tmp_path, late=kind)
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    done = sweep(path, tmp_path / "out", {"latency": "0,1,3"}, where=Where(workers=2))
    reasons = {row.point.latency: row.reason for row in done.table.sorted()}
    assert reasons == {0: "", 1: "", 3: f"{ENDED}{how}; printed last: at work."}
    assert list(scratch.glob("couplant-*")) == []


def test_without_reference_there_is_no_sweep(tmp_path, monkeypatch):
    path = attacker.build(tmp_path)
    monkeypatch.setenv("ATTACK", "DoStep 3 exit0")
    with pytest.raises(CouplantError, match=r"^bad .* in fmi2DoStep at t = 0\.2 s: exit\(0\)\.$"):
        sweep(path, tmp_path / "out", {"latency": "0,1"}, where=Where(workers=2))
    assert not (tmp_path / "out").exists()


@pytest.mark.landing("processes that hang: 4 s of CPU")
def test_control_c_ends_points_that_hang(tmp_path, scratch):
    path = attacker.build(tmp_path, late="deaf")
    out, hanging = tmp_path / "out", tmp_path / "hanging"
    sign = {"ATTACK_FILE": str(hanging), "TMPDIR": str(scratch)}
    environment = os.environ | sign | {"PYTHONPATH": os.pathsep.join(sys.path)}
    words = ("--latency", "0,3", "--workers", "2", "-o", str(out))
    command = [sys.executable, "-m", "couplant", "sweep", str(path), *words]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with commands.Started(command, env=environment, start_new_session=True, **streams) as running:
        while not (hanging.is_file() and (out / CSV).is_file()):
            assert running.poll() is None
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        said, errors = running.communicate()
    assert (running.returncode, said) == (130, "")
    assert errors.startswith("couplant: stopped by the user: 1 of 2 points are done")
    assert len(errors.splitlines()) == 1
    assert list(scratch.iterdir()) == []
    assert [row.point.latency for row in read_table(out / CSV).sorted()] == [0]
    deadline = time.monotonic() + 60.0
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < deadline:
            os.killpg(running.pid, 0)
            time.sleep(0.05)
