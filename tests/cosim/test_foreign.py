"""FMUs that do harm: one sentence, no folder left, and nobody but their own process has any loss."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import couplant
from couplant.base import isolation
from couplant.base.errors import CouplantError
from couplant.cosim import load_scenario
from couplant.cosim.fmu.foreign import delay_free, has_foreign, sender_starts
from couplant.pack import build_model_fmu
from tests import attacker, commands
from tests.unwired import simulate

pytestmark = attacker.POSIX
BAD = "bad (FMU attacker) ended its process in fmi2"
ATTACKS = {
    "load 1 segv": "Instantiate: segmentation fault (SIGSEGV).",
    "Instantiate 1 exit3": "Instantiate: exit(3).",
    "SetupExperiment 1 abort": "SetupExperiment: aborted (SIGABRT).",
    "GetReal 7 exit0": "GetReal: exit(0).",
    "DoStep 5 thread": "DoStep at t = 0.4 s: segmentation fault (SIGSEGV).",
    "DoStep 5 kill": "DoStep at t = 0.4 s: killed (SIGKILL), as the system does where memory runs out.",
    "DoStep 2 words": "DoStep at t = 0.1 s: exit(3); printed last: out of licences.",
    "Terminate 1 segv": "Terminate: segmentation fault (SIGSEGV).",
    "FreeInstance 1 _exit": "FreeInstance: exit(0).",
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return attacker.build(tmp_path_factory.mktemp("attacker"))


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Return the folder for all that is temporary."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.mark.sample(1)
@pytest.mark.parametrize("attack", ATTACKS)
def test_whatever_ends_the_process_is_a_sentence(path, scratch, monkeypatch, attack):
    monkeypatch.setenv("ATTACK", attack)
    with pytest.raises(CouplantError) as found:
        simulate(path)
    assert str(found.value) == BAD + ATTACKS[attack]
    assert list(scratch.iterdir()) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("attack", ["DoStep 4 print", "DoStep 4 read"])
def test_printing_and_reading_harm_nobody(path, scratch, monkeypatch, capfd, attack):
    monkeypatch.setenv("ATTACK", attack)
    (run,) = simulate(path, output=scratch / "out").runs
    assert run.metrics["mae"] == pytest.approx(0.4942, abs=1e-4)
    assert capfd.readouterr() == ("", "")
    assert [folder.name for folder in scratch.iterdir()] == ["out"]


def test_an_fmu_that_ends_while_senders_are_asked_ends_nobody_else(path, monkeypatch):
    monkeypatch.setenv("ATTACK", "GetReal 1 exit0")
    with pytest.raises(CouplantError, match=r"in fmi2GetReal: exit\(0\)"):
        sender_starts(load_scenario(path, ["coupling={}"]))


def test_an_fmu_that_closes_all_files_ends_its_own_process(path, monkeypatch):
    monkeypatch.setenv("ATTACK", "DoStep 3 close")
    with pytest.raises(CouplantError, match="FMUs ended after fmi2FreeInstance of bad"):
        simulate(path)


def test_the_reference_of_sweeps_and_benches_is_as_safe(path, monkeypatch):
    monkeypatch.setenv("ATTACK", "DoStep 5 exit0")
    with pytest.raises(CouplantError, match=r"^bad .* in fmi2DoStep at t = 0\.4 s: exit\(0\)\.$"):
        delay_free(load_scenario(path))


def test_control_c_ends_an_fmu_that_hangs(path, tmp_path, scratch):
    found, sign = tmp_path / "hanging", {"ATTACK": "DoStep 4 deaf", "ATTACK_FILE": str(tmp_path / "hanging")}
    environment = os.environ | sign | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(scratch)}
    command = [sys.executable, "-m", "couplant", "simulate", str(path)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with commands.Started(command, env=environment, start_new_session=True, **streams) as running:
        while not found.is_file():
            assert running.poll() is None
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        assert running.communicate() == ("", "couplant: stopped by the user.\n")
    assert running.returncode == 130
    assert list(scratch.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)


OWN = """
name = "own"
macro_step = 0.02
duration = 0.2
algorithms = ["zoh"]
components.one.fmu = "mass_1.fmu"
components.two.model = "mass_2"
[signals.f]
from = "two.f"
to = ["one.f"]
"""


def test_own_is_what_this_process_built_byte_by_byte(tmp_path, scenario, monkeypatch):
    path, fmu = scenario(OWN), build_model_fmu("mass_1", tmp_path)
    loaded = load_scenario(path)
    assert not has_foreign(loaded)
    monkeypatch.setattr(isolation, "_Child", None)
    simulate(path)  # at native speed, in this process
    fmu.write_bytes(fmu.read_bytes() + b"\n")  # still says that couplant made it
    assert has_foreign(loaded)


RUNS_FMUS = {
    "cosim/run/direct.py": "called by simulate alone",
    "cosim/fmu/linear.py": "isolated where the FMU is foreign",
    "cosim/run/reference.py": "called by foreign.delay_free, by sweep.job where nothing is foreign",
    "cosim/simulate.py": "isolated where something is foreign",
    "cosim/run/master.py": "made by those here; first_values where runs are wired and by foreign.sender_starts",
    "sweep/point.py": "in processes of a pool, or alone in one",
    "bench/side.py": "runner.carry_out isolates it where something is foreign",
    "bench/tune/sides.py": "in a side, which is a process of its own, or in a dry run, which cli.tune isolates then",
    "bench/tune/scenario.py": "cli.tune isolates it where something is foreign",
    "elsewhere/helics/member.py": "a process of its own; where it ends the federation ends, and says whose it was",
    "elsewhere/dcp/part.py": "a slave is a process of its own; its master sees that it is silent",
    "pack/check/probe.py": "in a process of its own",
}


def test_every_place_that_runs_fmus_is_known():
    """Whoever adds one says here why an FMU that ends its process ends nothing else."""
    sources = Path(couplant.__file__).parent
    calls = re.compile(r"(with |enter_context\()start_components\(|\bmaster\.run\(|instantiate_fmu\(|\bone\.start\(")
    texts = {path.relative_to(sources).as_posix(): path.read_text("utf-8") for path in sources.rglob("*.py")}
    assert {name for name, text in texts.items() if calls.search(text)} == set(RUNS_FMUS)
