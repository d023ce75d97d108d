"""Every error code of the standard's table 104, each brought about in a slave by a master that knows bytes only."""

import struct
from dataclasses import replace
from functools import partial

import pytest

from couplant.elsewhere.dcp.codes import Fault
from tests.elsewhere.dcp.hand import DESCRIPTION, LOOPBACK, Hand

TABLE = {
    0x1001: "PROTOCOL_ERROR_GENERIC", 0x1002: "PROTOCOL_ERROR_HEARTBEAT_MISSED",
    0x1003: "PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE", 0x1004: "PROTOCOL_ERROR_PROPERTY_VIOLATED",
    0x1005: "PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS", 0x2001: "INVALID_LENGTH", 0x2002: "INVALID_LOG_CATEGORY",
    0x2003: "INVALID_LOG_LEVEL", 0x2004: "INVALID_LOG_MODE", 0x2005: "INVALID_MAJOR_VERSION",
    0x2006: "INVALID_MINOR_VERSION", 0x2007: "INVALID_NETWORK_INFORMATION", 0x2008: "INVALID_OP_MODE",
    0x2009: "INVALID_PAYLOAD", 0x200A: "INVALID_SCOPE", 0x200B: "INVALID_SOURCE_DATA_TYPE",
    0x200C: "INVALID_START_TIME", 0x200D: "INVALID_STATE_ID", 0x200E: "INVALID_STEPS",
    0x200F: "INVALID_TIME_RESOLUTION", 0x2010: "INVALID_TRANSPORT_PROTOCOL", 0x2011: "INVALID_UUID",
    0x2012: "INVALID_VALUE_REFERENCE", 0x2013: "INVALID_SEQUENCE_ID", 0x3001: "INCOMPLETE_CONFIG_GAP_INPUT_POS",
    0x3002: "INCOMPLETE_CONFIG_GAP_OUTPUT_POS", 0x3003: "INCOMPLETE_CONFIG_GAP_TUNABLE_POS",
    0x3004: "INCOMPLETE_CONFIG_NW_INFO_INPUT", 0x3005: "INCOMPLETE_CONFIG_NW_INFO_OUTPUT",
    0x3006: "INCOMPLETE_CONFIG_NW_INFO_TUNABLE", 0x3007: "INCOMPLETE_CONFIG_SCOPE",
    0x3008: "INCOMPLETE_CONFIG_STEPS", 0x3009: "INCOMPLETE_CONFIG_TIME_RESOLUTION",
    0x300A: "INCOMPLETE_CONFIGURATION", 0x4001: "NOT_SUPPORTED_LOG_ON_NOTIFICATION",
    0x4002: "NOT_SUPPORTED_LOG_ON_REQUEST", 0x4003: "NOT_SUPPORTED_VARIABLE_STEPS",
    0x4004: "NOT_SUPPORTED_TRANSPORT_PROTOCOL", 0x4005: "NOT_SUPPORTED_PDU", 0x4006: "NOT_SUPPORTED_PDU_SIZE",
}  # fmt: skip
"""Error codes and mnemonics, copied from the standard."""

HRT, SRT, NRT = range(3)
FAR = 0x0A000001  # 10.0.0.1
NO_LOG = replace(DESCRIPTION, log=None)
AT_ONCE = replace(DESCRIPTION, log_on_request=False)
ON_REQUEST = replace(DESCRIPTION, log_on_notification=False)
SILENT = replace(DESCRIPTION, log_on_request=False, log_on_notification=False)
EVEN = replace(DESCRIPTION, variable_steps=False)
TIMELESS = replace(DESCRIPTION, resolution=(0, 1), fixed_resolution=False)
IMPATIENT = replace(DESCRIPTION, heartbeat=(3, 2))
HUNGRY = replace(DESCRIPTION, variables=(replace(DESCRIPTION.variables[0], most_missed=2), *DESCRIPTION.variables[1:]))


def refused(place, *request, mode=NRT, description=DESCRIPTION, **more):
    """Return the code with which a request is refused in a state, the place; the slave goes on as before."""
    hand = Hand(description, mode)
    if mode == SRT and place == "RUNNING":
        hand.lead_to("CONFIGURED again").ok(0x06, "q", 0)
        hand.advance()
        hand.ok(0x06, "q", 0)
    else:
        hand.lead_to(place)
    found = hand.refused(*request, **more)
    if place != "ALIVE":
        assert hand.ask(0x80)[0][0] == 0xB2, "the number of what was refused counts"
    return found


