"""Costs of commands by unit of work, in seconds of CPU with everything that they start, each against a baseline."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
import zlib

import numpy as np
import pytest
from fmpy.validation import validate_fmu
from scipy.signal import lfilter

TURNS = 3
COUPLANT = (sys.executable, "-m", "couplant")
EXAMPLE = "examples/01_two_mass_oscillator/scenario.toml"
SIGNALS = "".join(f"[signals.s{i}]\nlatency.constant_steps = 3\n" for i in range(500))
INTERFACE = '[interface]\nname = "wide"\nmacro_step = 0.01\n' + SIGNALS


def spent(*words):
    """Return CPU seconds and peak memory [MB] of a command."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    assert process.returncode == 0, said.decode()[-2000:]
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024.0


def least(*words):
    """Return the least CPU seconds of some turns of a command."""
    return min(spent(*words)[0] for _ in range(TURNS))


def python(program):
    """Return the least CPU seconds of some turns of a program in Python."""
    return least(sys.executable, "-c", program)


def recorded(path, rows):
    """Write a recording of a damped oscillator and of the noise that drives it."""
    chance = np.random.default_rng(1)
    drive = lfilter([0.1], [1.0, -0.99], chance.standard_normal(rows))
    y = lfilter([0.0, 0.05], [1.0, -1.85, 0.9], drive)
    y += 1e-3 * y.std() * chance.standard_normal(rows)
    table = np.column_stack([0.01 * np.arange(rows), drive, y])
    np.savetxt(path, table, fmt="%.7g", delimiter=",", header="t,u,y", comments="")
    return str(path)


def test_help_against_the_library_that_reads_the_command_line(cost):
    told = cost("`couplant --help`", least(*COUPLANT, "--help"), "`import typer`", python("import typer"))
    assert told < 4.0


def test_importing_against_an_empty_program(cost):
    assert cost("`import couplant`", python("import couplant"), "empty program", python("pass")) < 3.0


@pytest.mark.parametrize(("rows", "most"), [(10_000, 30.0), (1_000_000, 25.0)])
def test_inspecting_against_the_reader_of_numpy(tmp_path, cost, rows, most):
    path = recorded(tmp_path / "r.csv", rows)
    words = (*COUPLANT, "inspect", path, "--steps", "6", "--column", "y", "--json")
    turns = [spent(*words) for _ in range(TURNS)]
    peak = max(memory for _, memory in turns)
    base = python(f"import numpy; numpy.loadtxt({path!r}, delimiter=',', skiprows=1)")
    told = cost(f"`inspect`, {rows:,} rows; peak {peak:.0f} MB", min(s for s, _ in turns), "`numpy.loadtxt`", base)
    assert told < most
    assert peak < 400.0


def test_identifying_against_least_squares_of_numpy(tmp_path, cost):
    path = recorded(tmp_path / "r.csv", 10_000)
    program = f"""
import numpy as np
t, u, y = np.loadtxt({path!r}, delimiter=',', skiprows=1).T
for n in range(1, 5):
    past = np.column_stack([np.roll(x, i) for x in (y, u) for i in range(1, n + 1)])[n:]
    np.linalg.lstsq(past, y[n:], rcond=None)
"""
    words = (*COUPLANT, "identify", path, "--input", "u", "--output", "y", "--json")
    what, base = "`identify`, 10,000 rows, 1 to 4 states", python(program)
    assert cost(what, least(*words), "four fits by `numpy.linalg.lstsq`", base) < 40.0


def test_building_against_packing_the_same_bytes(tmp_path, cost):
    (tmp_path / "one.toml").write_text(INTERFACE.split("[signals.s1]")[0], encoding="utf-8")
    (tmp_path / "all.toml").write_text(INTERFACE, encoding="utf-8")
    paths = {name: (str(tmp_path / f"{name}.toml"), "-o", str(tmp_path / name)) for name in ("one", "all")}
    one, whole = (spent(*COUPLANT, "build", *words)[0] for words in paths.values())
    with zipfile.ZipFile(next((tmp_path / "all").glob("*.fmu"))) as packed:
        texts = [packed.read(name) for name in packed.namelist()]
    begin = time.process_time()
    for _ in range(20):
        for text in texts:
            zlib.compress(text, 6)
    base = (time.process_time() - begin) / 20.0
    told = cost("`build`, a signal of 500", (whole - one) / 499.0, "zlib on the same files", base)
    cost("`build`, 500 signals, whole", whole, "`build` of one", one)
    assert told < 3.0


def test_validating_against_fmpy(tmp_path, cost):
    count = 20
    text = "".join(INTERFACE.partition(f"[signals.s{count}]")[0])
    (tmp_path / "some.toml").write_text(text, encoding="utf-8")
    spent(*COUPLANT, "build", str(tmp_path / "some.toml"), "-o", str(tmp_path / "fmus"))
    fmus = [str(path) for path in sorted((tmp_path / "fmus").glob("*.fmu"))]
    assert len(fmus) == count
    program = f"from fmpy.validation import validate_fmu\nfor path in {fmus!r}: assert not validate_fmu(path)"
    assert not validate_fmu(fmus[0])
    ours, theirs = (seconds / count for seconds in (least(*COUPLANT, "validate", *fmus), python(program)))
    assert cost("`validate`, an FMU of 20", ours, "FMPy's", theirs) < 1.5


def test_a_sweep_against_single_runs(tmp_path, cost):
    words = ("--algorithms", "zoh,eros3", "--latency", "1:5", "--seeds", "1:10", "--workers", "1", "--json")
    sweep = spent(*COUPLANT, "sweep", EXAMPLE, "-o", str(tmp_path / "sweep"), *words)[0]
    alone = least(*COUPLANT, "simulate", EXAMPLE, "--json")
    assert cost("`sweep`, a run of example 1, of 100", sweep / 100.0, "`simulate` of it", alone) < 0.2


def test_a_thousand_runs_of_a_sweep_against_one_simulation(cost):
    """Example 01, EROS3 and the wire at k = 3 with jitter, 500 seeds each: processes, FMUs and rows, all of it."""
    program = f"""
import couplant
found = couplant.sweep({EXAMPLE!r}, algorithms="eros3", timing="step", latency=3, jitter=1, seeds=500)
assert len(found.to_dataframe()) == 1000 and not found.failed
"""
    one = f"import couplant; couplant.simulate({EXAMPLE!r}, ['timing=[\"step\"]', 'algorithms=[\"eros3\"]'])"
    waits = []
    for code in (one, program):
        begin = time.perf_counter()
        spent(sys.executable, "-c", code)
        waits.append(time.perf_counter() - begin)
    # the processor time of workers is nobody's that could be asked: what a user waits
    base, whole = waits
    assert cost("1000 runs of a sweep, waiting", whole, "a simulation, process included, waiting", base) < 40.0
