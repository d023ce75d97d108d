"""``couplant arena``: lists, standings, files, and a sentence for what is wrong."""

import json

import pytest

FEW = ("arena", "--task", "multisine_1", "--entry", "foh", "--entry", "horiuchi", "--workers", 1)


def test_tasks_and_entries_are_listed(couplant):
    done = couplant("arena", "--list")
    assert done.status == 0
    assert "pendulum_3" in done.out and "Chae, Kazemibidokhti, Ricles 2013" in done.out


def test_page_scores_and_tasks_are_written(couplant, tmp_path):
    done = couplant(*FEW, "--times", "-o", tmp_path / "out")
    assert done.status == 0 and "ns a step" in done.out
    assert f"wrote index.html, arena.csv to {tmp_path / 'out'}" in done.out
    assert (tmp_path / "out" / "tasks" / "multisine_1" / "recording.csv").is_file()


def test_json_has_standings_and_rows(couplant):
    found = json.loads(couplant(*FEW, "--json").out)
    assert {row["entry"] for row in found["rows"]} == {"wire", "foh", "horiuchi"}
    assert [one["entry"] for one in found["standings"]][-1] == "wire"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--task", "moon"), "task = moon, allowed engine_2"),
        (("--entry", "best"), "entry = best, allowed wire"),
        (("--entry", "absent.py"), "absent.py"),
        (("--hold-out", "guess"), "the secret has the SHA-256"),
        (("--workers", "0"), "workers = 0"),
    ],
)
def test_each_mistake_is_a_sentence(couplant, words, sentence):
    done = couplant("arena", *words)
    assert done.status == 2
    assert sentence in done.err and done.out == ""


def test_the_secret_may_stand_in_a_file(couplant, tmp_path):
    (tmp_path / "secret").write_text("guess\n", encoding="utf-8")
    by_text, by_file = (couplant("arena", "--hold-out", word) for word in ("guess", tmp_path / "secret"))
    assert by_text == by_file
