"""Sides of a bench as slaves, and a master, in one process: a network without sockets on a clock of its own."""

from contextlib import ExitStack

from couplant.cosim.fmu.load import FmuLibrary
from couplant.elsewhere.dcp.description import write_description
from couplant.elsewhere.dcp.machine import Machine
from couplant.elsewhere.dcp.part import Part
from couplant.elsewhere.dcp.side import load_side

MASTER = ("127.0.0.1", 4999)
DATA = 0xF0


class Port:
    """What one slave sends goes to the network."""

    def __init__(self, network):
        self.network = network

    def send(self, datagram, address):
        self.network.deliver(datagram, address)

    def listen(self, addresses):
        pass


class Network:
    """The link of a master; data between slaves are `late` by so many requests for steps, or as `fate` says."""

    def __init__(self, late=0, fate=None):
        self.now, self.machines, self.arrived, self.held = 1_000_000.5, {}, [], []
        self.late, self.fate, self.cycles, self.count = late, fate or (lambda n: [0]), 0, 0
        self.address = MASTER
        self.asked = {}

    def clock(self):
        return self.now

    def add(self, description, model, address):
        self.machines[address] = Machine(description, model, Port(self))

    def send(self, datagram, address):
        """Bring a request of the master to a slave; with each round of steps held data come due."""
        if datagram[0] == 0x07 and address == next(iter(self.machines)):
            self.cycles += 1
            due = [one for one in self.held if one[0] <= self.cycles]
            self.held = [one for one in self.held if one[0] > self.cycles]
            for _, data, target in due:
                self.machines[target].receive(data, ("127.0.0.1", 1), self.now)
        self.machines[address].receive(datagram, MASTER, self.now)

    def deliver(self, datagram, address):
        if address == MASTER:
            self.arrived.append(datagram)
        elif datagram[0] == DATA:
            self.count += 1
            for more in self.fate(self.count):
                due = self.cycles + 1 + self.late + more if self.cycles else 0
                if due <= self.cycles:
                    self.machines[address].receive(datagram, ("127.0.0.1", 1), self.now)
                else:
                    self.held.append((due, datagram, address))

    def take(self, taker):
        for machine in self.machines.values():
            while machine.advance(self.now):
                pass
        found, self.arrived = self.arrived, []
        for datagram in found:
            self.bring(taker, datagram)
        return len(found)

    def bring(self, taker, datagram):
        """Hand a datagram to the master; who sent it stands in it, but for data."""
        if datagram[0] == DATA:
            taker(datagram, ("127.0.0.1", 1), self.now, None)
            return
        number = datagram[1] if datagram[0] in (0xE0, 0xE1) else datagram[3]
        taker(datagram, [*self.machines][number - 1], self.now, None)

    def wait(self, seconds):
        self.now += seconds


BENCH = """
name = "Two masses"
duration = {duration}
macro_step = 0.02
timing = ["{timing}"]
algorithms = ["{algorithm}"]
[components.left]
model = "mass_1"
parameters = {{ force.amplitude = 1.0 }}
[components.right]
model = "mass_2"
parameters = {{ force.amplitude = 0.0 }}
[bench]
repeat = {repeat}
real_time = false
[signals.x1]
from = "left.x1"
to = ["right.x1"]
unit = "m"
[signals.v1]
from = "left.v1"
to = ["right.v1"]
unit = "m/s"
[signals.f]
from = "right.f"
to = ["left.f"]
unit = "N"
"""

SIGNALS = """
[signals.x1]
from = "left.x1"
to = ["right.x1"]
[signals.v1]
from = "left.v1"
to = ["right.v1"]
[signals.f]
from = "right.f"
to = ["left.f"]
"""


def write_bench(folder, duration=2.0, timing="event", algorithm="eros3", repeat=1, ports=(8080, 8081)):
    """Write the files of example 1 as a bench with two sides and a master; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    text = BENCH.format(duration=duration, timing=timing, algorithm=algorithm, repeat=repeat)
    (folder / "bench.toml").write_text(text)
    for side, port in zip(("left", "right"), ports, strict=True):
        (folder / f"{side}.toml").write_text(f'bench = "bench.toml"\nside = "{side}"\nport = {port}\n')
    slaves = "".join(f'[slaves.{side}]\ndescription = "{side}.dcp"\n' for side in ("left", "right"))
    (folder / "master.toml").write_text(f'duration = {duration}\nmode = "NRT"\n{slaves}{SIGNALS}')
    return folder


class Pair:
    """Both sides in a network; a context manager that frees them."""

    def __init__(self, folder, network):
        self.folder, self.network, self.parts, self._open = folder, network, {}, ExitStack()

    def __enter__(self):
        library = self._open.enter_context(FmuLibrary())
        for side in ("left", "right"):
            loaded = load_side(self.folder / f"{side}.toml")
            part = self.parts[side] = Part(loaded, library, self.folder / "fmus" / side)
            self._open.callback(part.free)
            write_description(part.description, self.folder / f"{side}.dcp")
            self.network.add(part.description, part, loaded.address)
        return self

    def __exit__(self, *_):
        self._open.close()
