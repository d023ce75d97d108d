"""A process of its own: answers, words and errors come over, and however it ends there is one sentence."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from couplant.base.errors import CouplantError, UsageError
from couplant.base.isolation import call_isolated, ending, note_call
from tests import commands

POSIX = pytest.mark.skipif(os.name == "nt", reason="signals")


def doubled(number, told):
    told(0.5, "half")
    logging.getLogger("couplant.there").warning("%d is a number", number)
    print("not for the other side")
    return 2 * number


def test_answer_words_and_log_come_over(caplog, capfd):
    heard = []
    assert call_isolated(doubled, 21, told=lambda *words: heard.append(words)) == 42
    assert heard == [(0.5, "half")]
    assert [(record.name, record.getMessage()) for record in caplog.records] == [("couplant.there", "21 is a number")]
    assert capfd.readouterr() == ("", "")


class Strange(Exception):
    """Cannot be pickled."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def fail(kind, told):
    raise {
        "wrong": UsageError("wrong use"),
        "strange": Strange("so", "strange"),
        "file": FileNotFoundError(2, "no", "f"),
    }[kind]


@pytest.mark.parametrize(
    ("kind", "error", "text"),
    [
        ("wrong", UsageError, "wrong use"),
        ("strange", CouplantError, "Strange: so strange"),
        ("file", FileNotFoundError, "no"),
    ],
)
def test_errors_come_over(kind, error, text):
    with pytest.raises(error, match=text):
        call_isolated(fail, kind)


def end(code, told):
    note_call(len, "pump", "fmi2GetReal")("")
    os.write(2, b"first\nlast\x1b\twords\r\n\n")
    os._exit(code)


def end_in_a_call(seconds, told):
    note_call(lambda t: os._exit(0), "pump", "fmi2DoStep", timed=True)(seconds)


def test_an_end_without_answer_is_a_sentence():
    with pytest.raises(CouplantError) as found:
        call_isolated(end, 3)
    after = "the process that runs the FMUs ended after fmi2GetReal of pump"
    assert str(found.value) == f"{after}: exit(3); printed last: last words."
    with pytest.raises(CouplantError, match=r"^pump ended its process in fmi2DoStep at t = 0\.25 s: exit\(0\)\.$"):
        call_isolated(end_in_a_call, 0.25)


def refuse(kind, told):
    os.write(1, b"Traceback\nValueError: no water.\n")
    raise kind("pump refused the step.")


def test_the_reason_of_a_refusal_may_be_printed_only():
    with pytest.raises(CouplantError, match=r"^pump refused the step; printed last: ValueError: no water\.$"):
        call_isolated(refuse, CouplantError)
    with pytest.raises(UsageError, match=r"^pump refused the step\.$"):
        call_isolated(refuse, UsageError)


def raise_as_windows_does(told):
    def crash():
        raise OSError("exception: access violation writing 0x0")

    note_call(crash, "pump", "fmi2Reset")()


def test_a_crash_that_is_an_exception_names_the_function():
    with pytest.raises(CouplantError, match=r"^pump, fmi2Reset: exception: access violation writing 0x0\.$"):
        call_isolated(raise_as_windows_does)


def test_nothing_is_noted_outside():
    assert note_call(len, "pump", "fmi2GetReal") is len


def test_words_for_the_end_of_a_process():
    assert ending(0) == "exit(0)"
    assert ending(0xC0000005) == "access violation (0xc0000005)"
    if os.name == "posix":
        assert ending(-9) == "killed (SIGKILL), as the system does where memory runs out"
        assert ending(-11) == "segmentation fault (SIGSEGV)"
        assert ending(-200) == "signal 200"


def leave_a_child(told):
    commands.Started([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    os._exit(4)


def test_a_process_that_it_leaves_behind_holds_nothing_up():
    with pytest.raises(CouplantError, match=r"exit\(4\)"):
        call_isolated(leave_a_child)


def test_a_signal_while_it_tidies_up_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    remove, calls = shutil.rmtree, []

    def interrupted(*arguments, **options):
        calls.append(arguments)
        if len(calls) == 1:
            raise KeyboardInterrupt
        remove(*arguments, **options)

    monkeypatch.setattr(shutil, "rmtree", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call_isolated(doubled, 2)
    assert list(tmp_path.iterdir()) == []


STARTER = """
import sys, time
from couplant.base.isolation import call_isolated
from tests.base.test_isolation import wait_for_ever
call_isolated(wait_for_ever, sys.argv[1])
"""


def wait_for_ever(path, told):
    with open(path, "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    while True:
        time.sleep(60.0)


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@POSIX
def test_it_ends_with_the_process_that_started_it_and_leaves_no_folder(tmp_path):
    scratch, path = tmp_path / "scratch", tmp_path / "pid"
    scratch.mkdir()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(scratch)}
    starter = commands.Started([sys.executable, "-c", STARTER, str(path)], env=environment)
    try:
        while not (path.is_file() and path.read_text(encoding="utf-8")):
            assert starter.poll() is None
            time.sleep(0.05)
        starter.send_signal(signal.SIGKILL)
        starter.wait()
        while alive(int(path.read_text(encoding="utf-8"))) or any(scratch.iterdir()):
            time.sleep(0.05)
    finally:
        starter.kill()
