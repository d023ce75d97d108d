"""Whole files or none."""

from pathlib import Path

import pytest

from couplant.files import write_atomic


def test_the_content_arrives_and_the_folder_is_made(tmp_path):
    assert write_atomic(tmp_path / "a" / "b.txt", "ŷ\n") == tmp_path / "a" / "b.txt"
    assert (tmp_path / "a" / "b.txt").read_bytes() == "ŷ\n".encode()


@pytest.mark.parametrize("fails", ["write_bytes", "replace"])
def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, fails):
    path = tmp_path / "b.txt"
    write_atomic(path, b"old")

    def fail(self, *_args):
        if fails == "replace":
            raise OSError(28, "No space left on device")
        with self.open("wb") as file:
            file.write(b"n")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, fails, fail)
    with pytest.raises(OSError, match="No space"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.txt"]


def test_a_folder_in_the_way_is_named(tmp_path):
    with pytest.raises(IsADirectoryError) as refused:
        write_atomic(tmp_path, b"x")
    assert refused.value.filename == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_others_may_read_it(tmp_path):
    write_atomic(tmp_path / "b.txt", b"x")
    (tmp_path / "plain").write_bytes(b"x")
    assert (tmp_path / "b.txt").stat().st_mode == (tmp_path / "plain").stat().st_mode
