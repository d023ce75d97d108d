"""Samples of VILLASnode: its own parser in C takes them and hands them back unchanged; all others are refused."""

import ctypes
import os
import struct
import subprocess
import time

import numpy as np
import pytest

from couplant.base.paths import root
from couplant.bench import join_bench, load_bench, run_bench
from couplant.bench.carriers.villas import Samples
from couplant.bench.message import HELLO, VALUES, Message, Unusable, pack, unpack
from tests import commands
from tests.bench.meetings import free_port
from tests.bench.test_session import command
from tests.bench.virtual import SCENARIO

NODE_PROGRAM = os.environ.get("COUPLANT_VILLAS_NODE")

NOW = 1_700_000_000_123_456_789
SIGNALS = (2, 1)
BLOCKS = ((0.02, 1.5, -2.25), (0.01, 1e300, -1e-310), (0.0, 0.1, 0.0))
VALUE = Message(VALUES, 0, 0xDEADBEEF, 7, 9, 0.0213, 0.001, blocks=BLOCKS)
NODE = """
#include <stdint.h>
#include <string.h>
#include <arpa/inet.h>
/* A socket node with the signals of docs/villas.md: floats, then integers, which pass as in lib/formats/msg.cpp. */
struct Message {
    unsigned reserved1 : 2; unsigned type : 2; unsigned version : 4;
    uint8_t source_index; uint16_t length; uint32_t sequence;
    struct { uint32_t sec, nsec; } ts;
    union { float f; uint32_t i; } data[];
} __attribute__((packed));
int forward(const char *in, int size, int floats, int signals, char *out, double *seen, uint32_t *head)
{
    char copy[4096];
    if (size % 4 || size < (int)sizeof(struct Message)) return -1;
    memcpy(copy, in, size);
    struct Message *m = (struct Message *)copy;
    int n = ntohs(m->length);
    if ((int)sizeof *m + 4 * n > size) return -3;
    for (int i = 0; i < n; i++) m->data[i].i = ntohl(m->data[i].i);
    if (m->version != 2 || m->type != 0 || m->reserved1 != 0) return -2;
    if (n > signals) n = signals;
    head[0] = m->source_index; head[1] = ntohl(m->sequence); head[2] = ntohl(m->ts.sec); head[3] = ntohl(m->ts.nsec);
    int64_t integers[1024];
    for (int i = 0; i < n; i++) { if (i < floats) seen[i] = m->data[i].f; else integers[i] = m->data[i].i; }
    struct Message *o = (struct Message *)out;
    o->type = 0; o->version = 2; o->reserved1 = 0; o->source_index = m->source_index;
    o->length = htons(n); o->sequence = m->sequence; o->ts.sec = m->ts.sec; o->ts.nsec = m->ts.nsec;
    for (int i = 0; i < n; i++) {
        if (i < floats) o->data[i].f = seen[i]; else o->data[i].i = integers[i];
        o->data[i].i = htonl(o->data[i].i);
    }
    return sizeof *o + 4 * n;
}
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """Return what a socket node of VILLASnode does with a packet: what it sends on, the values and the head it sees."""
    folder = tmp_path_factory.mktemp("node")
    (folder / "node.c").write_text(NODE, encoding="utf-8")
    target = folder / "node.so"
    commands.run(["cc", "-O1", "-shared", "-fPIC", "-o", target, folder / "node.c"], check=True, capture_output=True)
    library = ctypes.CDLL(str(target))

    def forward(packet, floats=2, signals=64):
        out, seen, head = ctypes.create_string_buffer(4096), (ctypes.c_double * 64)(), (ctypes.c_uint32 * 4)()
        size = library.forward(packet, len(packet), floats, signals, out, seen, head)
        return out.raw[:size] if size > 0 else size, list(seen)[:floats], list(head)

    return forward


@pytest.fixture
def samples():
    return Samples(SIGNALS, lambda: NOW)


OTHERS = (Message(HELLO, 1, 3, sequence=5), VALUE._replace(sender=1, blocks=((0.0, 3e300),)))


def test_the_layout_by_hand(samples):
    packet = samples.wrap(pack(VALUE))
    words = len(pack(VALUE)) // 4
    assert packet[:16].hex() == f"2001{2 + words:04x}00000000{NOW // 10**9:08x}{NOW % 10**9:08x}"
    assert packet[16:24].hex() == "3fc00000c0100000"
    assert packet[24:28] == b"TLPC", "the first word of CPLT, most significant byte first"
    assert len(packet) == 24 + 4 * words
    assert [samples.wrap(pack(one))[4:8].hex() for one in (VALUE, *OTHERS)] == ["00000001", "00000000", "00000001"]


@pytest.mark.parametrize("message", [VALUE, *OTHERS])
def test_a_node_of_villas_passes_a_message_unchanged_and_sees_its_signals(node, samples, message):
    datagram, floats = pack(message), SIGNALS[message.sender]
    on, seen, head = node(samples.wrap(datagram), floats)
    assert samples.unwrap(on) == [datagram]
    values = [*(message.blocks[0][1:] if message.blocks else ()), 0.0, 0.0][:floats]
    with np.errstate(over="ignore"):
        assert seen == list(np.clip(values, -np.finfo("f4").max, np.finfo("f4").max).astype("f4"))
    assert head == [message.sender + 1, 0, NOW // 10**9, NOW % 10**9]


def test_a_node_with_too_few_signals_cuts_messages_which_are_refused(node, samples):
    on, *_ = node(samples.wrap(pack(VALUE)), signals=20)
    with pytest.raises(Unusable, match="truncated"):
        samples.unwrap(on)


def test_values_of_longer_samples_that_a_path_leaves_behind_shorter_ones(samples):
    hello = samples.wrap(pack(OTHERS[0]))
    stale = bytes.fromhex("deadbeef") * 7
    longer = hello[:2] + struct.pack(">H", (len(hello) - 16) // 4 + 7) + hello[4:] + stale
    assert samples.unwrap(longer + hello) == [pack(OTHERS[0])] * 2


def test_samples_that_a_node_has_put_together(samples):
    datagrams = [pack(VALUE._replace(sequence=i)) for i in range(3)]
    assert samples.unwrap(b"".join(map(samples.wrap, datagrams)), 0) == datagrams


GOOD = Samples(SIGNALS, lambda: NOW).wrap(pack(VALUE))


def changed(at, new):
    return GOOD[:at] + new + GOOD[at + len(new) :]


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (changed(0, b"\x10"), "version"), (changed(0, b"\x24"), "version"), (changed(0, b"\x21"), "version"),
        (changed(1, b"\x02"), "foreign|truncated"), (changed(1, b"\x00"), "foreign"), (changed(1, b"\xff"), "foreign"),
        (changed(2, b"\x00\x01"), "truncated"), (changed(2, b"\xff\xff"), "truncated"),
        (changed(12, b"\xff\xff\xff\xff"), "foreign"), (changed(24, b"XXXX"), "foreign"), (GOOD[:15], "truncated"),
        (GOOD[:-4], "truncated"), (GOOD[:-1], "truncated"), (GOOD + b"\0\0", "truncated"), (b"\0" * 16, "version"),
        (changed(2, struct.pack(">H", 2)), "foreign|truncated"),
    ],
)  # fmt: skip
def test_what_is_no_sample_of_ours_is_refused(samples, packet, reason):
    with pytest.raises(Unusable, match=f"^({reason})$"):
        samples.unwrap(packet, 0)


def test_no_bytes_whatever_do_harm(samples):
    chance = np.random.default_rng(1)
    for _ in range(5000):
        packet = bytearray(GOOD if chance.random() < 0.7 else chance.bytes(chance.integers(0, 200)))
        for at in chance.integers(0, max(len(packet), 1), 3):
            if packet:
                packet[at] = chance.integers(256)
        try:
            found = samples.unwrap(bytes(packet), 0)
        except Unusable:
            continue
        assert all(len(one) <= len(pack(VALUE)) and unpack(one).sender == 0 for one in found)


@pytest.mark.landing("a bench in real time: 2 s of CPU")
def test_a_bench_over_samples_with_the_relay_between():
    loaded = load_bench(SCENARIO, ["duration=2.0", "wire=false", "bench.transport='villas'"])
    result = run_bench(loaded)
    for direction in result.directions[0]:
        assert direction.told["taken"] == direction.counts["sent"] == 201
        assert direction.counts["arrived"] > 150 and direction.counts["foreign"] == 0


def settings_of_the_page(ports):
    """Return the settings of the node in docs/villas.md, for these ports of this machine."""
    text = (root() / "docs" / "villas.md").read_text(encoding="utf-8")
    found = text.partition("```text\n")[2].partition("```")[0]
    for written, here in zip(("*:12000", "*:12001", "A:47111", "B:47112"), ports, strict=True):
        assert written in found
        found = found.replace(written, f"127.0.0.1:{here}")
    return found


@pytest.mark.skipif(not NODE_PROGRAM, reason="COUPLANT_VILLAS_NODE names no villas-node")
@pytest.mark.landing("two sides in real time")
def test_a_bench_through_villasnode_itself(tmp_path):
    ports = [free_port() for _ in range(4)]
    settings = tmp_path / "node.conf"
    settings.write_text(settings_of_the_page(ports), encoding="utf-8")
    program = [NODE_PROGRAM, str(settings)]
    with commands.Started(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as node:
        try:
            time.sleep(1.0)
            sides = [
                command("--side", side, "--transport", "villas", "--listen", f"127.0.0.1:{here}", "--duration", "2",
                        "--peer", f"127.0.0.1:{there}", "-o", str(tmp_path / "out"))
                for side, here, there in (("left", ports[2], ports[0]), ("right", ports[3], ports[1]))
            ]  # fmt: skip
            for side in sides:
                _, errors = side.communicate(timeout=120)
                assert (side.returncode, errors) == (0, "")
        finally:
            node.kill()
    result = join_bench(load_bench(SCENARIO, ["duration=2.0"]), tmp_path / "out")
    for direction in (*result.directions[0], *result.directions[1]):
        assert direction.counts["arrived"] > 150 and direction.counts["foreign"] == 0
