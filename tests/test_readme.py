"""What the README says works."""

import os
import re
import sys
from pathlib import Path

import pytest

from couplant.cli import VERBS, main
from tests import commands

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_the_program_in_the_readme_runs(tmp_path):
    (program,) = re.findall(r"^```python\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)
    assert main(["init", str(tmp_path / "bench")]) == 0
    path = os.pathsep.join([str(ROOT / "builder"), str(ROOT / "fmu_src")])
    done = commands.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert all((tmp_path / line).is_file() for line in done.stdout.splitlines())
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.sample(8)
@pytest.mark.parametrize("verb", sorted(set(re.findall(r"^    couplant (\w+)", TEXT, flags=re.MULTILINE))))
def test_the_verbs_exist(verb, capsys):
    assert verb in VERBS
    assert main([verb, "--help"]) == 0


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\bmake ([\w-]+)  ", TEXT))))
def test_the_make_targets_exist(target):
    assert target in TARGETS


def test_the_links_lead_to_files():
    names = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert [name for name in names if not (ROOT / name).exists()] == []
