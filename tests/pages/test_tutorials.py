"""What tutorials say of figures holds of what they print."""

import json
import re
from pathlib import Path

import pytest

from couplant.cli import main

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = (ROOT / "docs" / "tutorials" / "test_bench.md").read_text(encoding="utf-8")


@pytest.mark.landing("the inspections of a tutorial")
@pytest.mark.parametrize(("name", "file"), [("torque", "torque_a"), ("other", "torque_b")])
def test_the_table_of_the_first_tutorial_is_as_it_says(capsys, name, file):
    command = re.search(rf"^couplant (inspect {name}\.csv .*)$", TUTORIAL, re.MULTILINE)[1].split()
    command[1] = str(ROOT / "examples" / "03_recording" / f"{file}.csv")
    named = re.search(r"The row `(.*?)` is what you have without an FMU", TUTORIAL)[1]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    below = next(i for i, line in enumerate(lines) if line.startswith("Use "))
    rows = [re.match(r"(.*?)  +(\S+)", line) for line in lines[1:below]]
    errors = {row[1]: float(row[2]) for row in rows}
    assert named in errors and [*errors.values()] == sorted(errors.values()), "the first row has the smallest error"
    assert list(errors).index(named) < len(errors) - 3, "most of the literature stands below"
    assert "Below the table" in TUTORIAL and lines[0].split()[0] == "algorithm"
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["recommended"] in lines[1 + len(rows)]
