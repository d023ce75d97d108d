"""The verbs limits, bode, stability, design and inspect from the command line."""

import html
import json
import math
import sys

import numpy as np
import pytest

from couplant.analysis import frequency_response, generic
from couplant.cli import main
from couplant.config import load_interface
from couplant_runtime.algorithms import GENERIC
from tests import commands
from tests.analysis.conftest import OSCILLATOR


@pytest.fixture
def verb(capsys):
    """Return what runs a verb and gives its exit status, output and errors."""

    def call(*words):
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.fixture
def recording(tmp_path):
    t = np.arange(1500) * 0.02
    path = tmp_path / "signal.csv"
    rows = "".join(f"{x:.2f},{np.sin(x):.9f}\n" for x in t)
    path.write_text("time_s,torque\n" + rows, encoding="utf-8")
    return path


def test_limits_as_json(verb):
    status, out, _ = verb("limits", "--algorithm", "eros3", "--steps", "3", "--macro-step", "0.02", "--json")
    found = json.loads(out)
    assert status == 0 and list(found)[:6] == ["algorithm", "steps", "timing", "gain", "phase", "limit"]
    assert found["gain"] == pytest.approx(4.142, abs=5e-4) and found["limit"] == found["phase"]
    assert found["limit_rad_s"] == pytest.approx(0.03856 * np.pi / 0.02, rel=1e-3)


def test_latency_that_varies(verb):
    words = ("--algorithm", "eros3", "--steps", 3, "--json", "--erlang", 3, 1)
    assert json.loads(verb("limits", *words)[1])["gain"] == pytest.approx(2.784, abs=5e-4)
    assert json.loads(verb("limits", *words, "--least", 3)[1])["gain"] == pytest.approx(4.142, abs=5e-4)
    (row,) = json.loads(verb("bode", *words)[1])
    assert row["gain"][-1] < 0.2


def test_limits_table(verb):
    status, out, _ = verb("limits", "--timing", "step")
    assert status == 0 and [line.split()[0] for line in out.splitlines()[1:-1:4]] == list(GENERIC)


def test_bode_writes_a_picture(verb, tmp_path):
    status, out, _ = verb("bode", "--algorithm", "foh", "--steps", 3, "-o", tmp_path / "b.svg")
    assert status == 0 and "b.svg" in out and (tmp_path / "b.svg").read_text(encoding="utf-8").startswith("<?xml")
    rows = json.loads(verb("bode", "--algorithm", "foh", "--algorithm", "zoh", "--json")[1])
    assert [r["algorithm"] for r in rows] == ["foh", "zoh"] and rows[0]["gain"][0] == pytest.approx(1.0, abs=1e-3)


def test_stability_in_a_host(verb):
    """Of every algorithm, the observer too; k = 3 is what the host makes of it."""
    words = ("--set", "timing='step'", "--plants", 2, "--json")
    found = [json.loads(verb("stability", OSCILLATOR, *host, *words)[1]) for host in ((), ("--host", "jacobi"))]
    assert [one["radius"] for one in found] == pytest.approx([0.999996872, 1.000053025], abs=1e-9)
    assert all(list(one["largest_stable_steps"]) == list(GENERIC) for one in found)


def test_stability(verb, tmp_path):
    picture = tmp_path / "n.png"
    words = ("--latencies", "2,3", "--nyquist", picture, "--cut", "mass_1.f", "--plants", 10)
    status, out, _ = verb("stability", OSCILLATOR, *words, "--json")
    found = json.loads(out)
    assert status == 0 and picture.stat().st_size > 1000
    assert found["stable"] and found["radius"] == pytest.approx(0.999870486, abs=1e-8)
    assert found["largest_stable_steps"].items() >= {"zoh": None, "foh": 3, "smb": 3, "eros3": 5, "eros4": 4}.items()
    assert list(found["largest_stable_steps"]) == list(GENERIC)
    assert found["random_latencies"]["stable_share"] == 1.0


