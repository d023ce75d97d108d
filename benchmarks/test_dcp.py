"""Ten signals each way through DCP: a PDU received and one sent, against the same ten numbers packed and unpacked."""

from __future__ import annotations

import struct
import time

from tests.elsewhere.dcp.test_rate import DESCRIPTION, SIGNALS, Ten

STEPS, TRIES = 2000, 3


def protocol():
    """Return the time that one step of a slave takes, its model left out [s]."""
    hand = Ten(description=DESCRIPTION, mode=1)
    hand.model.period = 1e-3
    hand.lead_to("CONFIGURED again")
    hand.ok(0x06, "q", 0)
    data = [struct.pack(f"<BHH{SIGNALS}d", 0xF0, n, 1, *map(float, range(SIGNALS))) for n in range(STEPS)]
    begun = time.perf_counter()
    for n, datagram in enumerate(data):
        hand.machine.receive(datagram, ("127.0.0.1", 1), 1000.0 + n * 1e-3)
        hand.machine.advance(1000.0 + (n + 0.5) * 1e-3)
    return (time.perf_counter() - begun) / STEPS


def bare():
    """Return the time that packing and unpacking the same numbers takes [s]."""
    form, values = struct.Struct(f"<BHH{SIGNALS}d"), [*map(float, range(SIGNALS))]
    begun = time.perf_counter()
    for n in range(STEPS):
        form.unpack(form.pack(0xF0, n, 1, *values))
    return (time.perf_counter() - begun) / STEPS


def test_what_the_protocol_costs():
    steps, least = min(protocol() for _ in range(TRIES)), min(bare() for _ in range(TRIES))
    print(f"\nDCP, {SIGNALS} signals each way: {1e6 * steps:.0f} µs a step, {steps / least:.0f} times packing alone")
    assert steps < 1000 * least
