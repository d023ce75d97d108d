"""``couplant bench --live``: the address is told, the page is served meanwhile, and written at the end."""

import re
import subprocess
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests import commands
from tests.bench.virtual import SCENARIO

SHORT = ("--duration", "1.0", "--set", "wire=false", "--set", 'algorithms=["zoh"]')


@pytest.mark.landing("a bench in real time: 3 s of CPU")
def test_the_page_is_told_served_and_written(tmp_path):
    words = [sys.executable, "-m", "couplant", "bench", SCENARIO, *SHORT, "--live", "127.0.0.1:0", "-o", tmp_path]
    with commands.Started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        told = running.stderr.readline()
        address = urlsplit(re.fullmatch(r"live: (http://127\.0\.0\.1:\d+/[\w-]{22}/)\n", told)[1])
        link = HTTPConnection(address.netloc, timeout=60.0)
        link.request("GET", address.path)
        assert b"Waiting for the bench." in link.getresponse().read()
        link.close()
        out, err = running.communicate()
        assert running.returncode == 0, err
    page = (tmp_path / "live.html").read_text(encoding="utf-8")
    assert "connect-src" not in page and '"side":"left"' in page and address.path not in page
    assert {"report.html", "metrics.json"} <= {one.name for one in tmp_path.iterdir()}
    assert "live.html" in err and "zoh" in out


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--live", "0.0.0.0:0"], "--live = 0.0.0.0:0: another machine than this one"),
        (["--live", "8000"], "--live = 8000: allowed is HOST:PORT with a port of 0 to 65535."),
        (["--live", "127.0.0.1:0", "--join", "."], "--live = 127.0.0.1:0: allowed where a side of the bench runs."),
        (["--live", "127.0.0.1:0", "--side", "relay"], "--live = 127.0.0.1:0: allowed where a side of the bench runs."),
    ],
)
def test_what_cannot_be_shown_is_told(couplant, more, sentence):
    done = couplant("bench", SCENARIO, *more)
    assert done.status != 0 and sentence in done.err.replace("\n", " ")
