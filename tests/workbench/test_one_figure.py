"""One figure by all doors: Python, inspect, the scenario that init and try write, the FMU in FMPy, the page."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
import tomlkit
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

import couplant
from couplant.analysis.signal.recording import judge
from couplant.base.style import WIRE
from couplant.cli import main
from couplant.config import parse_interface
from couplant.config.hosts import JACOBI, READS_AGAIN
from couplant.cosim import simulate
from couplant.design.judged import judge_span
from couplant.design.recommendation import EVERY, PHASOR
from couplant.design.start import Start
from couplant.pack import build_coupling_fmu
from couplant.tables import PLAIN, Recording
from tests.runtime.periodic import HARMONICS, Wave
from tests.workbench.node import run
from tests.workbench.page_fmus import page_folder
from tests.workbench.test_candidates_js import asked, same

SAVED = """
import { settingsOf } from "./views/interface.js";
answer(settingsOf(given));
"""
CASES, QUANTISED, LIMITED, PERIODIC = 20, range(20, 23), range(23, 26), range(26, 32)
ROUNDING = 1e-9
STEPS = (0.001, 0.01, 0.02)


@dataclass(frozen=True)
class Case:
    """A signal and what it goes through; `m` communication steps in a macro step."""

    recording: Recording
    k: int
    timing: str
    m: int
    jitter: int
    loss: float
    seed: int

    @property
    def micro_step(self):
        return self.recording.macro_step / self.m

    @property
    def head(self):
        """Return the table that all signals of an interface share."""
        host = READS_AGAIN if self.timing == "event" else JACOBI
        fine = {} if self.timing == "event" else {"micro_step": self.micro_step}
        return {"name": "case", "macro_step": self.recording.macro_step, "timing": self.timing, "host": host, **fine}

    def inspect(self, source):
        more = {"jitter": self.jitter, "loss": self.loss, "seed": self.seed}
        step = self.recording.macro_step
        given = {"steps": self.k, "macro_step": step, "timing": self.timing, "micro_step": self.micro_step}
        return couplant.inspect(source, **given, **more)


def signal_of(kind, count, chance):
    """Return a signal of some kind, its size about 1."""
    n = np.arange(count)
    if kind == "tones":
        return np.sin(chance.uniform(0.05, 0.15) * n) + 0.4 * np.sin(chance.uniform(0.15, 0.4) * n + 1.0)
    if kind == "chirp":
        return np.sin(0.02 * n + chance.uniform(1e-4, 3e-4) * n**2)
    if kind == "steps":
        corners = np.arange(0, count + 30, 30)
        return np.interp(n, corners, chance.normal(size=corners.size))
    walk = np.cumsum(np.cumsum(chance.normal(size=count)) * 0.01)  # a walk, pulled to 0
    return walk - np.convolve(walk, np.full(61, 1.0 / 61.0), "same")


KINDS = ("tones", "chirp", "steps", "walk")


def protected(number, count, chance):
    """Return a signal that is quantised, or one at its ends, beyond which estimates go; its size about 1."""
    n = np.arange(count)
    if number in QUANTISED:
        slow = np.sin(chance.uniform(0.02, 0.04) * n) + 0.3 * np.sin(chance.uniform(0.05, 0.08) * n)
        return 0.04 * np.round(slow / 0.04)
    return np.clip(2.5 * np.sin(chance.uniform(0.1, 0.2) * n), -1.0, 1.0)


def wave_of(number, chance):
    """Return a phase off its nominal frequency, with harmonics, noise and a sag or a frequency that swings."""
    t = 1e-3 * np.arange(int(chance.integers(2200, 2600)))
    kind, nominal = ("back", "swing")[number % 2], float(chance.choice([50.0, 60.0]) + chance.uniform(-2.0, 2.0))
    wave = Wave(kind, nominal, harmonics=HARMONICS[: 1 + number % 3])
    return 300.0 * wave.values(t) + chance.normal(size=t.size)


def case(number):
    """Return the case of a number."""
    chance = np.random.default_rng(number)
    count = int(chance.integers(350, 600))
    if number < CASES:
        value = signal_of(KINDS[number % 4], count, chance)
        value = value / value.std() + (0.05 * chance.normal(size=count) if chance.random() < 0.6 else 0.0)
        value = 10.0 ** chance.integers(-1, 3) * value + float(chance.normal())
    else:
        value = wave_of(number, chance) if number in PERIODIC else protected(number, count, chance)
    recording = Recording("torque_low", STEPS[number % 3], value)
    timing, m = (("step", 10), ("step", 10), ("step", 1), ("event", 1))[number // 2 % 4]
    jitter = int(chance.integers(0, 4)) if number % 5 else 0
    loss = float(np.round(chance.uniform(0.0, 0.2), 3)) if number % 3 else 0.0
    return Case(recording, int(chance.integers(1, 11)), timing, m, jitter, loss, int(chance.integers(1, 1000)))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder with all modules of the page."""
    return page_folder(tmp_path_factory.mktemp("page"))


