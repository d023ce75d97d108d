"""The reference result inside a coupling FMU: the FMU reproduces it, and no change of either goes unnoticed."""

import re
import tempfile
import zipfile
from pathlib import Path

import pytest

from couplant.base.archives import unpack
from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.check import check_fmu
from couplant.pack.check.probe import probe
from couplant.pack.reference import INPUTS, OUTPUTS

KINDS = {
    "plain": {},
    "stamps": {"latency": {"mode": "stamps", "offset": 0.004}},
    "limits": {"output": {"min": -1.0, "max": 3.0, "rate_max": 40.0}, "discontinuity": {"enabled": True}},
    "stop": {"quality": {"action": "stop", "zeta": 1e-9, "delta": 1e-9}},
    "observer": {"algorithm": "smb"},
}
EACH = [("native", "2"), ("native", "3"), ("python", "2")]


def build(folder, backend="native", fmi="2", timing="step", **signal):
    section = {"algorithm": "eros3", "unit": "N.m", "latency": {"constant_steps": 3}, "debug": True, **signal}
    head = {"name": "bench", "macro_step": 0.01, "timing": timing}
    interface = parse_interface({"interface": head, "signals": {"torque": section}}, "x")
    return build_coupling_fmu(interface, "torque", folder, backend=backend, fmi=fmi)


def table(path, name):
    with zipfile.ZipFile(path) as archive:
        lines = archive.read(name).decode().splitlines()
    return lines[0].split(","), [line.split(",") for line in lines[1:]]


def column(path, name):
    headings, rows = table(path, OUTPUTS)
    return [float(row[headings.index(name)]) for row in rows]


def probed(path):
    """Return what the probe says about an FMU; it unpacks nothing itself."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(path, Path(folder))
        return probe(folder)


@pytest.fixture
def altered(tmp_path):
    """Return a function that changes one file of an FMU."""

    def alter(path, name, pattern, replacement):
        target = tmp_path / "altered.fmu"
        with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as archive:
            for entry in source.namelist():
                content = source.read(entry)
                if entry == name:
                    changed = re.sub(pattern, replacement, content, count=1, flags=re.DOTALL)
                    assert changed != content, "the pattern fits nothing: the test tests nothing"
                    content = changed
                if content != b"gone":
                    archive.writestr(entry, content)
        return target

    return alter


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    return build(tmp_path_factory.mktemp("fmu"))


@pytest.mark.sample(2)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_result_in_every_backend_and_version_and_each_reproduces_it(tmp_path, kind, timing):
    results = []
    for backend, fmi in EACH:
        path = build(tmp_path / f"{backend}{fmi}", backend, fmi, timing, **KINDS[kind])
        assert probed(path) == []
        results.append((table(path, INPUTS), table(path, OUTPUTS)))
    assert results[0] == results[1] == results[2]


def test_the_result_has_a_row_for_every_step_and_a_column_for_every_output(original):
    inputs, outputs = table(original, INPUTS), table(original, OUTPUTS)
    assert inputs[0] == ["time", "step_size", "y", "y_valid"]
    assert outputs[0][:4] == ["time", "y_hat", "latency.steps", "latency.seconds"]
    assert outputs[0][-2:] == ["debug.unlimited", "quality.skill_zoh"]
    assert len(inputs[1]) == len(outputs[1]) == 76
    assert [float(row[0]) + float(row[1]) for row in inputs[1]] == [float(row[0]) for row in outputs[1]]


def test_the_run_visits_what_can_happen(tmp_path):
    path = build(tmp_path, **KINDS["limits"])
    assert set(column(path, "state")) == {1.0, 2.0, 3.0}
    for name in ("output.limited", "discontinuity.detected", "quality.ok"):
        assert set(column(path, name)) == {0.0, 1.0}, name
    assert len(set(column(path, "algorithm.active"))) > 2
    stamped = build(tmp_path, **KINDS["stamps"])
    assert "y_time" in table(stamped, INPUTS)[0]
    assert len(set(column(stamped, "latency.steps"))) > 2


def test_a_run_that_ends_itself_has_fewer_outputs(tmp_path):
    path = build(tmp_path, **KINDS["stop"])
    assert 0 < len(table(path, OUTPUTS)[1]) < len(table(path, INPUTS)[1])


@pytest.mark.parametrize(
    ("name", "pattern", "replacement", "sentence"),
    [
        (OUTPUTS, rb"\n0\.3,([^,]*),", rb"\n0.3,-0.0,", "y_hat = "),
        (OUTPUTS, rb"\n[^\n]*\n$", rb"\n", "its run goes on at 0.6950000000000001 s, where its reference result ends."),
        (OUTPUTS, rb",y_hat,", rb",y_hut,", "its reference result is damaged: outputs.csv misses the column y_hat."),
        (OUTPUTS, rb"\n0\.", rb"\nO.", "its reference result is damaged: outputs.csv, row "),
        (OUTPUTS, rb"\n$", rb",1\n", "cells, allowed "),
        (OUTPUTS, rb".*", rb"", "its reference result is damaged: outputs.csv: needs a row of headings"),
        (OUTPUTS, rb".*", rb"gone", "its reference result is incomplete: extra/couplant/outputs.csv is missing."),
        (INPUTS, rb".*", rb"gone", "its reference result is incomplete: extra/couplant/inputs.csv is missing."),
        (INPUTS, rb"\n(0\.3,0\.01),[^,]*", rb"\n\1,1.25", "its reference result says "),
        (OUTPUTS, rb"$", b"0" * 2**24, "its reference result is damaged: outputs.csv has "),
        (INPUTS, rb",y_valid\n", rb",y_hat\n", "its reference result is damaged: inputs.csv has the column y_hat."),
        ("resources/settings.txt", rb"(zeta.eros3 66) \S+ \S+ \S+ \S+ \S+", rb"\1 0x1p-9 0x1p-9 0x1p-9 0x1p-9 0x1p-9",
         "quality.tolerance = "),
    ],
)  # fmt: skip
def test_a_change_is_found_and_told_in_one_line(original, altered, name, pattern, replacement, sentence):
    (problem,) = probed(altered(original, name, pattern, replacement))
    assert sentence in problem
    assert "\n" not in problem


def test_the_check_of_an_fmu_includes_it(original, altered):
    assert check_fmu(original).problems == ()
    (problem,) = check_fmu(altered(original, OUTPUTS, rb"\n0\.3,([^,]*),", rb"\n0.3,7.0,")).problems
    assert problem.startswith("y_hat = ")
    assert problem.endswith(" at 0.3 s, its reference result says 7.0.")


def test_every_output_is_compared(original, altered):
    headings, rows = table(original, OUTPUTS)
    for i, name in enumerate(headings[1:], start=1):
        row = rows[60]
        changed = ",".join([*row[:i], repr(float(row[i]) + 0.5), *row[i + 1 :]])
        path = altered(original, OUTPUTS, re.escape(",".join(row)).encode(), changed.encode())
        (problem,) = probed(path)
        assert problem.startswith(f"{name} = "), problem
