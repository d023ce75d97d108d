"""The file of one side: there and back, and what is none."""

import json
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.bench.record import read_records, write_records
from couplant.bench.result import judge_bench
from couplant.config.bench import SIDES
from couplant.cosim.run.reference import Reference


@pytest.fixture(scope="module", params=["foh", "wire"])
def records(bench, request):
    return bench.run(request.param)[0]


def test_there_and_back(records, tmp_path):
    write_records(tmp_path / "left.npz", 5, records)
    for before, after in zip(records, read_records(tmp_path / "left.npz", 5), strict=True):
        for key, value in vars(before).items():
            same = np.array_equal(value, getattr(after, key), equal_nan=True) if hasattr(value, "shape") else None
            assert same if same is not None else value == getattr(after, key), key


def test_memory_of_judging_does_not_grow_with_the_run(bench, reference, tmp_path, monkeypatch):
    """A run of 4 n rows takes less than one more of its columns; all figures are those of judging it at once."""
    run = bench.run("irregular")[0]

    def judged(rows):
        """Return figures and verdict of a run that is played again and again, on disk, and the most memory."""
        for side, one in zip(SIDES, run, strict=True):
            arrays = {key: value for key, value in vars(one).items() if isinstance(value, np.ndarray)}
            longer = {key: np.resize(value, (rows, *value.shape[1:])) for key, value in arrays.items()}
            write_records(tmp_path / f"{side}.npz", 5, [replace(one, **longer)], packed=False)
        np.save(tmp_path / "truth.npy", [np.resize(values, rows) for values in reference.values.values()])
        truth = dict(zip(reference.values, np.load(tmp_path / "truth.npy", mmap_mode="r"), strict=True))
        tracemalloc.start()
        sides = [read_records(tmp_path / f"{side}.npz", 5) for side in SIDES]
        result = judge_bench(bench.loaded, Reference(truth, 1, 0.0), *sides)
        verdict = vars(result.result.runs[0].judgement)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return result.to_dict(), verdict, peak

    monkeypatch.setattr("couplant.base.arrays.ROWS", 1 << 12)
    *parts, most = judged(40_000)
    assert most - judged(10_000)[2] < 40_000 * 8
    monkeypatch.setattr("couplant.base.arrays.ROWS", 1 << 20)
    *whole, much = judged(40_000)
    assert whole == parts and much - most > 40_000 * 8


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04 and more"])
def test_what_is_no_record(tmp_path, content):
    (tmp_path / "left.npz").write_bytes(content)
    with pytest.raises(UsageError, match="not a record of one side of a bench"):
        read_records(tmp_path / "left.npz", 5)


def test_altered_records_come_to_sentences(records, tmp_path):
    """They come from another machine; what is taken has arrays that fit each other."""
    path, chance = tmp_path / "left.npz", np.random.default_rng(6)
    write_records(path, 5, records)
    good, taken = dict(np.load(path)), 0
    head = json.loads(good["runs"].tobytes())
    odd = [np.zeros(3), np.zeros((2, 2)), np.array(1.0), np.array(["a"]), np.zeros((3, 1, 4)), np.zeros((0, 3))]
    for i in range(120):
        changed, words = dict(good), json.loads(json.dumps(head))
        if i % 2:
            changed[chance.choice(sorted(set(good) - {"runs"}))] = odd[chance.integers(len(odd))]
        else:
            place = chance.choice((words, words["runs"][0]))
            place[chance.choice(sorted(place))] = chance.choice(np.array([None, 1, "x", [1], {}, {"a": "b"}], object))
        changed["runs"] = np.frombuffer(json.dumps(words).encode(), dtype=np.uint8)
        np.savez(path, **changed)
        try:
            found = read_records(path, 5)
        except UsageError as error:
            assert str(error).startswith(str(path))
            continue
        taken += 1
        assert all(len(record.sent) == len(record.done) for record in found)
    assert taken < 60


def test_a_record_that_unpacks_to_too_much(records, tmp_path, monkeypatch):
    write_records(tmp_path / "left.npz", 5, records)
    monkeypatch.setattr("couplant.base.archives.LARGEST", 1000)
    with pytest.raises(UsageError, match="not a record of one side of a bench"):
        read_records(tmp_path / "left.npz", 5)


def test_of_another_scenario_or_not_there(records, tmp_path):
    write_records(tmp_path / "left.npz", 5, records)
    with pytest.raises(UsageError, match="belongs to another scenario"):
        read_records(tmp_path / "left.npz", 6)
    with pytest.raises(UsageError, match="cannot be read: no such file"):
        read_records(tmp_path / "right.npz", 5)
