"""The page on scenario files names every key of the tables it describes, and no other."""

import re
from pathlib import Path

import pytest

from couplant.config.scenario import ComponentTable, NetworkTable, SignalTable
from couplant.cosim import load_scenario

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scenarios.md"


@pytest.mark.parametrize(
    ("heading", "table"),
    [("components.NAME", ComponentTable), ("signals.NAME", SignalTable), ("network", NetworkTable)],
)
def test_every_key_is_on_the_page_and_every_key_of_the_page_is_allowed(heading, table):
    section = PAGE.read_text(encoding="utf-8").partition(f"## `[{heading}]`")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    keys = {field.alias or name for name, field in table.model_fields.items()}
    assert set(re.findall(r"`(\w+)`", "".join(rows))) == keys


def test_the_scenario_of_the_page_is_read(scenario):
    text = re.findall(r"(?:^    .*\n|^\n)+", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = max(text, key=len).splitlines()
    loaded = load_scenario(scenario("\n".join(line.removeprefix("    ") for line in lines)))
    assert loaded.scenario.coupling == {"burst": 3} and list(loaded.scenario.signals) == ["x1"]
