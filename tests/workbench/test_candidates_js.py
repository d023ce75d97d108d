"""The table of the page and its sentence against those of `couplant inspect`: designs, learnt weights, what to use."""

import re
import shutil
from dataclasses import asdict

import numpy as np
import pytest

from couplant.analysis.signal.way import Way
from couplant.base.style import WIRE
from couplant.config.hosts import JACOBI, READS_AGAIN, SEQUENTIAL
from couplant.config.load import load_interface
from couplant.config.network import NetworkTable
from couplant.design.inspection import inspect_recording
from couplant.design.judged import MICRO_STEPS, SHIFTS
from couplant.design.recommendation import (
    AUTO_DESIGNED,
    AUTO_LEARNT,
    DESIGNED,
    EVERY,
    LEARNT,
    PHASOR,
    candidate_label,
)
from couplant.pack import build_coupling_fmu
from couplant.tables import Recording, read, resample
from tests.pack.entries import entries
from tests.recordings.real import channels
from tests.workbench.node import ROOT, run
from tests.workbench.page_fmus import kernels, page_fmus, page_folder
from workbench.build.data import run_data
from workbench.build.settings import interface_settings

FILES = sorted(ROOT.glob("examples/*/*.csv"))
FIGURES = ("mae", "rms", "max", "C")
LONGEST = 1200
LATENCIES, TIMINGS = (1, 3, 6), ("event", "step")
MADE = (LEARNT, DESIGNED, AUTO_DESIGNED, AUTO_LEARNT)

SCRIPT = """
import { compileModules } from "./engine/run.js";
import { advice } from "./analysis/advice.js";
import { Designs } from "./analysis/designs.js";
import { estimateLimits } from "./analysis/protection.js";
import { compared, estimated, inspected } from "./analysis/recording.js";
import { stepsIn } from "./analysis/span.js";
import { Settings } from "./settings/settings.js";
const bytes = Object.entries(given.modules).map(([name, text]) => [name, Buffer.from(text, "base64")]);
const modules = await compileModules(Object.fromEntries(bytes));
const engine = { modules, data: given.data, settings: new Settings(given.settings), designs: new Designs() };
const all = async (parts) => { const found = []; for await (const one of parts) found.push(one); return found; };
const found = [];
for (const { value, macroStep, k, timing, jitter, loss, seed = 1, signal } of given.cases) {
  const samples = Float64Array.from(value), { microSteps } = given;
  const request = { samples, macroStep, k, timing, jitter, loss, seed, signal, microSteps };
  const parts = await all(compared(engine, { ...request, algorithms: given.algorithms }, () => false));
  const [itself] = await all(inspected(engine, { samples, macroStep }, () => false));
  const rows = parts.filter((one) => one.row).map((one) => one.row).sort((a, b) => a.mae - b.mae);
  const told = parts.filter((one) => one.doing === undefined), doing = parts.filter((one) => one.doing !== undefined);
  const plain = told.findIndex((one) => one.plain), { share, shifted } = parts[parts.length - 1];
  const [own] = await all(estimated(engine, { ...request, algorithm: "designed" }, () => false));
  const said = advice({ rows, share, shifted }, k, itself, samples);
  const algorithm = said.name === "wire" ? "auto" : said.name;
  const [{ weights: saved }] = await all(estimated(engine, { ...request, algorithm }, () => false));
  const { floor, periodic } = itself, limits = estimateLimits(samples, macroStep / stepsIn(request));
  found.push({ rows, plain, doing, shifted, ...said, weights: own.weights ?? null, saved, limits, floor, periodic });
}
answer(found);
"""
COUNTED = (
    ("design/from_recording.js", r"(export function (designFor)\(.*\) \{)"),
    ("design/learnt.js", r"(export function\* (learn)\(.*\) \{)"),
    ("analysis/trial.js", r"(function\* (carry)\(.*\) \{)"),
)
"""Functions whose calls are counted: a design, weights that are learnt, a network that is carried out."""

