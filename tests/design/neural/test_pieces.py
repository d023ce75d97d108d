"""Linear pieces of networks against what the networks estimate, step by step."""

import json

import numpy as np
import pytest

from couplant.analysis import generic
from couplant.analysis.morphism import Shape, morphism
from couplant.base.errors import UsageError
from couplant.cli import main
from couplant.design.neural.offline import NeuralWeights, learn, write_settings
from couplant.design.neural.pieces import pieces
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.learning.neural import Neural
from tests.design.neural.test_offline import DATA, K, neural_estimates, torque


def network(start="eros3", k=3, second=2, seed=None):
    """Return a network that equals an algorithm, or one with weights at random."""
    origin, shape = generic(start, k), Shape(4, second)
    weights = morphism(np.array(origin.a), shape)
    if seed is not None:
        weights = np.random.default_rng(seed).normal(size=weights.size)
    net = Neural(k, shape.first, shape.second, shape.leak, False, BY_NAME[start].number, origin.a, origin.A)
    return net, weights, NeuralWeights(start, origin, shape, weights, 1.0)


def test_a_network_that_has_learnt_nothing_is_one_algorithm_on_both_sides():
    """The noise on copies adds up to nothing, and pairs of neurons are the identity (docs/learning.md)."""
    net, weights, _ = network()
    found = pieces(net, weights, np.sin(0.3 * np.arange(200)), "event")
    assert sum(piece.share for piece in found) == pytest.approx(1.0)
    assert {piece.active for piece in found} == {(True, False), (False, True)}
    for piece in found:
        assert piece.algorithm.a == pytest.approx(generic("eros3", 3).a, abs=1e-12)
        assert piece.algorithm.A == generic("eros3", 3).A and piece.share == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize(("seed", "second"), [(1, 2), (2, 4)])
def test_each_estimate_is_that_of_one_piece_and_pieces_are_as_frequent(timing, seed, second):
    net, weights, neural = network(seed=seed, second=second)
    value = np.cumsum(np.random.default_rng(seed).normal(size=400))
    found, k = pieces(net, weights, value, timing), 3
    late, m = k + int(timing == "step"), net.inputs + 1
    estimates = neural_estimates(neural, value, k, timing)
    past = np.array([value[n - late - m + 1 : n - late + 1][::-1] for n in range(m + late - 1, value.size)])
    ends = [np.add(one.a, one.A) if timing == "step" else one.a for one in (piece.algorithm for piece in found)]
    fits = np.abs(past @ np.array(ends).T - estimates[m + late - 1 :, None]) < 1e-9
    assert fits.any(axis=1).all() and len(found) > 2
    alone = fits[fits.sum(axis=1) == 1]
    assert alone.mean(axis=0) == pytest.approx([piece.share for piece in found], abs=0.03)


@pytest.mark.parametrize(
    ("value", "message"), [(np.ones(50), "does not change"), (np.arange(3.0), "3 values are too few")]
)
def test_signals_that_visit_nothing(value, message):
    net, weights, _ = network()
    with pytest.raises(UsageError, match=message):
        pieces(net, weights, value, "event")


def test_bode_draws_the_pieces(tmp_path, capsys):
    config, recording = tmp_path / "bench.toml", str(DATA / "torque_b.csv")
    config.write_text('[interface]\nname = "b"\nmacro_step = 0.01\n[signals.x]\nlatency = { constant_steps = 6 }\n')
    write_settings(config, "x", learn([torque("a")], [], K, "step", "foh"))
    words = ["bode", "--weights", str(config)]
    assert main([*words, "--recording", recording, "--column", "torque_Nm", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["timing"] for row in rows} == {"step"}
    shares = [float(row["algorithm"].split()[1]) for row in rows]
    assert sum(shares) == pytest.approx(100.0, abs=0.5) and shares == sorted(shares, reverse=True)
    assert all(row["gain"][0] == pytest.approx(1.0, abs=1e-3) for row in rows)
    assert main(words) == 2
    assert "--recording is missing" in capsys.readouterr().err
