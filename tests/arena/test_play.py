"""The arena runs: the same scores from any number of processes; what fails or grows costs its entry alone."""

import math

import pytest

from couplant.base.errors import UsageError
from couplant.lab.arena import play
from couplant.lab.arena.entries import ENTRIES, find_entries
from couplant.lab.arena.scores import LEAST, LOST, Arena, Played, Score

MINE = """
import couplant

@couplant.algorithm(values=2)
def my_line(past, k):
    slope = past[0] - past[1]
    return past[0] + k * slope, slope

@couplant.algorithm(values=1)
def my_mistake(past, k):
    raise ValueError("no idea")
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_a_file_of_a_user_takes_part_and_a_mistake_costs_it_alone(mine, tmp_path):
    done = play(["multisine_1"], ["foh", "horiuchi"], [mine], workers=1, output=tmp_path)
    (task,) = done.tasks
    scores = {score.entry: score for score in task.scores}
    # the line through two values is FOH, and FOH is a line: another way through the same stages
    assert scores["my_line"].error == pytest.approx(scores["foh"].error, rel=1e-9)
    assert scores["my_mistake"].verdict == "failed" and "no idea" in scores["my_mistake"].reason
    assert task.ratios["my_mistake"] == LOST and task.ratios["wire"] == 1.0
    assert math.isfinite(scores["horiuchi"].error)
    assert (tmp_path / "tasks" / "multisine_1" / "scenario.toml").is_file()


@pytest.mark.landing("runs of loops in two processes: 20 s")
def test_the_small_arena_is_the_same_from_one_process_and_two():
    first, second = (play(small=True, workers=workers) for workers in (1, 2))
    assert first.csv() == second.csv()
    by_name = {one.entry.name: one for one in first.standings}
    assert by_name["horiuchi"].lost == 1 and by_name["horiuchi"].worst == LOST  # the pendulum falls
    assert by_name["known_loop"].tasks == 1
    assert by_name["auto"].mean < 0.5 and not by_name["auto"].lost


@pytest.mark.night("all tasks with all entries: 10 minutes")
@pytest.mark.timeout(3600)
def test_the_whole_arena():
    done = play()
    assert not [row for row in done.rows() if row["verdict"] == "failed"]
    by_name = {one.entry.name: one for one in done.standings}
    assert by_name["auto"].mean < 0.25 and by_name["auto"].lost == 0
    assert by_name["ar_rls"].mean < by_name["foh"].mean  # what learns is better than a line


ERRORS = {"wire": 40.0, "foh": 10.0, "auto": 2.0, "kalman": 1e-9}


def build(scores, closed=False, name="a"):
    return Played(name, "loops", "", closed, [Score(entry, *what) for entry, what in scores.items()])


def test_ratios_are_over_the_wire_and_bounded():
    task = build({name: (error, "open loop") for name, error in ERRORS.items()})
    assert task.ratios == pytest.approx({"wire": 1.0, "foh": 0.25, "auto": 0.05, "kalman": LEAST})
    assert task.best == "kalman"


def test_a_loop_that_grows_is_lost_however_small_its_error():
    task = build({"wire": (80.0, "unstable"), "foh": (10.0, "stable"), "auto": (5.0, "unstable")}, closed=True)
    # the wire is lost itself: errors are over the size of the signal
    assert task.ratios == {"wire": LOST, "foh": 0.1, "auto": LOST}


def test_a_loop_that_came_to_rest_far_off_is_lost():
    task = build({"wire": (80.0, "stable"), "foh": (4000.0, "stable")}, closed=True)
    assert task.ratios["foh"] == LOST


def test_standings_are_geometric_means():
    tasks = [
        build({"wire": (40.0, "open loop"), "foh": (10.0, "open loop")}, name="a"),
        build({"wire": (10.0, "stable"), "foh": (40.0, "stable"), "known_loop": (1.0, "stable")}, True, "b"),
    ]
    done = Arena(tasks, find_entries(["foh", "known_loop"]))
    by_name = {one.entry.name: one for one in done.standings}
    assert (by_name["foh"].mean, by_name["foh"].worst, by_name["foh"].where) == (pytest.approx(1.0), 4.0, "b")
    assert [one.entry.name for one in done.standings][-1] == "known_loop"  # took part in one task of two
    assert by_name["known_loop"].first == 1 and by_name["foh"].first == 1
    assert done.csv().splitlines()[1] == "a,loops,wire,couplant,40.0,1.0,open loop,False,"


def test_numbers_of_processes_are_checked():
    with pytest.raises(UsageError, match=r"^workers = 0, allowed 1 and more$"):
        play(workers=0)


def test_every_foreign_entry_names_its_source():
    foreign = [entry for entry in ENTRIES if entry.side == "foreign"]
    assert len(foreign) >= 10 and all(entry.source for entry in foreign)
