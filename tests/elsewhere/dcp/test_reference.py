"""The slave of DCPLib, the reference implementation: a recorded exchange of datagrams, and itself where it is there."""

import json
import math
import os
import subprocess
from pathlib import Path

import pytest

from couplant.elsewhere.dcp.codes import Mode
from couplant.elsewhere.dcp.description import Description, Variable, write_description
from couplant.elsewhere.dcp.master import Master, run_plan
from couplant.elsewhere.dcp.plan import load_plan
from tests.commands import Started

RECORDED = Path(__file__).with_name("session.json")
SLAVE = ("127.0.0.1", 8080)
STATES = [
    "CONFIGURATION", "PREPARING", "PREPARED", "CONFIGURING", "CONFIGURED", "INITIALIZING", "INITIALIZED", "SENDING_I",
    "CONFIGURED", "SYNCHRONIZING", "SYNCHRONIZED", "RUNNING", "STOPPING", "STOPPED", "ALIVE",
]  # fmt: skip


@pytest.fixture
def plan(tmp_path):
    """Return the plan of a run with the example slave of DCPLib: y = sin(steps + a), its output back at its input."""
    variables = (Variable("y", 1, "output"), Variable("a", 2, "input", start=10.0))
    uuid, modes = "b5279485-720d-4542-9f29-bee4d9a75ef9", frozenset({Mode.SRT})
    write_description(Description("dcpslave", uuid, variables, modes, (1, 100)), tmp_path / "slave.dcpx")
    text = 'duration = 0.3\ninitialisations = 1\n[slaves.ref]\ndescription = "slave.dcpx"\n'
    (tmp_path / "master.toml").write_text(text + '[signals.loop]\nfrom = "ref.y"\nto = ["ref.a"]\n')
    return load_plan(tmp_path / "master.toml")


class Replay:
    """A link that brings what was recorded, and holds what the master sends against it."""

    def __init__(self):
        found = json.loads(RECORDED.read_text())
        self.start, self.address = found["start"], tuple(found["address"])
        self.rows, self.at, self.now = found["datagrams"], 0, found["start"]

    def clock(self):
        return self.now

    def send(self, datagram, address):
        kind, time, recorded = self.rows[self.at]
        assert (kind, datagram.hex(), address) == ("out", recorded, SLAVE)
        self.now = self.start + time
        self.at += 1

    def take(self, taker):
        count = 0
        while self.at < len(self.rows) and self.rows[self.at][0] == "in":
            _, time, recorded = self.rows[self.at]
            self.at, self.now, count = self.at + 1, self.start + time, count + 1
            taker(bytes.fromhex(recorded), SLAVE, self.now, None)
        return count

    def wait(self, seconds):
        if self.at < len(self.rows):
            self.now = max(self.now, self.start + self.rows[self.at][1]) + 1e-3


def check(record):
    """Look at what a slave did: in step n its output is sin(n + its output in step n - 1, or in one before)."""
    assert [state.name for state in record.states] == STATES
    assert record.counts["taken"] == len(record.rows) >= 30
    values = [value for _, value in record.rows]
    assert [round(100 * time) for time, _ in record.rows] == list(range(len(values)))
    hits = [any(math.isclose(values[n], math.sin(n + before)) for before in values[:n]) for n in range(1, len(values))]
    assert sum(hits) >= 0.8 * len(hits)


def test_the_recorded_exchange_of_datagrams(plan):
    replay = Replay()
    check(Master(plan, replay).run()["ref"])
    assert replay.at == len(replay.rows)


@pytest.mark.skipif("COUPLANT_DCP_SLAVE" not in os.environ, reason="COUPLANT_DCP_SLAVE names no slave of DCPLib")
def test_the_slave_itself(plan):
    with Started([os.environ["COUPLANT_DCP_SLAVE"]], stdout=subprocess.DEVNULL) as slave:
        try:
            check(run_plan(plan)["ref"])
        finally:
            slave.kill()
