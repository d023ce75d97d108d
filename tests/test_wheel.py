"""The built wheel in an environment of its own: a file that is missing from it cannot hide behind the tree."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("resources", "fmu_src/kernel", "fmu_src/fmi", "fmu_src/models")
PROGRAMS = "Scripts" if os.name == "nt" else "bin"


def run(*command, cwd, status=0):
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
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
        if "couplant" not in path.name and path.suffix != ".pth":
            (dependencies / path.name).symlink_to(path)
    (site / "dependencies.pth").write_text(f"{dependencies}\n", encoding="utf-8")
    return folder / PROGRAMS


def test_every_source_file_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    for root in (ROOT / "builder", ROOT / "fmu_src"):
        package = "couplant" if root.name == "builder" else "couplant_runtime"
        modules = {path.relative_to(root).as_posix() for path in (root / package).rglob("*.py")}
        assert modules - held == set()
    for folder in FOLDERS:
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        assert {f"couplant/_data/{path.relative_to(ROOT).as_posix()}" for path in files} - held == set()


def test_nothing_else_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        wrong = [name for name in archive.namelist() if name.endswith((".pyc", ".fmu", ".part"))]
    assert {top for top in tops if not top.endswith(".dist-info")} == {"couplant", "couplant_runtime"}
    assert wrong == []


def test_the_installed_command_works_from_an_empty_folder(installed, tmp_path):
    couplant = installed / "couplant"
    origin = run(installed / "python", "-c", "import couplant; print(couplant.__file__)", cwd=tmp_path).strip()
    assert Path(origin).is_relative_to(installed.parent), "the tree is used instead of the wheel"
    assert run(couplant, "--version", cwd=tmp_path).startswith("couplant ")
    run(couplant, "init", cwd=tmp_path)
    figures = json.loads(run(couplant, "build", "interface.toml", "-o", "fmus", "--json", cwd=tmp_path))
    fmus = [row["file"] for row in figures["fmus"]]
    assert len(fmus) == 2
    assert run(couplant, "validate", *fmus, cwd=tmp_path).count(": no problems\n") == 2
    assert run(couplant, "build", "nowhere.toml", cwd=tmp_path, status=2) == ""


def test_the_installed_command_simulates_a_scenario_outside_of_the_tree(installed, tmp_path):
    shutil.copytree(ROOT / "examples" / "01_two_mass_oscillator", tmp_path / "example")
    words = ("simulate", "example/scenario.toml", "-o", "result", "--json", "--set", 'algorithms=["foh"]')
    figures = json.loads(run(installed / "couplant", *words, "--set", "duration=1.0", cwd=tmp_path))
    assert {row["algorithm"] for row in figures["runs"]} == {"foh"}
    page = (tmp_path / "result" / "report.html").read_text(encoding="utf-8")
    assert "<html" in page
    assert json.loads((tmp_path / "result" / "metrics.json").read_text(encoding="utf-8")) == figures
