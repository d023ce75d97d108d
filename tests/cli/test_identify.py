"""``couplant identify``: what it prints and writes, and what it refuses."""

import json

import numpy as np
import pytest
import tomllib

from couplant.cli import main
from couplant.config import load_interface

WORDS = ["--input", "u", "--output", "y", "--states", "1"]

SETTINGS = """
[interface]
name = "side"
macro_step = 0.02

[signals.y]    # kept
latency.constant_steps = 3
"""


@pytest.fixture
def recordings(tmp_path):
    """Write two recordings of y' = 5 (u - y) with noise, and return their paths."""
    paths = []
    for seed in range(2):
        rng, y, rows = np.random.default_rng(seed), 0.0, []
        for n in range(260):
            u = np.sin(0.05 * n * (1 + seed)) + np.sin(0.021 * n)
            rows.append(f"{0.02 * n:.2f},{u:.5f},{y + 0.01 * rng.standard_normal():.5f}")
            y += (1.0 - np.exp(-0.1)) * (u - y)
        paths.append(tmp_path / f"{seed}.csv")
        paths[-1].write_text("time_s,u,y\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return paths


def test_a_model_is_printed_and_written_into_settings(couplant, recordings, tmp_path):
    config, alone = tmp_path / "side.toml", tmp_path / "model.toml"
    config.write_text(SETTINGS, encoding="utf-8")
    words = ["--name", "plant", "--config", config, "-o", alone]
    found = couplant("identify", *recordings, *WORDS, *words)
    assert found.status == 0 and "chosen: 1 states" in found.out
    model = tomllib.loads(alone.read_text(encoding="utf-8"))["models"]["plant"]
    assert alone.read_text(encoding="utf-8") in found.out
    assert model["A"][0][0] == pytest.approx(-5.0, rel=0.15)
    assert model["noise"][0] == pytest.approx(0.01, rel=0.2)
    assert model["inputs"] == ["u"] and model["outputs"] == ["y"]
    text = config.read_text(encoding="utf-8")
    assert "# kept" in text and tomllib.loads(text)["models"]["plant"] == model
    settings = load_interface(config)
    assert settings.models["plant"].drive == model["drive"] and settings.signals["y"].algorithm.selected == "model"


def test_figures_for_programs(couplant, recordings):
    figures = json.loads(couplant("identify", *recordings, *WORDS, "--json").out)
    assert figures["steps"] == 3 and figures["refused"] is None and figures["macro_step"] == 0.02
    (row,) = figures["candidates"]
    assert row["states"] == 1 and row["ratio"] == pytest.approx(row["ahead"][0] / row["zoh"][0])
    assert row["stable_share"] is None, "u does not follow y"
    assert set(figures["models"]["prototype"]) >= {"A", "B", "C", "drive", "noise"}


def test_a_model_that_is_worse_than_nothing_is_not_written(couplant, recordings, tmp_path):
    """What y does has nothing to do with u any more; it only moves slowly."""
    for path in recordings:
        head, *rows = path.read_text(encoding="utf-8").splitlines()
        walk = np.cumsum(np.random.default_rng(len(path.name)).standard_normal(len(rows)))
        cells = [f"{row.rsplit(',', 1)[0]},{y:.4f}" for row, y in zip(rows, walk, strict=True)]
        path.write_text("\n".join([head, *cells]) + "\n", encoding="utf-8")
    alone = tmp_path / "model.toml"
    found = couplant("identify", *recordings, *WORDS, "-o", alone, "--steps", "10")
    assert found.status == 1 and not alone.exists()
    assert len(found.err.splitlines()[-1]) > 20 and "allowed" in found.err


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--input", "u", "--output", "z"], "has no column z"),
        ([], "inputs = 0 signals, allowed 1 to 4 (--input)"),
        (["--output", "y"], "inputs = 0 signals, allowed 1 to 4 (--input)"),
        ([*WORDS, "--steps", "0"], "steps = 0, allowed 1 to 64 (--steps)"),
        ([*WORDS, "--steps", "64", "--macro-step", "0.02"], ""),
        ([*WORDS, "--macro-step", "1.0"], "macro steps of 1 s with all signals, at least 64 are needed"),
        ([*WORDS, "--macro-step", "1e-9"], "macro_step = 1e-09 s is far below the sampling of the recording"),
        ([*WORDS, "--states", "9"], "states = 9, allowed 1 to 7 (--states)"),
    ],
)
def test_wrong_use_is_one_sentence(couplant, recordings, words, said):
    found = couplant("identify", *recordings, *words)
    assert found.status in ((2,) if said else (0, 1))
    assert said in found.err and len(found.err.strip().splitlines()) <= 2


def test_settings_that_are_wrong_stay_as_they_are(couplant, recordings, tmp_path):
    config = tmp_path / "side.toml"
    config.write_text(SETTINGS.replace("macro_step", "makro_step"), encoding="utf-8")
    before = config.read_bytes()
    assert couplant("identify", *recordings, *WORDS, "--config", config).status == 2
    assert config.read_bytes() == before
    assert main(["identify", "--help"]) == 0