def run_in_fmpy(path, one, found, first):
    """Return what a receiver has of an FMU at the communication points, in a loop of FMPy's own, shape (N,)."""
    description = read_model_description(str(path))
    references = {each.name: each.valueReference for each in description.modelVariables}
    name, place = description.coSimulation.modelIdentifier, extract(str(path), str(path.with_suffix("")))
    fmu = FMU2Slave(guid=description.guid, modelIdentifier=name, unzipDirectory=place, instanceName="coupling")
    fmu.instantiate()
    count, step = found.judged.span.last, found.recording.macro_step
    arrivals, latest = found.way.arrivals(count), np.maximum(found.way.latest(count), 0)
    estimates = []

    def give(at, news):
        sent = latest[at]
        fmu.setReal([references["y"]], [found.recording.value[sent]])
        if "y_time" in references:
            fmu.setReal([references["y_time"]], [step * sent])
        if "y_valid" in references:
            fmu.setBoolean([references["y_valid"]], [bool(news)])

    fmu.setupExperiment(startTime=0.0)
    give(0, False)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    for i in range(one.m * count):
        at, part = divmod(i, one.m)
        give(at, part == 0 and arrivals[at] >= 0)
        if one.timing == "event":
            estimates += fmu.getReal([references["y_hat"]])
        fmu.doStep(step * at + one.micro_step * part, one.micro_step)
        if one.timing == "step":
            estimates += fmu.getReal([references["y_hat"]])
    fmu.terminate()
    fmu.freeInstance()
    return np.array(estimates if one.timing == "event" else [first, *estimates[:-1]])


def figures_in_fmpy(document, one, found, folder):
    """Return the figures of the FMU of settings that have one signal."""
    interface = parse_interface(document, "case")
    fmu = build_coupling_fmu(interface, *interface.signals, folder)
    estimate = run_in_fmpy(fmu, one, found, found.recording.value[0])[found.judged.span.points(one.m)]
    return judge("fmu", found.judged.value, estimate).to_dict()


def differences(row, other, size):
    """Yield what two rows of figures differ by, over the size of the signal; C is an angle by its cosine."""
    for key in ("mae", "max"):
        yield abs(row[key] - other[key]) / size
    yield abs(row["C"] - other["C"]) * (1e-3 if row["C"] < 1e-4 else 1e-2)


def written_scenario(found, path, one):
    """Write the scenario that `init` and `try` write of what was found, in the timing of the case; return its path."""
    name = found.way.signal
    start = Start(path, PLAIN, found.recording.macro_step, found.way.network, {name: found}, {name: "1"}, {}, ())
    document = tomlkit.parse(start.scenario(path.parent)).unwrap()
    document["timing"] = [one.timing]
    document |= {"host": READS_AGAIN} if one.timing == "event" else {}
    document["micro_step"] = one.micro_step
    if one.m == 1:
        del document["micro_step"]
    target = path.with_name("scenario.toml")
    target.write_text(tomlkit.dumps(document), encoding="utf-8")
    return target


@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("number", range(CASES))
def test_every_door_has_the_same_figures(number, place, tmp_path, capsys):
    hold_all_doors(case(number), place, tmp_path, capsys)


