"""``couplant latency``: what it prints and writes is what `inspect` and a replay read."""

import json

import numpy as np
import pytest

from couplant.bench.measure import Measurement
from couplant.cli import latency, main
from couplant.cosim.wiring.network import replayed_latencies
from couplant.tables import read_latencies
from tests.bench.test_measure import answering

_ = answering


def test_two_ends_over_loopback(answering, tmp_path, capsys):
    words = ["latency", answering, "--duration", "0.2", "--macro-step", "0.005", "-o", str(tmp_path)]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "there" in said and "back" in said and "it is wrong by" in said
    for name in ("there", "back"):
        assert 1 < read_latencies(tmp_path / f"{name}.csv").arrived.size <= 40
        assert min(replayed_latencies(tmp_path / f"{name}.csv", "latency_s")) >= 0.0
    assert main(["macro-step", str(tmp_path / "there.csv"), "--micro-step", "0.01"]) == 0
    capsys.readouterr()
    assert main([*words[:-2], "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert 0.0 < figures["round_trip_min"] <= figures["round_trip_median"]
    assert figures["there"]["messages"] <= 40 and figures["back"]["steps"]["macro_step"] == 0.005


def test_lost_messages_are_told_by_their_numbers(tmp_path, monkeypatch, capsys):
    sent = 0.01 * np.arange(6)
    arrived, answered = sent + 100.02, sent + 100.02
    returned = sent + 0.04
    arrived[2] = answered[2] = returned[2] = returned[4] = answered[4] = np.nan
    monkeypatch.setattr(latency, "_measure", lambda *_: Measurement(sent, arrived, answered, returned))
    assert main(["latency", "127.0.0.1:9", "-o", str(tmp_path)]) == 0
    assert "2-3" not in capsys.readouterr().out
    there, back = (read_latencies(tmp_path / f"{name}.csv") for name in ("there", "back"))
    assert (there.lost, back.lost) == (1, 1)
    assert np.allclose(there.latency, 0.02) and np.allclose(back.latency, 0.02)
    assert len(replayed_latencies(tmp_path / "there.csv", "latency_s")) == 5


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["192.0.2.1:9"],
            "peer = 192.0.2.1:9: another machine than this one, allowed with anywhere = true only (--anywhere).",
        ),
        (["127.0.0.1"], "peer = 127.0.0.1: allowed is HOST:PORT with a port of 1 to 65535."),
        (["--listen", "0.0.0.0:9"], "listen = 0.0.0.0:9: another machine than this one"),
        (
            ["127.0.0.1:9", "--duration", "1e12"],
            "--duration 1e+12 s, --macro-step 0.01 s: allowed are 1 to 1000000 messages.",
        ),
        (["127.0.0.1:9", "--macro-step", "nan"], "--duration 10 s, --macro-step nan s: allowed are 1 to 1000000"),
        (["127.0.0.1:9", "--duration", "0.05"], "no answer: on the other machine couplant latency must run without"),
    ],
)
def test_what_is_wrong_is_one_sentence(words, sentence, capsys):
    assert main(["latency", *words]) in (1, 2)
    errors = capsys.readouterr().err
    assert errors.startswith(f"couplant: {sentence}") and errors.count("\n") == 1
