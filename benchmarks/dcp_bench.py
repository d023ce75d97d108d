"""Both sides of a bench as DCP slaves in processes of their own; their data pass the relay of the bench."""

from __future__ import annotations

import multiprocessing
import time
from pathlib import Path

import numpy as np

from couplant.bench.message import VALUES, Message
from couplant.bench.record import SideRecord
from couplant.bench.relay import Relay
from couplant.bench.result import BenchResult, judge_bench
from couplant.bench.session import solve_reference
from couplant.config.bench import SIDES, LoadedBench
from couplant.config.network import RelayTable
from couplant.elsewhere.dcp import slave
from couplant.elsewhere.dcp.codes import State
from couplant.elsewhere.dcp.machine import Machine
from couplant.elsewhere.dcp.master import run_plan
from couplant.elsewhere.dcp.plan import load_plan
from couplant.elsewhere.dcp.side import load_side
from couplant.elsewhere.dcp.sockets import Sockets
from tests.bench.meetings import free_port

DATA = 0xF0
PATIENCE = 120.0


class Bad(Sockets):
    """Sockets whose data pass a relay before they leave: as late, and as often lost, as on a bench."""

    sender, settings = 0, RelayTable()

    def __init__(self, control):
        super().__init__(control)
        self._relay = Relay(self.settings)

    def send(self, datagram, address):
        if datagram[0] != DATA:
            super().send(datagram, address)
            return
        held = f"{address[0]} {address[1]} ".encode() + datagram
        self._relay.take(self.clock(), Message(VALUES, self.sender, 0, 1), held)

    def take(self, taker):
        for _, held in self._relay.due(self.clock()):
            host, port, datagram = held.split(b" ", 2)
            super().send(datagram, (host.decode(), int(port)))
        return super().take(taker)

    def wait(self, seconds):
        due = self._relay.next_due()
        super().wait(seconds if due is None else min(seconds, due - self.clock()))


class Timed(Machine):
    """A machine that notes how long after its due time each step has sent its values."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.sent_after = {}
        self.kept.append(self)

    kept = []  # noqa: RUF012

    def _send_data(self, data_id, number, payload):
        super()._send_data(data_id, number, payload)
        if self.course.due is not None:
            self.sent_after[self.course.done] = self._outlet.clock() - self.course.due


def serve(path, settings, told):
    """Be the slave of a side file; its rows and how late each step sent go to a connection."""
    side, done = load_side(path), []
    Bad.sender, Bad.settings = SIDES.index(side.name), settings
    slave.Sockets, slave.Machine = Bad, Timed
    given_up = time.monotonic() + PATIENCE

    def stopped(machine):
        if machine.state == State.RUNNING:
            done.append(True)
        return (bool(done) and machine.state == State.ALIVE) or time.monotonic() > given_up

    slave.serve_side(side, path.parent / side.name, stopped)
    rows = np.loadtxt(path.parent / side.name / f"{side.name}.csv", delimiter=",", skiprows=1)
    told.send((rows, Timed.kept[0].sent_after))


def run_dcp(loaded: LoadedBench, folder: Path) -> BenchResult:
    """Return the result of the one run of a bench, carried by DCP in soft real time."""
    scenario, context = loaded.scenario, multiprocessing.get_context("spawn")
    ((_, algorithm),) = scenario.cases
    count = scenario.steps(scenario.duration)
    folder.mkdir(parents=True, exist_ok=True)
    running = {}
    for side in SIDES:
        text = f'bench = "{loaded.path.as_posix()}"\nside = "{side}"\nalgorithm = "{algorithm}"\nport = {free_port()}\n'
        (folder / f"{side}.toml").write_text(text, encoding="utf-8")
        slave.describe_side(load_side(folder / f"{side}.toml"), folder / f"{side}.dcp")
        own, theirs = context.Pipe()
        process = context.Process(target=serve, args=(folder / f"{side}.toml", scenario.relay, theirs), daemon=True)
        process.start()
        running[side] = process, own
    signals = "".join(
        f'[signals.{name}]\nfrom = "{one.source.component}.{name}"\n'
        f"to = {sorted({f'{target.component}.{name}' for target in one.to})}\n"
        for name, one in scenario.signals.items()
    )
    slaves = "".join(f'[slaves.{side}]\ndescription = "{side}.dcp"\nrecord = []\n' for side in SIDES)
    head = f"duration = {scenario.duration + 0.5}\ninitialisations = 0\nconnect = 60.0\n"
    (folder / "master.toml").write_text(head + slaves + signals, encoding="utf-8")
    run_plan(load_plan(folder / "master.toml"))
    records = []
    for side, (process, own) in running.items():
        rows, after = own.recv()
        process.join()
        records.append(_record(loaded, side, rows[: count + 1], after))
    return judge_bench(loaded, solve_reference(loaded), *[[record] for record in records])


def _record(loaded: LoadedBench, side: str, rows, after) -> SideRecord:
    """Return rows of a slave as the record of a side."""
    ((timing, algorithm),) = loaded.scenario.cases
    signals = loaded.scenario.signals.items()
    sends = tuple(name for name, one in signals if one.source.component == side)
    receives = tuple(name for name, _ in signals if name not in sends)
    n, there = len(rows), 1 + len(sends)
    late = np.array([after.get(i, np.nan) for i in range(n)])
    estimate = rows[:, there:]
    return SideRecord(
        side, algorithm, timing, 1, sends, receives, rows[:, 1:there], estimate, estimate,
        np.zeros((n, len(receives), 4), np.int8), late, late, late, np.zeros(n), np.zeros((0, 3)),
    )  # fmt: skip
