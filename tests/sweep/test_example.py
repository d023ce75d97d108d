"""The example of a sweep runs by its own table and shows the figures that it promises."""

import json
from pathlib import Path

import pytest

from couplant.cosim import load_scenario
from couplant.sweep import Where, sweep
from couplant.sweep.axes import read_axes

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "06_sweep"


def test_the_figures_without_jitter_are_the_expected_ones(tmp_path):
    expected = json.loads((EXAMPLE / "expected.json").read_text(encoding="utf-8"))
    axes = {"algorithms": "wire,zoh,foh,eros3,eros4", "latency": "1,3,6", "jitter": "0"}
    rows = sweep(EXAMPLE / "scenario.toml", tmp_path, axes, where=Where(2)).table.rows.values()
    found = {(row.point.algorithm, row.point.latency): row for row in rows}
    assert len(found) == len(expected["rows"])
    for figures in expected["rows"]:
        row = found[figures.pop("algorithm"), figures.pop("latency_steps")]
        assert {name: getattr(row, name) for name in figures} == pytest.approx(figures, rel=expected["tolerance"])
        # as theory says; FOH and EROS3 at six grow in a ripple first, in the signals after 100 s only
        assert (row.verdict == "unstable") == (row.radius > 1.0)


def test_the_table_of_the_scenario_is_swept():
    axes = read_axes(load_scenario(EXAMPLE / "scenario.toml"), {})
    assert (axes.latency, axes.jitter, axes.seeds) == ((1, 2, 3, 4, 5, 6), (0.0, 1.0, 2.0), (1, 2, 3, 4, 5))


def test_the_example_is_explained():
    text = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    assert "couplant sweep examples/06_sweep/scenario.toml" in text
    assert "](picture.png)" in text
    assert (EXAMPLE / "picture.png").is_file()
