"""One language of the command line: a latency in ms or macro steps, old calls with a hint, examples in every help."""

import json
import shlex

import numpy as np
import pytest
import tomlkit
import typer

from couplant.base.paths import demonstration, resource
from couplant.cli import VERBS, app, options
from couplant.config.network import Seconds, jitter_in, rounding_of, steps_in
from couplant.config.scenario import load_scenario
from couplant.sweep.axes import read_axes

ROOT = typer.main.get_command(app)
EXAMPLES = {text.split()[1]: text.strip().split("\n") for text in resource("examples.txt").read_text().split("\n\n")}
LINES = [(verb, line.removeprefix("Next: ")) for verb, lines in EXAMPLES.items() for line in lines]
OSCILLATOR = demonstration() / "scenario.toml"
SYSTEM = """
macro_step = 0.02
latency_steps = 1

[prototypes.a]
A = [[-1.0]]
B = [[1.0]]
C = [[1.0]]
inputs = ["u"]
outputs = ["x"]

[prototypes.b]
A = [[-2.0]]
B = [[1.0]]
C = [[-1.0]]
inputs = ["u"]
outputs = ["x"]

[[connections]]
from = "a.x"
to = "b.u"
latency_steps = 2

[[connections]]
from = "b.x"
to = "a.u"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a recording of 10 ms, 3 s long, and a system, which is the current one."""
    monkeypatch.chdir(tmp_path)
    t = 0.01 * np.arange(300)
    rows = np.stack([t, np.sin(3.0 * t), np.sin(3.0 * (t - 0.05))], axis=1)
    np.savetxt("recording.csv", rows, "%.9g", ",", header="time,command,response", comments="")
    (tmp_path / "system.toml").write_text(SYSTEM, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("latency", "steps"),
    [(3, 3), (0, 0), (Seconds(0.045), 3), (Seconds(0.06), 3), (Seconds(0.0600001), 4), (Seconds(1e-6), 1)],
)
def test_a_latency_counts_in_whole_macro_steps(latency, steps):
    assert steps_in(latency, 0.02) == steps


@pytest.mark.parametrize("time", [0.0, -1.0, 1.2801, float("inf"), float("nan")])
def test_a_latency_out_of_range_is_told_in_seconds(time):
    with pytest.raises(ValueError, match=r"^latency = .* s, allowed above 0 and up to 64 macro steps of 0\.02 s$"):
        steps_in(Seconds(time), 0.02)
    with pytest.raises(ValueError, match=r"^macro_step is missing"):
        steps_in(Seconds(0.045), None)


@pytest.mark.parametrize(
    ("jitter", "latency", "more"),
    [(2, 3, 2), (Seconds(0.009), 3, 1), (Seconds(0.009), Seconds(0.045), 0), (Seconds(0.02), Seconds(0.045), 1)],
)
def test_jitter_adds_the_macro_steps_that_the_latest_value_takes(jitter, latency, more):
    assert jitter_in(jitter, latency, 0.02) == more


def test_what_is_no_whole_number_of_macro_steps_is_told():
    assert rounding_of(Seconds(0.06), 2, 0.02) == [] == rounding_of(3, 0, 0.02)
    told = ["latency 0.045 s counts as 3 macro steps", "jitter 0.03 s counts as 1 macro step"]
    assert rounding_of(Seconds(0.045), Seconds(0.03), 0.02) == told


@pytest.mark.parametrize("text", ["2.5", "x", "", "9 hours"])
def test_jitter_is_whole_macro_steps_or_a_time(text):
    with pytest.raises(typer.BadParameter, match="allowed"):
        options.steps_or_time(text)
    assert (options.steps_or_time("2"), options.steps_or_time("9ms")) == (2, Seconds(0.009))


LATE = {
    "limits": ("--macro-step", "20ms", "--algorithm", "foh"),
    "bode": ("--macro-step", "20ms", "--algorithm", "foh"),
    "eros": ("--macro-step", "20ms"),
    "design": ("--macro-step", "20ms", "--band", "0", "10"),
    "stability": ("system.toml", "--plants", "2"),
}


