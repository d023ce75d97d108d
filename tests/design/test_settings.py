"""Weights into configuration files."""

import pytest
import tomlkit

from couplant.base.errors import UsageError
from couplant.config import load_interface, parse_interface
from couplant.config.network import NetworkTable
from couplant.design.optimal import design
from couplant.design.settings import algorithm_settings, settings_text, write_settings
from couplant.design.task import DesignTask

BAND = (0.5, 12.0)
CONFIG = """\
# bench A
[interface]
name = "bench"
macro_step = 0.02
timing = "step"

[signals.torque]  # from the brake
unit = "N.m"
algorithm = "eros3"
latency = { mode = "constant", constant_steps = 3 }
output = { min = -1.0, max = 1.0 }
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "bench.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


def test_weights_go_into_the_file_and_comments_stay(config):
    one = design(DesignTask(0.02, 3, BAND, "step", lead=0.25))
    write_settings(config, "torque", {3: one})
    signal = load_interface(config).signals["torque"]
    assert signal.algorithm.selected == "linear" and signal.algorithm.steps == 4
    assert signal.algorithm.a == one.algorithm.a
    assert (signal.latency.hold_lead, signal.latency.offset) == (0.25, 0.0)
    text = config.read_text(encoding="utf-8")
    assert "# bench A" in text and "# from the brake" in text


def test_table_of_latencies(config):
    write_settings(config, "torque", {k: design(DesignTask(0.02, k, BAND, "step")) for k in (2, 3, 4)})
    assert [row.steps for row in load_interface(config).signals["torque"].algorithm.table] == [2, 3, 4]


def test_second_design_takes_the_lead_back(config):
    write_settings(config, "torque", {3: design(DesignTask(0.02, 3, BAND, "step", lead=0.25))})
    write_settings(config, "torque", {3: design(DesignTask(0.02, 3, BAND, "step"))})
    assert load_interface(config).signals["torque"].latency.hold_lead == 0.0


def test_errors_leave_the_file_alone(config):
    before = config.read_bytes()
    one = design(DesignTask(0.02, 5, BAND, "step"))
    with pytest.raises(UsageError, match="no signal 'force', allowed torque"):
        write_settings(config, "force", {5: one})
    with pytest.raises(UsageError, match="algorithm"):
        write_settings(config, "torque", {5: one})
    assert config.read_bytes() == before


def test_text_to_paste_is_valid():
    one = design(DesignTask(0.02, 3, BAND))
    head = {"interface": {"name": "x", "macro_step": 0.02, "timing": "event"}}
    for algorithm in ("eros3", algorithm_settings({3: one})):
        text = settings_text("torque", algorithm, NetworkTable(latency_steps=3), ladder=False, jumps=True)
        signal = parse_interface(head | tomlkit.parse(text).unwrap(), "x").signals["torque"]
        assert signal.latency.constant_steps == 3 and signal.discontinuity.hold
