"""``couplant learn``: weights from recordings, into the configuration, with a report."""

import json
import math
from pathlib import Path

import pytest

from couplant.config import load_interface

DATA = Path(__file__).resolve().parents[2] / "examples" / "03_recording"
USED = (DATA / "torque_a.csv", DATA / "torque_b.csv")
JUDGED = ("--judge", DATA / "torque_c.csv", "--steps", "6")


def test_it_learns_and_judges_on_another_recording(couplant):
    done = couplant("learn", *USED, *JUDGED, "--json")
    assert (done.status, done.err) == (0, "")
    figures = json.loads(done.out)
    rows = {row["algorithm"]: row["C"] for row in figures["recordings"]["torque_c.csv"]}
    assert rows["learnt"] <= 0.67 * rows["zoh"]
    assert sum(figures["a"]) == pytest.approx(1.0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("network", [(), ("--network", "foh"), ("--network", "linear")])
def test_what_is_learnt_goes_into_the_configuration_and_a_report(couplant, tmp_path, network):
    config = tmp_path / "bench.toml"
    config.write_text(
        '[interface]\nname = "b"\nmacro_step = 0.01\n[signals.torque] # kept\nlatency = { constant_steps = 6 }\n'
    )
    page = tmp_path / "page.html"
    done = couplant("learn", *USED, *JUDGED, *network, "--config", config, "--signal", "torque", "-o", page)
    assert done.status == 0
    assert "# kept" in config.read_text()
    algorithm = load_interface(config).signals["torque"].algorithm
    assert algorithm.selected == ("network" if network else "linear")
    assert "Coupling process before" in page.read_text()


def test_it_judges_with_the_limits_of_the_signal_that_gets_the_weights(couplant, tmp_path):
    rows, config = [], tmp_path / "bench.toml"
    for limits in ("", "output = { min = -5.0, max = 5.0, rate_max = 100.0 }\n"):
        config.write_text(
            f'[interface]\nname = "b"\nmacro_step = 0.01\n[signals.torque]\nlatency.constant_steps = 6\n{limits}'
        )
        done = couplant("learn", *USED, *JUDGED, "--config", config, "--signal", "torque", "--json")
        table = json.loads(done.out)["recordings"]["torque_c.csv"]
        rows.append({row["algorithm"]: row["mae"] for row in table})
    free, held = rows
    assert held["wire"] == free["wire"]
    assert held["learnt"] > 1.1 * free["learnt"] and held["eros3"] != free["eros3"]


@pytest.mark.parametrize("method", [("least_squares", None), ("adam", True)])
def test_the_shape_of_a_network_stands_with_its_weights(couplant, method):
    name, offsets = method
    done = couplant("learn", *USED, *JUDGED, "--network", "foh", "--method", name, "--epochs", "2", "--json")
    network = json.loads(done.out)["network"]
    assert [network[key] for key in ("start", "first", "second", "leak")] == ["foh", 4, 2, 0.01]
    assert network.get("offsets") is offsets
    assert len(network["weights"]) == 4 * (1 + 2) + 2 + (2 if offsets else 0)


def test_what_is_worse_than_no_compensation_is_said_so(couplant, tmp_path):
    """Learnt from tones, judged on values that alternate."""
    tones, other = tmp_path / "tones.csv", tmp_path / "other.csv"
    for path, value in ((tones, lambda n: math.sin(0.1 * n)), (other, lambda n: (-1.0) ** (n // 6))):
        path.write_text("t,y\n" + "".join(f"{0.01 * n:.2f},{value(n)}\n" for n in range(400)))
    config = tmp_path / "bench.toml"
    config.write_text('[interface]\nname = "b"\nmacro_step = 0.01\n[signals.y]\nlatency = { constant_steps = 6 }\n')
    before = config.read_text()
    into = ("--config", config, "--signal", "y")
    done = couplant("learn", tones, "--judge", other, "--network", "eros3", *into)
    assert done.status == 1 and config.read_text() == before
    assert "these weights are no better than the plain wire where they are judged" in done.err
    assert "what was learnt is no better than the plain wire on other.csv: mean absolute errors" in done.err
    good = couplant("learn", tones, "--judge", tones, "--network", "eros3", *into)
    assert good.status == 0 and "no better" not in good.err and config.read_text() != before


def test_without_other_recordings_it_warns(couplant):
    done = couplant("learn", *USED, "--steps", "6")
    assert done.status == 0
    assert "--judge" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--steps", "65"), "steps = 65, allowed 0 to 64 (--steps)"),
        (("--steps", "6", "--network", "smb"), "network = smb, allowed zoh, foh, eros3, eros4, linear (--network)"),
        (("--steps", "6", "--method", "adam"), "network is missing: method = adam trains one (--network, --method)"),
        (("--steps", "6", "--method", "sgd"), "method = sgd, allowed least_squares, adam (--method)"),
        (("--steps", "6", "--network", "foh", "--method", "adam", "--epochs", "0"), "epochs = 0, allowed 1 to 1000"),
        (("--steps", "6", "--config", "nowhere.toml"), "--signal is missing"),
        (("--steps", "6", "--column", "speed"), "speed"),
    ],
)
def test_wrong_use_is_one_sentence(couplant, arguments, words):
    done = couplant("learn", *USED, *arguments)
    assert done.status == 2
    assert words in done.err