def test_random_latencies_with_designed_weights(verb, tmp_path):
    """ZOH as own weights is as unstable as ZOH; a designed table is stable."""
    config, head = tmp_path / "bench.toml", '[interface]\nname = "b"\nmacro_step = 0.02\ntiming = "event"\n'
    config.write_text(head + "[signals.x]\nlatency = { mode = 'stamps' }\n", encoding="utf-8")
    words = ("--steps", 2, "--steps", 3, "--band", 0.5, 12, "-m", 7, "--config", config, "--signal", "x")
    assert verb("design", "--macro-step", 0.02, *words)[0] == 0
    random = ("stability", OSCILLATOR, "--plants", 0, "--latencies", "2,3", "--json", "--weights")
    status, out, _ = verb(*random, config)
    assert status == 0 and json.loads(out)["random_latencies"]["stable_share"] == 1.0
    table = "table = [{ steps = 2, a = [1.0], A = [0.0] }, { steps = 3, a = [1.0], A = [0.0] }]"
    zoh = f"[signals.x]\nlatency = {{ mode = 'stamps' }}\nalgorithm = {{ selected = 'linear', {table} }}\n"
    config.write_text(head + zoh, encoding="utf-8")
    assert json.loads(verb(*random, config)[1])["random_latencies"]["stable_share"] == 0.0
    config.write_text(head + "[signals.x]\n", encoding="utf-8")
    status, _, err = verb(*random, config)
    assert status == 2 and "exactly one is needed" in err


def test_margins_and_open_loop(verb, tmp_path):
    words = ("stability", OSCILLATOR, "--plants", 0, "--margins")
    found = json.loads(verb(*words, "--bode", tmp_path / "b.svg", "--cut", "mass_1.f", "--json")[1])["margins"]
    assert list(found) == ["mass_1.f"] and 0 < found["mass_1.f"]["delay"]["value"] < 0.2
    assert "Open loop cut at mass_1.f" in (tmp_path / "b.svg").read_text(encoding="utf-8")
    status, out, _ = verb(*words)
    assert status == 0 and [line.split()[0] for line in out.splitlines()[-3:]] == ["mass_2.x", "mass_2.v", "mass_1.f"]


def test_stability_for_people(verb):
    status, out, _ = verb("stability", OSCILLATOR, "--set", 'algorithm="zoh"')
    assert status == 0 and out.startswith("unstable: spectral radius 1.001971066")


def test_design_into_a_configuration(verb, tmp_path):
    config = tmp_path / "bench.toml"
    signal = "[signals.x]\nlatency = { constant_steps = 3 }\noutput = { min = -1.0, max = 1.0 }\n"
    config.write_text('[interface]\nname = "b"\nmacro_step = 0.02\ntiming = "event"\n' + signal, encoding="utf-8")
    words = ("--band", 0.5, 12, "-m", 7, "--config", config, "--signal", "x", "-o", tmp_path / "p.html")
    status, out, _ = verb("design", "--system", OSCILLATOR, *words, "--json")
    (found,) = json.loads(out)
    assert status == 0 and found["robustness"]["stable_share"] == 1.0
    assert list(load_interface(config).signals["x"].algorithm.a) == found["a"]
    assert "<h1>Design for x: 100 % of the plants are stable</h1>" in (tmp_path / "p.html").read_text(encoding="utf-8")


@pytest.fixture
def kilohertz(tmp_path):
    """A recording of 1 kHz and a configuration of 10 ms in event timing with k = 3."""
    t = 1e-3 * np.arange(4000)
    np.savetxt(tmp_path / "r.csv", np.c_[t, np.sin(5 * t)], delimiter=",", header="time_s,x", comments="")
    head = '[interface]\nname = "b"\nmacro_step = 0.01\ntiming = "event"\n'
    (tmp_path / "b.toml").write_text(head + "[signals.x]\nlatency = { constant_steps = 3 }\n", encoding="utf-8")
    return ("--recording", tmp_path / "r.csv", "--config", tmp_path / "b.toml", "--signal", "x")


