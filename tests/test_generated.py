"""What is generated from coupling.toml is what it says, and is read by nobody as if it were written by hand."""

import re
import shutil
import sys

import pytest

from couplant.config.bench import BenchTable
from couplant.config.interface import Document, Signal
from couplant.config.scenario import Scenario
from couplant.config.system import PrototypeTable, SystemTable
from couplant_runtime.generated import constants
from docs.site.parameters import parameters_page
from fmu_src.generator.__main__ import ROOT, files
from fmu_src.generator.description import read
from tests import commands

SAID = read()
FILES = files(SAID)
PARAMETERS = ROOT / "docs" / "parameters.md"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_generated_files_are_fresh(path):
    assert path.read_text(encoding="utf-8") == FILES[path], "stale: make generate"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_generated_files_read_well(path):
    if path.suffix != ".md":
        assert max(map(len, FILES[path].splitlines())) <= 120


def test_the_page_on_all_parameters_is_fresh():
    assert PARAMETERS.read_text(encoding="utf-8") == parameters_page(), "stale: make generate"


def test_the_page_has_every_parameter_of_the_fmu_and_every_key():
    """What the ends of a power bond are is worked out: `energy.kind`, `energy.stale`."""
    text = PARAMETERS.read_text(encoding="utf-8")
    rows = [row for group in SAID.groups for row in group.rows if row.role in ("fixed", "tunable")]
    known = {row.name.replace("{i}", "i") for row in rows} - {"energy.kind", "energy.stale"}
    assert [name for name in sorted(known) if f"`{name}`" not in text] == []
    for table in (Document, Signal, Scenario, BenchTable, SystemTable, PrototypeTable):
        keys = [field.alias or name for name, field in table.model_fields.items()]
        assert [key for key in keys if f"\n| `{key}` |" not in text] == []
    assert all(len(line.split(" | ")) == 7 for line in text.splitlines() if line.startswith("| `"))


def test_everything_has_words():
    variables = [row for group in SAID.groups for row in group.rows]
    fields = [one for record in SAID.records for one in record.fields]
    for one in (*SAID.algorithms.values(), *variables, *SAID.records, *fields):
        assert one.words, one
    assert all(SAID.size_words.values())
    assert all(words for _, _, words in SAID.events)


def test_saved_states_have_a_bound_for_every_whole_number():
    """One that is no parameter and says nothing by its unit needs a fifth column."""
    parameters = {row.place for group in SAID.groups for row in group.rows if row.role in ("fixed", "tunable")}
    for record in SAID.records:
        for one in record.fields:
            if one.type != "f64" and f"{record.name}.{one.name}" not in parameters:
                assert one.bound is not None or SAID.most(one) is not None, f"{record.name}.{one.name} has no bound"
                least, most = SAID.bound(record, one)
                assert least <= 0 <= most or (record.name, one.name) == ("switching", "mode")


def test_a_stale_file_is_told_and_not_written(tmp_path):
    """A copy of the tree in which one word of coupling.toml is another."""
    for folder in ("fmu_src", "docs", "builder"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    source = tmp_path / "fmu_src" / "coupling.toml"
    source.write_text(source.read_text(encoding="utf-8").replace("newest value received", "last value received"))
    command = [sys.executable, "-m", "fmu_src.generator", "--check"]
    found = commands.run(command, cwd=tmp_path, capture_output=True, text=True)
    named = re.findall(r"^(\S+) is not what coupling.toml says", found.stderr, re.MULTILINE)
    assert found.returncode == 1
    assert sorted(named) == [
        "docs/variables.md",
        "fmu_src/couplant_runtime/generated/state.py",
        "fmu_src/couplant_runtime/generated/variables.py",
        "fmu_src/kernel/generated/state.h",
    ]
    assert commands.run(command[:-1], cwd=tmp_path, capture_output=True).returncode == 0
    assert commands.run(command, cwd=tmp_path, capture_output=True).returncode == 0


def test_the_grid_of_kernel_and_models_has_the_constants_of_the_description():
    """`base/grid.h` serves models too, which know no coupling FMU."""
    text = (ROOT / "fmu_src" / "base" / "grid.h").read_text(encoding="utf-8")
    found = {name: float(value) for name, value in re.findall(r"static const double cp_grid_(\w+) = ([^;]+);", text)}
    known = {"same": "TINY", "counted": "COUNTED", "most": "MOST_STEPS", "resolved": "RESOLVED"}
    known |= {"single": "SINGLE", "upper": "UPPER"}
    assert found == {name: getattr(constants, row) for name, row in known.items()}
