"""The master, with a slave by hand behind real sockets; and with slaves that refuse, are silent or fail."""

import socket
import struct
import threading

import pytest

from couplant.base.errors import CouplantError
from couplant.elsewhere.dcp.codes import Mode
from couplant.elsewhere.dcp.description import Description, Variable, write_description
from couplant.elsewhere.dcp.master import run_plan
from couplant.elsewhere.dcp.plan import load_plan

UUID = "01234567-89ab-cdef-0123-456789abcdef"
# what each request leads to: states between and the last one
LEADS = {0x01: [1], 0x02: [0], 0x03: [2, 3], 0x04: [4, 5], 0x05: [6, 7], 0x07: [12, 13], 0x09: [15, 16]}


class HandSlave(threading.Thread):
    """A slave of a few lines, from the tables of the standard: its output counts the steps.

    It refuses the request `refuses` with `code`, is silent to `silent`, answers `deaf` only when asked again, and fails
    when it is asked for step number `fails`.
    """

    def __init__(self, refuses=0, code=0x2011, silent=0, deaf=0, fails=0):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(20.0)
        self.port, self.requests = self.socket.getsockname()[1], []
        self.refuses, self.code, self.silent, self.deaf, self.fails = refuses, code, silent, deaf, fails
        self.state, self.steps, self.data, self.target, self.last = 0, 0, 0, None, None

    def run(self):
        try:
            while True:
                datagram, source = self.socket.recvfrom(65536)
                if datagram == b"end":
                    return
                self.answer(datagram, source)
        except OSError:
            return
        finally:
            self.socket.close()

    def end(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.sendto(b"end", ("127.0.0.1", self.port))
        self.join()

    def answer(self, datagram, source):
        kind, number, receiver = struct.unpack_from("<BHB", datagram)
        self.requests.append(kind)

        def send(form, *values):
            self.socket.sendto(struct.pack("<" + form, *values), source)

        def change(state):
            self.state = state
            send("BBB", 0xE0, receiver, state)

        if kind == self.silent:
            return
        if kind == self.deaf:
            self.deaf = 0
            return
        if kind == self.refuses:
            send("BHBHH", 0xB1, number, receiver, (number + 1) % 65536, self.code)
            return
        if kind == 0x80:
            send("BHBB", 0xB2, number, receiver, self.state)
            return
        if kind == 0x81:
            send("BHBH", 0xB3, number, receiver, 0x1001)
            return
        send("BHB", 0xB0, number, receiver)
        if kind == 0x25:
            port, host = struct.unpack_from("<HI", datagram, 7)
            self.target = socket.inet_ntoa(struct.pack(">I", host)), port
        for state in LEADS.get(kind, []):
            change(state)
        if kind == 0x06:
            change({5: 9, 10: 11}[self.state])
            if self.state == 9:
                change(10)
        if kind == 0x07:
            self.steps += struct.unpack_from("<I", datagram, 5)[0]
            if self.steps == self.fails:
                change(17)
                change(18)
        if kind == 0x08:
            before = self.state
            change(8 if before == 7 else 14)
            self.socket.sendto(struct.pack("<BHHd", 0xF0, self.data, 1, float(self.steps)), self.target)
            self.data = (self.data + 1) % 65536
            change(5 if before == 7 else 11)


def plan_for(folder, slave, more="", slaves=""):
    variables = (Variable("n", 1, "output"), Variable("u", 2, "input"), Variable("p", 3, "parameter"))
    modes = frozenset({Mode.NRT})
    description = Description("hand", UUID, variables, modes, (1, 10), port=slave.port)
    write_description(description, folder / "hand.dcp")
    text = f'duration = 1.0\nmode = "NRT"\nconnect = 1.5\n{more}\n[slaves.hand]\ndescription = "hand.dcp"\n{slaves}'
    (folder / "master.toml").write_text(text)
    return load_plan(folder / "master.toml")


@pytest.fixture
def led(tmp_path):
    """Return a function that runs the master with one slave by hand."""
    slaves = []

    def run(more="", slaves_more="", **behaviour):
        slaves.append(HandSlave(**behaviour))
        slaves[-1].start()
        return slaves[-1], run_plan(plan_for(tmp_path, slaves[-1], more, slaves_more), tmp_path / "out")

    yield run
    for slave in slaves:
        slave.end()


def test_a_slave_by_hand_is_led_and_recorded(led, tmp_path):
    slave, records = led(slaves_more="parameters = { p = 2.0 }\n")
    record = records["hand"]
    assert record.columns == ("n",)
    assert [(round(10 * time), value) for time, value in record.rows] == [(n, float(n)) for n in range(11)]
    order = [0x01, 0x20, 0x27, 0x2B, 0x23, 0x25, 0x03, 0x04, 0x05, 0x08, 0x05, 0x08, 0x06, 0x06, *[0x07, 0x08] * 10]
    assert [kind for kind in slave.requests if kind != 0x80] == [*order, 0x09, 0x02]
    lines = (tmp_path / "out" / "hand.csv").read_text().splitlines()
    assert (lines[0], len(lines)) == ("time,n", 12)


def test_a_request_whose_answer_is_lost_is_sent_again(led):
    slave, records = led(deaf=0x20)
    assert slave.requests[1:3] == [0x20, 0x20]
    assert len(records["hand"].rows) == 11


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ({"refuses": 0x01}, "hand: refuses STC_register with 0x2011, INVALID_UUID."),
        ({"refuses": 0x20, "code": 0x200F}, "hand: refuses CFG_time_res with 0x200f, INVALID_TIME_RESOLUTION."),
        ({"refuses": 0x03, "code": 0x3007}, "hand: refuses STC_prepare with 0x3007, INCOMPLETE_CONFIG_SCOPE."),
        ({"silent": 0x01}, "hand: no answer to STC_register within 1.5 s."),
        ({"silent": 0x04}, "hand is in PREPARED, not in CONFIGURED, after 1.5 s."),
        ({"fails": 4}, "hand: went to the state ERRORRESOLVED: GENERIC."),
    ],
)
def test_a_slave_that_does_not_do_as_asked(led, behaviour, sentence):
    with pytest.raises(CouplantError) as error:
        led(**behaviour)
    assert str(error.value) == sentence


