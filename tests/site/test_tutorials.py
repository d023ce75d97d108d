"""The tutorials do what they say: all cells of each, one after another, in an empty folder."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests import commands

pytestmark = pytest.mark.night("makes the whole site and runs its tutorials")

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted(ROOT.glob("docs/tutorials/*"))
CELL = re.compile(r"^```\{code-cell\} ipython3\n((?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = "%%bash\n"


def cells(path):
    """Return the code of the cells of a tutorial."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return [found[2].strip() for found in CELL.finditer(text)]
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


def program(path):
    """Return a tutorial as a program; commands of the shell end it when they fail."""
    lines = ["import subprocess"]
    for cell in cells(path):
        command = ["bash", "-ec", cell.removeprefix(SHELL)]
        lines.append(f"subprocess.run({command!r}, check=True)" if cell.startswith(SHELL) else cell)
    return "\n".join(lines)


@pytest.mark.needs_system("bash")
@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_runs(path, tmp_path):
    assert len(cells(path)) > 4
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"COUPLANT_EXAMPLES": str(ROOT / "examples"), "MPLBACKEND": "Agg", "PATH": beside}
    (tmp_path / "tutorial.py").write_text(program(path), encoding="utf-8")  # Python knows the text of a file alone
    run = [sys.executable, "-W", "error::DeprecationWarning:__main__", "tutorial.py"]
    done = commands.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    if path.stem == "test_bench":
        assert "Recommended: " in done.stdout and "no problems" in done.stdout


def test_they_show_no_output_of_another_day():
    stored = [cell for path in TUTORIALS if path.suffix == ".ipynb" for cell in json.loads(path.read_text())["cells"]]
    assert stored and not any(cell.get("outputs") for cell in stored)


PIECES = """
import runpy
import nbformat
from nbclient import NotebookClient

runpy.run_path("docs/conf.py")
book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("%%bash\\nseq 2000; seq 2000 >&2; seq 2000")])
NotebookClient(book).execute()
rows = "".join(f"{n}\\n" for n in range(1, 2001))
print({one.name: one.text == rows * (1 + (one.name == "stdout")) for one in book.cells[0].outputs})
"""


@pytest.mark.needs_system("bash")
def test_outputs_of_a_cell_are_cut_nowhere():
    pytest.importorskip("nbclient", reason="the site is built with Python 3.11 or newer")
    done = commands.run([sys.executable, "-c", PIECES], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "{'stdout': True, 'stderr': True}", done.stderr
