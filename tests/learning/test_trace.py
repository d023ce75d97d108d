"""The system calls of a step with a learning server: nothing that can wait, whatever the server does."""

import os
import re
import sys

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from tests import commands
from tests.isolated import SOURCES
from tests.learning.serving import TOKEN, serving
from tests.learning.traced import BEGIN, END, STEP

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="strace is a program of Linux")

STEPS = 700
LINE = re.compile(r"(?P<pid>\d+) +(?P<name>\w+)\((?P<arguments>.*)")
MEMORY = {"brk", "mmap", "munmap", "mremap", "madvise"}
SOCKET = {"socket", "connect", "sendto", "recvfrom", "close"}
SWITCH = {"ioctl", "fcntl"}
"""Calls that make a socket non-blocking."""


def fmu(folder, port):
    learning = {"mode": "server", "port": port, "token": TOKEN, "cycle_steps": 50, "judge_steps": 20}
    signals = {"y": {"algorithm": "network", "latency": {"constant_steps": 3}, "learning": learning}}
    interface = parse_interface({"interface": {"name": "traced", "macro_step": STEP}, "signals": signals}, "traced")
    return build_coupling_fmu(interface, "y", folder, backend="python")


def traced(folder, path):
    """Return the lines of the trace and the number of weights taken; skip where no process may be traced."""
    if commands.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this system lets no process be traced")
    log = folder / "trace.txt"
    module = [sys.executable, "-m", "tests.learning.traced", path, str(STEPS)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, SOURCES))}
    command = ["strace", "-f", "-qq", "-s", "40", "-o", log, *module]
    done = commands.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return log.read_text(errors="replace").splitlines(), int(done.stdout.split()[-1])


def steps_of(lines):
    """Yield name and arguments of each call of the stepping thread, a list a step, and of those between the steps."""
    main, calls, inside = None, [], False
    for found in filter(None, map(LINE.match, lines)):
        if BEGIN in found["arguments"]:
            main, inside = found["pid"], True
            yield False, calls
            calls = []
        elif END in found["arguments"]:
            inside = False
            yield True, calls
            calls = []
        elif found["pid"] == (main or found["pid"]):
            calls.append((found["name"], found["arguments"]))
    assert not inside


def judge(lines):
    """Return the number of steps and the calls on sockets in them; fail at the first call that could wait."""
    free, steps, seen = set(), 0, set()
    for inside, calls in steps_of(lines):
        steps += inside
        work = 0
        for name, arguments in calls if inside else ():
            descriptor = arguments.split(",")[0].rstrip(")")
            assert name in MEMORY | SOCKET | SWITCH, f"{name}({arguments} in a step"
            if name in SWITCH and ("FIONBIO, [1]" in arguments or "O_NONBLOCK" in arguments):
                free.add(descriptor)
            elif name == "close":
                free.discard(descriptor)
            elif name in ("connect", "sendto", "recvfrom"):
                assert descriptor in free, f"{name}({arguments} on a socket that blocks"
                work += 1
            seen |= {name} & SOCKET
        assert work <= 1, f"{calls} in one step"
    return steps, seen


@pytest.mark.sample(1)
@pytest.mark.needs_system("strace")
@pytest.mark.parametrize("state", ["serving", "frozen", "absent"])
def test_no_call_of_a_step_can_wait(tmp_path, state):
    """A frozen server has its connections taken by its system, and never reads nor answers."""
    with serving() as server:
        path = fmu(tmp_path, server.port)
        if state == "frozen":
            server.freeze()
        if state == "absent":
            server.kill()
        lines, taken = traced(tmp_path, path)
    steps, seen = judge(lines)
    assert steps == STEPS
    assert seen >= {"socket", "connect"} | (set() if state == "absent" else {"sendto", "recvfrom"})
    assert (taken > 0) == (state == "serving")