@pytest.mark.landing("several whole commands: 4 s of CPU")
def test_a_design_is_for_the_configuration_that_gets_it(verb, kilohertz):
    status, out, _ = verb("design", *kilohertz, "--json")
    (found,) = json.loads(out)
    assert status == 0 and (found["macro_step"], found["steps"], found["timing"]) == (0.01, 3, "event")


def test_what_is_learnt_is_for_the_configuration_that_gets_it(verb, kilohertz):
    status, out, _ = verb("learn", kilohertz[1], *kilohertz[2:], "--json")
    found = json.loads(out)
    assert status == 0 and (found["steps"], found["timing"]) == (3, "event")
    assert load_interface(kilohertz[3]).signals["x"].algorithm.a == tuple(found["a"])
    status, _, err = verb("learn", kilohertz[1], *kilohertz[2:], "--macro-step", 0.001)
    assert status == 2 and "--macro-step = 0.001, allowed 0.01 as in" in err
    status, _, err = verb("learn", kilohertz[1])
    assert status == 2 and "--latency is missing, or --steps" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--macro-step", 0.001), "--macro-step = 0.001, allowed 0.01 as in"),
        (("--timing", "step"), "--timing = step, allowed event as in"),
        (("--steps", 2), "--steps = 2, allowed 3 as in"),
        (("--signal", "y"), "--signal = y, allowed x"),
    ],
)
def test_what_contradicts_the_configuration_is_refused(verb, kilohertz, words, message):
    before = kilohertz[3].read_bytes()
    status, _, err = verb("design", *kilohertz, *words)
    assert status == 2 and message in err and kilohertz[3].read_bytes() == before


def test_eros_makes_what_is_published_and_more(verb):
    status, out, _ = verb("eros", "--order", 2, "--steps", 3, "--json")
    found = json.loads(out)
    assert status == 0 and found["arima"] == "ARIMA(1,3,0)"
    (row,) = found["algorithms"]
    assert row["a"] == pytest.approx([10.75, -15, 6, 0, -9.75, 15, -6])
    assert row["phase"] == pytest.approx(5.111, abs=5e-4)
    status, out, _ = verb("eros", "--order", 2, "--extrapolation", "fit")
    assert status == 0 and out.splitlines()[1].split()[:3] == ["3", "7", "3"] and "ARIMA(0,4,0)" in out


def test_eros_into_a_configuration(verb, tmp_path):
    config = tmp_path / "bench.toml"
    config.write_text('[interface]\nname = "b"\nmacro_step = 0.02\n[signals.x]\nlatency = { mode = "stamps" }\n')
    words = ("--steps", 2, "--steps", 3, "--family", "tone", "--frequency", 0.3, "--ends", "both")
    status, out, _ = verb("eros", *words, "--config", config, "--signal", "x", "--json")
    made = json.loads(out)
    assert status == 0 and made["arima"] is None
    table = load_interface(config).signals["x"].algorithm.table
    assert [list(row.a) for row in table] == [row["a"] for row in made["algorithms"]]


def test_eros_takes_latency_timing_and_macro_step_of_a_configuration(verb, tmp_path):
    config = tmp_path / "bench.toml"
    config.write_text(
        '[interface]\nname = "b"\nmacro_step = 0.02\ntiming = "step"\n[signals.x]\nlatency.constant_steps = 5\n'
    )
    into = ("--config", config, "--signal", "x")
    status, out, _ = verb("eros", *into, "--json")
    (row,) = json.loads(out)["algorithms"]
    assert status == 0 and row["steps"] == 5 == load_interface(config).signals["x"].algorithm.steps
    step, event = (json.loads(verb("eros", "--steps", 5, "--timing", t, "--json")[1]) for t in ("step", "event"))
    assert row["gain"] == step["algorithms"][0]["gain"] != event["algorithms"][0]["gain"]
    assert row["gain_rad_s"] == pytest.approx(row["gain"] / 100.0 * math.pi / 0.02)
    for wrong in (("--steps", 3), ("--timing", "event")):
        status, _, err = verb("eros", *into, *wrong)
        assert status == 2 and f"{wrong[0]} = {wrong[1]}, allowed" in err