MOVES = """
import { compileModules } from "./engine/run.js";
import { Designs } from "./analysis/designs.js";
import { estimated } from "./analysis/recording.js";
import { Settings } from "./settings/settings.js";
const bytes = Object.entries(given.modules).map(([name, text]) => [name, Buffer.from(text, "base64")]);
const modules = await compileModules(Object.fromEntries(bytes));
const engine = { modules, data: given.data, settings: new Settings(given.settings), designs: new Designs() };
const samples = Float64Array.from(given.value), found = [];
for (const k of given.latencies) {
  globalThis.calls = [];
  const network = { k, timing: "event", jitter: 1, loss: 0, seed: 1 };
  const request = { samples, macroStep: 0.01, ...network, signal: "s", microSteps: 1 };
  const weights = [];
  for (const algorithm of ["designed", "learnt", "auto_designed"]) {
    for await (const part of estimated(engine, { ...request, algorithm }, () => false)) weights.push(part.weights);
  }
  found.push({ calls: globalThis.calls, weights });
}
answer(found);
"""
AHEAD = """
import { compileModules } from "./engine/run.js";
import { Designs } from "./analysis/designs.js";
import { compared, completed, estimated, lookAhead } from "./analysis/recording.js";
import { Settings } from "./settings/settings.js";
const bytes = Object.entries(given.modules).map(([name, text]) => [name, Buffer.from(text, "base64")]);
const modules = await compileModules(Object.fromEntries(bytes));
const engine = { modules, data: given.data, settings: new Settings(given.settings), designs: new Designs() };
const all = async (parts) => { const found = []; for await (const one of parts) found.push(one); return found; };
const never = () => false, network = { k: 3, timing: "event", jitter: 0, loss: 0, seed: 1, signal: "s", microSteps: 1 };
const asked = { samples: Float64Array.from(given.value), macroStep: 0.01, ...network, algorithms: given.algorithms };
const chosen = { ...asked, algorithm: "eros3" }, found = {};
const plain = ({ received, estimate, skill, ...rest }) => ({ ...rest, received: received && [...received],
  estimate: estimate && [...estimate], skill: skill && [...skill] });
[found.soon] = (await all(estimated(engine, chosen, never))).map(plain);
found.before = await all(compared(engine, asked, never));
[found.again] = (await all(estimated(engine, chosen, never))).map(plain);
found.whole = (await all(completed(engine, chosen, never))).map(plain);
await all(lookAhead(engine, { ...asked, reach: given.reach }, never));
globalThis.calls = [];
found.after = [];
for (const k of given.latencies) found.after.push(await all(compared(engine, { ...asked, k }, never)));
answer({ ...found, calls: globalThis.calls });
"""
TEXTS = """
import { settingsOf } from "./views/interface.js";
answer(given.map(({ weights, timing, jitter = 0, host }) => {
  const set = { timing, k: weights.steps, macro_step: 0.01, micro: 10 };
  const values = { algorithm: "designed", ...set, jitter, loss: 0, host };
  return settingsOf({ values, signal: "torque___N", unit: "N.m", weights });
}));
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder with all modules of the page."""
    return page_folder(tmp_path_factory.mktemp("page"))


def asked(place, cases, micro_steps=MICRO_STEPS):
    """Return what the page says about cases (recording, k, timing, and what disturbs messages)."""
    rows = [{"value": one.value.tolist(), "macroStep": one.macro_step, "k": k, "timing": timing, "jitter": 0, "loss": 0}
            | dict(*more) for one, k, timing, *more in cases]  # fmt: skip
    given = {"modules": kernels(), "data": run_data(), "settings": interface_settings(), "algorithms": EVERY}
    given |= {"microSteps": micro_steps}
    return run(SCRIPT, {**given, "cases": rows}, folder=place, timeout=900)


def recorded():
    """Return all signals of the project, those of its examples and what its tests have, the beginning of each."""
    examples = [one for path in FILES for one in read(path).values() if np.isfinite(one.value).sum() >= 64]
    found = [resample(one.time, one.value, None) for one in examples]
    return [*found, *(Recording(one.name, one.macro_step, one.value[:LONGEST]) for one in channels())]


def way_of(k, more):
    """Return the way of a case, of what disturbs messages there."""
    names = {"jitter": "jitter_steps", "loss": "loss", "seed": "seed"}
    network = {names[key]: value for key, value in more.items() if key in names}
    return Way(NetworkTable(latency_steps=k, **network), more.get("signal", "signal"))


