"""Ctrl-C at any moment: one sentence, exit status 130, no half-written file, nothing that goes on."""

import multiprocessing
import multiprocessing.forkserver
import signal
import sys
from pathlib import Path

import pytest

from couplant.base.errors import comes_from_stop
from couplant.sweep import processes
from couplant.sweep.table import read_table
from tests import commands

SCENARIO = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
SENTENCE = "couplant: stopped by the user"
SHORT = ("--set", "duration=1.0", "--set", "components.mass_1.parameters.force.start=0.0", "--timing", "event")

IMPORTING = """
class Stop:
    def find_spec(self, name, *_):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stop())
"""
DELETING = """
import couplant.cli
class Deleted:
    def __del__(self):
        raise KeyboardInterrupt
def lost():
    Deleted()
    threading.Event().wait(60.0)
    return 0
couplant.cli.main = lost
"""
MAKING_A_CLASS = """
import couplant.cli
class Named:
    def __set_name__(self, *_):
        raise KeyboardInterrupt
def made():
    return int(type("Holder", (), {"one": Named()}).one)
couplant.cli.main = made
"""
LEAVING = """
import atexit, couplant.cli
atexit.register(signal.raise_signal, signal.SIGINT)
couplant.cli.main = lambda: 0
"""


def stopped(code):
    """Run the command line behind some lines of Python, as a terminal does: Ctrl-C is heard."""
    head = "import signal, sys, threading\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    tail = "\nfrom couplant.__main__ import entry\nentry()"
    words = [sys.executable, "-c", head + code + tail]
    return commands.run(words, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(
    "code",
    [IMPORTING.format(name="couplant.cli"), IMPORTING.format(name="couplant.cli.output"), DELETING, MAKING_A_CLASS],
    ids=["first import", "a verb", "lost in __del__", "turned into another error"],
)
def test_from_the_first_import_on(code):
    done = stopped(code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", f"{SENTENCE}.\n")


@pytest.mark.parametrize("heard", ["raise KeyboardInterrupt", "pass"])
def test_what_python_keeps_of_an_exec_does_not_end_the_command(tmp_path, heard):
    lines = [
        "import couplant.cli", "from couplant.__main__ import entry", "def ended():",
        f"    try: exec({heard!r})", "    except KeyboardInterrupt: pass", "    return 130",
        "couplant.cli.main = ended", "entry()",
    ]  # fmt: skip
    (tmp_path / "stopped.py").write_text("\n".join(lines), encoding="utf-8")
    words = [sys.executable, "-m", "stopped"]
    assert commands.run(words, check=False, timeout=120, cwd=tmp_path).returncode == 130


ENDING = """
import couplant.cli
def ended():
    try:
        signal.raise_signal(signal.{name})
    finally:
        signal.raise_signal(signal.{name})
        print("tidied up")
couplant.cli.main = ended
"""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the system ends processes without a signal")
@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_what_ends_a_command_lets_it_tidy_up(name, status):
    done = stopped(ENDING.format(name=name))
    assert (done.returncode, done.stdout, done.stderr) == (status, "tidied up\n", f"{SENTENCE}.\n")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the system has no terminals that hang up")
def test_a_command_that_is_told_to_outlive_its_terminal_does():
    ignored = "signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    done = stopped(f"{ignored}{ENDING.format(name='SIGHUP')}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "tidied up\n", "")


@pytest.mark.landing("libraries that fail while they tidy up")
def test_what_a_library_fails_at_while_it_tidies_up_is_not_shown(tmp_path):
    (tmp_path / "cut.mf4").write_bytes(b"MDF     4.10")
    words = [sys.executable, "-m", "couplant", "try", str(tmp_path / "cut.mf4")]
    done = commands.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith(f"couplant: {tmp_path / 'cut.mf4'}: cannot be read as MDF: ")


def test_after_the_end_it_changes_nothing():
    done = stopped(LEAVING)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_others_make_of_it_is_told_from_errors():
    try:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise RuntimeError from None
    except RuntimeError as error:
        assert comes_from_stop(error)
    assert not comes_from_stop(RuntimeError())


def stop(*_arguments, **_more):
    raise KeyboardInterrupt


STAGES = (
    *("load_scenario", "settings_digest", "read_table", "make_job", "job.keep", "job.solve"),
    *("job.Workshop.build", "processes.process_context", "processes.wait", "_Keeper.add", "table.Table.write"),
)
"""Where Ctrl-C comes before anything is kept."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("place", STAGES)
def test_a_sweep_at_every_stage(place, couplant, tmp_path, monkeypatch):
    monkeypatch.setattr(f"couplant.sweep.{place}", stop)
    before = {*multiprocessing.active_children()}
    words = ("--algorithms", "zoh", "--latency", "1:2", "--workers", "1", "-o", tmp_path / "out")
    done = couplant("sweep", SCENARIO, *SHORT, *words)
    assert (done.status, done.out) == (130, "")
    assert done.err.startswith(SENTENCE) and len(done.err.splitlines()) == 1
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {*multiprocessing.active_children()} <= before


@pytest.mark.parametrize("place", ["report.sweep.write_pages", "report.sweep.write_html"])
def test_rows_stay_if_it_comes_while_pages_are_written(place, couplant, tmp_path, monkeypatch):
    monkeypatch.setattr(f"couplant.{place}", stop)
    words = ("--algorithms", "zoh", "--latency", "1:2", "--workers", "1", "-o", tmp_path)
    done = couplant("sweep", SCENARIO, *SHORT, *words)
    assert (done.status, done.err) == (130, f"{SENTENCE}.\n")
    assert len(read_table(tmp_path / "sweep.csv").rows) == 4, "the plain wire too"
    assert [path for path in tmp_path.iterdir() if path.suffix == ".part"] == []


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the system has no signal masks")
def test_processes_of_a_sweep_do_not_hear_it_from_their_first_moment_on():
    """They are forked by a server that imports for a second: what it does not hear they do not either."""
    multiprocessing.forkserver._forkserver._stop()
    with processes._pool(None, 1) as pool:
        assert signal.SIGINT in pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
