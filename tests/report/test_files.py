from pathlib import Path

import pytest

from couplant.report.files import write_atomic


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "new" / "page.html"
    write_atomic(path, b"one")
    write_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["page.html"]


def test_a_failure_leaves_the_old_file_and_no_rest(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")

    def fail(self, target):
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["page.html"]


def test_others_may_read_it(tmp_path):
    path, plain = tmp_path / "page.html", tmp_path / "plain"
    write_atomic(path, b"x")
    plain.write_bytes(b"x")
    assert path.stat().st_mode == plain.stat().st_mode