@pytest.mark.parametrize("verb", LATE)
def test_a_latency_in_ms_is_that_in_macro_steps(couplant, folder, verb):
    told = (("--latency", "45ms"), ("--steps", 3))
    by_time, by_steps = (couplant(verb, *LATE[verb], *words, "--json") for words in told)
    assert by_time.status == 0 and json.loads(by_time.out) == json.loads(by_steps.out)
    both = couplant(verb, *LATE[verb], "--latency", "45ms", "--steps", 3)
    assert (both.status, both.err) == (2, "couplant: --latency and --steps are given, allowed is one of the two\n")


RECORDED = {
    "inspect": ("recording.csv", "--json"),
    "learn": ("recording.csv", "--json"),
    "design": ("--recording", "recording.csv", "--json"),
    "identify": ("recording.csv", "--input", "command", "--output", "response", "--states", "1", "--json"),
    "energy": ("recording.csv", "--effort", "command", "--flow", "response", "--json"),
}


SLOW = {"identify": pytest.mark.landing("models are identified")}


@pytest.mark.parametrize("verb", [pytest.param(one, marks=SLOW.get(one, ())) for one in RECORDED])
def test_the_macro_step_of_a_latency_in_ms_is_that_of_the_recording(couplant, folder, verb):
    done = [couplant(verb, *RECORDED[verb], *words) for words in (("--latency", "25ms"), ("--steps", 3))]
    assert [one.status for one in done] == [0, 0], done[0].err
    assert json.loads(done[0].out) == json.loads(done[1].out)


def test_every_verb_that_has_steps_has_a_latency():
    for verb, command in ROOT.commands.items():
        offered = {option for parameter in command.params for option in parameter.opts}
        assert ("--steps" in offered) == ("--latency" in offered), verb


@pytest.mark.landing("two recordings are inspected")
def test_a_long_latency_takes_the_same_macro_step_everywhere(couplant, folder):
    started = (("inspect", "recording.csv"), ("init", "new", "--recording", "recording.csv"))
    told = [couplant(*words, "--latency", "170ms").err for words in started]
    assert all("macro step 0.02 s, by the samples" in one and "0.17 s counts as 9 macro steps" in one for one in told)


def test_a_latency_of_a_system_is_that_of_all_its_connections(couplant, folder):
    asked = ((), ("--steps", 1), ("--latency", "40ms"))
    told = [couplant("stability", "system.toml", *words, "--plants", 0, "--json").out for words in asked]
    assert len({json.loads(one)["radius"] for one in told}) == 3


@pytest.mark.parametrize("text", ["40ms,60ms", "40ms:60ms:10ms", "0.04s : 60 ms", "2,3", "2:3"])
def test_a_sweep_takes_times(text):
    assert read_axes(load_scenario(OSCILLATOR), {"latency": text}).latency == (2, 3)


def test_a_sweep_takes_its_latencies_in_steps_too(couplant, tmp_path):
    words = ("--algorithms", "zoh", "--timing", "event", "--steps", "2,3")
    assert couplant("sweep", OSCILLATOR, "-o", tmp_path, *words).status == 0
    assert couplant("sweep", OSCILLATOR, "-o", tmp_path, *words, "--latency", "40ms").status == 2
    assert len((tmp_path / "sweep.csv").read_text().splitlines()) == 1 + 2 * 2


OLD = [
    (("inspect", "recording.csv", "--column", "command", "--response", "response"), "lag", 1),
    (("inspect", "latencies.csv", "--latencies", "--micro-step", "1ms"), "macro-step", 0),
]


@pytest.mark.parametrize(("words", "verb", "removed"), OLD, ids=["response", "latencies"])
def test_an_old_call_goes_on_working_with_a_hint(couplant, folder, words, verb, removed):
    (folder / "latencies.csv").write_text("latency_s\n" + "0.021\n0.023\n" * 50, encoding="utf-8")
    old, new = couplant(*words), couplant(verb, *(word for word in words[1:] if word != "--latencies"))
    assert (old.status, old.out) == (0, new.out)
    assert f"is couplant {verb} now" in old.err and old.err.count("\n") == 1 + new.err.count("\n")


def test_a_lag_needs_a_response(couplant, folder):
    alone = couplant("lag", "recording.csv")
    assert alone.status == 2 and "--response is missing" in alone.err and len(alone.err.splitlines()) == 1
    assert couplant("lag", "recording.csv", "--response", "response").status == 0


