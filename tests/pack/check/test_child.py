"""Programs that print without end, never end, or leave others behind."""

import os
import signal
import sys
import time

import pytest

from couplant.pack.check.child import KEPT, Child

CRASHED = "crashed during a short run (status {}): {}"
ANSWERS = """
import json, sys
for n, line in enumerate(sys.stdin):
    print(json.dumps({answer}), flush=True)
"""


def run(code, timeout=60.0):
    child = Child(sys.executable, "-c", code)
    try:
        (text,) = child.run("folder", timeout)
    finally:
        child.end()
    return text


def test_status_and_last_line():
    words = "import sys; print('first', file=sys.stderr); print('last', file=sys.stderr)"
    assert run(words) == CRASHED.format(0, "last")
    assert run("import sys; sys.exit('why')") == CRASHED.format(1, "why")
    assert run("") == CRASHED.format(0, "no message")


def test_only_the_end_of_a_long_output_is_kept():
    loud = "import sys\nfor _ in range(1500): sys.stderr.write('x' * 2**16)\nprint('the end', file=sys.stderr)"
    assert run(loud) == CRASHED.format(0, "x" * (KEPT - 8) + "the end")
    assert run("import sys; print('x' * 10**6, file=sys.stderr)") == CRASHED.format(0, "x" * (KEPT - 1))


def test_what_never_ends_is_ended():
    assert run("while True: pass", 0.5) == "did not finish a short run within 0.5 s."


@pytest.mark.parametrize("answer", ["[]", "7", "{}", "{'problems': 3, 'again': True}", "None"])
def test_an_answer_that_is_none_is_a_crash(monkeypatch, answer):
    monkeypatch.setattr("couplant.pack.check.child._PATIENCE", 0.1)
    assert run(ANSWERS.format(answer=answer)).startswith("crashed during a short run")


def test_one_process_serves_all_until_one_leaves_something_behind(tmp_path):
    """Each answer has the number of requests so far: those of a process begin with 0."""
    child = Child(sys.executable, "-c", ANSWERS.format(answer="{'problems': [], 'again': n < 2}"))
    seen = []
    for _ in range(5):
        assert child.run(tmp_path) == []
        seen.append(child._process is not None)
    child.end()
    assert seen == [True, True, False, True, True]


def test_what_a_used_process_finds_is_looked_for_in_a_new_one(tmp_path):
    suspects = Child(sys.executable, "-c", ANSWERS.format(answer="{'problems': ['odd'] * (n > 0), 'again': True}"))
    assert [suspects.run(tmp_path) for _ in range(3)] == [[], [], []]
    suspects.end()


def test_who_leaves_another_program_behind_does_not_keep_us(monkeypatch):
    """The other program holds the output open and would keep whoever reads it to its end."""
    monkeypatch.setattr("couplant.pack.check.child._PATIENCE", 0.5)
    waits = "[sys.executable, '-c', 'import time; time.sleep(120)']"
    began = time.monotonic()
    text = run(f"import subprocess, sys; print(subprocess.Popen({waits}).pid, file=sys.stderr)")
    os.kill(int(text.rpartition(" ")[2]), signal.SIGTERM)
    assert "(status 0)" in text
    assert time.monotonic() - began < 100.0
