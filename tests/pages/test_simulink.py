"""What can be checked of the page on Simulink without MATLAB: the script and the page speak of the same FMU."""

import re

import numpy as np
import pytest
from fmpy import read_model_description, simulate_fmu

import couplant
from tests.pages.blocks import ROOT, blocks

SCRIPT = (ROOT / "docs" / "couplant_check.m").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "simulink.md").read_text(encoding="utf-8")


def value(name):
    return re.search(rf"^{name} = (\S+);", SCRIPT, re.MULTILINE)[1].strip("'")


@pytest.fixture
def fmu(tmp_path):
    settings = next(block for block in blocks("docs/simulink.md") if block.language == "toml")
    (tmp_path / "bench.toml").write_text(settings.text, encoding="utf-8")
    return couplant.build(tmp_path / "bench.toml", tmp_path).files["torque"]


def test_the_script_connects_the_ports_that_the_fmu_has(fmu):
    variables = read_model_description(fmu).modelVariables
    ports = {kind: [one.name for one in variables if one.causality == kind] for kind in ("input", "output")}
    assert fmu.name == value("fmu")
    lines = re.findall(r"add_line\(model, '(\w+)/(\d)', '(\w+)/(\d)'\)", SCRIPT)
    into = {ports["input"][int(port) - 1]: source for source, _, target, port in lines if target == "coupling"}
    out = {ports["output"][int(port) - 1]: target for source, port, target, _ in lines if source == "coupling"}
    assert into == {"y": "network", "y_valid": "valid"} and len(ports["input"]) == 2
    assert out == {"y_hat": "estimate"}


def test_every_line_of_the_script_joins_blocks_that_it_has_added():
    added = {name for _, name in re.findall(r"add_block\('([^']+)', \[model '/(\w+)'\]", SCRIPT)}
    added |= set(re.search(r"names = \{(.*)\}", SCRIPT)[1].replace("'", "").split(", "))
    ends = re.findall(r"add_line\(model, '(\w+)/\d', '(\w+)/\d'\)", SCRIPT)
    assert added == {end for line in ends for end in line}


def test_the_figures_of_the_script_are_those_of_the_fmu(fmu):
    """What the script calls, with the same signal, by FMPy; the error where `y_hat` comes a step late too."""
    step, late = float(value("step")), int(value("late"))
    t = np.arange(1001) * step
    y = 100.0 * np.sin(2.0 * np.pi * 0.8 * t)
    received = np.concatenate([np.zeros(late), y[:-late]])
    signals = np.rec.fromarrays([t, received, np.ones(t.size, bool)], names="time, y, y_valid")
    found = simulate_fmu(fmu, stop_time=10.0, step_size=step, output_interval=step, input=signals, output=["y_hat"])
    estimate = found["y_hat"]
    errors = [np.abs(received - y), np.abs(estimate - y), np.abs(np.concatenate([[0.0], estimate[:-1]]) - y)]
    told = [f"{error[100:].mean():.{digits}f}" for error, digits in zip(errors, (2, 3, 2), strict=True)]
    assert told == ["9.62", "0.322", "2.91"]
    assert "fprintf('0.322: Simulink adds nothing; 2.91: one" in SCRIPT
    assert all(figure.lstrip("0") in PAGE for figure in told)
