"""``couplant init``: a start that works at once and harms nothing."""

import re

import pytest
import tomlkit

from couplant.config import Signal, advice, load_interface


def test_what_is_written_is_a_configuration_without_warnings(couplant, tmp_path):
    done = couplant("init", tmp_path / "new" / "bench")
    assert (done.status, done.err) == (0, "")
    assert sorted(path.name for path in (tmp_path / "new" / "bench").iterdir()) == ["README.md", "interface.toml"]
    assert advice(load_interface(tmp_path / "new" / "bench" / "interface.toml")) == []


def test_it_writes_into_the_current_folder_by_default(couplant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert couplant("init").status == 0
    assert couplant("build", "interface.toml", "-o", "fmus").status == 0
    assert len(list((tmp_path / "fmus").glob("*.fmu"))) == 2


@pytest.mark.parametrize("name", ["interface.toml", "README.md"])
def test_nothing_is_overwritten_and_nothing_is_added(couplant, tmp_path, name):
    (tmp_path / name).write_text("mine", encoding="utf-8")
    done = couplant("init", tmp_path)
    assert done.status == 2
    assert done.err == f"couplant: {tmp_path / name}: exists already and is not overwritten.\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_a_file_in_place_of_the_folder_is_refused(couplant, bench):
    done = couplant("init", bench / "sub")
    assert done.status == 2
    assert "cannot be a folder" in done.err


def test_the_defaults_shown_in_comments_are_the_defaults(couplant, tmp_path):
    couplant("init", tmp_path)
    path = tmp_path / "interface.toml"
    shown = re.findall(r"^# (\w+ = \S+) ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [line.split(" = ")[0] for line in shown] == ["bypass", "debug", "reconstruction", "coast_steps"]
    assert all(read(Signal(), line) for line in shown)


def read(signal, line):
    key, value = line.split(" = ")
    section = signal if key in Signal.model_fields else signal.latency
    return getattr(section, key) == tomlkit.parse(f"x = {value.rstrip(':')}").unwrap()["x"]
