"""``couplant energy``: what a recording says about energy, for people and programs, and one sentence for mistakes."""

import json
import re

import numpy as np
import pytest

from couplant.analysis.signal.balance import CREATED
from couplant_runtime.algorithms import GENERIC

STEP = 0.02
BOTH = ("--effort", "f", "--flow", "x")
RECEIVED = (*BOTH, "--effort-received", "fh", "--flow-received", "xh")
HEADINGS = "time_s,f,x,fh,xh"


def late(y, rows=3):
    return np.concatenate([np.full(rows, y[0]), y[:-rows]])


def signals(count=1000):
    """Return a force and a displacement that swing between two masses, and both 3 rows late."""
    t = STEP * np.arange(count)
    f, x = -np.cos(2.0 * t), np.cos(2.0 * t)
    return np.column_stack([t, f, x, late(f), late(x)])


@pytest.fixture
def table(tmp_path):
    """Return a function that writes a table of signals, by default as `signals` makes them."""

    def write(rows=None, headings=HEADINGS, name="run.csv"):
        rows = signals() if rows is None else rows
        lines = [",".join("" if np.isnan(y) else f"{y:.12g}" for y in row) for row in rows]
        path = tmp_path / name
        path.write_text("\n".join([headings, *lines]) + "\n", encoding="utf-8")
        return path

    return write


def changed(column, change):
    rows = signals()
    rows[:, column] = change(rows[:, column])
    return rows


def test_the_table_and_the_verdict(couplant, table):
    done = couplant("energy", table(), *RECEIVED)
    assert (done.status, done.err) == (0, "")
    title, headings, *rows = done.out.splitlines()[:5]
    assert title == "Energy" and re.split(r"  +", headings.strip())[2:5] == [
        "transmitted / J",
        "created / J",
        "share / %",
    ]
    assert [re.split(r"  +", row)[0] for row in rows] == ["whole recording", "last window", "most created in"]
    text = " ".join(done.out.splitlines()[5:])
    assert re.search(r"The coupling creates energy: [\d.]+ % of what is transmitted in the last 5 s", text)
    assert "Growth that it explains" in text and "Budget for k = 3" in text


def test_json_has_the_same_figures(couplant, table):
    found = json.loads(couplant("energy", table(), *RECEIVED, "--json", "--steps", 2).out)
    assert found["effort"] == "f" and found["flow_received"] == "xh" and found["steps"] == 2
    assert found["grade"] == "creates" and found["last"]["share"] > CREATED
    for span in ("whole", "last", "largest"):
        one = found[span]
        assert one["created"] == pytest.approx(one["effort"] + one["flow"])
        assert one["share"] == pytest.approx(one["created"] / one["transmitted"])
    assert found["last"]["end"] == pytest.approx(19.98) and found["warnings"] == []


def test_the_open_loop_with_its_caution(couplant, table):
    done = couplant("energy", table(), *BOTH, "--steps", 3)
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0].lower() for line in done.out.splitlines()[2 : 3 + len(GENERIC)]] == [*GENERIC, "designed"]
    assert "predicts ZOH and FOH, but not a fast mode" in done.out and "Budget for k = 3" in done.out
    found = json.loads(couplant("energy", table(), *BOTH, "--json").out)
    assert [row["algorithm"] for row in found["open_loop"]] == [*GENERIC, "designed"]
    assert "fast mode" in found["note"] and found["budget"] > 0.0


def test_without_latency_in_event_timing_there_is_nothing_to_design(couplant, table):
    words = (*BOTH, "--steps", 0, "--json")
    assert [row["algorithm"] for row in json.loads(couplant("energy", table(), *words).out)["open_loop"]] == [*GENERIC]


def test_the_limit_decides_the_exit_status(couplant, table):
    path = table()
    figures = json.loads(couplant("energy", path, *RECEIVED, "--json").out)
    share = max(figures[span]["share"] for span in ("whole", "last"))
    words = ("energy", path, *RECEIVED, "--limit")
    assert share > 0.0
    assert couplant(*words, 1.001 * share).status == 0
    done = couplant(*words, 0.999 * share)
    assert done.status == 1 and re.fullmatch(r"couplant: .*run.csv: [\d.]+ of what is transmitted .*\n", done.err)
    assert "Energy" in done.out


def test_the_limit_does_not_judge_an_end_at_rest(couplant, table):
    """What is left there is noise, of which any share may look created."""
    rows = signals()
    rows[600:, 1] *= 1e-8
    rows[600:, 3] = 1e-7 * rows[600:, 2] * (-1.0) ** np.arange(400)
    rows[600:, 3] += 1e-7 * np.gradient(rows[600:, 2])
    figures = json.loads(couplant("energy", table(rows), *RECEIVED, "--json").out)
    assert figures["grade"] == "unknown" and figures["last"]["share"] > 0.5 > figures["whole"]["share"]
    assert couplant("energy", table(rows), *RECEIVED, "--limit", 0.5).status == 0