def out_of_order():
    hand = Hand().lead_to("CONFIGURATION")
    number = hand.number
    _, _, _, expected, found = struct.unpack("<BHBHH", hand.ask(0x24, number=number + 4)[0])
    hand.number = expected
    assert (expected, hand.ok(0x24)) == (number, [])
    return found


REGISTER = {
    0x200D: {"state": 3}, 0x2011: {"uuid": "01234567-89ab-cdef-0123-456789abcdee"}, 0x2008: {"mode": HRT},
    0x2005: {"major": 2}, 0x2006: {"minor": 1},
}  # fmt: skip
"""What is wrong with a request to register, in the order of table 110."""


def registering(code):
    """Return the code for what is wrong in one field of a request to register, and in all behind it."""
    codes, hand = [*REGISTER], Hand()
    wrong = {key: value for one in codes[codes.index(code) :] for key, value in REGISTER[one].items()}
    request, more = hand.register(**wrong)
    found = hand.refused(*request, **more)
    hand.mode = NRT
    assert hand.ok(*hand.register()[0]) == [b"\xe0\x09\x01"]
    return found


STEPS, SCOPE, TIME = (0x21, "IH", 1, 2), (0x2B, "HB", 2, 0), (0x20, "II", 1, 2)
LACKS = {
    0x3001: ([], [(0x22, "HHQB", 1, 2, 1, 9)]),
    0x3002: ([], [(0x23, "HHQ", 2, 3, 2)]),
    0x3003: ([], [(0x28, "HHQB", 5, 7, 4, 9)]),
    0x3004: ([(0x26, "HBHI", 1, 0, 7000, LOOPBACK)], []),
    0x3005: ([(0x25, "HBHI", 2, 0, 6000, LOOPBACK)], []),
    0x3006: ([(0x29, "HBHI", 5, 0, 7000, LOOPBACK)], []),
    0x3008: ([STEPS], []), 0x3009: ([TIME], []), 0x3007: ([SCOPE], []),
}  # fmt: skip
"""What is left out of a configuration, or put into it besides, in the order of table 112."""


def preparing(code):
    """Return the code for what a configuration lacks; what comes later in the table is missing too."""
    hand = Hand(TIMELESS, SRT).lead_to("CONFIGURATION")
    codes = [*LACKS]
    hand.configure(without=[one for later in codes[codes.index(code) :] for one in LACKS[later][0]])
    for request in LACKS[code][1]:
        hand.ok(*request)
    return hand.refused(0x03)


def too_long():
    hand = Hand(replace(DESCRIPTION, largest=12)).lead_to("CONFIGURATION")
    hand.configure()
    return hand.refused(0x03)


def told(hand):
    """Return the code that a slave in an error tells who asks, before and after it has been resolved."""
    found = []
    while len(found) < 2:
        number = hand.number
        head, code = struct.unpack("<4sH", hand.ask(0x81)[0])
        assert head == struct.pack("<BHB", 0xB3, number, 9)
        found.append(code)
        hand.advance()
    assert hand.machine.state == 0x12 and found[0] == found[1]
    assert hand.ok(0x02) == [b"\xe0\x09\x00"]
    return found[0]


def failing():
    hand = Hand().lead_to("CONFIGURING")
    hand.model.fails = True
    hand.advance()
    return told(hand)


def silent_master(state):
    hand = Hand(IMPATIENT).lead_to(state)
    hand.now += 1.4
    hand.ask(0x80)
    hand.now += 1.4
    assert 0x11 not in hand.advance(), "the last INF_state is not that long ago"
    hand.now += 0.2
    assert hand.advance() == [0x11, 0x12], "it goes to both by itself"
    return told(hand)


def starved():
    hand = Hand(HUNGRY, SRT).lead_to("CONFIGURED again")
    hand.ok(0x06, "q", 0)
    hand.data(0, 1.0)
    hand.data(3, 1.0)
    assert hand.machine.state == 0x09
    hand.data(7, 1.0)
    assert hand.outlet.take()[-1] == b"\xe0\x09\x11"
    return told(hand)


def case(code, act, *arguments, **settings):
    return pytest.param(code, partial(act, *arguments, **settings), id=f"{code:04X}-{act.__name__}-{arguments}")