@pytest.mark.parametrize("words", [("init", "new"), ("init", "new", "--recording", "recording.csv")])
def test_both_files_of_a_start_are_for_one_host(couplant, folder, words):
    assert couplant(*words).status == 0
    names = ("interface.toml", "scenario.toml")
    interface, scenario = (tomlkit.parse((folder / "new" / name).read_text()) for name in names)
    assert interface["interface"]["host"] == scenario["host"] == "jacobi"


@pytest.mark.parametrize("verb", ["build", "simulate", "sweep", "export", "container", "helics"])
@pytest.mark.parametrize("name", ["run.csv", "RUN.MF4", "run.tdms"])
def test_a_recording_in_the_place_of_settings_is_answered_with_try(couplant, tmp_path, verb, name):
    done = couplant(verb, tmp_path / name, "-o", tmp_path / "out")
    assert done.status == 2 and len(done.err.splitlines()) == 1
    assert f"couplant try {tmp_path / name}" in done.err


def test_every_help_ends_with_two_examples_and_what_comes_next(couplant):
    assert list(EXAMPLES) == list(VERBS)
    for verb, lines in EXAMPLES.items():
        assert len(lines) == 3 and lines[2].startswith("Next: couplant ")
        assert all(line.split()[:2] == ["couplant", verb] for line in lines[:2])
        assert max(map(len, lines)) < 96
    shown = couplant("limits", "--help").out.splitlines()
    assert [line.strip() for line in shown if line.strip()][-4:] == ["Examples:", *EXAMPLES["limits"]]
    assert "Next: couplant ssp list out.ssp" in couplant("ssp", "insert", "--help").out


@pytest.mark.parametrize(("verb", "line"), LINES, ids=[f"{verb}-{i % 3}" for i, (verb, _) in enumerate(LINES)])
def test_every_example_of_a_help_parses(verb, line):
    words = shlex.split(line)[1:]
    command = ROOT.commands.get(words[0])
    while hasattr(command, "commands"):
        words = words[1:]
        command = command.commands[words[0]]
    if words != ["--help"]:
        command.make_context(words[0], [*words[1:]])


TRIED = (
    "try init build info validate simulate ssp linearise inspect lag macro-step design learn identify energy limits "
    "bode stability eros schema completion"
).split()
RUN = [line for verb in TRIED for line in EXAMPLES[verb][:2] if not line.startswith("couplant ssp insert")]


@pytest.mark.landing("whole commands: 40 s of CPU")
def test_what_the_help_shows_runs(couplant, tmp_path, monkeypatch):
    """All examples that need no other machine, extra or time, one after another, in a folder with what they name."""
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    assert couplant("export", "scenario.toml", "-o", "made", "--algorithm", "eros3").status == 0
    for made, name in (("system.ssp", "system.ssp"), ("fmus/mass_1.fmu", "mass_1.fmu")):
        (tmp_path / "made" / made).rename(name)
    for line in RUN:
        done = couplant(*shlex.split(line)[1:], *(["--no-open"] if line.startswith("couplant try") else []))
        differs = line.startswith("couplant info") and "differ" in done.out
        assert done.status == int(differs), (line, done.err)


def write_inputs(folder):
    """Write what the examples of the help name: recordings, a system and a scenario."""
    t = 0.01 * np.arange(1200)
    rng = np.random.default_rng(1)
    force = np.convolve(rng.standard_normal(1230), np.exp(-0.1 * np.arange(31)), "valid")[:1200]
    position = np.zeros(1200)
    for n in range(1, 1200):
        position[n] = 0.9 * position[n - 1] + 0.1 * force[n - 1] + 0.01 * rng.standard_normal()
    tables = {
        "recording": {"time": t, "torque": np.sin(3 * (t - 0.05)), "command": np.sin(3 * t)},
        "command": {"time": t, "command": np.sin(3 * t)},
        "response": {"time": t, "response": np.sin(3 * (t - 0.05))},
        "loop": {"time": t, "force": force, "position": position},
        "there": {"sent_s": t, "latency_s": 0.021 + 0.004 * np.abs(np.sin(31 * t))},
    }
    tables |= {"other": tables["command"], "last": tables["command"]}
    for name, table in tables.items():
        rows = np.stack(list(table.values()), axis=1)
        np.savetxt(folder / f"{name}.csv", rows, "%.9g", ",", header=",".join(table), comments="")
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    (folder / "scenario.toml").write_bytes(OSCILLATOR.read_bytes())
