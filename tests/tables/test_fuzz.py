"""Damaged recordings: read, or refused in a short sentence that names the file, and quickly."""

import gc
import os
import random
import tempfile
import warnings

import pytest

from couplant.base.errors import CouplantError
from couplant.tables import Reading, mat, read, read_latencies, read_recording, read_signals
from tests.mutation import MOST_SECONDS, complaint, mutate
from tests.tables.binaries import BINARIES, database
from tests.tables.tools import TOOLS

_TOLD = ({}, {}, {"time": "4ms"}, {"decimal": ","}, {"delimiter": " "}, {"time_unit": "ms"})


def os_abort(path, *_):
    os.abort()


def use(rng):
    how = Reading(**rng.choice(_TOLD))

    def every(path):
        found = read(path, how)
        found.select(found.numeric())
        read_recording(found)

    return rng.choice([every, every, lambda path: read_signals(path, how), read_latencies])


def damaged(folder, seed, contents, count, most=MOST_SECONDS):
    """Return what is wrong with the answers to so many damaged files, each in `most` s of CPU."""
    rng = random.Random(seed)
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other readers
        for _ in range(count):
            name = rng.choice(sorted(contents))
            path = folder / name
            path.write_bytes(mutate(rng, contents[name]))
            if found := complaint(path, use(rng), most):
                wrong.append(f"{name} (seed {seed}): {found}")
    return wrong


@pytest.mark.night("49 000 damaged texts: 8 minutes")
@pytest.mark.parametrize("seed", range(20))
def test_damaged_texts(tmp_path, seed):
    contents = {name: form.bytes[:40_000] for name, form in TOOLS.items()}
    assert not damaged(tmp_path, seed, contents, 2450)


@pytest.mark.night("3 000 damaged binary files and logs, some in processes of their own: 8 minutes")
@pytest.mark.parametrize("seed", range(20))
def test_damaged_binary_files(tmp_path, seed):
    for name, (write, _) in BINARIES.items():
        write(database(tmp_path / name))
    contents = {name: (tmp_path / name).read_bytes() for name in BINARIES}
    assert not damaged(tmp_path, seed, contents, 150)


def test_some_damaged_files(tmp_path):
    contents = {name: form.bytes[:4000] for name, form in TOOLS.items()}
    assert not damaged(tmp_path, 40, contents, 100)


def test_a_file_that_ends_the_process_of_its_reader_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "x.mat"
    BINARIES["ControlDesk.mat"][0](database(path))
    monkeypatch.setattr(mat, "_load", os_abort)
    with pytest.raises(CouplantError, match=r"x\.mat.*MATLAB"):
        read(path)


@pytest.mark.landing("twelve damaged files, each with a collection of garbage: 4 s of CPU")
def test_damaged_mf4_leaves_no_file_and_no_word_behind(tmp_path, monkeypatch, capfd):
    pytest.importorskip("asammdf")
    name, own = "CANedge.mf4", tmp_path / "temporary"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    BINARIES[name][0](database(tmp_path / name))
    content = (tmp_path / name).read_bytes()
    contents = {name: content, f"unfinished {name}": content[:60] + b"\x25\0" + content[62:]}
    capfd.readouterr()
    assert not damaged(tmp_path, 41, contents, 12)
    gc.collect()
    assert (capfd.readouterr().err, list(own.iterdir())) == ("", [])
