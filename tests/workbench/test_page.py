"""The page as bytes: the same twice, small, with a policy that names its script and lets it connect to nothing."""

import json
import os
import re
import sys

import numpy as np
import pytest

import couplant.workbench as pages
from couplant.base.inline import script_hash
from couplant.workbench.recording import read_shown
from tests import commands
from tests.workbench.node import ROOT
from workbench.build import page as made_here

LIMIT = 1_400_000
QUICK = """
import sys
from couplant.cli import main
main(["workbench", "--no-open", "-o", sys.argv[1]])
print([name for name in ("numpy", "scipy", "matplotlib", "workbench") if name in sys.modules])
"""
MADE = """
import sys
from pathlib import Path
from workbench.build.page import made
Path(sys.argv[1]).write_text(made(), encoding="utf-8")
"""


@pytest.fixture(scope="module")
def page():
    return pages.page()


@pytest.mark.landing("the page made twice: 6 s of CPU")
def test_the_page_is_small_and_the_same_in_every_process(page, tmp_path):
    path = tmp_path / "page.html"
    words = [sys.executable, "-c", MADE, str(path)]
    commands.run(words, check=True, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": "7"}, capture_output=True)
    assert path.read_text(encoding="utf-8") == page
    assert len(page.encode()) < LIMIT


def test_nothing_in_the_page_asks_for_another_file_or_connects(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    parts = dict(one.split(" ", 1) for one in policy.split("; "))
    assert parts["default-src"] == "'none'" and "connect-src" not in parts
    assert parts["worker-src"] == "blob:" and "unsafe-eval'" in parts["script-src"]
    assert "'unsafe-eval'" not in parts["script-src"] and "'unsafe-inline'" not in parts["script-src"]
    script = page.split('<script id="program">')[1].split("</script>")[0]
    assert f"'{script_hash(script)}'" in parts["script-src"]
    assert page.count("<script") == page.count("</script>") == 5, "no text in it ends a script"
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", page.split("<script")[0])


def test_a_recording_in_the_page_keeps_its_channels(tmp_path):
    path = tmp_path / "run.csv"
    rows = np.stack([0.01 * np.arange(200), np.sin(0.1 * np.arange(200))], axis=1)
    np.savetxt(path, rows, "%.9g", ";", header="t;</script>&x", comments="")
    recording = read_shown(path).to_dict()
    assert recording["name"] == "run.csv" and len(recording["times"]) == 1
    assert [one["name"] for one in recording["channels"]] == ["</script>&x"]
    text = pages.page(read_shown(path))
    assert "</script>&x" not in text
    (told,) = re.findall(r'json" id="recording">(.*?)</script>', text)
    assert json.loads(told) == recording and pages.page() == text.replace(told, "null")


def test_a_page_that_is_made_here_is_kept_until_a_part_of_it_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path / "cache"))
    part, times = tmp_path / "part.js", []
    monkeypatch.setattr(pages, "_parts", lambda: iter([part]))
    monkeypatch.setattr(made_here, "made", lambda: times.append(0) or f"page {len(times)}")
    part.write_text("a", encoding="utf-8")
    assert [pages.page(), pages.page()] == ["page 1"] * 2
    part.write_text("b", encoding="utf-8")
    assert [pages.page(), pages.page()] == ["page 2"] * 2
    monkeypatch.setenv("CC", sys.executable)
    assert pages.page() == "page 3", "other compilers make other binaries"


def test_all_that_a_page_is_made_of_counts():
    parts = {path.relative_to(ROOT).as_posix() for path in pages._parts()}
    of_each = ("workbench/views/take.js", "workbench/build/page.py", "builder/couplant/config/rules/bonds.py")
    assert parts >= {*of_each, "fmu_src/kernel/step.c", "fmu_src/coupling.toml", "resources/importer/index.html"}
    assert parts >= {"workbench/index.html", "examples/03_recording/torque_a.csv", "resources/uplot/uPlot.min.css"}


def test_what_python_compiles_meanwhile_does_not_count(tmp_path, monkeypatch):
    (tmp_path / "__pycache__").mkdir()
    for name in ("part.js", "__pycache__/part.cpython-311.pyc", "__pycache__/part.cpython-311.pyc.140123"):
        (tmp_path / name).write_text("a", encoding="utf-8")
    monkeypatch.setattr(pages.paths, "root", lambda: tmp_path)
    monkeypatch.setattr(pages, "_PARTS", (".",))
    assert [path.name for path in pages._parts() if tmp_path in path.parents] == ["part.js"]


def test_a_page_without_a_recording_waits_for_no_library(tmp_path):
    pages.page()
    words = [sys.executable, "-c", QUICK, str(tmp_path / "page.html")]
    done = commands.run(words, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == pages.page()