def rounding(key, figures, size):
    """Return what weights and sums leave of a figure: C is an angle by its cosine, next to 0 hardly known."""
    if key != "C":
        return 1e-9 * size
    return 1e-7 if figures["C"] is not None and figures["C"] > 1e-4 else 1e-6


def same(cases, answers, **how):
    """Hold table and sentence of each case against those of `inspect`; return what is recommended."""
    told = []
    for (one, k, timing, *more), page in zip(cases, answers, strict=True):
        what = (one.name, k, timing, *more)
        found = inspect_recording(one, k, timing, **how, **({"way": way_of(k, *more)} if more else {}))
        assert [row["algorithm"] for row in page["rows"]] == [row.algorithm for row in found.table], what
        size = float(np.sqrt(np.mean(one.value**2)))
        for row, expected in zip(page["rows"], found.table, strict=True):
            figures = expected.to_dict()
            for key in FIGURES:
                assert row[key] == pytest.approx(figures[key], rel=1e-9, abs=rounding(key, figures, size)), (what, key)
        for rows, expected in zip(page["shifted"], found.judged.shifted.values(), strict=True):
            for row in rows:
                rms = expected[row["algorithm"]].rms
                assert row["rms"] == pytest.approx(rms, rel=1e-9, abs=1e-9 * size), (what, row["algorithm"])
        advised = f"Use {candidate_label(found.recommended)}. " if found.is_worth_it else ""
        assert (page["name"], page["text"]) == (found.recommended, f"{advised}{found.reason}"), what
        assert tuple(page["warnings"]) == found.advice.warnings, what
        assert (page["weights"] is None) == (found.design is None), what
        assert page["limits"] == pytest.approx(found.protection["output"], rel=1e-12), what
        assert page["floor"] == found.floor, what
        if k + (timing == "step") > 0:
            wave = found.periodic and {**asdict(found.periodic), "share": pytest.approx(found.periodic.share, rel=1e-9)}
            assert page["periodic"] == wave, what
        told.append(found.recommended)
    return told


@pytest.mark.night("every candidate on real recordings: 54 s of CPU")
@pytest.mark.parametrize("part", range(3))
def test_recordings_are_judged_as_by_inspect(place, part):
    """A few latencies in both timings, each signal at one of them."""
    every = [(one, LATENCIES[i % 3], TIMINGS[i % 2]) for i, one in enumerate(recorded())]
    cases = every[17 * part : 17 * part + 17]
    answers = asked(place, cases)
    assert len(set(same(cases, answers))) > 1  # not one answer for all
    for page in answers:
        made = {row["algorithm"] for row in page["rows"]} - {WIRE, *EVERY}
        assert page["plain"] == len(EVERY) + 1 and made == {*MADE, *([PHASOR] if page["periodic"] else [])}


@pytest.mark.night("many latencies: 18 s of CPU each")
@pytest.mark.parametrize(("name", "macro_step"), [("torque_a", 0.01), ("torque_low", 0.02)])
def test_all_latencies_of_one_recording(place, name, macro_step):
    (found,) = (read(path) for path in FILES if path.stem == name)
    signal = next(iter(found.values()))
    one = resample(signal.time, signal.value, macro_step)
    cases = [(one, k, timing) for k in (0, 1, 4, 12) for timing in ("event", "step")]
    assert {"auto", WIRE} & set(same(cases, asked(place, cases)))


@pytest.mark.landing("a whole channel, every candidate, in the page and in Python: 6 s of CPU")
def test_auto_decides_alike_where_a_unit_in_the_last_place_decides(place):
    """The whole of a signal on which it would else: what is replayed has the very values of the samples."""
    one = next(one for one in channels() if one.name == "ecg_208")
    case = Recording(one.name, one.macro_step, one.value), 6, "step"
    same([case], asked(place, [case]))


