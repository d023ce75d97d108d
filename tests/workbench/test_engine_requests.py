"""What runs of the page are asked for: data for them, wrong requests, requests that are given up."""

import random
import zlib

import numpy as np
import pytest

from couplant.config.network import NetworkTable, signal_seed
from couplant.cosim.wiring.network import network_parameters
from couplant.design.recommendation import EVERY, PHASOR
from couplant.design.start import start_from
from tests.workbench.node import run
from tests.workbench.page_fmus import kernels
from workbench.build.plans import KNOBS
from workbench.build.systems import TIMINGS, coupled, engine_data, masses_scenario, recorded_scenario

SCRIPT = """\
import { compileModules, recordingSteps, runRecording, runSystem } from "./engine/run.js";

const bytes = Object.entries(given.modules).map(([name, text]) => [name, Buffer.from(text, "base64")]);
const modules = await compileModules(Object.fromEntries(bytes));
const samples = Float64Array.from({ length: 3001 }, (_, n) => Math.sin(0.05 * n));
const usual = { modules, data: given.data, samples, macroStep: 0.01, timing: "step", algorithm: "foh", k: 3 };
const said = (make, more) => {
  try {
    return make({ ...usual, duration: 1, ...more });
  } catch (error) {
    return error.message;
  }
};
"""


@pytest.fixture(scope="module")
def data():
    return engine_data()


@pytest.fixture(scope="module")
def given(data):
    modules = kernels()
    return {"modules": modules, "data": data}


def test_wrong_requests_are_refused_in_one_sentence(given):
    script = """
    answer([
      said(runRecording, { algorithm: "nonsense" }),
      said(runRecording, { timing: "later" }),
      said(runRecording, { algorithm: "linear" }),
      said(runRecording, { settings: "{}" }),
      said(runRecording, { k: 99 }),
      said(runRecording, { parameters: { nonsense: 1 } }),
      said(runRecording, { parameters: { "output.on_loss": 2.5 } }),
      said(runSystem, { parameters: { "mass_1.m1": -1 } }),
    ]);
    """
    told = run(SCRIPT + script, given)
    assert all(text.endswith(".") and "\n" not in text for text in told)
    assert told[0] == "There is no algorithm nonsense in step timing here."
    assert told[1] == "There is no algorithm foh in later timing here."
    assert told[2] == "signal: the algorithm linear needs settings with its weights."
    assert told[3].startswith("signal.coupling cannot be loaded") and "settings.txt is not a settings file" in told[3]
    assert "99" in told[4] and "constant_steps" in told[4]
    assert told[5] == "signal.coupling has no variable nonsense."
    assert "output.on_loss = 2.5" in told[6]
    assert told[7].startswith("mass_1") and "m1 = -1, allowed 1e-6 to" in told[7]


def test_a_run_is_given_up_on_the_way(given):
    script = """
    let asked = 0;
    const stop = () => ++asked === 4;
    const none = said(runRecording, { duration: 30, stop });
    const steps = recordingSteps({ ...usual, duration: 30 });
    const [first, second] = [steps.next(), steps.next()];
    steps.return();
    answer({ none, asked, first, second, done: steps.next().done });
    """
    found = run(SCRIPT + script, given)
    assert found["none"] is None and found["asked"] == 4
    assert 0 < found["first"]["value"] < found["second"]["value"] < 1000 and found["done"]


def test_the_reference_is_solved_again_only_where_it_may_differ(given):
    script = """
    const solved = (more) => said(runSystem, more).reference.x1;
    const first = solved({});
    const other = { parameters: { "mass_1.m1": 2 } };
    const recorded = (values) => said(runRecording, { samples: values, duration: undefined }).reference;
    const [some, kept] = [samples.slice(0, 300), recorded(samples.slice(0, 300))];
    const copied = recorded(some) === kept;
    some[7] += 1;
    answer({
      kept: [{ k: 5 }, { algorithm: "zoh" }, { loss: 0.1 }].map((more) => solved(more) === first),
      anew: [other, { macroStep: 0.02 }, { duration: 2 }].map((more) => solved(more) === first),
      again: solved({}).every((value, n) => value === first[n]),
      copied,
      changed: recorded(some)[7] - kept[7] > 0.9,
    });
    """
    true = dict.fromkeys(("again", "copied", "changed"), True)
    assert run(SCRIPT + script, given) == {"kept": [True] * 3, "anew": [False] * 3, **true}


