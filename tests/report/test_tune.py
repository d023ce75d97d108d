"""The page of a bench that was tuned."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.bench import load_bench
from couplant.bench.tune.leader import IN_FORCE, Trial
from couplant.bench.tune.result import Tuned, Way
from couplant.bench.tune.sides import Candidate
from couplant.bench.tune.tuner import Window
from couplant.report.page import write_page
from couplant.report.tune import describe_tuned, headline, tuned_charts
from tests.bench.tune.benches import write_bench

TRIALS = [
    Trial(2, "auto", 4.0, 5.0, 9.0, 0.5, 0.4, IN_FORCE),
    Trial(3, "eros3", 10.0, 11.0, 11.5, 2.0, 1.4, "taken back: its error is 1.4 times that of the plain wire"),
]
CANDIDATES = {2: Candidate("auto", "auto"), 3: Candidate("eros3", "eros3")}
WINDOWS = [Window(0.1 * i, 1 + (i > 50), 0.1, 0.2, 0.1) for i in range(1, 120)]


@pytest.fixture
def tuned(tmp_path):
    """Return what makes a result, with the trials, and the lane that is chosen."""
    loaded = load_bench(write_bench("cart", tmp_path))
    messages = np.column_stack([0.02 * np.arange(90.0), 0.02 * np.arange(90.0) + 0.001, 0.02 * np.arange(90.0) + 0.05])
    ways = [Way.of("left", "right", messages, {"lost": 2, "overtaken": 1, "doubled": 0})]
    back = {"left": [(11.5, 3, "its error is 1.4 times that of the plain wire")], "right": []}

    def make(chosen):
        return Tuned(loaded, Candidate("before", "wire"), CANDIDATES, chosen, TRIALS, {"left": WINDOWS, "right": []},
                     back, ways, {"auto": 0.45}, 20.0, True)  # fmt: skip

    return make


def test_the_page_says_what_to_use_and_what_was_taken_back(tuned, tmp_path):
    found = tuned(2)
    page = describe_tuned(found)
    assert page.title == "Use auto: 60 % less error than the plain wire on the same messages."
    messages, candidates, back = page.tables
    assert list(messages.rows[0]) == ["left-right", "49.0-49.0", "2.5-2.5", "2", "1", "0"]
    assert [row[0] for row in candidates.rows] == ["auto", "eros3"]
    assert [row[1] for row in candidates.rows] == [IN_FORCE, "taken back"]
    assert back.rows[0][:3] == ("11.50 s", "left", "eros3")
    charts = tuned_charts(found)
    assert [panel.y for panel in charts[0].panels] == ["left: error / size"]
    text = write_page(page, tmp_path / "page.html", charts).read_text(encoding="utf-8")
    assert "Taken back" in text


def test_what_knows_nothing_of_the_sides_says_how_to_go_on(tuned):
    again = "couplant tune tuned.toml may identify them"
    assert again in describe_tuned(tuned(2)).paragraphs[-1]
    known = replace(tuned(2), candidates={2: Candidate("auto", "auto", {}, 0.1), 3: CANDIDATES[3]})
    for other in (tuned(1), known, replace(tuned(2), ways=())):
        assert not any(again in text for text in describe_tuned(other).paragraphs)


def test_a_bench_that_keeps_its_settings_says_so(tuned):
    assert headline(tuned(1)) == "Keep wire: nothing measured better on this bench."
    assert set(tuned(1).files(tuned(1).loaded.path.parent)) == {"tuned.toml"}


def test_what_measured_best_although_it_was_taken_back_is_told(tuned):
    assert "was taken back in a window" in describe_tuned(tuned(3)).warnings[0]


def test_what_the_messages_did_suggests_how_latency_is_told(tuned):
    assert tuned(2).latency_settings() == {"mode": "stamps", "coast_steps": 3, "burst": 3}
    assert tuned(2).to_dict()["latency"]["mode"] == "stamps"