def test_the_page(couplant, table, tmp_path):
    """Its charts: a closer look and the whole."""
    for words in (BOTH, RECEIVED):
        done = couplant("energy", table(), *words, "-o", tmp_path / "page.html")
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert done.status == 0 and "Content-Security-Policy" in text and "prefers-color-scheme" in text
        assert text.count("data-chart=") == 2 and not re.search(r'(src|href)="(?!data:)', text)


def test_a_reversed_column_is_told_and_can_be_turned(couplant, table):
    path = table(changed(3, np.negative))
    done = couplant("energy", path, *RECEIVED)
    assert "fh has the opposite sign of f" in done.err and "-fh" in done.err
    turned = couplant("energy", path, *BOTH, "--effort-received", "-fh", "--flow-received", "xh")
    assert turned.out == couplant("energy", table(), *RECEIVED).out.replace("fh", "-fh")


def test_the_other_sign_is_named_where_energy_is_lost(couplant, table):
    words = [(*RECEIVED, "--sign", sign) for sign in (1, -1)]
    grades = [json.loads(couplant("energy", table(), *one, "--json").out)["grade"] for one in words]
    assert sorted(grades) == ["creates", "loses"]
    told = ["--sign" in couplant("energy", table(), *one).err for one in words]
    assert told == [grade == "loses" for grade in grades]


@pytest.mark.parametrize(
    ("units", "words", "said"),
    [
        ("s,N,m,N,m", (), ""),
        ("s,kN,mm,kN,mm", (), ""),
        ("s,N,mm,N,mm", (), "0.001 W"),
        ("s,N,m,N,m", ("--flow-is", "velocity"), "no power"),
        ("s,N.m,deg/s,N.m,deg/s", ("--flow-is", "velocity"), "0.0174533 W"),
        ("s,m,N,m,N", (), "swapped"),
        ("s,V,A,V,A", ("--flow-is", "velocity"), ""),
    ],
)
def test_units(couplant, table, units, words, said):
    done = couplant("energy", table(headings=f"{HEADINGS}\n{units}"), *RECEIVED, *words)
    warnings = [line for line in done.err.splitlines() if "--sign" not in line]
    assert done.status == 0 and (said in " ".join(warnings) if said else not warnings)


def gap(f):
    f[300:320] = np.nan
    return f


@pytest.mark.parametrize(
    ("rows", "words", "said"),
    [
        (lambda: changed(1, gap), (), "1 gaps"),
        (lambda: changed(3, lambda fh: 1000.0 * fh), (), "fh is 1e+03 times as large as f"),
        (lambda: changed(3, lambda fh: fh + 20.0), (), "fh is +20 off f"),
        (lambda: signals() + np.array([0, 20.0, 0, 20.0, 0]), (), "f swings about 20, a preload"),
        (lambda: changed(4, lambda xh: xh + 20.0), ("--flow-is", "velocity"), "xh is +20 off x"),
        (lambda: signals()[::40], (), "sampled too slowly"),
        (lambda: changed(2, lambda x: np.mod(10.0 * np.arange(1000) * STEP, 6.283)), (), "wraps round"),
    ],
)
def test_doubts(couplant, table, rows, words, said):
    done = couplant("energy", table(rows()), *RECEIVED, *words)
    assert done.status == 0 and said in done.err and "Energy" in done.out
    found = json.loads(couplant("energy", table(rows()), *RECEIVED, *words, "--json").out)
    assert any(said in text for text in found["warnings"])


def test_mean_power_is_no_preload(couplant, table):
    """Torque and speed about their means."""
    rows = signals() + np.array([0, 20.0, 30.0, 20.0, 30.0])
    assert "preload" not in couplant("energy", table(rows), *RECEIVED, "--flow-is", "velocity").err


def test_noise_of_a_fine_recording_is_not_what_is_transmitted(couplant, table):
    """A thousand rows a second with 1 % noise, of a coupling with macro steps of 20 ms."""
    t, noise = 0.001 * np.arange(20_000), np.random.default_rng(1).normal(0.0, 0.01, (2, 20_000))
    f, x = -np.cos(2.0 * t), np.cos(2.0 * t)
    clean, noisy = (
        np.column_stack([t, f + e[0], x + e[1], late(f + e[0], 60), late(x + e[1], 60)]) for e in (0 * noise, noise)
    )
    words = (*RECEIVED, "--macro-step", STEP)
    expected, found = (couplant("energy", table(rows), *words, "--json") for rows in (clean, noisy))
    shares = [json.loads(one.out)["last"]["share"] for one in (expected, found)]
    assert shares[1] == pytest.approx(shares[0], rel=0.25) and "mostly noise" not in found.out
    done = couplant("energy", table(noisy), *RECEIVED, "--json")
    assert json.loads(done.out)["last"]["share"] < 0.3 * shares[0] and "mostly noise" in done.out
    assert "mostly noise" not in couplant("energy", table(clean), *RECEIVED, "--json").out