C = "CONFIGURATION"
CASES = [
    case(0x1001, failing),
    *(case(0x1002, silent_master, state) for state in (C, "PREPARED", "CONFIGURED", "RUNNING", "STOPPED")),
    case(0x1003, refused, "CONFIGURED", 0x81), case(0x1003, refused, "ALIVE", 0x09, state=0),
    case(0x1004, starved),
    case(0x1005, refused, "PREPARING", 0x03),
    case(0x2001, refused, C, 0x20, "I", 1), case(0x2001, refused, C, 0x03, "B", 1),
    case(0x2002, refused, C, 0x2A, "BBB", 77, 9, 9), case(0x2002, refused, "CONFIGURED", 0x82, "BB", 77, 1),
    case(0x2003, refused, C, 0x2A, "BBB", 1, 5, 9),
    case(0x2004, refused, C, 0x2A, "BBB", 1, 4, 3),
    case(0x2007, refused, C, 0x25, "HBHI", 2, 0, 0, LOOPBACK), case(0x2007, refused, C, 0x25, "HBHI", 2, 0, 6000, FAR),
    case(0x2007, refused, C, 0x26, "HBHI", 1, 0, 80, LOOPBACK), case(0x2007, refused, C, 0x29, "HBHI", 5, 0, 80, FAR),
    case(0x2009, refused, C, 0x27, "QBf", 3, 9, 1.0), case(0x2009, refused, C, 0x27, "QBd", 3, 9, float("nan")),
    case(0x200A, refused, C, 0x2B, "HB", 1, 3),
    case(0x200B, refused, C, 0x22, "HHQB", 1, 0, 1, 10), case(0x200B, refused, C, 0x27, "QBQ", 3, 3, 1),
    case(0x200B, refused, C, 0x28, "HHQB", 5, 0, 4, 7),
    case(0x200C, refused, "CONFIGURED", 0x06, "q", 999, mode=SRT),
    case(0x200C, refused, "CONFIGURED", 0x06, "q", -1, mode=SRT),
    *(case(0x200D, refused, state, kind, state=5)
      for kind, state in ((0x02, C), (0x03, C), (0x09, "PREPARED"), (0x0A, "STOPPED"))),
    case(0x200E, refused, C, 0x21, "IH", 0, 2, mode=SRT), case(0x200E, refused, "RUNNING", 0x07, "I", 0),
    case(0x200F, refused, C, 0x20, "II", 1, 3), case(0x200F, refused, C, 0x20, "II", 1, 0),
    case(0x2010, refused, C, 0x25, "HBHI", 2, 5, 0, LOOPBACK), case(0x2010, refused, C, 0x26, "HBHI", 1, 9, 0, FAR),
    case(0x2010, refused, C, 0x29, "HBHI", 5, 255, 7000, LOOPBACK),
    case(0x2012, refused, C, 0x22, "HHQB", 1, 0, 2, 99), case(0x2012, refused, C, 0x23, "HHQ", 2, 0, 1),
    case(0x2012, refused, C, 0x27, "QBd", 1, 9, 1.0), case(0x2012, refused, C, 0x28, "HHQB", 5, 0, 3, 99),
    case(0x2013, out_of_order),
    *(case(code, registering, code) for code in REGISTER),
    *(case(code, preparing, code) for code in LACKS),
    case(0x300A, refused, C, 0x03),
    case(0x4001, refused, C, 0x2A, "BBB", 77, 1, 2, description=ON_REQUEST),
    case(0x4002, refused, C, 0x2A, "BBB", 77, 1, 1, description=AT_ONCE),
    case(0x4003, refused, "RUNNING", 0x07, "I", 2, description=EVEN),
    *(case(0x4004, refused, C, kind, "HBHI", one, protocol, 0, LOOPBACK)
      for kind, one in ((0x25, 2), (0x26, 1), (0x29, 5)) for protocol in (1, 2, 3, 4)),
    case(0x4005, refused, "RUNNING", 0x07, "I", 1, mode=SRT), case(0x4005, refused, C, 0x21, "IH", 1, 2),
    case(0x4005, refused, "STOPPED", 0x0A, description=replace(DESCRIPTION, resets=False)),
    *(case(0x4005, refused, C, 0x2A, "BBB", 1, 1, 1, description=one) for one in (NO_LOG, SILENT)),
    *(case(0x4005, refused, "CONFIGURED", 0x82, "BB", 0, 1, description=one) for one in (NO_LOG, AT_ONCE)),
    case(0x4006, too_long),
]  # fmt: skip


@pytest.mark.parametrize(("code", "act"), CASES)
def test_every_error_of_the_table(code, act):
    assert act() == code, TABLE[code]


def test_the_table_is_whole():
    assert {one.values[0] for one in CASES} == set(TABLE)
    assert {fault.value: fault.name for fault in Fault if fault} == {
        code: mnemonic.removeprefix("PROTOCOL_ERROR_") for code, mnemonic in TABLE.items()
    }
