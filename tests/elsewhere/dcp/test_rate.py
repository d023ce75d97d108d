"""A slave at 1 kHz with ten signals: every message is handled, whatever time it takes."""

import struct

from couplant.elsewhere.dcp.codes import Mode, State
from couplant.elsewhere.dcp.description import Description, Variable
from tests.elsewhere.dcp.hand import LOOPBACK, UUID_TEXT, Hand

SIGNALS, STEPS = 10, 5000
INPUTS = tuple(Variable(f"u{i}", 1 + i, "input") for i in range(SIGNALS))
OUTPUTS = tuple(Variable(f"y{i}", 101 + i, "output") for i in range(SIGNALS))
DESCRIPTION = Description(
    "ten", UUID_TEXT, (*INPUTS, *OUTPUTS), frozenset({Mode.SRT, Mode.NRT}), (1, 1000), port=7000
)  # fmt: skip


class Ten(Hand):
    """Ten signals each way, in one PDU each."""

    def configuration(self):
        found = [(0x22, "HHQB", 1, i, 1 + i, 9) for i in range(SIGNALS)]
        found += [(0x23, "HHQ", 2, i, 101 + i) for i in range(SIGNALS)]
        found += [(0x26, "HBHI", 1, 0, 7000, LOOPBACK), (0x25, "HBHI", 2, 0, 6000, LOOPBACK)]
        return [*found, (0x2B, "HB", 1, 0), (0x2B, "HB", 2, 0), (0x21, "IH", 1, 2)]


def test_all_messages_of_five_seconds_are_handled():
    hand = Ten(description=DESCRIPTION, mode=1)
    hand.model.period = 1e-3
    hand.lead_to("CONFIGURED again")
    hand.ok(0x06, "q", 0)
    outlet, machine = hand.outlet, hand.machine
    sent = 0
    for n in range(STEPS):
        hand.now = 1000.0 + n * 1e-3
        values = [float(n + i) for i in range(SIGNALS)]
        machine.receive(struct.pack(f"<BHH{SIGNALS}d", 0xF0, n % 65536, 1, *values), ("127.0.0.1", 1), hand.now)
        while machine.advance(hand.now):
            pass
        sent += len(outlet.take(("127.0.0.1", 6000)))
    assert machine.state == State.SYNCHRONIZED
    assert len(hand.model.taken) == SIGNALS * STEPS
    assert hand.model.taken[-1] == (SIGNALS, (STEPS - 1) * 1e-3, float(STEPS - 1 + SIGNALS - 1))
    # the last point may be due a rounding of the clock later
    assert STEPS - 1 <= sent <= STEPS
    assert not sum(machine.dropped.values())
