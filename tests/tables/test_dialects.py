"""One file of numbers in every dialect, read by everything that reads tables: always the same figures."""

import json
import math

import pytest

from couplant.cli import main

HEADINGS = ("time_s", "torque", "latency_s", "note")
UNITS = ("s", "N.m", "[s]", "-")
ROWS = [
    (
        f"{0.01 * n:.2f}",
        f"{math.sin(0.2 * n) + 0.1 * math.cos(0.9 * n * n):.6f}",
        f"{0.01 + 0.004 * (n % 3):.3f}",
        f"n{n}",
    )
    for n in range(240)
]
SCENARIO = """
name = "recorded"
macro_step = 0.01
duration = 0.5
algorithms = ["foh"]
timing = ["event"]
[components]
bench = { recording = "table.csv", time = "time_s" }
[network]
replay = "table.csv"
replay_column = "latency_s"
[signals.torque]
from = "bench.torque"
"""


def text(delimiter, decimal=".", units=False, quote="", end="\n", blank=False):
    rows = [HEADINGS, *([UNITS] if units else []), *ROWS]
    cells = [
        [f"{quote}{cell.replace('.', decimal) if i else cell}{quote}" for cell in row] for i, row in enumerate(rows)
    ]
    return (end * (2 if blank else 1)).join(delimiter.join(row) for row in cells) + end


DIALECTS = {
    "semicolon and decimal comma": text(";", ","),
    "semicolon": text(";"),
    "tab": text("\t"),
    "tab and decimal comma": text("\t", ","),
    "units": text(",", units=True),
    "units, semicolon and decimal comma": text(";", ",", units=True),
    "byte order mark and carriage returns": "\ufeff" + text(";", ",", units=True, end="\r\n"),
    "quoted": text(",", quote='"'),
    "blank lines": "\n" + text(",", blank=True),
}
INSPECT = ("inspect", "table.csv", "--steps", 2)
WAYS = {
    "inspect": INSPECT,
    "inspect a column": (*INSPECT, "--time", "time_s", "--column", "torque"),
    "inspect latencies": ("inspect", "table.csv", "--latencies", "--micro-step", 0.001),
    "design": ("design", "--recording", "table.csv", "--macro-step", 0.01, "--steps", 2),
    "learn": ("learn", "table.csv", "--steps", 2),
    "simulate and replay": ("simulate", "scenario.toml"),
    "sweep": ("sweep", "scenario.toml", "--algorithms", "zoh", "--workers", 1, "-o", "swept", "--fresh"),
}


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    """Return what a way of reading finds in a text, as JSON."""
    folder = tmp_path_factory.mktemp("dialects")
    (folder / "scenario.toml").write_text(SCENARIO, encoding="utf-8")

    def read(capsys, way, content):
        (folder / "table.csv").write_bytes(content.encode("utf-8"))
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            status = main([*map(str, WAYS[way]), "--json"])
        out, err = capsys.readouterr()
        assert status == 0, err
        return json.loads(out, object_hook=_without_digest)

    return read


def _without_digest(found):
    """Return a part of the figures of a sweep without the digest of all that it read."""
    found.pop("settings", None)
    return found


@pytest.fixture(scope="module")
def expected():
    return {}


@pytest.mark.sample(1)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_reading_takes_every_dialect(figures, expected, capsys, way, dialect):
    if way not in expected:
        expected[way] = figures(capsys, way, text(","))
    assert figures(capsys, way, DIALECTS[dialect]) == expected[way]
