"""``couplant demo``: what ``make demo`` shows, in a folder of the user's."""

import pytest

from couplant.base import paths
from couplant.cli import simulate
from couplant.config.scenario import load_scenario

SHORT = """
name = "Short"
duration = 1.0
macro_step = 0.02
algorithms = ["zoh", "foh"]

[components]
mass_1 = { model = "mass_1" }
mass_2 = { model = "mass_2" }

[network]
latency_steps = 3

[signals]
x1 = { from = "mass_1.x1", to = ["mass_2.x1"] }
v1 = { from = "mass_1.v1", to = ["mass_2.v1"] }
f = { from = "mass_2.f", to = ["mass_1.f"] }
"""


@pytest.fixture
def short(tmp_path, monkeypatch):
    """Let the demonstration be a short one."""
    (tmp_path / "example").mkdir()
    (tmp_path / "example" / "scenario.toml").write_text(SHORT, encoding="utf-8")
    monkeypatch.setattr(simulate, "demonstration", lambda: tmp_path / "example")
    monkeypatch.chdir(tmp_path)


def test_the_demonstration_is_the_first_example():
    loaded = load_scenario(paths.demonstration() / "scenario.toml")
    assert loaded.scenario.algorithms == ["zoh", "foh", "smb", "eros3", "eros4"]


def test_scenario_and_report_in_a_folder(couplant, short, tmp_path):
    done = couplant("demo", "--no-open")
    assert (done.status, done.err) == (0, "")
    folder = tmp_path / "couplant_demo"
    made = {"scenario.toml", "report.html", "report.png", "metrics.json", "runs", "fmus"}
    assert {path.name for path in folder.iterdir()} == made
    assert (folder / "scenario.toml").read_text(encoding="utf-8") == SHORT
    assert done.out.splitlines()[0] == "Short: macro step 0.02 s, communication step 0.02 s, latency 3 macro steps"
    again = couplant("demo", "--no-open")
    assert again.status == 2
    assert again.err.startswith("couplant: couplant_demo: holds files already")
    assert couplant("demo", "--no-open", "--force", "-o", folder).status == 0
