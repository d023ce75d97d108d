"""Messages that stand behind a lost one: how late they arrive over each carrier when 2 % of the packets are lost.

python benchmarks/carriers.py [PICTURE.png], with fmu_src, builder and the root of the project on the path; as root on
Linux, with iptables and mosquitto. Two network namespaces stand for two machines. What goes from one to the other
passes a relay of IP packets, 10 ms each way; the machine on the right loses packets that arrive (`statistic` of
iptables). The messages are those of a bench with a macro step of 10 ms. Figures go to standard output as CSV.
"""

from __future__ import annotations

import csv
import fcntl
import heapq
import json
import os
import select
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from benchmarks.axes import figure_of, plain
from couplant.base.arrays import Vector
from couplant.bench.transport import End, load_transport, urgent
from couplant.config.bench import TransportTable
from couplant.report.pictures import FONT, write_figure

LOSS, DELAY, PERIOD, COUNT, LENGTH = 0.02, 0.01, 0.01, 3000, 152
"""Share that is lost, delay each way [s], time between messages [s], their number, their length [byte]."""

LEFT, RIGHT = "10.77.0.1", "10.77.0.2"
MACHINES = {"left": LEFT, "right": RIGHT}
CARRIERS = {
    "udp": ("udp", ""),
    "zenoh udp": ("zenoh", f"udp/{RIGHT}:7447"),
    "zenoh tcp": ("zenoh", f"tcp/{RIGHT}:7447"),
    "mqtt": ("mqtt", f"tcp/{RIGHT}:1883"),
}
PENS = {"udp": "#1f6f8b", "zenoh udp": "#5aa469", "zenoh tcp": "#c1542e", "mqtt": "#7b4ea3"}
SHOWN = 180.0
"""Right edge of the picture. [ms]"""

_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_PATIENCE = 60.0


@contextmanager
def machines(loss: float = LOSS, delay: float = DELAY) -> Iterator[Mapping[str, str]]:
    """Yield the names of two network namespaces, with a relay of packets between them."""
    names = {side: f"cp{os.getpid()}{side[0]}" for side in MACHINES}
    with ExitStack() as kept:
        links = []
        for side, name in names.items():
            run("ip", "netns", "add", name)
            kept.callback(run, "ip", "netns", "delete", name)
            links.append(kept.enter_context(closing(_device(name, MACHINES[side]))))
        lossy = ("-p", "all", "-m", "statistic", "--mode", "random", "--probability", str(loss), "-j", "DROP")
        run(*inside(names["right"]), "iptables", "-A", "INPUT", "-i", names["right"], *lossy)
        done = threading.Event()
        relay = threading.Thread(target=_relay, args=(links, delay, done))
        relay.start()
        kept.callback(relay.join)
        kept.callback(done.set)
        yield names


def _device(name: str, address: str) -> os.PathLike:
    """Return the near end of a device through which a namespace, which is called the same, sends its packets."""
    link = open("/dev/net/tun", "r+b", buffering=0)
    fcntl.ioctl(link, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _IFF_TUN | _IFF_NO_PI))
    os.set_blocking(link.fileno(), False)
    run("ip", "link", "set", name, "netns", name)
    run(*inside(name), "ip", "link", "set", "lo", "up")
    run(*inside(name), "ip", "address", "add", f"{address}/24", "dev", name)
    run(*inside(name), "ip", "link", "set", name, "up")
    return link


def _relay(links, delay, done):
    """Hand each packet over `delay` seconds after it came."""
    waiting, count, clock = [], 0, time.perf_counter
    while not done.is_set():
        left = waiting[0][0] - clock() if waiting else 0.05
        ready = select.select(links, [], [], max(min(left, 0.05), 0.0))[0]
        now = clock()
        for link in ready:
            packet = link.read(65536)
            if packet:
                count += 1
                heapq.heappush(waiting, (now + delay, count, 1 - links.index(link), packet))
        while waiting and waiting[0][0] <= clock():
            _, _, to, packet = heapq.heappop(waiting)
            links[to].write(packet)


def inside(name: str) -> tuple[str, ...]:
    """Return the words that run a command in a namespace."""
    return "ip", "netns", "exec", name


def run(*words: str) -> None:
    """Run a command; what goes wrong is told."""
    subprocess.run(words, check=True)


def end(name: str, endpoint: str, side: str):
    """Return the end of a side in its namespace."""
    other = {"left": "right", "right": "left"}[side]
    listen, peer = (f"{MACHINES[one]}:4711" for one in (side, other))
    settings = TransportTable(name=name, endpoint=endpoint or None)
    addresses = (listen, peer) if name == "udp" else ("", "")
    return load_transport(name).opened(End(side, *addresses, settings, "measured"))


