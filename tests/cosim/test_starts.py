"""Signals begin with what their senders give out first, not with 0."""

import numpy as np
import pytest

from couplant.cosim.run.master import first_values
from couplant.sweep import Where, sweep
from tests.unwired import simulate

RECORDED = """
name = "offset"
macro_step = 0.01
timing = ["event", "step"]
algorithms = ["zoh", "foh"]
components.rec.recording = "rec.csv"
network.latency_steps = 6
signals.torque = { from = "rec.torque" }
"""

MOVED = """
name = "moved"
macro_step = 0.02
duration = 1.0
timing = ["event"]
algorithms = ["zoh"]
components.a = { model = "mass_1", parameters = { x1.start = 0.5, v1.start = 2.0, force.amplitude = 0.0 } }
components.b.model = "mass_2"
network.latency_steps = 3
signals.x1 = { from = "a.x1", to = ["b.x1"] }
signals.v1 = { from = "a.v1", to = ["b.v1"] }
signals.f = { from = "b.f", to = ["a.f"] }
"""


@pytest.fixture
def recorded(scenario, tmp_path):
    """Return a scenario with a recording about 100."""
    t = np.arange(0.0, 2.005, 0.01)
    rows = [f"{a:.2f},{100.0 + 5.0 * np.sin(2.0 * a):.9f}" for a in t]
    (tmp_path / "rec.csv").write_text("\n".join(["time_s,torque", *rows]), encoding="utf-8")
    return scenario(RECORDED)


def test_a_recording_begins_with_its_first_value(recorded):
    for run in simulate(recorded).runs:
        assert run.traces["torque"].estimate[0] == 100.0
        assert run.metrics["max"] < 1.5 and run.metrics["C"] < 0.25


def test_settings_that_name_a_start_value_count_more(recorded):
    for run in simulate(recorded, ["signals.torque.coupling.start=0.0", 'algorithms=["zoh"]']).runs:
        trace = run.traces["torque"]
        assert trace.estimate[0] == 0.0 and abs(trace.estimate - trace.reference).max() > 99.0


def test_prototypes_begin_with_what_their_connections_make_of_them(scenario, rough):
    """The force at the start follows from where the other mass is: cc x1 + dc v1 with both signs turned round."""
    (run,) = simulate(scenario(MOVED)).runs
    for name, wanted in {"x1": 0.5, "v1": 2.0, "f": -1.002}.items():
        assert np.allclose(run.traces[name].estimate[:3], wanted, rtol=1e-12, atol=0.0)


def test_in_a_sweep_too(recorded, tmp_path):
    words = ["duration=1.0", 'algorithms=["foh"]']
    done = sweep(recorded, tmp_path / "out", assignments=words, where=Where(1))
    assert done.table.rows and all(row.max < 1.5 for row in done.table.rows.values())


def test_without_a_network_nothing_is_started(scenario, monkeypatch, rough):
    monkeypatch.setattr("couplant.cosim.wiring.components.first_values", lambda *_: pytest.fail("started"))
    simulate(scenario(MOVED), ["network.latency_steps=0", "duration=0.1", 'timing=["step"]'])


def test_a_loop_that_a_network_breaks_begins_with_nothing(monkeypatch):
    from couplant.cosim.run import master
    from couplant.cosim.run.master import Wiring
    from couplant.cosim.wiring.order import AlgebraicLoopError

    def loop(*_):
        raise AlgebraicLoopError("a loop")

    monkeypatch.setattr(master, "start_components", loop)
    assert first_values(Wiring({}, []), [], 0.0) == {}

