"""``couplant workbench``: the page with a recording for its reader alone, and a sentence for what is none."""

import stat

import pytest

from couplant.base.paths import sample


@pytest.mark.landing("makes the page from nothing: 29 s of CPU")
def test_the_command_writes_the_page_for_its_reader_alone(couplant, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = couplant("workbench", sample(), "--no-open")
    path = next(tmp_path.glob("*/workbench.html"))
    assert (done.status, done.out) == (0, f"The workbench is {path}\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sample().name in path.read_text(encoding="utf-8")


def test_the_command_writes_where_it_is_told(couplant, tmp_path):
    path = tmp_path / "new" / "page.html"
    assert couplant("workbench", "--output", path, "--no-open").status == 0
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "run.csv"), (b"\x00\x01\x02\x03" * 400, "run.csv"), (b"t,y\n0,1\n1,2\n", "at least 64")],
)
def test_what_is_no_recording_is_refused_by_a_sentence(couplant, tmp_path, content, words):
    path = tmp_path / "run.csv"
    path.write_bytes(content)
    done = couplant("workbench", path, "--no-open")
    assert done.status == 2 and words in done.err and done.err.startswith("couplant: ")
