"""Tasks of the arena: the same for all, loops that are stable without latency, a set that only its secret makes."""

import hashlib

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.config.scenario import load_scenario
from couplant.lab.arena import tasks
from couplant.lab.arena.signals import GENERATORS
from couplant.lab.arena.tasks import (
    PLANS,
    PUBLISHED,
    SMALL,
    check_secret,
    draw_task,
    draw_tasks,
    find_plans,
    set_digest,
)


def test_there_are_tasks_of_all_families():
    assert len(PLANS) >= 30 and len({plan.name for plan in PLANS}) == len(PLANS)
    families = {plan.family for plan in PLANS}
    assert families == {"recordings", "networks", "loops", "hybrid simulation", "grid", "contact"}
    assert {plan.steps for plan in PLANS if plan.family == "recordings"} == set(range(1, 9))
    assert find_plans(SMALL) and find_plans() == PLANS


def test_the_published_tasks_are_the_published_ones():
    """Whoever changes a task changes what scores mean: PUBLIC and PUBLISHED get new texts then."""
    assert set_digest() == PUBLISHED


def test_a_secret_makes_other_tasks_each_time_the_same():
    first, again = ([task.digest for task in draw_tasks("a secret")] for _ in range(2))
    assert first == again
    assert not set(first) & {task.digest for task in draw_tasks()}
    assert not set(first) & {task.digest for task in draw_tasks("another")}


@pytest.mark.parametrize("secret", [None, "one", "two"])
def test_loops_are_stable_without_latency(secret):
    for plan in PLANS:
        states = draw_task(plan, secret).states()
        if states is not None:
            assert np.linalg.eigvals(states).real.max() < 0.0, plan.name


@pytest.mark.parametrize("secret", [None, "one"])
def test_scenarios_are_right(secret, tmp_path):
    for task in draw_tasks(secret):
        (tmp_path / task.name).mkdir()
        for name, text in task.files.items():
            (tmp_path / task.name / name).write_text(text, encoding="utf-8")
        loaded = load_scenario(tmp_path / task.name / tasks.SCENARIO)
        network = loaded.scenario.network
        assert network.shape or 1 <= network.latency_steps <= task.plan.most
        assert task.plan.closed == any(signal.to for signal in loaded.scenario.signals.values())


@pytest.mark.parametrize("kind", GENERATORS)
def test_signals_are_finite_and_move(kind):
    values = GENERATORS[kind][0](np.random.default_rng(2), 1200, 0.01)
    assert values.shape == (1200,) and np.all(np.isfinite(values))
    assert np.ptp(values[600:]) > 0.0


def test_grid_signals_have_the_grid_frequency():
    values = GENERATORS["grid_drift"][0](np.random.default_rng(2), 4000, 0.001)
    line = np.abs(np.fft.rfft(values * np.hanning(4000)))
    assert np.fft.rfftfreq(4000, 0.001)[line.argmax()] == pytest.approx(50.0, abs=0.6)


def test_another_secret_is_refused():
    with pytest.raises(UsageError, match=r"^the secret has the SHA-256 [0-9a-f]{12}\.\., allowed [0-9a-f]{12}\.\."):
        check_secret("guess")


def test_the_right_secret_with_other_tasks_is_refused(monkeypatch):
    monkeypatch.setattr(tasks, "SECRET", hashlib.sha256(b"mine").hexdigest())
    with pytest.raises(UsageError, match=r"they are made by another version$"):
        check_secret("mine")
    monkeypatch.setattr(tasks, "HIDDEN", set_digest("mine"))
    check_secret("mine")


def test_a_task_that_is_none_is_refused():
    with pytest.raises(UsageError, match=r"^task = moon, allowed engine_2, engine_5, .*masses_stop$"):
        find_plans(["moon"])
