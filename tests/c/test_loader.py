"""Finished FMUs from plain C: every Linux binary here, the others under wine and qemu, with the same bits."""

import zipfile
from pathlib import Path

import pytest
from fmpy import read_model_description

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import PLATFORMS, host
from couplant.pack.models import build_model_fmu
from tests.c.programs import HERE, missing, needs, program, run
from tests.c.scripts import Script, coupling_script
from tests.prototypes import MODELS, model

LINUX = pytest.mark.skipif("linux" not in host().name, reason="runs foreign binaries on Linux")


def interface(timing):
    signal = {"unit": "N.m", "algorithm": "eros4", "debug": True}
    head = {"name": "bench", "macro_step": 0.01, "timing": timing}
    return parse_interface({"interface": head, "signals": {"s": signal}}, "loader")


class Unpacked:
    """An FMU in a folder, with what the loader is told about it."""

    def __init__(self, path: Path, folder: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        description = read_model_description(str(path))
        self.path, self.folder = path, folder
        self.fmi = description.fmiVersion[0]
        self.token = description.guid or description.instantiationToken
        self.name = description.coSimulation.modelIdentifier

    def arguments(self, platform, events=False):
        binary = self.folder / "binaries" / platform.folder(self.fmi) / f"{self.name}{platform.suffix}"
        resources = self.folder / "resources"
        where = resources.as_uri() if self.fmi == "2" else f"{resources}/"
        return [f"{self.fmi}{'e' * events}", binary, where, self.token]


@pytest.fixture(scope="module")
def loader():
    return program(HERE / "loader.c")


@pytest.fixture(scope="module")
def coupling(tmp_path_factory):
    """Return a function that builds and unpacks a coupling FMU once for each version, timing and set of platforms."""
    folder, kept = tmp_path_factory.mktemp("loader"), {}

    def build(fmi, timing="step", platform="host"):
        key = (fmi, timing, platform)
        if key not in kept:
            place = folder / str(len(kept))
            fmu = build_coupling_fmu(interface(timing), "s", place, backend="native", fmi=fmi, platform=platform)
            kept[key] = Unpacked(fmu, place / "unpacked")
        return kept[key]

    return build


@pytest.mark.sample(6)
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("name", MODELS)
def test_every_model_runs(loader, tmp_path, name, fmi):
    unpacked = Unpacked(build_model_fmu(model(name), tmp_path, fmi=fmi), tmp_path / "unpacked")
    script = Script(unpacked.path)
    script.lines = ["init 0", *(f"step {n * 0.01} 0.01" for n in range(10)), "state"]
    script.read()
    lines = run([loader, *unpacked.arguments(host())], str(script)).splitlines()
    assert lines[:2] == ["instance 1", "init 0"]
    told = [line for line in lines if line.startswith("#")]
    assert not [line for line in lines[1:] if line not in told and line.split()[1] != "0"]
    assert len(told) == (name == "probe") and all("nothing came back on `back`" in line for line in told)


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("seed", range(4))
def test_both_versions_give_the_same_bits(loader, coupling, seed, timing):
    """States carry the fingerprint of their FMU, so their checksums differ; all values must agree."""
    outputs = []
    for fmi in ("2", "3"):
        unpacked = coupling(fmi, timing)
        script = coupling_script(unpacked.path, seed, stamps=seed % 2 == 1)
        lines = run([loader, *unpacked.arguments(host())], script).splitlines()
        assert sum(line == "step 0" for line in lines) > 100
        outputs.append([words(line) for line in lines if not line.startswith(("state", "#"))])
    assert outputs[0] == outputs[1]


def words(line):
    """Refused values are Discard in FMI 2 and Error in FMI 3."""
    name, status, *value = line.split()
    return ("int" if name == "enum" else name, "3" if status == "2" else status, *value)


def everywhere(coupling, fmi, timing, names):
    return coupling(fmi, timing, ",".join(names))


@pytest.mark.night("binaries of other platforms under wine and qemu")
@LINUX
@pytest.mark.needs_system
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize(("name", "runner"), [("x86_64-windows", "wine"), ("aarch64-linux", "qemu-aarch64-static")])
def test_other_machines_give_the_same_bits(loader, coupling, fmi, name, runner):
    start = [needs(runner)]
    if runner.startswith("qemu"):
        root = Path("/usr/aarch64-linux-gnu")
        start += ["-L", root] if root.is_dir() else [missing("libc6-arm64-cross")]
    foreign = program(HERE / "loader.c", target=PLATFORMS[name])
    for timing in ("step", "event"):
        unpacked = everywhere(coupling, fmi, timing, [name, "x86_64-linux"])
        for seed in range(3):
            events = fmi == "3" and timing == "event" and seed == 2
            script = coupling_script(unpacked.path, seed, stamps=seed == 1, events=events)
            here = run([loader, *unpacked.arguments(PLATFORMS["x86_64-linux"], events)], script)
            there = run([*start, foreign, *unpacked.arguments(PLATFORMS[name], events)], script)
            assert "step 0" in here
            assert there.replace("\r\n", "\n") == here