def test_a_decimal_comma(couplant, table):
    path = table()
    text = path.read_text(encoding="utf-8")
    path.with_name("other.csv").write_text(text.replace(",", ";").replace(".", ","), encoding="utf-8")
    one, other = (couplant("energy", name, *RECEIVED, "--json").out for name in (path, path.with_name("other.csv")))
    assert one == other


def test_where_a_displacement_begins_is_no_offset(couplant, table):
    done = couplant("energy", table(changed(4, lambda xh: xh + 20.0)), *RECEIVED)
    assert "off x" not in done.err


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "effort is missing: the column of the effort (--effort)"),
        (("--effort", "f"), "flow is missing: the column of the flow (--flow)"),
        (("--effort", "f", "--flow", "f"), "column f is given twice"),
        (("--effort", "f", "--flow", "none"), "has no column none; there are: f, x, fh, xh"),
        (("--effort", "time_s", "--flow", "x"), "time_s is the time"),
        ((*BOTH, "--effort-received", "fh"), "(--flow-received)"),
        ((*BOTH, "--flow-received", "xh"), "(--effort-received)"),
        ((*BOTH, "--bond", "f:x"), "bond = f:x and names of single columns are given, allowed one of the two (--bond)"),
        (("--bond", "f"), "allowed EFFORT:FLOW"),
        (("--bond", "f:x"), "has no column f.sent"),
        ((*BOTH, "--flow-is", "speed"), "allowed displacement, velocity"),
        ((*BOTH, "--sign", "0"), "sign = 0"),
        ((*BOTH, "--timing", "held"), "timing"),
        ((*BOTH, "--host", "other"), "reads_again, jacobi, sequential"),
        ((*BOTH, "--steps", "65"), "allowed 0 to 64"),
        ((*BOTH, "--limit", "0.1"), "--limit needs what was received"),
        ((*RECEIVED, "--limit", "-1"), "--limit = -1, allowed 0 or more"),
        ((*RECEIVED, "--macro-step", "1e-9"), "macro_step = 1e-09"),
        ((*BOTH, "--macro-step", "1e-9"), "macro_step = 1e-09"),
    ],
)
def test_one_sentence_for_each_mistake(couplant, table, tmp_path, words, said):
    done = couplant("energy", table(), *words, "-o", tmp_path / "page.html")
    assert (done.status, done.out) == (2, "") and done.err.count("\n") == 1 and said in done.err
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("rows", "headings", "said"),
    [
        (lambda: signals()[:2], HEADINGS, "2 rows in which all signals are numbers, at least 3"),
        (lambda: changed(3, lambda fh: np.nan * fh), HEADINGS, "0 rows in which"),
        (lambda: changed(1, lambda f: 0.0 * f + 5.0), HEADINGS, "f is 5 throughout"),
        (lambda: signals()[::-1], HEADINGS, "time does not increase"),
        (signals, f"{HEADINGS}\nticks,N,m,N,m", 'time_unit = "ticks" of time_s'),
        (signals, f"{HEADINGS}\ns,N,m,kN,m", 'unit of fh = "kN", allowed N'),
        (lambda: changed(1, lambda f: 1e300 * f) * np.array([1, 1, 1e9, 1, 1]), HEADINGS, "too large for a number"),
    ],
)
def test_recordings_that_cannot_be_used(couplant, table, rows, headings, said):
    done = couplant("energy", table(rows(), headings), *RECEIVED)
    assert (done.status, done.out) == (2, "") and said in done.err and done.err.count("\n") == 1


def test_a_constant_signal_is_refused_in_the_open_loop_too(couplant, table):
    assert couplant("energy", table(changed(2, lambda x: 0.0 * x)), *BOTH).status == 2
    short = couplant("energy", table(signals()[:50]), *BOTH)
    assert short.status == 2 and "at least 64" in short.err


def test_energies_that_a_run_has_booked_lead_to_its_signals(couplant, table):
    """A file of such a name without a run beside it is a recording as any other."""
    booked = table(name="run_bonds.csv")
    assert couplant("energy", booked, *RECEIVED).status == 0
    run = table(name="run.csv")
    done = couplant("energy", booked, "--bond", "f:x1")
    assert done.status == 2 and f"booked already, allowed {run} with --bond EFFORT:FLOW" in done.err
