"""Two network namespaces stand for two machines, packets are lost between them: what stands behind a lost one waits."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from benchmarks import carriers

pytestmark = [
    pytest.mark.night("networks in namespaces that lose packets, in real time"),
    pytest.mark.needs_system("ip", "iptables"),
]
COUNT, TRIES = 400, 3


@pytest.fixture(autouse=True)
def rights():
    """Look for what needs an administrator."""
    if os.name == "nt" or os.geteuid() != 0 or not Path("/dev/net/tun").exists():
        if os.environ.get("CI"):
            pytest.fail("network namespaces need root and /dev/net/tun", pytrace=False)
        pytest.skip("network namespaces need root and /dev/net/tun")


def waiting(values):
    """Return the share of messages that arrived two periods later than the usual one."""
    came = values[np.isfinite(values)]
    return np.mean(came > np.median(came) + 2.0 * carriers.PERIOD)


def test_a_lost_packet_keeps_back_what_follows_over_tcp_and_nothing_over_udp():
    for _ in range(TRIES):
        udp, tcp = (carriers.latencies(name, COUNT) for name in ("udp", "zenoh tcp"))
        lost = np.isnan(udp).mean()
        assert 0.0 < lost < 0.08, "two in a hundred, by chance"
        assert np.nanmin(udp) >= carriers.DELAY and np.nanmin(tcp) >= carriers.DELAY
        if waiting(tcp) > 0.02 and waiting(udp) < 0.5 * waiting(tcp) and np.isnan(tcp).mean() < lost:
            return
    pytest.fail(f"waits: {waiting(udp):.3f} over udp, {waiting(tcp):.3f} over tcp; lost {np.isnan(tcp).mean():.3f}")


def test_nothing_stays_behind():
    with carriers.machines() as spaces:
        carriers.run(*carriers.inside(spaces["left"]), shutil.which("true") or "true")
        assert all(Path("/run/netns", name).exists() for name in spaces.values())
    assert not any(Path("/run/netns", name).exists() for name in spaces.values())
