"""Coupling FMUs of the native backend as files: description, folders, sources, size, equal bytes everywhere."""

import hashlib
import importlib.util
import os
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import PLATFORMS, host
from couplant.pack.check import Findings, check_fmu
from couplant_runtime.algorithms import COMPARISON
from tests import commands
from tests.c.programs import missing
from tests.pack.test_coupling_fmu import KINDS as ALL_KINDS
from tests.pack.test_coupling_fmu import ORDER

FOLDERS = {
    "2": ["aarch64-darwin", "aarch64-linux", "darwin64", "linux64", "win32", "win64"],
    "3": ["aarch64-darwin", "aarch64-linux", "x86-windows", "x86_64-darwin", "x86_64-linux", "x86_64-windows"],
}
MAGIC = {".so": b"\x7fELF", ".dll": b"MZ", ".dylib": b"\xcf\xfa\xed\xfe"}
LARGEST = 260_000
ROOT = Path(__file__).parents[2]
KINDS = {name: more for name, more in ALL_KINDS.items() if name not in COMPARISON}
FMI = pytest.mark.parametrize("fmi", ["2", "3"])
KIND = pytest.mark.parametrize("kind", KINDS)


def build(folder, fmi="2", algorithm="eros3", timing="step", macro_step=0.01, platform="host", sources=False, **signal):
    section = {"algorithm": algorithm, "unit": "N.m", "latency": {"constant_steps": 1}, **signal}
    head = {"name": "bench", "macro_step": macro_step, "timing": timing}
    interface = parse_interface({"interface": head, "signals": {"torque": section}}, "test")
    return build_coupling_fmu(interface, "torque", folder, fmi=fmi, platform=platform, sources=sources)


def described(path):
    return read_model_description(str(path))


def contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def zig():
    if importlib.util.find_spec("ziglang") is None:
        missing("ziglang")


@pytest.mark.sample(1)
@FMI
@KIND
def test_fmpy_and_our_own_checks_find_nothing(kind, fmi, tmp_path):
    path = build(tmp_path, fmi, sources=True, **KINDS[kind])
    assert validate_fmu(str(path)) == []
    assert check_fmu(path) == Findings()


@FMI
def test_variables_are_those_of_the_python_backend(fmi, tmp_path):
    variables = described(build(tmp_path, fmi)).modelVariables
    assert [variable.name for variable in variables] == ORDER
    assert [variable.valueReference for variable in variables] == list(range(1, len(ORDER) + 1))


@FMI
def test_weights_of_one_latency_and_outputs_of_the_stages_are_shown_where_they_are_wanted(fmi, tmp_path):
    names = {kind: [v.name for v in described(build(tmp_path, fmi, **KINDS[kind])).modelVariables] for kind in KINDS}
    assert [name for name in names["weights"] if "algorithm.a[" in name.lower()] == [
        "algorithm.a[1]", "algorithm.a[2]", "algorithm.A[1]", "algorithm.A[2]"
    ]  # fmt: skip
    assert not any("[" in name for name in names["linear"] + names["plain"])
    assert "debug.slope" in names["debug"]
    assert not any(name.startswith("debug.") for name in names["plain"])


@FMI
@pytest.mark.parametrize("timing", ["step", "event"])
def test_dependencies_and_event_mode_follow_the_timing(fmi, timing, tmp_path):
    path = build(tmp_path, fmi, timing=timing)
    expected = [] if timing == "step" else ["y", "y_time", "y_valid"]
    for unknown in described(path).outputs:
        assert [variable.name for variable in unknown.dependencies] == expected
    root = ElementTree.fromstring(contents(path)["modelDescription.xml"])
    flag = root.find("CoSimulation").get("hasEventMode", "false")
    assert flag == ("true" if (fmi, timing) == ("3", "event") else "false")


@FMI
def test_capabilities(fmi, tmp_path):
    path = build(tmp_path, fmi)
    flags = ElementTree.fromstring(contents(path)["modelDescription.xml"]).find("CoSimulation").attrib
    state = "FMUstate" if fmi == "2" else "FMUState"
    derivatives = "providesDirectionalDerivative" if fmi == "2" else "providesDirectionalDerivatives"
    for name in ("canHandleVariableCommunicationStepSize", f"canGetAndSet{state}", f"canSerialize{state}", derivatives):
        assert flags[name] == "true"
    for name in ("needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess"):
        assert flags.get(name, "false") == "false"
    assert flags["maxOutputDerivativeOrder"] == "1"


@pytest.mark.sample(6)
@FMI
@KIND
def test_equal_input_gives_equal_bytes_in_other_folders(kind, fmi, tmp_path):
    one, two = (build(tmp_path / folder, fmi, sources=True, **KINDS[kind]).read_bytes() for folder in ("a", "b"))
    assert one == two


