"""``couplant serve``: refusals; what it does once it runs is in tests/learning."""

import os
import sys

import pytest

from tests.learning.serving import serving


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "70000"), "--port = 70000"),
        (("--token", "short"), "16 or more"),
        (("--token", "0123456789abcdef", "--host", "0.0.0.0"), "--anywhere"),
    ],
)
def test_wrong_use_is_one_sentence(couplant, arguments, words):
    done = couplant("serve", *arguments)
    assert done.status == 2
    assert words in done.err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at the process as Linux shows it")
def test_it_lets_what_runs_in_real_time_go_first():
    with serving() as server:
        process = server.process.pid
        assert os.sched_getscheduler(process) == os.SCHED_BATCH
        assert os.getpriority(os.PRIO_PROCESS, process) > os.getpriority(os.PRIO_PROCESS, 0)
        assert len(os.listdir(f"/proc/{process}/task")) == 1