@pytest.mark.landing("designs by page and package")
def test_where_nothing_can_be_made_there_is_no_row(place):
    time = 0.01 * np.arange(400)
    wave = np.sin(3.0 * time)
    signals = {
        "constant": (np.full(400, 2.5), 3, "step", ()),
        "constant at first": (np.where(time > 3.0, wave, 1.0), 3, "step", ()),
        "constant where it is judged": (np.where(time < 2.0, wave, 1.0), 3, "event", MADE),
        "no latency": (wave, 0, "event", ()),
        "too short to learn": (wave[:160], 3, "step", (DESIGNED, AUTO_DESIGNED)),
    }
    cases = [(Recording(name, 0.01, value), k, timing) for name, (value, k, timing, _) in signals.items()]
    answers = asked(place, cases)
    same(cases, answers)
    for page, (name, (*_, made)) in zip(answers, signals.items(), strict=True):
        assert {row["algorithm"] for row in page["rows"]} == {WIRE, *EVERY, *made}, name


def test_whoever_moves_back_to_a_latency_waits_for_no_design(place, tmp_path):
    """Networks of before are kept as far as the memory for them goes, here for two recordings."""
    folder = shutil.copytree(place, tmp_path / "page")
    for path, function in COUNTED:
        text, count = re.subn(function, r'\1 globalThis.calls.push("\2");', (folder / path).read_text(encoding="utf-8"))
        (folder / path).write_text(text.replace("PASSED = 1e6", "PASSED = 500"), encoding="utf-8")
        assert count == 1
    value = np.sin(0.03 * np.arange(200)).tolist()
    given = {"modules": kernels(), "data": run_data(), "settings": interface_settings(), "value": value}
    moves = run(MOVES, {**given, "latencies": [3, 5, 3, 6, 3, 5]}, folder=folder)
    everything = ["carry", "designFor", "learn"]
    assert [sorted(one["calls"]) for one in moves] == [everything, everything, [], everything, [], ["carry"]]
    assert moves[0]["weights"] == moves[2]["weights"] == moves[4]["weights"] != moves[1]["weights"]


@pytest.fixture(scope="module")
def looking(place, tmp_path_factory):
    """Return what is told of a recording that is judged before all of it is run, and of latencies that are made ahead.

    Runs are short, so that less of a recording makes it a long one.
    """
    folder = shutil.copytree(place, tmp_path_factory.mktemp("ahead") / "page")
    for path, function in COUNTED:
        text = re.sub(function, r'\1 globalThis.calls?.push("\2");', (folder / path).read_text(encoding="utf-8"))
        (folder / path).write_text(text.replace("BEFORE = 4000", "BEFORE = 100"), encoding="utf-8")
    value = np.sin(0.03 * np.arange(400)) + 0.01 * np.random.default_rng(1).normal(size=400)
    given = {"modules": kernels(), "data": run_data(), "settings": interface_settings(), "algorithms": EVERY}
    return run(AHEAD, {**given, "value": value.tolist(), "reach": 2, "latencies": [2, 3]}, folder=folder)


def test_of_a_long_recording_the_part_that_is_judged_comes_first(looking):
    soon, (whole, *others, end) = looking["soon"], looking["whole"]
    there = [i for i, one in enumerate(soon["estimate"]) if one is not None]
    assert there == list(range(240, 400)) and set(soon["skill"]) == {None}
    assert soon["received"] == whole["received"] and None not in whole["estimate"]
    assert whole["algorithm"] == "eros3" and whole["last"] == pytest.approx(whole["skill"][-1])
    assert [one["algorithm"] for one in others] == [*(one for one in EVERY if one != "eros3"), *MADE]
    assert all(len(one["estimate"]) == 400 for one in others) and end == {"whole": True}
    # what was drawn before comes from the table: the same, in single precision
    assert looking["again"]["row"]["mae"] == soon["row"]["mae"]
    assert looking["again"]["estimate"][240:] == pytest.approx(soon["estimate"][240:], rel=1e-6, abs=1e-6)


def test_tables_that_were_made_are_told_at_once(looking):
    """Nothing is designed or learnt any more, and figures are the same but for the skill, which runs tell later."""
    *rows, last = [one for one in looking["before"] if "doing" not in one and "plain" not in one]
    nearer, again = looking["after"]
    assert looking["calls"] == [] and again[-1] == last
    figures = [[one["row"] | {"skill": None} for one in part] for part in (rows, again[:-1])]
    assert figures[0] == figures[1] and len(rows) == len(EVERY) + 5
    skills = {one["algorithm"]: one["last"] for one in looking["whole"][:-1]}
    assert {one["row"]["algorithm"]: one["row"]["skill"] for one in again[1:-1]} == skills
    assert nearer[0]["row"]["mae"] < again[0]["row"]["mae"], "the later, the worse the plain wire"