def test_datagrams_of_strangers_change_nothing(led, tmp_path):
    slave = HandSlave()
    slave.start()
    plan = plan_for(tmp_path, slave, "port = 0")
    stop = threading.Event()

    def flood():
        # to the slave itself, which is not the one under test, and to whoever reads what it sends
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            while not stop.is_set():
                if slave.target:
                    for junk in (b"", b"\xb0\x01", b"\xe0\x01\x12", struct.pack("<BHHd", 0xF0, 3, 77, 1.0)):
                        other.sendto(junk, slave.target)
                stop.wait(0.002)

    thread = threading.Thread(target=flood)
    thread.start()
    try:
        assert [value for _, value in run_plan(plan)["hand"].rows] == [float(n) for n in range(11)]
    finally:
        stop.set()
        thread.join()
        slave.end()


@pytest.mark.parametrize(
    ("more", "slaves", "sentence"),
    [
        ("mode = 3", "", "mode"),
        ("host = 'here'", "", "host = here, allowed an IPv4 address"),
        ("host = '10.0.0.1'", "", "10.0.0.1 is not on this machine, allowed with anywhere = true only"),
        ("", "host = '10.0.0.2'\n", "slaves.hand: 10.0.0.2 is not on this machine"),
        ("", "parameters = { q = 1.0 }\n", "hand.q: no parameter of this slave, allowed p."),
        ("", "record = ['m']\n", "hand.m: no output of this slave, allowed n."),
        ("", "[signals.s]\nfrom = 'hand.n'\nto = ['other.u']\n", "other.u: no slave 'other', allowed hand."),
        ("", "[signals.s]\nfrom = 'hand.u'\nto = ['hand.u']\n", "hand.u: no output of this slave, allowed n."),
        ("", "[signals.s]\nfrom = 'hand.n'\nto = ['hand.u', 'hand.u']\n", "signals.s.to: hand.u has two sources."),
    ],
)
def test_what_a_master_file_may_not_say(tmp_path, more, slaves, sentence):
    slave = HandSlave()
    slave.socket.close()
    text = more if more.startswith("host") else ""
    with pytest.raises(CouplantError) as error:
        if more.startswith("mode"):
            plan_for(tmp_path, slave)
            load_plan(tmp_path / "master.toml", [more.replace(" ", "")])
        else:
            plan_for(tmp_path, slave, text, slaves)
    assert sentence in str(error.value)


def test_a_mode_that_a_slave_is_not_capable_of(tmp_path):
    slave = HandSlave()
    slave.socket.close()
    plan_for(tmp_path, slave)
    with pytest.raises(CouplantError, match="mode = SRT: hand is capable of NRT"):
        load_plan(tmp_path / "master.toml", ['mode="SRT"'])
