"""Two network namespaces stand for two machines: a federation across them, and what one does when the other dies."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest

from couplant.elsewhere.helics import session
from tests import commands
from tests.elsewhere.helics.conftest import EXAMPLE, ROOT, loaded, settings
from tests.elsewhere.helics.test_failures import descendants
from tests.elsewhere.helics.test_session import assert_equal
from tests.unwired import simulate

pytestmark = [pytest.mark.night("a federation across network namespaces, in real time"), pytest.mark.needs_system("ip")]
PORT = 23404
HERE, THERE = "10.87.0.1", "10.87.0.2"
ANSWERS = (
    (f"the broker at {HERE}:{PORT} no longer answers.", "mass_1 no longer answers."),
    ("mass_2 no longer answers.",),
)
"""What is said of a machine that was lost; HELICS may notice it before the broker's port does."""


def run(*words):
    return commands.run(words, capture_output=True, text=True, check=True)


@pytest.fixture
def machines():
    """Return the names of two namespaces with a cable between them."""
    if os.name == "nt" or os.geteuid() != 0:
        if os.environ.get("CI"):
            pytest.fail("network namespaces need root", pytrace=False)
        pytest.skip("network namespaces need root")
    names = [f"ch{os.getpid()}{end}" for end in "ab"]
    with ExitStack() as kept:
        for name in names:
            run("ip", "netns", "add", name)
            kept.callback(run, "ip", "netns", "delete", name)
        first, second = names
        run("ip", "-n", first, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", second)
        for name, address in zip(names, (HERE, THERE), strict=True):
            run("ip", "-n", name, "address", "add", f"{address}/24", "dev", "cable")
            run("ip", "-n", name, "link", "set", "lo", "up")
            run("ip", "-n", name, "link", "set", "cable", "up")
        yield names


@pytest.fixture
def start(machines, tmp_path):
    """Return a function that starts `couplant helics` on a machine, 0 with the broker and mass_1 or 1 with mass_2."""
    place = (
        ("--elsewhere", "mass_2", "--listen", f"{HERE}:{PORT}"),
        ("--federate", "mass_2", "--broker", f"{HERE}:{PORT}"),
    )
    with ExitStack() as kept:

        def started(machine, duration=0.5):
            chosen = [word for change in settings(duration=duration) for word in ("--set", change)]
            command = [sys.executable, "-m", "couplant", "helics", str(EXAMPLE), *chosen, "-o", str(tmp_path)]
            words = ["ip", "netns", "exec", machines[machine], *command, *place[machine]]
            process = commands.Started(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            kept.enter_context(process)
            kept.callback(process.kill)
            return process

        yield started


def test_two_machines_give_what_simulate_gives(start, tmp_path):
    both = [start(0), start(1)]
    said = [process.communicate(timeout=120.0) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    joined, missing = session.join_parts(loaded(), tmp_path)
    assert missing == []
    assert_equal(joined, simulate(EXAMPLE, settings(steps=1)))


@pytest.mark.parametrize("killed", [0, 1])
def test_a_machine_is_lost_in_the_middle(start, killed):
    both = [start(0, duration=60.0), start(1, duration=200.0)]
    for process in both:
        assert any("the federation runs" in line for line in process.stderr), "until then it reads"
    assert lost(both, killed) in ANSWERS[killed]


def test_the_broker_is_lost_on_the_way_to_it(start, machines):
    both = [start(0, duration=60.0), start(1, duration=200.0)]
    deadline = time.monotonic() + 120.0
    while not is_linked(machines[0]) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.5)
    assert lost(both, 0) in ANSWERS[0]


def lost(both, killed):
    """Kill all processes of a machine and return the sentence of the other one, which has ten seconds for it."""
    for pid in (*descendants(both[killed].pid), both[killed].pid):
        os.kill(pid, signal.SIGKILL)
    begun = time.monotonic()
    left = both[1 - killed]
    words = left.communicate(timeout=30.0)[1].splitlines()
    assert left.returncode == 1 and time.monotonic() - begun < 10.0
    return words[-1].removeprefix("couplant: ")


def is_linked(machine):
    """Tell whether the other machine has called the broker."""
    rows = run("ip", "netns", "exec", machine, "cat", "/proc/net/tcp").stdout.splitlines()[1:]
    return any(row.split()[1].endswith(f":{PORT:04X}") and row.split()[3] == "01" for row in rows)