def listen(name: str, endpoint: str) -> None:
    """Print when each message that arrives was sent and how late it is, until nothing comes for some seconds."""
    transport, found, heard = end(name, endpoint, "right"), {}, time.perf_counter()
    print("ready", flush=True)
    begun = False
    while time.perf_counter() < heard + (3.0 if begun else _PATIENCE):
        transport.wait(0.05)
        for datagram in transport.receive():
            heard = time.perf_counter()
            number, sent = struct.unpack_from("<qd", datagram)
            begun = begun or number >= 0
            if number >= 0:
                found.setdefault(number, heard - sent)
    transport.close()
    print(json.dumps(found), flush=True)


def speak(name: str, endpoint: str, count: int) -> None:
    """Send messages, each on time."""
    transport = end(name, endpoint, "left")
    start = time.perf_counter() + 1.0
    for number in range(-50, count):
        due = start + number * PERIOD + 50 * PERIOD
        while (left := due - time.perf_counter()) > 0.0:
            time.sleep(left)
        transport.send(struct.pack("<qd", number, time.perf_counter()).ljust(LENGTH, b"\0"))
        transport.receive()
    time.sleep(2.0)
    transport.close()


@contextmanager
def meeting_point(name: str, space: str, folder: Path) -> Iterator[None]:
    """Run what a carrier needs on the right machine."""
    if name == "udp":
        yield
        return
    if name == "mqtt":
        settings = folder / "broker.conf"
        settings.write_text(f"listener 1883 {RIGHT}\nallow_anonymous true\nset_tcp_nodelay true\nuser root\n")
        words = ["mosquitto", "-c", str(settings)]
    else:
        endpoints = [word for one in ("tcp", "udp") for word in ("--listen", f"{one}/{RIGHT}:7447")]
        words = [sys.executable, "-m", "couplant", "router", "--anywhere", *endpoints]
    with subprocess.Popen([*inside(space), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            time.sleep(1.0)
            yield
        finally:
            process.kill()


def latencies(carrier: str, count: int = COUNT, loss: float = LOSS, delay: float = DELAY) -> Vector:
    """Return how late each message arrived over a carrier, shape (count,) [s]; NaN: never."""
    name, endpoint = CARRIERS[carrier]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with urgent(), machines(loss, delay) as spaces, tempfile.TemporaryDirectory() as folder:
        with meeting_point(name, spaces["right"], Path(folder)):
            ends = {}
            for side, words in (("right", ["listen"]), ("left", ["speak", str(count)])):
                command = [*inside(spaces[side]), sys.executable, __file__, words[0], name, endpoint, *words[1:]]
                ends[side] = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
                if side == "right" and ends[side].stdout.readline() != "ready\n":
                    raise RuntimeError(f"{carrier}: nobody listens")
            ends["left"].communicate()
            said, _ = ends["right"].communicate()
    found = np.full(count, np.nan)
    for number, latency in json.loads(said).items():
        found[int(number)] = latency
    return found


def draw(found: Mapping[str, Vector]) -> Figure:
    """Draw the share of the messages that have not arrived after a time."""
    with matplotlib.rc_context(FONT):
        figure = figure_of(3.6)
        axis = figure.subplots()
        for carrier, values in found.items():
            late = np.sort(np.where(np.isnan(values), np.inf, values))
            share = 1.0 - np.arange(len(late)) / len(late)
            late = np.minimum(1e3 * late, SHOWN)  # what never arrives is not there at the right edge either
            axis.step(late, 100.0 * share, color=PENS[carrier], lw=1.6, label=carrier)
        axis.set(xlim=(0.0, SHOWN), ylim=(0.05, 100.0), yscale="log", xlabel="time after sending / ms")
        axis.set_ylabel("messages not there yet / %")
        axis.set_yticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
        plain(axis)
        figure.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=4, frameon=False)
    return figure


def main() -> None:
    """Write the table, and the picture if a file is named."""
    found = {carrier: latencies(carrier) for carrier in CARRIERS}
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["carrier", "lost_percent", "median_ms", "percentile_99_ms", "longest_ms", "above_50_ms_percent"])
    for carrier, values in found.items():
        came = 1e3 * values[np.isfinite(values)]
        figures = np.median(came), np.percentile(came, 99.0), came.max(), 100.0 * np.mean(came > 50.0)
        table.writerow([carrier, f"{100.0 * np.isnan(values).mean():.2f}", *(f"{one:.2f}" for one in figures)])
    if len(sys.argv) > 1:
        write_figure(draw(found), Path(sys.argv[1]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["listen"]:
        listen(*sys.argv[2:4])
    elif sys.argv[1:2] == ["speak"]:
        speak(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
