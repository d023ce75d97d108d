"""``--picture`` of every verb that draws: the ending chooses the format, and is looked at before anything runs."""

import pytest

from tests.report.pages import VERBS, write_recordings
from tests.sweep.conftest import OSCILLATOR, SHORT

RUN = (str(OSCILLATOR), *(word for change in SHORT for word in ("--set", change)), "--set", 'algorithms=["zoh"]')


@pytest.mark.sample(1)
@pytest.mark.parametrize("verb", ["lag", "latencies", "design", "energy"])
def test_charts_of_a_page(couplant, tmp_path, verb):
    given = {f"{{{name}}}": path for name, path in write_recordings(tmp_path).items()}
    words = [given.get(word, word) for word in VERBS[verb]]
    assert couplant(*words, "--picture", tmp_path / "a.pdf").status == 0
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_signals_of_a_simulation(couplant, tmp_path):
    assert couplant("simulate", *RUN, "--picture", tmp_path / "a.svg").status == 0
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "missing.toml"),
        ("bench", "missing.toml"),
        ("sweep", "missing.toml", "-o", "out"),
        ("inspect", "missing.csv"),
        ("design", "--steps", "3", "--macro-step", "0.01"),
        ("learn", "missing.csv", "--steps", "3"),
        ("energy", "missing.csv", "--effort", "f", "--flow", "x"),
    ],
    ids=lambda words: words[0],
)
def test_another_ending_is_refused_first(couplant, tmp_path, words):
    done = couplant(*words, "--picture", tmp_path / "a.gif")
    assert done.status == 2 and "a.gif: a picture ends in .png, .svg, .pdf" in done.err
