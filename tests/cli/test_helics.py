"""``couplant helics``: what it refuses, and what it prints."""

import json
import sys

import pytest

from tests.elsewhere.helics.conftest import EXAMPLE, settings

SHORT = [word for change in settings(duration=0.2) for word in ("--set", change)]


@pytest.mark.landing("a federation of processes")
def test_figures_and_files(couplant, tmp_path):
    done = couplant("helics", EXAMPLE, *SHORT, "-o", tmp_path / "out", "--json")
    assert (done.status, done.err) == (0, "")
    (run,) = json.loads(done.out)["runs"]
    assert (run["algorithm"], run["timing"]) == ("eros3", "step")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"fmus", "metrics.json", "report.html", "report.png", "runs"}
    assert [path.name for path in (tmp_path / "out" / "runs").iterdir()] == ["step_eros3.csv"]


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--federate", "mass_1"], "--federate needs --broker HOST"),
        (["--broker", "here"], "--broker needs --federate NAME"),
        (["--federate", "mass_1", "--broker", "a b"], "--broker = a b, allowed HOST or HOST:PORT"),
        (["--federate", "mass_1", "--broker", "a:99999"], "--broker = a:99999, allowed HOST or HOST:PORT"),
        (["--federate", "mass_3", "--broker", "127.0.0.1"], "federate = mass_3, allowed mass_1, mass_2 (--federate)"),
        (["--federate", "mass_1", "--broker", "a", "--join", "b"], "--federate and --join exclude each other"),
        (["--join", "b", "--listen", "c"], "--join and --listen exclude each other"),
        (["--join", "b"], "b: none of mass_1.npz, mass_2.npz is there"),
        (["--wait", "0"], "--wait = 0 s, allowed above 0 to 86400 s"),
        (["--elsewhere", "mass_3"], "elsewhere = mass_3, allowed mass_1, mass_2 (--elsewhere)"),
        (["--elsewhere", "mass_2", "--set", 'algorithms=["zoh", "foh"]'], "of several machines has one run"),
        (["--set", "network.loss=0.1"], "network.loss = 0.1, in a federation allowed 0"),
        (["--set", "network.jitter_steps=2"], "network.jitter_steps = 2, in a federation allowed 0"),
        (["--set", "network.latency_steps=64"], "latency_steps = 64, in a federation allowed 0 to 63"),
        (["--set", "macro_step=1e-7"], "macro_step = 1e-07 s, in a federation allowed from 1e-06 s on"),
        (["--set", "micro_step=2e-7"], "micro_step = 2e-07 s, in a federation allowed from 1e-06 s on"),
        (["--set", 'host="jacobi"'], 'host = "jacobi", in a federation allowed "reads_again"'),
        (["--set", 'algorithms=["network_server"]'], '"network_server", which a federation does not run'),
        (["--set", "signals.f.to=[]"], "signals.f.to is missing: in a federation every signal has a receiver"),
    ],
)
def test_what_is_refused(couplant, words, sentence):
    done = couplant("helics", EXAMPLE, *SHORT, *words)
    assert done.status == 2 and done.out == ""
    assert sentence in done.err and done.err.startswith("couplant: ")


def test_without_helics(couplant, monkeypatch):
    monkeypatch.setitem(sys.modules, "helics", None)
    done = couplant("helics", EXAMPLE, *SHORT)
    assert done.status == 2
    assert done.err == 'couplant: couplant helics needs the package helics: pip install "couplant[helics]".\n'
