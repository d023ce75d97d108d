"""Transports by name: those of couplant, those of other packages, classes of one's own."""

import sys
from pathlib import Path

import pytest
import tomlkit

from couplant.base.errors import UsageError
from couplant.bench import load_bench, run_bench
from couplant.bench.carriers.udp import UdpTransport
from couplant.bench.transport import BUILT_IN, GROUP, Transport, load_transport, transports
from tests import commands
from tests.bench.carriers import UnixTransport
from tests.bench.virtual import SCENARIO

ROOT = Path(__file__).resolve().parents[2]


def test_those_of_couplant_are_entry_points():
    said = tomlkit.parse((ROOT / "pyproject.toml").read_text(encoding="utf-8")).unwrap()["project"]["entry-points"]
    assert said[GROUP] == BUILT_IN
    for name in BUILT_IN:
        assert issubclass(load_transport(name), Transport)


def test_classes_of_ones_own():
    assert load_transport("tests.bench.carriers:UnixTransport") is UnixTransport
    assert load_transport("couplant.bench:UdpTransport") is UdpTransport
    for name in ("tests.bench.carriers:pair", "tests.bench.carriers:Nothing", "nowhere:X", ":X", ".a:Z"):
        with pytest.raises(UsageError, match=f"transport = {name}"):
            load_transport(name)


@pytest.mark.parametrize("name", ["", "os", "Udp"])
def test_what_is_no_name(name):
    with pytest.raises(UsageError) as error:
        load_transport(name, "bench.transport")
    known = "mqtt, silkit, udp, villas, zenoh"
    assert str(error.value) == f"bench.transport = {name}: allowed is {known} or package.module:Class."


OTHER = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "couplant-test-pipes"
version = "1"
[project.entry-points."couplant.transports"]
pipes = "couplant_test_pipes:Pipes"
udp = "couplant_test_pipes:Pipes"
broken = "couplant_test_pipes:Nothing"
[tool.hatch.build.targets.wheel]
include = ["couplant_test_pipes.py"]
"""
MODULE = """
from tests.bench.carriers import UnixTransport
class Pipes(UnixTransport):
    heard = []
    @classmethod
    def opened(cls, end):
        assert end.settings.options == {"colour": "red"}, end
        return super().opened(end)
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package with a transport of its own where this process, and those that it starts, look."""
    source, place = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    (source / "pyproject.toml").write_text(OTHER, encoding="utf-8")
    (source / "couplant_test_pipes.py").write_text(MODULE, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    commands.run([*pip, "--disable-pip-version-check", "--target", place, source], check=True, capture_output=True)
    monkeypatch.syspath_prepend(place)
    monkeypatch.setenv("COUPLANT_TEST_FOLDER", str(tmp_path))
    yield
    sys.modules.pop("couplant_test_pipes", None)


@pytest.mark.landing("installs a package")
def test_another_package_brings_one_of_its_own(installed):
    table = 'bench.transport={ name = "pipes", options = { colour = "red" } }'
    result = run_bench(load_bench(SCENARIO, ["duration=0.5", "algorithms=['zoh']", table]))
    for direction in result.directions[0]:
        assert 10 < direction.counts["arrived"] <= direction.counts["sent"] == 51


def test_another_package_replaces_none_of_ours(installed):
    assert {"udp", "zenoh", "mqtt", "pipes", "broken"} <= set(transports())
    assert load_transport("udp") is UdpTransport
    with pytest.raises(UsageError, match=r"transport = broken: .*Nothing"):
        load_transport("broken")
