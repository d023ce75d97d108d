"""The built wheel in an environment of its own: a file that is missing from it cannot hide behind the tree."""

import json
import os
import re
import shutil
import sys
import sysconfig
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from couplant.pack.binaries.compile import binary_name
from couplant.pack.binaries.platforms import WASM, host
from couplant.pack.binaries.prebuilt import modules, units
from couplant.pack.describe.model_sheet import model_names
from tests import commands

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("base", "engine", "flat", "fmi", "kernel", "models", "wasm")
FOLDERS = ("resources", "workbench", *(f"fmu_src/{name}" for name in SOURCES))
MAKES = "couplant/_data/workbench/"
PAGE, OF_REPORTS = f"{MAKES}page.html", tuple(f"{MAKES}{name}" for name in ("chart/", "report/", "views/parts.js"))
FIGURES = ("mae", "max", "C")
PROGRAMS = "Scripts" if os.name == "nt" else "bin"


def run(*command, cwd, status=0, **more):
    """Run a command; `more` are environment variables, None takes one away."""
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    clean = {key: str(value) for key, value in (clean | more).items() if value is not None}
    done = commands.run(
        [str(word) for word in command], cwd=cwd, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build a wheel with binaries for this machine only: for all of them it takes minutes."""
    folder = tmp_path_factory.mktemp("wheel")
    words = ("-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    run(sys.executable, *words, cwd=folder, COUPLANT_PREBUILT="host")
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Install the wheel alone; its dependencies are those of the environment that runs the tests."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / PROGRAMS / Path(sys.executable).name
    if not python.exists():
        python = folder / PROGRAMS / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    install = (
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--python",
        python,
        "install",
        "--no-deps",
        "--no-index",
        wheel,
    )
    run(sys.executable, *install, cwd=folder)
    dependencies = folder / "dependencies"
    dependencies.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.match(r".*couplant|ziglang", path.name) and path.suffix != ".pth":
            (dependencies / path.name).symlink_to(path)
    (site / "dependencies.pth").write_text(f"{dependencies}\n", encoding="utf-8")
    return folder / PROGRAMS


@pytest.fixture
def no_compiler(tmp_path):
    """Return environment variables of a machine without any compiler and with an empty cache."""
    return {"PATH": tmp_path / "nowhere", "CC": None, "COUPLANT_CACHE_DIR": tmp_path / "cache"}


@pytest.mark.landing("makes a wheel")
def test_every_source_file_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    for root in (ROOT / "builder", ROOT / "fmu_src"):
        package = "couplant" if root.name == "builder" else "couplant_runtime"
        modules = {path.relative_to(root).as_posix() for path in (root / package).rglob("*.py")}
        assert modules - held == set()
    for folder in FOLDERS:
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        wanted = {f"couplant/_data/{path.relative_to(ROOT).as_posix()}" for path in files}
        made = {one for one in wanted if one.startswith(MAKES) and not one.startswith(OF_REPORTS)}
        made = made if PAGE in held else set()
        assert wanted - made <= held and not made & held, "what makes pages goes along where no page does"
    assert "couplant/_data/LICENSE" in held


@pytest.mark.landing("builds a wheel with all binaries of this machine: 11 s of CPU")
def test_the_binaries_of_every_unit_are_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.startswith("couplant/_data/resources/binaries/")}
    names = {binary_name(unit, host()) for unit in units(host())}
    of_pages = {binary_name(unit, WASM) for unit in modules().values()} if find_spec("ziglang") else set()
    assert held == {f"couplant/_data/resources/binaries/{name}" for name in names | of_pages}
    assert len(names) == 2 * (4 + len(model_names())) + 2 and len(of_pages) in (0, 1 + len(model_names()))


def test_a_wrong_choice_of_binaries_is_refused(tmp_path):
    words = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT)
    run(*words, cwd=tmp_path, status=1, COUPLANT_PREBUILT="some")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.landing("builds the wheel")
def test_nothing_else_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        wrong = [name for name in archive.namelist() if name.endswith((".pyc", ".fmu", ".part"))]
    assert {top for top in tops if not top.endswith(".dist-info")} == {"couplant", "couplant_runtime"}
    assert wrong == []


@pytest.mark.landing("installs a wheel, or checks types: 8 s of CPU")
def test_the_installed_command_works_from_an_empty_folder(installed, tmp_path, no_compiler):
    couplant = installed / "couplant"
    origin = run(installed / "python", "-c", "import couplant; print(couplant.__file__)", cwd=tmp_path).strip()
    assert Path(origin).is_relative_to(installed.parent), "the tree is used instead of the wheel"
    assert run(couplant, "--version", cwd=tmp_path).startswith("couplant ")
    run(couplant, "init", cwd=tmp_path)
    for fmi in ("2", "3"):
        words = ("build", "interface.toml", "-o", f"fmus{fmi}", "--fmi", fmi, "--json")
        figures = json.loads(run(couplant, *words, cwd=tmp_path, **no_compiler))
        fmus = [row["file"] for row in figures["fmus"]]
        assert len(fmus) == 2
        assert run(couplant, "validate", *fmus, cwd=tmp_path).count(": no problems\n") == 2
    assert not [*(tmp_path / "cache").rglob("*.gz")], "something was compiled"
    assert run(couplant, "build", "nowhere.toml", cwd=tmp_path, status=2) == ""


@pytest.mark.landing("installs a wheel, or checks types: 24 s of CPU")
def test_from_a_recording_to_fmus_without_compiler_and_make(installed, tmp_path, no_compiler):
    """`try`, `init`, `build`, `info`, `validate`, `simulate`; the report tells what `inspect` does."""

    def couplant(*words):
        return run(installed / "couplant", *words, cwd=tmp_path, **no_compiler)

    shutil.copy(ROOT / "examples" / "03_recording" / "torque_a.csv", tmp_path / "my.csv")
    couplant("try", "my.csv", "--no-open")
    known = {row["algorithm"]: row for row in json.loads(couplant("inspect", "my.csv", "--json"))["errors"]}
    figures = json.loads((tmp_path / "my_couplant" / "metrics.json").read_text(encoding="utf-8"))["runs"]
    assert len(figures) == 8
    recommended = json.loads(couplant("inspect", "my.csv", "--json"))["recommended"]
    for one in figures:
        row = known[recommended if one["algorithm"] == "auto" else one["algorithm"]]
        assert [one[key] for key in FIGURES] == pytest.approx([row[key] for key in FIGURES], rel=1e-9)
    couplant("init", "bench", "--recording", "my.csv")
    couplant("build", "bench/interface.toml", "-o", "fmus")
    assert couplant("validate", "fmus").count(": no problems\n") == 2
    for path in sorted((tmp_path / "fmus").iterdir()):
        assert "macro step" in couplant("info", path)
    couplant("simulate", "bench/scenario.toml", "-o", "result", "--set", 'algorithms=["auto"]')
    assert "<html" in (tmp_path / "result" / "report.html").read_text(encoding="utf-8")
    assert not [*(tmp_path / "cache").rglob("*.gz")], "something was compiled"


@pytest.mark.landing("builds the wheel")
def test_the_workbench_needs_no_compiler_and_has_the_platforms_of_the_wheel(installed, tmp_path, no_compiler):
    if not find_spec("ziglang"):
        pytest.skip("needs ziglang: a wheel made without it has no modules of the page")
    run(installed / "couplant", "workbench", "--no-open", "-o", "page.html", cwd=tmp_path, **no_compiler)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    data = {name: json.loads(text) for name, text in re.findall(r'json" id="(\w+)">(.*?)</script>', page)}
    sizes = [len(text) for text in data["packed"]["modules"].values()]
    assert len(sizes) == 5 and min(sizes) > 10_000
    assert [list(files["binaries"]) for files in data["files"].values()] == [[host().name]] * 2
    assert not [*(tmp_path / "cache").rglob("*.gz")], "something was compiled"


@pytest.mark.landing("runs the demonstration from a wheel: 5 s of CPU")
def test_the_demonstration_is_in_the_wheel(installed, tmp_path, no_compiler):
    run(installed / "couplant", "demo", "--no-open", cwd=tmp_path, **no_compiler)
    assert "<html" in (tmp_path / "couplant_demo" / "report.html").read_text(encoding="utf-8")


@pytest.mark.landing("builds the wheel")
def test_the_installed_command_simulates_a_scenario_outside_of_the_tree(installed, tmp_path, no_compiler):
    shutil.copytree(ROOT / "examples" / "01_two_mass_oscillator", tmp_path / "example")
    words = ("simulate", "example/scenario.toml", "-o", "result", "--json", "--set", 'algorithms=["foh"]')
    figures = json.loads(run(installed / "couplant", *words, "--set", "duration=1.0", cwd=tmp_path, **no_compiler))
    assert {row["algorithm"] for row in figures["runs"]} == {"wire", "foh"}
    assert not [*(tmp_path / "cache").rglob("*.gz")], "something was compiled"
    page = (tmp_path / "result" / "report.html").read_text(encoding="utf-8")
    assert "<html" in page
    assert json.loads((tmp_path / "result" / "metrics.json").read_text(encoding="utf-8")) == figures


@pytest.mark.landing("builds the wheel")
def test_the_installed_command_builds_prototypes_from_source(installed, tmp_path, no_compiler):
    """Where a C compiler is there; without one the command fails."""
    for name in ("10_crane", "published/models"):
        shutil.copytree(ROOT / "examples" / name, tmp_path / name)
    words = (installed / "couplant", "simulate", "10_crane/scenario.toml", "--json", "--set", "duration=0.1")
    (figures,) = json.loads(run(*words, cwd=tmp_path, COUPLANT_CACHE_DIR=tmp_path / "cache"))["runs"]
    assert figures["bonds"]["cylinder"]["created"] is not None and (tmp_path / "cache").is_dir()
    shutil.rmtree(tmp_path / "cache")
    run(*words, cwd=tmp_path, status=1, **no_compiler)
