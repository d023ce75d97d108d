"""The example master of DCPLib, the reference implementation, leads a side: a recorded session, and itself if given."""

import json
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from couplant.cosim.fmu.load import FmuLibrary
from couplant.elsewhere.dcp import slave
from couplant.elsewhere.dcp.codes import State
from couplant.elsewhere.dcp.description import write_description
from couplant.elsewhere.dcp.machine import Machine
from couplant.elsewhere.dcp.part import Part
from couplant.elsewhere.dcp.side import load_side
from couplant.elsewhere.dcp.sockets import Sockets
from tests.bench.meetings import free_port
from tests.commands import Started
from tests.elsewhere.dcp.virtual import write_bench

RECORDED = Path(__file__).with_name("session_master.json")
MASTER = ("127.0.0.1", 8081)
PERIOD = 0.05
STATES = [
    "CONFIGURATION", "PREPARING", "PREPARED", "CONFIGURING", "CONFIGURED", "SYNCHRONIZING", "SYNCHRONIZED", "RUNNING",
    "STOPPING", "STOPPED", "ALIVE",
]  # fmt: skip
PATIENCE = 60.0


def side_of(folder, port):
    """Return the left side of the bench of the tests, whose own position comes back as the force on it."""
    write_bench(folder, duration=20.0, ports=(port, port + 1))
    bench = folder / "bench.toml"
    bench.write_text(bench.read_text().replace("macro_step = 0.02", f"macro_step = {PERIOD}"))
    return load_side(folder / "left.toml")


class Recording(Sockets):
    """Sockets that keep what arrives and what leaves."""

    datagrams = []  # noqa: RUF012

    def send(self, datagram, address):
        self.datagrams.append(("out", self.clock(), datagram.hex()))
        super().send(datagram, address)

    def take(self, taker):
        def kept(datagram, source, now, where):
            self.datagrams.append(("in", now, datagram.hex()))
            taker(datagram, source, now, where)

        return super().take(kept)


def check(told, rows):
    """Look at the states that a slave told, and at its rows: time, position, velocity, estimate of the force."""
    assert [State(number).name for number in told] == STATES
    assert len(rows) > 5.0 / PERIOD and np.ptp(rows[:, 1]) > 0.0
    np.testing.assert_allclose(rows[:, 0], PERIOD * np.arange(len(rows)), atol=1e-9)
    # what was sent in one step is there in the next one, and the estimate of a smooth signal is near it
    moved = rows[10:]
    assert np.abs(moved[:, 3] - moved[:, 1]).max() < 0.2 * np.abs(moved[:, 1]).max()


def test_the_recorded_session(tmp_path):
    found = json.loads(RECORDED.read_text())
    side = side_of(tmp_path, found["port"])
    own, told, sent = ("127.0.0.1", found["port"]), [], []

    class Outlet:
        def send(self, datagram, address):
            assert address == (own if datagram[0] == 0xF0 else MASTER)
            sent.append(datagram.hex())

        def listen(self, addresses):
            assert addresses <= {own}

    with FmuLibrary() as library:
        part = Part(side, library, tmp_path / "fmus")
        machine = Machine(replace(part.description, uuid=found["uuid"]), part, Outlet())
        for kind, moment, datagram in found["datagrams"]:
            now = found["start"] + moment
            if kind == "in":
                source = own if datagram.startswith("f0") else MASTER
                machine.receive(bytes.fromhex(datagram), source, now)
                continue
            while not sent and machine.advance(now):
                pass
            assert sent.pop(0) == datagram, f"at {moment} s"
            if datagram.startswith("e0"):
                told.append(int(datagram[4:6], 16))
        part.free()
    assert not sent and not sum(machine.dropped.values())
    check(told, np.array(part.rows))


@pytest.mark.skipif("COUPLANT_DCP_MASTER" not in os.environ, reason="COUPLANT_DCP_MASTER names no master of DCPLib")
@pytest.mark.landing("a run of nine seconds")
def test_the_master_itself(tmp_path, monkeypatch):
    side = side_of(tmp_path, free_port())
    with FmuLibrary() as library:
        description = Part(side, library, tmp_path / "fmus").description
    # it takes the first variable for an output, the second one for an input
    by_name = {one.name: one for one in description.variables}
    first = by_name["x1"], by_name["f"]
    others = [one for one in description.variables if one not in first]
    write_description(replace(description, variables=(*first, *others)), tmp_path / "Example-Slave-Description.xml")
    monkeypatch.setattr(slave, "Sockets", Recording)
    Recording.datagrams = []
    given_up, told = time.monotonic() + PATIENCE, []
    with Started([os.environ["COUPLANT_DCP_MASTER"]], cwd=tmp_path, stdout=subprocess.DEVNULL) as master:
        try:

            def stopped(machine):
                assert time.monotonic() < given_up
                return machine.state == State.ALIVE and len(told) > 1

            served = slave.serve_side(side, tmp_path / "out", stopped, told.append)
            assert master.wait() == 0
        finally:
            master.kill()
    rows = np.loadtxt(tmp_path / "out" / "left.csv", delimiter=",", skiprows=1)
    check([int(datagram[4:6], 16) for kind, _, datagram in Recording.datagrams if datagram.startswith("e0")], rows)
    assert not sum(served.dropped.values())
    start = Recording.datagrams[0][1]
    session = {"start": start, "port": side.address[1], "uuid": description.uuid}
    session["datagrams"] = [(kind, round(now - start, 6), datagram) for kind, now, datagram in Recording.datagrams]
    (tmp_path / RECORDED.name).write_text(json.dumps(session))
