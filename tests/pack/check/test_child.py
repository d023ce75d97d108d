"""Programs that print without end, never end, or leave others behind."""

import os
import signal
import sys
import time

from couplant.pack.check.fmu import KEPT, run_child


def python(code):
    return [sys.executable, "-c", code]


def test_status_and_last_line():
    assert run_child(python("print('first'); print('last')"), 60.0) == (0, "last")
    assert run_child(python("import sys; sys.exit('why')"), 60.0) == (1, "why")
    assert run_child(python(""), 60.0) == (0, "")


def test_only_the_end_of_a_long_output_is_kept():
    loud = "import sys\nfor _ in range(1500): sys.stdout.write('x' * 2**16)\nprint('the end')"
    assert run_child(python(loud), 60.0) == (0, "x" * (KEPT - 8) + "the end")
    status, last = run_child(python("print('x' * 10**6)"), 60.0)
    assert (status, len(last)) == (0, KEPT - 1)


def test_what_never_ends_is_ended():
    assert run_child(python("while True: pass"), 0.5)[0] is None


def test_who_leaves_another_program_behind_does_not_keep_us(monkeypatch):
    """The other program holds the output open and would keep whoever reads it to its end."""
    monkeypatch.setattr("couplant.pack.check.fmu._PATIENCE", 0.5)
    waits = "[sys.executable, '-c', 'import time; time.sleep(120)']"
    began = time.monotonic()
    status, last = run_child(python(f"import subprocess, sys; print(subprocess.Popen({waits}).pid)"), 60.0)
    os.kill(int(last), signal.SIGTERM)
    assert status == 0
    assert time.monotonic() - began < 100.0
