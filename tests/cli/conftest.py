"""What the tests of the verbs share: a command run in this process, and a settings file."""

from dataclasses import dataclass

import pytest

from couplant.cli import main

BENCH = """
[interface]
name = "bench"
macro_step = 0.01

[signals.torque]
unit = "N.m"
algorithm = "eros3"
latency = { constant_steps = 3 }
output = { min = -200.0, max = 400.0 }

[signals.speed]
unit = "rad/s"
latency = { mode = "stamps" }
output = { min = 0.0 }
"""


@dataclass(frozen=True)
class Outcome:
    """Exit status and the two outputs of one command."""

    status: int
    out: str
    err: str


@pytest.fixture
def couplant(capsys):
    """Run a command and refuse tracebacks, whatever the test is about."""

    def run(*words):
        capsys.readouterr()
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture
def bench(tmp_path):
    path = tmp_path / "bench.toml"
    path.write_text(BENCH, encoding="utf-8")
    return path
