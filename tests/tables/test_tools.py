"""Recordings as tools write them: the right figures, or a sentence that names the file, the reason and the remedy."""

import sys

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.tables import Reading, read, read_recording
from tests.tables.binaries import BINARIES, blf, database, matlab_rate, mf4_bus, tdms_bare
from tests.tables.tools import COUNT, PRESSURE, TIME, TOOLS

LONGEST = 500  # letters of a sentence


@pytest.mark.parametrize("name", TOOLS)
def test_a_text_of_a_tool(tmp_path, name):
    form, path = TOOLS[name], tmp_path / name
    path.write_bytes(form.bytes)
    how = Reading(**dict(form.how))
    if form.refused:
        with pytest.raises(UsageError) as refused:
            read_recording(path, how=how)
        said = str(refused.value)
        assert said.startswith(str(path)) and len(said) < LONGEST and "\n" not in said
        assert all(words in said for words in form.refused), said
        return
    found = read(path, how)
    channel = found[form.pressure]
    good = np.isfinite(channel.time) & np.isfinite(channel.value)
    if "events" not in name:
        rows = np.setdiff1d(np.arange(min(COUNT, good.size)), form.missing)
        rows = rows[: int(good.sum())]
        assert channel.value[good] == pytest.approx(PRESSURE[rows], abs=form.accuracy)
        assert channel.time[good] - channel.time[good][0] == pytest.approx(TIME[rows], abs=form.accuracy)
    assert next(iter(found.numeric())) == found.named(None)
    recording = read_recording(found, column=form.pressure)
    assert recording.macro_step == 0.004 and form.said in recording.assumed, recording.assumed
    assert recording.value.size >= 80 and np.isfinite(recording.value).all()
    kept = np.setdiff1d(np.arange(recording.value.size), form.missing)
    assert recording.value[kept] == pytest.approx(PRESSURE[kept], abs=form.accuracy)


def test_what_is_nearly_a_number_is_no_gap(tmp_path):
    path = tmp_path / "thousands.csv"
    rows = "".join(f"{n};{n}.234,5\n" if n % 9 else f"{n};0,5\n" for n in range(99))
    path.write_text(f"t;y\n{rows}", encoding="utf-8")
    with pytest.raises(UsageError, match=r'row 3: y = "1\.234,5", allowed a number'):
        read_recording(path)


@pytest.mark.parametrize("name", BINARIES)
def test_a_binary_file_of_a_tool(tmp_path, name):
    write, extra = BINARIES[name]
    path = database(tmp_path / name)
    write(path)
    found = read(path)
    (label,) = [one for one in found if one.rpartition(".")[2] == "p"]
    channel = found[label]
    assert channel.value == pytest.approx(PRESSURE, abs=1e-6)
    assert channel.time - channel.time[0] == pytest.approx(TIME, abs=2e-6)
    assert channel.unit in ("", "bar") and read_recording(path, column=label).macro_step == 0.004
    assert len(found) == 2 or name == "DIAdem.tdms"
    if extra == "can" or "bus" in write.__name__:
        assert "rig.dbc" in found.assumed and channel.unit == "bar"


@pytest.mark.parametrize(
    ("name", "write", "words"),
    [
        ("log.blf", blf, "put the database of its signals (.dbc) into the same folder"),
        ("log.mf4", mf4_bus, "put the database of its signals (.dbc) into the same folder"),
        ("bare.tdms", tdms_bare, "time = 10ms tells the time between rows"),
        ("rate.mat", matlab_rate, "time = 10ms tells the time between rows"),
    ],
)
def test_what_a_binary_file_lacks_is_said(tmp_path, name, write, words):
    write(tmp_path / name)
    with pytest.raises(UsageError) as refused:
        read(tmp_path / name)
    assert str(refused.value).startswith(f"{tmp_path / name}: ") and words in str(refused.value)
    if "10ms" in words:
        assert read_recording(tmp_path / name, column="p", how=Reading(time="4ms")).macro_step == 0.004


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("PX4.ulg", "pyulog"),
        ("LabVIEW.tdms", "nptdms"),
        ("CANoe.blf", "cantools"),
        ("CANalyzer.asc", "can"),
        ("h5py.h5", "h5py"),
    ],
)
def test_a_missing_extra_is_named(tmp_path, monkeypatch, name, package):
    write, extra = BINARIES[name]
    write(database(tmp_path / name))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=rf"needs [a-z0-9-]+: pip install couplant\[{extra}\]"):
        read(tmp_path / name)


@pytest.mark.parametrize("name", BINARIES)
def test_a_damaged_binary_file_is_refused_in_a_sentence(tmp_path, name):
    path = database(tmp_path / name)
    BINARIES[name][0](path)
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 3], whole[:200] + bytes(300) + whole[500:]):
        path.write_bytes(damaged)
        try:
            found = read(path)
            found.select(found.numeric())
        except UsageError as error:
            assert str(error).startswith(str(path)) and len(str(error)) < LONGEST and "\n" not in str(error)