@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("number", [*QUANTISED, *LIMITED])
def test_what_protects_the_receiver_is_judged_as_it_is_saved(number, place, tmp_path, capsys):
    """Limits hold estimates back, and a quantised signal has the floor of its jumps in all settings."""
    found = hold_all_doors(case(number), place, tmp_path, capsys)
    (signal,) = tomlkit.parse(found.settings()).unwrap()["signals"].values()
    assert signal["output"] == found.protection["output"]
    assert ("discontinuity" in signal) == (number in QUANTISED)
    judged, timing, m = found.judged, found.timing, found.judged.micro_steps
    bare = judge_span(judged.recording, judged.span, found.k, timing, micro_steps=m, way=found.way).rows
    held = [name for name in EVERY if bare[name].mae != judged.rows[name].mae]
    assert held or number in QUANTISED


@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("number", PERIODIC)
def test_a_periodic_signal_has_the_same_phasors_by_all_doors(number, place, tmp_path, capsys):
    found = hold_all_doors(case(number), place, tmp_path, capsys)
    (signal,) = tomlkit.parse(found.settings()).unwrap()["signals"].values()
    assert (found.recommended, signal["algorithm"]) == (PHASOR, found.periodic.algorithm())


def hold_all_doors(one, place, tmp_path, capsys):
    """Hold that all doors have the same figures; return what Python finds."""
    recording, path = one.recording, tmp_path / "recording.csv"
    time = recording.macro_step * np.arange(recording.value.size)
    rows = (f"{t!r},{v!r}\n" for t, v in zip(time.tolist(), recording.value.tolist(), strict=True))
    path.write_text("".join(["t,torque_low\n", *rows]), encoding="utf-8")
    found = one.inspect(path)
    size = float(recording.value.std())
    known = {row.algorithm: row.to_dict() for row in found.table}

    # the command
    words = ["inspect", str(path), "--steps", one.k, "--timing", one.timing, "--micro-step", one.micro_step, "--json"]
    words += ["--macro-step", recording.macro_step, "--jitter", one.jitter, "--loss", one.loss, "--seed", one.seed]
    capsys.readouterr()
    assert main([str(word) for word in words]) == 0
    assert json.loads(capsys.readouterr().out) == found.to_dict()

    # the scenario that is written, as simulate runs it
    runs = {each.algorithm: each.metrics for each in simulate(written_scenario(found, path, one)).runs}
    assert [*runs] == [WIRE, *EVERY, *([PHASOR] if found.recommended == PHASOR else [])]
    weighted = {"auto": found.recommended} if found.recommended.startswith("auto") else {}
    for name, row in runs.items():
        assert max(differences(row, known[weighted.get(name, name)], size)) <= ROUNDING, name

    # the FMU of the settings, in FMPy
    (signal,) = tomlkit.parse(found.settings()).unwrap()["signals"].values()
    document = {"interface": one.head, "signals": {"y": signal | {"start": float(recording.value[0])}}}
    row = figures_in_fmpy(document, one, found, tmp_path / "command")
    assert max(differences(row, known[found.recommended if found.is_worth_it else "zoh"], size)) <= ROUNDING

    # the page, and the FMU that it saves, which is that of the command for the same text
    more = {"jitter": one.jitter, "loss": one.loss, "seed": one.seed, "signal": found.way.signal}
    asking = [(recording, one.k, one.timing, more)]
    (page,) = answers = asked(place, asking, one.m)
    same(asking, answers, micro_step=one.micro_step)
    name = found.recommended if found.is_worth_it else "auto"
    values = {"algorithm": name, "timing": one.timing, "k": one.k, "macro_step": recording.macro_step, "micro": one.m}
    values |= {"jitter": one.jitter, "loss": one.loss, "host": one.head["host"]}
    given = {"values": values, "signal": found.way.signal, "unit": "", "weights": page["saved"]}
    given |= {key: page[key] for key in ("limits", "floor")}
    text = run(SAVED, given, folder=place)
    row = figures_in_fmpy(tomlkit.parse(text).unwrap(), one, found, tmp_path / "page")
    assert max(differences(row, known[name], size)) <= ROUNDING
    return found
