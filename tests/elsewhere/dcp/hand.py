"""A master by hand: bytes from the tables of the standard, without the codec that it tests."""

import struct
from uuid import UUID

from couplant.elsewhere.dcp.codes import Mode
from couplant.elsewhere.dcp.description import Description, Variable
from couplant.elsewhere.dcp.journal import TEMPLATES
from couplant.elsewhere.dcp.machine import Machine

MASTER = ("127.0.0.1", 5000)
LOOPBACK = 0x7F000001
PERIOD = 0.5
UUID_TEXT = "01234567-89ab-cdef-0123-456789abcdef"

DESCRIPTION = Description(
    "doubler", UUID_TEXT,
    (
        Variable("u", 1, "input"), Variable("y", 2, "output"), Variable("fixed", 3, "parameter", variability="fixed"),
        Variable("gain", 4, "parameter", variability="tunable"),
    ),
    frozenset({Mode.SRT, Mode.NRT}), (1, 2), port=7000, log=TEMPLATES,
)  # fmt: skip


class Doubler:
    """y = gain u, one step late; all that it is told is kept."""

    def __init__(self):
        self.period, self.ended, self.taken, self.calls = PERIOD, False, [], []
        self.y, self.u, self.gain, self.settles, self.fails = 0.0, 0.0, 2.0, 0.0, False

    def start(self, parameters):
        self.calls.append(("start", dict(parameters)))
        if self.fails:
            from couplant.base.errors import CouplantError

            raise CouplantError("it refuses.")

    def take(self, reference, stamp, value):
        self.taken.append((reference, stamp, value))
        self.u = value

    def adjust(self, reference, value):
        self.gain = value

    def exchange(self, t, h):
        self.calls.append(("exchange", t, h))
        self.y = self.gain * self.u

    def finish(self, t, h):
        self.calls.append(("finish", t, h))

    def outputs(self, references):
        return [self.y for _ in references]

    def is_settled(self, t):
        return t >= self.settles

    def free(self):
        self.calls.append(("free",))


class Outlet:
    """Keeps what leaves."""

    def __init__(self):
        self.sent, self.places = [], set()

    def send(self, datagram, address):
        self.sent.append((datagram, address))

    def listen(self, addresses):
        self.places = set(addresses)

    def take(self, address=MASTER):
        """Return what has left for an address, and forget it."""
        found = [datagram for datagram, to in self.sent if to == address]
        self.sent = [one for one in self.sent if one[1] != address]
        return found


class Hand:
    """Leads a machine by hand; the clock stands at `now`."""

    def __init__(self, description=DESCRIPTION, mode=2, model=None, **settings):
        self.model, self.outlet, self.mode = model or Doubler(), Outlet(), mode
        self.machine = Machine(description, self.model, self.outlet, **settings)
        self.number, self.now, self.receiver = 0, 1000.0, 9

    def ask(self, kind, form="", *values, rest=b"", source=MASTER, state=None, number=None):
        """Send a request and return its answers: bytes to the master."""
        number = self.number if number is None else number
        head = struct.pack("<BHB", kind, number, self.receiver)
        if 1 <= kind <= 0x1F:
            head += bytes([self.machine.state if state is None else state])
        self.machine.receive(head + struct.pack("<" + form, *values) + rest, source, self.now)
        self.number = (number + 1) % 65536
        return self.outlet.take(source)

    def ok(self, *request, **more):
        """Send a request that has to be acknowledged."""
        number = self.number
        answers = self.ask(*request, **more)
        assert answers[0] == struct.pack("<BHB", 0xB0, number, self.receiver), answers
        return answers[1:]

    def refused(self, *request, **more):
        """Return the error code with which a request is refused, None if it is not."""
        number, state = self.number, self.machine.state
        answers = self.ask(*request, **more)
        if not answers or answers[0][0] != 0xB1:
            return None
        _, response, sender, _, code = struct.unpack("<BHBHH", answers[0])
        assert (response, sender, self.machine.state, len(answers)) == (more.get("number", number), 9, state, 1)
        return code

    def register(self, mode=None, uuid=UUID_TEXT, major=1, minor=0, state=None):
        self.mode = self.mode if mode is None else mode
        return (0x01, "16sBBB", UUID(uuid).bytes, self.mode, major, minor), {"state": state}

    def advance(self):
        """Let the machine do what is to be done; return the states that it told."""
        self.machine.advance(self.now)
        return [datagram[2] for datagram in self.outlet.take() if datagram[0] == 0xE0]

    def configuration(self):
        """Return the requests that make the configuration complete."""
        found = [
            (0x20, "II", 1, 2), (0x22, "HHQB", 1, 0, 1, 9), (0x26, "HBHI", 1, 0, 7000, LOOPBACK), (0x2B, "HB", 1, 0),
            (0x23, "HHQ", 2, 0, 2), (0x25, "HBHI", 2, 0, 6000, LOOPBACK), (0x2B, "HB", 2, 0),
            (0x28, "HHQB", 5, 0, 4, 9), (0x29, "HBHI", 5, 0, 7000, LOOPBACK),
        ]  # fmt: skip
        return [*found, *([(0x21, "IH", 1, 2)] if self.mode != 2 else [])]

    def configure(self, without=()):
        for request in self.configuration():
            if request not in without:
                self.ok(*request)

    def data(self, number, *values, data_id=1, kind=0xF0):
        """Send data."""
        datagram = struct.pack(f"<BHH{len(values)}d", kind, number, data_id, *values)
        self.machine.receive(datagram, ("127.0.0.1", 6543), self.now)

    def lead_to(self, state):
        """Lead the machine to a state: its name."""
        steps = {
            "ALIVE": lambda: None,
            "CONFIGURATION": lambda: self.ok(*self.register()[0]),
            "PREPARING": lambda: (self.configure(), self.ok(0x03)),
            "PREPARED": self.advance,
            "CONFIGURING": lambda: self.ok(0x04),
            "CONFIGURED": self.advance,
            "INITIALIZING": lambda: self.ok(0x05),
            "INITIALIZED": self.advance,
            "SENDING_I": lambda: self.ok(0x08),
            "CONFIGURED again": self.advance,
            "SYNCHRONIZING": lambda: self.ok(0x06, "q", 0),
            "SYNCHRONIZED": self.advance,
            "RUNNING": lambda: self.ok(0x06, "q", 0),
            "COMPUTING": lambda: self.ok(0x07, "I", 1),
            "COMPUTED": self.advance,
            "SENDING_D": lambda: self.ok(0x08),
            "RUNNING again": self.advance,
            "STOPPING": lambda: self.ok(0x09),
            "STOPPED": self.advance,
        }
        for name, act in steps.items():
            act()
            if name == state:
                break
        assert self.machine.state.name == state.split()[0]
        self.outlet.sent.clear()
        return self
