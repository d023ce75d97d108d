"""Whole files or none."""

import os
import tempfile
import threading
from pathlib import Path

import pytest

from couplant.base.errors import quote, some
from couplant.base.filenames import is_device, same_files, signal_name
from couplant.base.files import write_atomic


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
    with pytest.raises(OSError, match="No space") as error:
        write_atomic(path, b"new")
    assert error.value.filename == str(path), "a full disk does not say which file"
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.txt"]


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path):
    longest = os.pathconf(tmp_path, "PC_NAME_MAX") if hasattr(os, "pathconf") else 200
    assert write_atomic(tmp_path / ("x" * longest), b"x").read_bytes() == b"x"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_takes_no_files_is_told_with_the_name_of_the_file(tmp_path, monkeypatch):
    def fail(*_args, **_more):
        raise PermissionError(13, "Permission denied", ".abc.part")

    monkeypatch.setattr(tempfile, "mkstemp", fail)
    with pytest.raises(PermissionError) as refused:
        write_atomic(tmp_path / "b.txt", b"x")
    assert refused.value.filename == str(tmp_path / "b.txt")


def test_a_folder_in_the_way_is_named(tmp_path):
    with pytest.raises(IsADirectoryError) as refused:
        write_atomic(tmp_path, b"x")
    assert refused.value.filename == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_others_may_read_it(tmp_path):
    write_atomic(tmp_path / "b.txt", b"x")
    (tmp_path / "plain").write_bytes(b"x")
    assert (tmp_path / "b.txt").stat().st_mode == (tmp_path / "plain").stat().st_mode


posix = pytest.mark.skipif(os.name == "nt", reason="links, pipes, owners and modes of POSIX")


@posix
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "real.toml").write_bytes(b"old")
    (tmp_path / "link.toml").symlink_to("deep/real.toml")
    (tmp_path / "new.toml").symlink_to("other/none.toml")
    for name in ("link.toml", "new.toml"):
        write_atomic(tmp_path / name, b"new")
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "deep" / "real.toml").read_bytes() == (tmp_path / "other" / "none.toml").read_bytes() == b"new"
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["real.toml"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_a_file_keeps_its_mode_and_its_owner(tmp_path, mode):
    path = tmp_path / "a.toml"
    path.write_bytes(b"old")
    path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(path, 1234, 4321)
    before = path.stat()
    write_atomic(path, b"new")
    after = path.stat()
    assert path.read_bytes() == b"new"
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


@posix
def test_a_pipe_is_written_into(tmp_path):
    path, heard = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: heard.append(path.read_bytes()), daemon=True)
    reader.start()
    write_atomic(path, b"through")
    reader.join(60.0)
    assert heard == [b"through"] and path.is_fifo()


@posix
def test_a_device_stays_one(tmp_path):
    write_atomic(Path(os.devnull), b"gone")
    assert Path(os.devnull).is_char_device()
    write_atomic(Path(os.devnull), b"and again")


@pytest.mark.parametrize("name", ["con", "CON", "Aux", "nul.fmu", "prn ", "COM1.tar.gz", "lpt9", "con .csv"])
def test_devices_of_windows(name):
    assert is_device(name)


@pytest.mark.parametrize("name", ["", "console", "x.con", "com", "com10", "bench_con.fmu", "lpt"])
def test_no_devices(name):
    assert not is_device(name)


def test_names_that_differ_in_case_only_are_one_file():
    assert list(same_files({1: "a", 2: "b", 3: "A", 4: "a"})) == [(1, 3), (1, 4)]
    assert list(same_files({1: "a_b", 2: "ab"})) == []


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Öltemperatur", "Oeltemperatur"), ("Größe", "Groesse"), ("Kraft [µN]", "Kraft__uN"), ("Δp", "Deltap"),
        ("vitesse mesurée", "vitesse_mesuree"), ("Давление", "signal"), ("3 Wege", "signal"),
    ],
)  # fmt: skip
def test_letters_of_headings_stay_in_names(heading, name):
    assert signal_name(heading) == name


def test_sentences_quote_little_and_nothing_hidden():
    assert quote("a\u202eb\0 c\n d") == "a?b? c d" and quote("x" * 2_000_000) == "x" * 38 + ".."
    assert some(["a", "", "b"]) == "a, b" and some(f"n{i}" for i in range(900)).endswith("n5 and 894 more")