def test_design_counts_noise(verb, tmp_path):
    words = ("design", "--system", OSCILLATOR, "--steps", 3, "--band", 0.5, 12, "-m", 16, "--degree", 2, "--slope", 1)
    page = tmp_path / "design.html"
    quiet, noisy = (json.loads(verb(*words, *more, "--json")[1])[0] for more in ((), ("--noise", 0.01, "-o", page)))
    assert noisy["noise_gain"] < 0.5 * quiet["noise_gain"]
    assert (quiet["robustness"]["noise"], noisy["robustness"]["stable_share"]) == (0.0, 1.0)
    assert 0.0 < noisy["robustness"]["noise"] < 0.06 and "noise of estimates" in page.read_text(encoding="utf-8")
    for given in (("x1=0.01",), ("0.01", "--noise", "0.02")):
        status, _, err = verb(*words, "--noise", *given)
        assert status != 0 and "allowed one number without --model" in err


def test_design_warns_of_an_impossible_bound(verb):
    status, _, err = verb("design", "--macro-step", 0.01, "--steps", 6, "--band", 0.1, 10, "--peak", 1, "--slope", 0)
    assert status == 0 and "gain bound is exceeded" in err


def test_inspect(verb, recording, tmp_path):
    status, out, _ = verb("inspect", recording, "--steps", 3, "-o", tmp_path / "p.html", "--json")
    found = json.loads(out)
    assert status == 0 and found["signal"] == "torque" and found["macro_step"] == 0.02
    assert found["recommended"] in ("auto", "auto_designed", "auto_learnt") and found["micro_step"] == 0.002
    assert "[signals.torque" in found["toml"]
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert all(text in page for text in ("Spectrum, step timing", "Signal and estimates", "late value", "judged"))
    assert "Use " in verb("inspect", recording)[1]


