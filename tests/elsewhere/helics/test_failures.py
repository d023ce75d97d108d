"""Whoever is killed, whenever: an error in one sentence within ten seconds, and no process is left."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest

from couplant.base.errors import CouplantError
from couplant.elsewhere.helics.course import Place, free_port
from couplant.elsewhere.helics.link import Address
from couplant.elsewhere.helics.session import run_federate, run_federation
from tests import commands
from tests.elsewhere.helics.conftest import EXAMPLE, FOREIGN, ROOT, loaded, settings

MOMENTS = {"start": 0.0, "middle": 0.5, "end": 0.9}
LONG = 4.0
"""Length of runs in which somebody is killed; long enough for the end not to come first. [s]"""


class Killer:
    """Kills when a share of the run is done; `killed` is when."""

    def __init__(self, share, kill):
        self.share, self.kill, self.killed = share, kill, None

    def __call__(self, share, text):
        if self.killed is None and text != "reference" and share >= self.share:
            self.killed = time.monotonic()
            self.kill()


def kill_child(name):
    (process,) = [p for p in multiprocessing.active_children() if p.name == f"couplant helics, {name}"]
    os.kill(process.pid, signal.SIGKILL)


def assert_over(killer):
    assert killer.killed is not None and time.monotonic() - killer.killed < 10.0
    assert [p.name for p in multiprocessing.active_children() if "helics" in p.name] == []


@pytest.mark.landing("a federation of processes")
@pytest.mark.sample(2)
@pytest.mark.sample(1)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", ["the broker", "mass_2"])
def test_a_process_of_this_machine_is_killed(name, moment):
    killer = Killer(MOMENTS[moment], lambda: kill_child(name))
    with pytest.raises(CouplantError, match=rf"^{name}: its process ended: killed \(SIGKILL\)[^.]*\.$"):
        run_federation(loaded(duration=LONG), progress=killer)
    assert_over(killer)


def foreign(address, duration, code=None):
    words = ["-c", code] if code else [FOREIGN]
    command = [sys.executable, *words, address.host, str(address.port), str(duration)]
    return commands.Started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Starter:
    """Starts a federate of others when the broker waits for it."""

    def __init__(self, *arguments):
        self.arguments, self.process = arguments, None

    def __call__(self, text):
        if self.process is None:
            self.process = foreign(*self.arguments)


@pytest.mark.landing("a federation of processes")
def test_a_federate_of_others_is_killed_in_the_middle(address):
    starter = Starter(address, LONG)
    killer = Killer(0.3, lambda: starter.process.kill())
    with pytest.raises(CouplantError, match=r"^mass_2 no longer answers\.$"):
        run_federation(loaded(duration=LONG), Place(("mass_2",), address), progress=killer, say=starter)
    assert_over(killer)
    starter.process.wait()


@pytest.mark.landing("three processes and a broker: 3 s of CPU")
def test_a_federate_of_others_leaves_too_early(address):
    starter = Starter(address, 0.4)
    with pytest.raises(CouplantError, match=r"^mass_2 left the federation before its end: nothing came after t = 0\.4"):
        run_federation(loaded(duration=1.0), Place(("mass_2",), address), say=starter)
    assert starter.process.wait() == 0


DYING = f"""
import os, sys
sys.path.insert(0, {str(FOREIGN.parent)!r})
from helics_mass_2 import federate
fed = federate(*sys.argv[1:3])
os.kill(os.getpid(), 9)
"""


@pytest.mark.landing("a federation of processes")
def test_a_federate_of_others_dies_once_it_has_joined(address):
    starter = Starter(address, 1.0, DYING)
    with pytest.raises(CouplantError, match=r"^mass_2 joined the federation and no longer answers\.$"):
        run_federation(loaded(), Place(("mass_2",), address), say=starter)
    assert starter.process.wait() == -9


LEAVING = DYING.replace("os.kill(os.getpid(), 9)", "import helics; helics.helicsFederateDisconnect(fed)")


@pytest.mark.landing("three processes and a broker: 3 s of CPU")
def test_a_federate_of_others_leaves_once_it_has_joined(address):
    starter, begun = Starter(address, 1.0, LEAVING), time.monotonic()
    with pytest.raises(CouplantError, match=r"^mass_2 left the federation before the run began\.$"):
        run_federation(loaded(), Place(("mass_2",), address), say=starter)
    assert starter.process.wait() == 0 and time.monotonic() - begun < 15.0


@pytest.mark.landing("three processes and a broker: 2 s of CPU")
def test_a_federate_that_never_comes(address):
    heard = []
    with pytest.raises(CouplantError, match=r"^mass_2 did not join the federation within patience = 5 s\.$"):
        run_federation(loaded(), Place(("mass_2",), address, 5.0), say=heard.append)
    assert heard == [f"the broker at {address} waits for mass_2, 5 s at most.", "waiting for mass_2 to join."]


def test_a_broker_that_is_not_there():
    address = Address("127.0.0.1", free_port())
    with pytest.raises(CouplantError, match=rf"^no broker answers at {address} within patience = 2 s\.$"):
        run_federate(loaded(), "mass_2", address, 2.0)


def descendants(pid):
    listed = commands.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    found = [int(word) for word in listed.stdout.split()]
    return found + [further for one in found for further in descendants(one)]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


def built(folder):
    """Return for each federate whether it has begun to build: who still loads Python hears nothing."""
    parts = list(folder.glob("couplant-*/parts/*"))
    return [any(part.iterdir()) for part in parts] if len(parts) == 2 else [False]


@pytest.mark.landing("a federation of processes")
@pytest.mark.sample(1)
@pytest.mark.skipif(not os.path.isdir("/proc"), reason="processes are looked for in /proc")
@pytest.mark.needs_system("ps")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_the_command_is_stopped_or_killed(number, status, tmp_path):
    changes = [word for change in settings(duration=3000.0) for word in ("--set", change)]
    command = [sys.executable, "-m", "couplant", "helics", EXAMPLE, *changes]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    process = commands.Started(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120.0
    while len(descendants(process.pid)) < 3 or not all(built(tmp_path)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(2.0)
    found = descendants(process.pid)
    process.send_signal(number)
    ended = time.monotonic()
    assert process.wait(10.0) == status
    while any(map(alive, found)) and time.monotonic() < ended + 10.0:
        time.sleep(0.1)
    assert not any(map(alive, found))
    if number != signal.SIGKILL:
        assert process.stderr.read().splitlines() == ["couplant: stopped by the user."]
        assert [p.name for p in tmp_path.iterdir() if p.name.startswith("couplant-")] == []
    process.stderr.close()
