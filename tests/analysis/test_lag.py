"""The lag of a response, on signals whose lag is known."""

import json

import numpy as np
import pytest
import tomllib

from couplant.analysis.signal.lag import measure_lag
from couplant.base.errors import UsageError
from couplant.cli import main
from couplant.tables import Samples

TIME = np.arange(0.0, 20.0, 0.002)
LAG = 0.01037
SETTINGS = """[interface]
name = "bench"
macro_step = 0.001

[signals.x]  # moves the actuator
latency = { mode = "constant", constant_steps = 2 }  # measured
"""


def motion(t):
    """A sum of incommensurate tones below 8 Hz, silent before 0."""
    return np.where(t > 0.0, np.sin(7.0 * t) * np.sin(17.0 * t) + 0.5 * np.sin(41.3 * t) * np.sin(1.7 * t), 0.0)


def samples(name, time, value):
    return Samples(name, time, value)


COMMAND = samples("y", TIME, motion(TIME))


def response(time=TIME, lag=LAG, gain=0.9, constant=3.0, noise=0.0):
    chance = np.random.default_rng(1).standard_normal(time.size)
    return samples("x", time, gain * motion(time - lag) + constant + noise * chance)


@pytest.mark.parametrize("lag", [0.0, 0.0004, LAG, 0.05, 0.3])
def test_a_pure_lag_is_found_whatever_gain_and_constant(lag):
    found = measure_lag(COMMAND, response(lag=lag))
    assert found.lag == pytest.approx(lag, abs=2e-6)
    assert found.gain == pytest.approx(0.9, abs=1e-4)
    assert found.rest < 1e-3
    assert found.least <= found.lag + 1e-6 and found.lag - 1e-6 <= found.most and found.parts == 8


def test_the_response_may_be_sampled_otherwise_and_start_elsewhere():
    time = np.sort(np.random.default_rng(2).uniform(1.0, 19.0, 3000))
    assert measure_lag(COMMAND, response(time)).lag == pytest.approx(LAG, abs=2e-6)


def test_noise_shows_in_the_rest_and_hardly_in_the_lag():
    found = measure_lag(COMMAND, response(noise=0.1))
    assert found.lag == pytest.approx(LAG, abs=2.5e-4)  # three deviations of the best estimate
    assert found.rest == pytest.approx(0.1 / np.std(response(noise=0.1).value), rel=0.05)


def test_a_lowpass_filter_lags_by_its_time_constant():
    value = np.zeros(TIME.size)
    for n in range(1, TIME.size):
        slope = (COMMAND.value[n] - COMMAND.value[n - 1]) / 0.002
        decayed = np.exp(-0.002 / 0.005)
        held = COMMAND.value[n - 1] - slope * 0.005
        value[n] = held + slope * 0.002 + (value[n - 1] - held) * decayed
    assert measure_lag(COMMAND, samples("x", TIME, value)).lag == pytest.approx(0.005, rel=0.03)


def test_of_the_lags_of_a_tone_the_shortest_counts():
    tones = [samples(name, TIME, np.sin(30.0 * (TIME - lag))) for name, lag in (("y", 0.0), ("x", LAG))]
    assert measure_lag(*tones).lag == pytest.approx(LAG, abs=1e-6)


def test_silent_parts_are_not_measured():
    late = np.where(TIME > 10.0, motion(TIME - 10.0), 0.0)
    moved = np.where(TIME > 10.0 + LAG, motion(TIME - 10.0 - LAG), 0.0)
    found = measure_lag(samples("y", TIME, late), samples("x", TIME, moved + 1e-4 * np.sin(1e4 * TIME)))
    assert found.parts <= 5
    assert found.most - found.least < 1e-4


@pytest.mark.parametrize(
    ("other", "longest", "words"),
    [
        (samples("x", TIME, np.random.default_rng(3).standard_normal(TIME.size)), None, "the one is no response"),
        (samples("x", TIME, np.ones(TIME.size)), None, "the one is no response"),
        (response(lag=-0.01), None, "x leads y: exchange"),
        (response(lag=0.3), 0.2, "0.2 s or longer|no response"),
        (response(), -1.0, "longest lag = -1 s, allowed above 0 s"),
        (response(), 30.0, "fewer than 64 samples"),
        (response(TIME + 30.0), None, "recordings that overlap"),
    ],
)
def test_what_shows_no_lag_is_refused_in_a_sentence(other, longest, words):
    with pytest.raises(UsageError, match=words):
        measure_lag(COMMAND, other, longest)


@pytest.fixture
def files(tmp_path):
    one, other = tmp_path / "command.csv", tmp_path / "response.csv"
    for path, signal in ((one, COMMAND), (other, response())):
        head = f"time_s,{signal.name}"
        np.savetxt(path, np.c_[signal.time, signal.value], delimiter=",", header=head, comments="", fmt="%.12g")
    both = np.c_[COMMAND.time, COMMAND.value, response().value]
    np.savetxt(tmp_path / "both.csv", both, delimiter=",", header="time_s,y,x", comments="", fmt="%.12g")
    (tmp_path / "bench.toml").write_text(SETTINGS, encoding="utf-8")
    return tmp_path


def test_inspect_measures_the_lag_of_two_files_and_of_two_columns(files, capsys):
    assert main(["lag", str(files / "command.csv"), str(files / "response.csv"), "-o", str(files / "p.html")]) == 0
    said = capsys.readouterr().out
    assert "x lags 10.37 ms behind y" in said and "[signals.y.latency]\noffset = 0.01037\n" in said
    assert "uPlot" in (files / "p.html").read_text(encoding="utf-8")
    assert main(["lag", str(files / "both.csv"), "--response", "x", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["offset"] == pytest.approx(LAG, abs=2e-6)
    assert {"lag", "gain", "rest", "least", "most", "parts"} < set(found)


def test_inspect_writes_the_lag_into_a_settings_file_that_keeps_its_words(files, capsys):
    words = ["lag", str(files / "command.csv"), str(files / "response.csv"), "--config", str(files / "bench.toml")]
    assert main([*words, "--signal", "x"]) == 0
    text = (files / "bench.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["signals"]["x"]["latency"] == {"mode": "constant", "constant_steps": 2, "offset": LAG}
    assert "# moves the actuator" in text and "# measured" in text
    assert main(words) == 2
    assert main([*words, "--signal", "z"]) == 2
    assert "no signal 'z'" in capsys.readouterr().err
    assert (files / "bench.toml").read_text(encoding="utf-8") == text
