"""Results at a prompt, as data frames and as pictures: every function of the package, and what has no picture."""

import csv
import sys
import textwrap
from inspect import ismodule, signature
from pathlib import Path

import pytest
import typer.main
from matplotlib import pyplot

import couplant
from couplant.cli import app
from tests.commands import run

EXAMPLE = Path(__file__).parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
TORQUE = EXAMPLE.parents[1] / "03_recording" / "torque_a.csv"
SYSTEM = Path(__file__).parents[1] / "analysis" / "oscillator.toml"
SHORT = ["duration=12.0", 'timing=["event"]', 'algorithms=["wire","eros3"]']


def run_file(folder):
    """Return the CSV file of a short run of the example."""
    couplant.simulate(EXAMPLE, SHORT, output=folder)
    return folder / "runs" / "event_eros3.csv"


ASKED = {
    "read": (lambda folder: couplant.read(TORQUE), 1200),
    "inspect": (lambda folder: couplant.inspect(TORQUE, steps=3), 12),
    "design": (lambda folder: couplant.design(TORQUE, steps=[2, 3]), 2),
    "learn": (lambda folder: couplant.learn(TORQUE, steps=3), 11),
    "simulate": (lambda folder: couplant.simulate(EXAMPLE, SHORT), 2),
    "stability": (lambda folder: couplant.stability(SYSTEM), 3),
    "advise": (lambda folder: couplant.advise(SYSTEM, steps=3), 12),
    "limits": (lambda folder: couplant.limits(["foh", "eros3"], steps=range(1, 5)), 8),
    "bode": (lambda folder: couplant.bode(["foh", "eros3"], steps=3), 400),
    "eros": (lambda folder: couplant.eros(order=2, steps=[1, 2]), 2),
    "energy": (lambda folder: couplant.energy(run_file(folder), bond="f:x1"), 3),
    "energy, open loop": (
        lambda folder: couplant.energy(run_file(folder), effort="f.sent", flow="x1.sent", steps=2),
        6,
    ),
    "identify": (
        lambda folder: couplant.identify(run_file(folder), inputs=["x1.sent", "v1.sent"], outputs=["f.sent"]),
        4,
    ),
    "arena": (lambda folder: couplant.arena(tasks=["engine_2"], entries=["wire", "foh"]), 2),
    "sweep": (lambda folder: couplant.sweep(EXAMPLE, algorithms="eros3", latency=[1, 2], assignments=SHORT[:2]), 4),
}


@pytest.fixture(autouse=True)
def no_figures_stay():
    """Close what pyplot keeps."""
    yield
    pyplot.close("all")


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_is_shown_drawn_and_given_as_a_frame(name, tmp_path):
    ask, rows = ASKED[name]
    found = ask(tmp_path)
    frame = found.to_dataframe()
    assert len(frame) == rows
    assert repr(found)
    assert "<table" in found._repr_html_()
    figure = found.plot()
    lines = [line for axis in figure.axes for line in axis.get_lines()]
    assert len(lines) >= 2
    figure.savefig(tmp_path / "picture.png", dpi=40)
    if hasattr(found, "to_dict"):
        assert found.to_dict()


def test_files_are_shown_and_have_no_picture(tmp_path):
    settings = {"interface": {"name": "bench", "macro_step": 0.01}, "signals": {"torque": {"unit": "N.m"}}}
    built = couplant.build(settings, tmp_path)
    card = couplant.info(built.files["torque"])
    checked = couplant.validate(built.files["torque"])
    exported = couplant.export(EXAMPLE, tmp_path / "out", ['timing=["step"]'], "eros3")
    assert card.inputs["y"] == "N.m"
    assert not checked.wrong
    assert "system.ssp" in exported.files
    for found in (built, card, checked, exported):
        assert len(found.to_dataframe())
        with pytest.raises(couplant.UsageError, match="nothing to draw"):
            found.plot()


def test_channels_with_times_of_their_own_stand_in_one_frame(tmp_path):
    (tmp_path / "two.csv").write_text("time,a,t,b\n0,1,0.5,10\n1,2,1,20\n2,3,,\n", encoding="utf-8")
    frame = couplant.read(tmp_path / "two.csv").to_dataframe()
    assert list(frame.index) == [0.0, 0.5, 1.0, 2.0]
    assert frame["a"].dropna().tolist() == [1.0, 2.0, 3.0]
    assert frame.loc[1.0].tolist() == [2.0, 20.0]


def test_a_pattern_that_grows_is_drawn_and_a_proof_has_no_picture():
    found = couplant.certify(SYSTEM, (4, 9), assignments=['algorithm="foh"'], seconds=5.0)
    assert found.verdict == "refuted"
    assert len(found.plot().axes) == len(found.cycle.names)
    assert found.to_dataframe()["verdict"][0] == "refuted"


HOW = {"time", "time_unit", "delimiter", "decimal"}
SAID_OTHERWISE = {
    "latency": "steps", "host": "assignments", "erlang": "latency", "least": "latency",
    **dict.fromkeys(HOW, "how"), "scenario": "path",
}  # fmt: skip
"""Options of commands by the parameter of the function that says the same."""
OF_COMMANDS = {"as_json", "output", "picture", "config", "signal", "name", "open", "open_report", "page"}
"""What only a command has: files that it writes or changes, and how it prints."""
LEFT = {
    "bode": {"macro_step", "weights", "recording", "column"},  # algorithms are given as they are
    "energy": {"limit"},  # `share` is to compare with
    "info": {"other", "toml"},  # `couplant.pack.comparison.compare`, and `configuration`
    "sweep": {"steps"},  # latencies are numbers of macro steps
    "limits": set(),
    "validate": set(),
    "learn": {"assignments", "host"},  # of the plant: `couplant.analysis.system_file.read_system` takes them
    "identify": set(),
    "eros": set(),
    "export": set(),
}


@pytest.mark.parametrize("verb", LEFT)
def test_a_function_has_the_words_of_its_command(verb):
    command = typer.main.get_command(app).commands[verb]
    function = getattr(couplant, verb)
    # packages that can be called
    function = vars(function).get("ask", vars(function).get(verb)) if ismodule(function) else function
    own = set(signature(function).parameters)
    words = {parameter.name for parameter in command.params} - OF_COMMANDS - LEFT[verb] - {"help"}
    assert {word for word in words if word not in own and SAID_OTHERWISE.get(word) not in own} == set()


def test_a_sweep_is_that_of_the_command_and_needs_no_main_guard(tmp_path):
    words = ["--algorithms", "eros3,foh", "--steps", "2:3", "--jitter", "1", "--seeds", "3", "--timing", "event"]
    run([sys.executable, "-m", "couplant", "sweep", EXAMPLE, "-o", tmp_path / "command", *words], check=True)
    program = f"""
        import couplant
        found = couplant.sweep({str(EXAMPLE)!r}, algorithms=["eros3", "foh"], timing="event",
                               latency=[2, 3], jitter=1, seeds=3)
        found.to_dataframe().to_csv("frame.csv", index=False)
    """
    (tmp_path / "study.py").write_text(textwrap.dedent(program), encoding="utf-8")
    run([sys.executable, "study.py"], cwd=tmp_path, check=True)
    ours, theirs = (list(csv.DictReader((tmp_path / p).open())) for p in ("frame.csv", "command/sweep.csv"))
    assert len(ours) == len(theirs) == 18
    for one, other in zip(ours, theirs, strict=True):
        assert float(one["error"]) == pytest.approx(float(other["error"]), rel=1e-12)
        assert (one["algorithm"], one["seed"]) == (other["algorithm"], other["seed"])