def test_seeds_of_networks_are_those_of_simulate():
    pairs = [(seed, name) for seed in (0, 1, 18, 2**31 - 1) for name in ("x1", "signal", "Torque_2")]
    script = """
    import { signalSeed } from "./engine/seeds.js";
    import { crc32 } from "./engine/checksum.js";
    answer([given.map((pair) => signalSeed(...pair)), given.map(([, name]) => crc32(new TextEncoder().encode(name)))]);
    """
    seeds, sums = run(script, pairs)
    assert seeds == [signal_seed(*pair) for pair in pairs]
    assert sums == [zlib.crc32(name.encode()) for _, name in pairs]


def test_knobs_are_what_network_parameters_say():
    chance = random.Random(4)
    for _ in range(20):
        jitter, loss, step = chance.choice([0, 2]), chance.choice([0.0, 0.3]), chance.uniform(1e-3, 1e-1)
        network = NetworkTable(latency_steps=chance.randint(1, 9), jitter_steps=jitter, loss=loss, seed=7)
        wanted = network_parameters(network, step, "s", 1.5)
        assignments = [f"network.{key}={value}" for key, value in network.model_dump(exclude_unset=True).items()]
        plan, _ = coupled(recorded_scenario(), "foh", "step", assignments)
        (row,) = (one for one in plan["components"] if one.get("module") == "network")
        knobs = {"k": network.latency_steps, "macroStep": step, "jitter": jitter, "loss": loss, "first": 1.5}
        knobs["seed"] = signal_seed(7, "s")
        found = {n: value_of(v, knobs) for n, v in row["parameters"].items()}
        modes = {"constant": 1.0, "uniform": 2.0}
        assert found == {n: modes.get(v, v) for n, v in wanted.items()}


def value_of(factors, knobs):
    return np.prod([knobs[name] for name in factors]) if isinstance(factors, list) else factors


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("algorithm", ["zoh", "smb", "eros4", "irregular", "auto"])
def test_settings_depend_on_knobs_by_start_values_alone(algorithm, timing):
    """So those of one latency and macro step serve for all: the knobs are set before the start."""
    sources = [recorded_scenario() | {"macro_step": step} for step in (0.01, 0.013)]
    (_, (one,)), (_, (other,)) = (
        coupled(source, algorithm, timing, [f"network.latency_steps={k}"])
        for source, k in zip(sources, (3, 8), strict=True)
    )
    assert one.keys() == other.keys()
    assert [key for key in one if one[key] != other[key]] == ["start"]
    assert sum(a != b for a, b in zip(one["start"], other["start"], strict=True)) == len(KNOBS["coupling"]) == 2


def test_the_plan_is_that_of_what_couplant_try_writes(tmp_path):
    time = 0.01 * np.arange(300)
    rows = [f"{t:.2f},{v!r}" for t, v in zip(time.tolist(), np.sin(7.0 * time).tolist(), strict=True)]
    path = tmp_path / "recording.csv"
    path.write_text("\n".join(["time,value", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "scenario.toml").write_text(start_from(path).scenario(tmp_path), encoding="utf-8")
    same = recorded_scenario() | {"signals": {"value": {"from": "recording.value"}}}
    for algorithm in ("foh", "auto"):
        plan, _ = coupled(tmp_path / "scenario.toml", algorithm, "step")
        assert plan == coupled(same, algorithm, "step", ["network.latency_steps=3", "micro_step=0.001"])[0]


def test_the_data_are_small_and_name_every_case(data):
    cases = data["systems"]["masses"]["cases"]
    assert cases.keys() == set(TIMINGS)
    for by_algorithm in cases.values():
        assert by_algorithm.keys() == {*EVERY, "linear", PHASOR}
        assert all(len(by_case) == 8 for by_case in by_algorithm.values())
    assert len(zlib.compress(repr(data).encode(), 9)) < 40_000
    assert str(masses_scenario()).endswith("scenario.toml")
