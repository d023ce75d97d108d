"""The bench in a box: two processes in real time, a relay between them, a coupling FMU at every input."""

from couplant.bench.carriers.udp import UdpTransport
from couplant.bench.session import join_bench, run_bench
from couplant.bench.transport import Transport
from couplant.config.bench import load_bench

__all__ = ["Transport", "UdpTransport", "join_bench", "load_bench", "run_bench"]