@pytest.mark.landing("compiles for every platform: 5 s of CPU each")
@FMI
def test_equal_input_gives_equal_bytes_in_another_process_that_compiles_anew(fmi, tmp_path):
    code = f"""
from pathlib import Path
from tests.pack.test_native_coupling import build
print(build(Path("fmus"), "{fmi}", sources=True))
"""
    places = os.pathsep.join(str(ROOT / folder) for folder in (".", "builder", "fmu_src"))
    more = {"COUPLANT_CACHE_DIR": str(tmp_path / "empty"), "PYTHONPATH": places, "PYTHONHASHSEED": "7"}
    command, env = [sys.executable, "-c", code], {**os.environ, **more}
    done = commands.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "empty").iterdir()) != []
    here = contents(build(tmp_path / "here", fmi, sources=True))
    assert contents(tmp_path / done.stdout.strip()) == here


@FMI
def test_the_token_is_unique_to_the_contents(fmi, tmp_path):
    tokens = [described(build(tmp_path / kind, fmi, **KINDS[kind])).guid for kind in KINDS]
    assert len(set(tokens)) == len(KINDS)


@FMI
def test_the_fmu_has_nothing_of_this_machine(fmi, tmp_path):
    for name, content in contents(build(tmp_path, fmi, sources=True)).items():
        assert str(tmp_path).encode() not in content, name
        assert str(ROOT).encode() not in content, name


@FMI
def test_sources_are_listed_and_complete(fmi, tmp_path):
    files = contents(build(tmp_path, fmi, sources=True))
    root = ElementTree.fromstring(files["modelDescription.xml" if fmi == "2" else "sources/buildDescription.xml"])
    listed = [file.get("name") for file in root.iter("File" if fmi == "2" else "SourceFile")]
    assert listed == ["all.c"]
    held = {name.removeprefix("sources/") for name in files if name.startswith("sources/")}
    assert {"all.c", "fmi/built_in.h", "fmi/model.c", "kernel/step.c", "kernel/algorithms/eros4.c"} <= held
    assert ("buildDescription.xml" in held) == (fmi == "3")
    assert "kernel/learning/embedded.c" not in held
    plain = contents(build(tmp_path, fmi))
    assert not any(name.startswith("sources/") for name in plain)
    assert b"SourceFiles" not in plain["modelDescription.xml"]


@FMI
def test_only_an_fmu_with_a_network_has_its_code(fmi, tmp_path):
    plain, network = (contents(build(tmp_path / k, fmi, sources=True, **KINDS[k])) for k in ("plain", "network"))
    assert "sources/kernel/learning/embedded.c" in network
    assert b"CP_WITHOUT_NEURAL" in plain["sources/all.c"] and b"CP_WITHOUT_NEURAL" not in network["sources/all.c"]
    (small,) = (len(content) for name, content in plain.items() if name.startswith("binaries/"))
    (large,) = (len(content) for name, content in network.items() if name.startswith("binaries/"))
    assert small < large


@FMI
def test_platforms_by_name_in_the_folders_of_the_standard(fmi, tmp_path):
    files = contents(build(tmp_path, fmi, platform=f"host,{host().name},{host().fmi2}"))
    binaries = [name for name in files if name.startswith("binaries/")]
    assert binaries == [f"binaries/{host().folder(fmi)}/bench_torque{host().suffix}"]


def test_an_unknown_platform_or_version_leaves_nothing_behind(tmp_path):
    for more in ({"platform": "amiga"}, {"fmi": "1"}, {"fmi": "3.0"}):
        with pytest.raises(UsageError, match="allowed"):
            build(tmp_path / "new", **more)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.landing("compiles for every platform: 6 s of CPU each")
@FMI
@pytest.mark.parametrize("kind", ["plain", "debug"])
def test_an_fmu_for_all_platforms_is_small_and_complete(kind, fmi, tmp_path, zig):
    path = build(tmp_path, fmi, platform="all", **KINDS[kind])
    assert path.stat().st_size <= LARGEST
    files = {name: content for name, content in contents(path).items() if name.startswith("binaries/")}
    assert sorted(name.split("/")[1] for name in files) == FOLDERS[fmi]
    for name, content in files.items():
        assert content.startswith(MAGIC[Path(name).suffix]), name
    assert len({hashlib.sha256(content).digest() for content in files.values()}) == len(PLATFORMS)
    (note,) = check_fmu(path).notes
    assert note.startswith("not run: the binaries for aarch64-darwin, aarch64-linux")
    assert check_fmu(path).problems == ()
    assert validate_fmu(str(path)) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("low", [-1.7e308, -1e308, 1e308])
def test_limits_as_wide_as_doubles_reach(low, tmp_path):
    path = build(tmp_path, output={"min": low, "max": 1.7e308})
    inputs = contents(path)["extra/couplant/inputs.csv"].decode()
    assert "1.7976931348623157e+308" in inputs if low < 0 else "e+308" in inputs
    assert check_fmu(path).problems == ()