@pytest.fixture
def stairs(tmp_path):
    """Return files of a quantised signal and of one whose sender is slow."""
    t = np.arange(1500) * 0.02
    values = {"quantised": 0.05 * np.round(10 * np.sin(0.5 * t)), "slow": np.sin(0.5 * t[np.arange(t.size) // 4 * 4])}
    for name, value in values.items():
        rows = "".join(f"{x:.2f},{y:.9f}\n" for x, y in zip(t, value, strict=True))
        (tmp_path / f"{name}.csv").write_text("time_s,y\n" + rows, encoding="utf-8")
    return tmp_path


FLOOR = "quantised in steps of 0.05 (signal unit): discontinuity.floor = 0.1 keeps"
PERIOD = "stays for 4 of them and the next looks like a jump; use its period, macro_step = 0.08 s, or send stamps"


@pytest.mark.landing("an inspection for a sentence")
def test_inspect_says_what_to_do_about_stairs(verb, stairs):
    page = stairs / "p.html"
    status, out, _ = verb("inspect", stairs / "quantised.csv", "-o", page)
    assert status == 0 and FLOOR in out and "floor = 0.1\n" in out and "sender is slower" not in out
    assert FLOOR in page.read_text(encoding="utf-8")
    assert PERIOD in verb("inspect", stairs / "slow.csv")[1]
    found = [json.loads(verb("inspect", stairs / f"{name}.csv", "--json")[1]) for name in ("quantised", "slow")]
    assert [[one[key] for key in ("quantum", "floor", "repeats")] for one in found] == [[0.05, 0.1, None], [None, 0, 4]]
    assert "sender is slower" not in verb("inspect", stairs / "slow.csv", "--macro-step", 0.08)[1]


@pytest.mark.landing("an inspection for a sentence")
def test_inspect_tells_the_noise_in_the_unit_of_the_signal(verb, tmp_path):
    t, page, told = np.arange(1500) * 0.02, tmp_path / "p.html", {}
    noise = 0.02 * np.random.default_rng(1).standard_normal(t.size)
    for name, value in {"clean": np.sin(0.5 * t), "fast": np.sin(40.0 * t), "noisy": np.sin(0.5 * t) + noise}.items():
        rows = "".join(f"{x:.2f},{y:.12f}\n" for x, y in zip(t, value, strict=True))
        (tmp_path / f"{name}.csv").write_text("time_s,force [N]\n" + rows, encoding="utf-8")
        told[name] = verb("inspect", tmp_path / f"{name}.csv", "-o", page)[1]
    found = json.loads(verb("inspect", tmp_path / "noisy.csv", "--json")[1])["noise"]
    assert found["deviation"] == pytest.approx(0.02, rel=0.07) and found["certain"]
    assert found["share"] == pytest.approx(found["deviation"] / 0.5**0.5, rel=0.05)
    size = f"a standard deviation of {found['deviation']:g} N: signal = {{ noise = {found['deviation']:g} }} tells"
    assert size in told["noisy"] and size in html.unescape(page.read_text(encoding="utf-8"))
    assert "Noise cannot be told from the signal" in told["fast"] and " N at most" in told["fast"]
    assert "No measurement noise stands out" in told["clean"]


def test_design_and_learn_say_what_to_do_about_stairs(verb, stairs):
    status, out, err = verb("design", "--recording", stairs / "quantised.csv", "--steps", 3)
    assert status == 0 and FLOOR in err and "floor = 0.1\n" in out
    assert PERIOD in verb("design", "--recording", stairs / "slow.csv", "--steps", 3)[2]
    assert PERIOD in verb("learn", stairs / "slow.csv", "--steps", 3)[2]


def test_macro_step(verb, tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("latency_s\n0.025\n0.035\n0.030\n", encoding="utf-8")
    found = json.loads(verb("macro-step", path, "--micro-step", 0.01, "--json")[1])
    assert found["choice"]["macro_step"] == 0.02 and found["choice"]["constant"]
    assert any("k = 2 is constant" in line for line in found["advice"])


def test_macro_step_offers_stamps_beside_a_constant_latency(verb, tmp_path):
    """12.5 to 37.5 ms: 38 ms makes k constant and costs a third of the frequencies that 8 ms with stamps can use."""
    path = tmp_path / "l.csv"
    path.write_text("latency_s\n0.0125\n0.025\n0.0375\n", encoding="utf-8")
    found = json.loads(verb("macro-step", path, "--micro-step", 0.002, "--json")[1])
    constant, stamped = found["choice"], found["stamped"]
    assert (constant["macro_step"], constant["largest"]) == (pytest.approx(0.038), 1)
    assert (stamped["macro_step"], stamped["smallest"], stamped["largest"]) == (pytest.approx(0.008), 2, 5)
    assert constant["usable"] < 0.65 * stamped["usable"]
    for one in (constant, stamped):
        share = one["usable"] * one["macro_step"] / np.pi
        error = np.abs(frequency_response(generic("eros3", one["largest"]), [0.99 * share, 1.01 * share]) - 1.0)
        assert error[0] < 0.1 < error[1]
    first, second = found["advice"][2:4]
    assert first.startswith("Use macro step 8 ms and stamps") and f"up to {stamped['usable']:.3g} rad/s" in first
    assert second.startswith("Or macro step 38 ms: k = 1 is constant") and f"{constant['usable']:.3g} rad/s" in second


def test_a_constant_latency_needs_no_stamps(verb, tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("latency_s\n0.021\n0.029\n", encoding="utf-8")
    advice = json.loads(verb("macro-step", path, "--micro-step", 0.01, "--json")[1])["advice"]
    assert advice[2].startswith("Use macro step 10 ms: k = 3 is constant")
    assert not any("and stamps" in one for one in advice)


def test_a_latency_that_is_constant_for_nearly_all_says_so(verb, tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("latency_s\n" + "0.021\n0.029\n" * 1000 + "0.031\n", encoding="utf-8")
    found = json.loads(verb("macro-step", path, "--micro-step", 0.01, "--json")[1])
    share = "k = 3 is constant for 99.9 % of the messages (later ones count as lost)"
    assert share in found["advice"][2] and found["choice"]["coverage"] == 0.999


def test_messages_without_times_are_numbers_and_have_no_drift(verb, tmp_path):
    path, page = tmp_path / "l.csv", tmp_path / "p.html"
    path.write_text("latency_s\n" + "0.021\n0.029\n" * 100, encoding="utf-8")
    status, out, _ = verb("macro-step", path, "--micro-step", 0.01, "-o", page)
    assert status == 0 and "drift" not in out.replace("of drift", "") and "overtaken," not in out
    assert '"x":"message"' in page.read_text(encoding="utf-8")
    assert json.loads(verb("macro-step", path, "--micro-step", 0.01, "--json")[1])["drift"] is None
    path.write_text("sent_s,latency_s\n" + "".join(f"{0.01 * n},0.021\n" for n in range(100)), encoding="utf-8")
    assert "drift" in verb("macro-step", path, "--micro-step", 0.01, "-o", page)[1]
    assert '"x":"send time / s"' in page.read_text(encoding="utf-8")


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("limits", "--algorithm", "eros5"), "allowed zoh, foh, smb, eros3, eros4"),
        (("limits", "--steps", "65"), "allowed 0 to 64"),
        (("limits", "--macro-step", "0"), "allowed above 0 s"),
        (("limits", "--erlang", "3", "0"), "allowed 1 and more"),
        (("bode", "-o", "x.gif"), "a picture ends in"),
        (("stability", "none.toml"), "cannot be read"),
        (("stability", OSCILLATOR, "--margins", "--cut", "x", "--plants", 0), "cut = 'x', allowed mass_2.x"),
        (("design", "--steps", "3", "--band", "1", "2"), "macro_step is missing"),
        (("design", "--macro-step", "0.1", "--band", "1", "2"), "steps are missing"),
        (("design", "--macro-step", "0.1", "--steps", "3"), "needs a band or a recording"),
        (("eros", "--order", "9"), "order = 9, allowed 0 to 6"),
        (("eros", "--family", "parabola"), "has 2 parameters, allowed"),
        (("eros", "--config", "none.toml"), "--signal is missing"),
        (("inspect", "none.csv"), "cannot be read"),
        (("macro-step", "none.csv"), "--micro-step is missing"),
        (("inspect", "none.csv", "--steps", "99"), "allowed 0 to 64"),
    ],
)
def test_mistakes_are_one_sentence(verb, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = verb(*words)
    assert status == 2 and out == "" and message in err and len(err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_inspect_shows_a_sign_of_life_before_it_loads_what_takes_long(tmp_path):
    """Less than half a second of CPU (`couplant --help` is as fast): nothing scientific is there yet."""
    script = """
import sys, typer
said = []
def echo(text="", **how):
    said or print(text, [name for name in ("numpy", "scipy", "pandas") if name in sys.modules])
    said.append(text)
typer.echo = echo
from couplant.cli import main
main(["inspect", "one.csv"])
"""
    (tmp_path / "one.csv").write_text("time,y\n0,1\n", encoding="utf-8")
    done = commands.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[0] == "Inspecting one.csv .. []"