@pytest.mark.landing("all candidates in the browser: 11 s of CPU")
def test_what_is_being_done_is_told(place):
    """Before it is done: each candidate, then each speed of the signal."""
    one = recorded()[0]
    plain, jittered = asked(place, [(one, 3, "step"), (one, 3, "step", {"jitter": 2})])
    names = [*EVERY, LEARNT, DESIGNED, AUTO_DESIGNED, AUTO_LEARNT]
    for page in (plain, jittered):
        assert [part["doing"] for part in page["doing"]] == [*names, *SHIFTS]
        assert [part["done"] for part in page["doing"]] == list(range(len(page["doing"])))
        assert {part["all"] for part in page["doing"]} == {len(page["doing"])}


@pytest.mark.landing("designs by page and package")
def test_a_communication_step_of_its_own_is_judged_as_by_inspect(place):
    one = recorded()[0]
    cases = [(one, 3, "step")]
    told = [asked(place, cases, m)[0]["rows"] for m in (1, 4)]
    assert told[0] != told[1]
    same(cases, asked(place, cases, 4), micro_step=one.macro_step / 4)


@pytest.mark.landing("designs and learns in page and package: 11 s of CPU each")
@pytest.mark.parametrize("timing", TIMINGS)
def test_jitter_and_loss_are_judged_as_by_inspect(place, timing):
    one = recorded()[0]
    more = [{"jitter": 2}, {"loss": 0.2}, {"jitter": 1, "loss": 0.1, "seed": 7, "signal": "torque"}]
    cases = [(one, k, timing, each) for k, each in zip((3, 1, 6), more, strict=True)]
    same(cases, asked(place, cases))


@pytest.mark.landing("designs and learns in page and package: 6 s of CPU")
def test_jitter_and_loss_change_the_runs_and_not_the_design(place):
    one = recorded()[0]
    cases = [(one, 3, "step"), (one, 3, "step", {"jitter": 2}), (one, 3, "step", {"loss": 0.2})]
    plain, *disturbed = asked(place, cases)
    for page in disturbed:
        assert page["weights"] == plain["weights"]
        assert len(page["rows"]) == len(plain["rows"])
        own = [{row["algorithm"]: row["mae"] for row in each["rows"]} for each in (plain, page)]
        assert all(own[0][name] != own[1][name] for name in own[0])


@pytest.mark.landing("a page in the browser: 9 s of CPU")
def test_the_fmu_with_these_weights_is_that_of_the_command(place, tmp_path):
    one = recorded()[0]
    cases = [(one, 3, "step"), (one, 4, "event")]
    step, event = ({**page, "timing": timing} for page, (*_, timing) in zip(asked(place, cases), cases, strict=True))
    auto = {**step, "weights": {**step["weights"], "selected": "auto"}}
    answers = [{**step, "host": JACOBI}, {**event, "host": READS_AGAIN}, {**auto, "host": SEQUENTIAL}]
    answers.append({**auto, "host": JACOBI, "jitter": 2})
    texts = run(TEXTS, answers, folder=place)
    jobs = [{"text": text, "signal": "torque___N", "fmi": "3", "platforms": ["x86_64-windows"]} for text in texts]
    for text, found, page in zip(texts, page_fmus(place, jobs), answers, strict=True):
        path = tmp_path / "interface.toml"
        path.write_text(text, encoding="utf-8")
        interface = load_interface(path)
        algorithm, stamped = interface.signals["torque___N"].algorithm, "jitter" in page
        row = algorithm.table[0] if stamped else algorithm
        assert (list(row.a), list(row.A)) == (page["weights"]["a"], page["weights"]["A"])
        assert interface.signals["torque___N"].latency.mode == ("stamps" if stamped else "constant")
        assert (interface.host, interface.micro_step) == (page["host"], 0.001 if page["timing"] == "step" else None)
        made = build_coupling_fmu(interface, "torque___N", tmp_path, fmi="3", platform="x86_64-windows")
        assert "bytes" in found, found
        assert entries(found["bytes"]) == entries(made)
