"""Learning inside the step: reproducible, safe, forgetful where it should be."""

import math
import random

import numpy as np
import pytest

from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.constants import HARM_PATIENCE
from couplant_runtime.generated.numbers import COLLECTING, JUDGING, TRAINING
from couplant_runtime.learning.judge import propose
from couplant_runtime.learning.normal import add_sample, damp, factor_column, solve, trace
from couplant_runtime.state import Clock, State
from tests.learning.coupling import Coupling, settings_of


def tone(n):
    return math.sin(0.11 * n) + 0.3 * math.sin(0.3 * n + 1.0)


def run(settings, values):
    coupling = Coupling(settings)
    estimates = [coupling.take(value) for value in values]
    return coupling, np.array(estimates)


def test_the_factorisation_in_pieces_solves_the_normal_equations(chance):
    features, targets = chance.normal(size=(40, 7)), chance.normal(size=40)
    matrix, right, factor = [0.0] * 28, [0.0] * 7, [0.0] * 28
    for row, target in zip(features, targets, strict=True):
        add_sample(matrix, right, list(row), float(target))
    damp(matrix, factor, 7, 0.3)
    assert all(factor_column(factor, 7, column) for column in range(7))
    expected = np.linalg.solve(features.T @ features + 0.3 * np.eye(7), features.T @ targets)
    assert solve(factor, right, 7) == pytest.approx(expected, rel=1e-10)
    assert trace(matrix, 7) == pytest.approx(np.sum(features**2))


def test_a_matrix_that_is_not_positive_definite_is_told():
    assert not factor_column([0.0], 1, 0)
    assert not factor_column([float("nan")], 1, 0)


def test_it_runs_through_its_states_and_gets_better_on_a_tone():
    values = [tone(n) for n in range(1500)]
    coupling = Coupling(settings_of())
    phases, estimates = set(), []
    for value in values:
        estimates.append(coupling.take(value)[0])
        phases.add(coupling.state.neural.phase)
    _, plain = run(settings_of(learning={"enabled": False}), values)
    late = slice(1000, 1490)
    true = np.array([tone(n + 3) for n in range(1000, 1490)])
    assert phases == {COLLECTING, TRAINING, JUDGING}
    assert np.abs(np.array(estimates)[late] - true).mean() < 0.75 * np.abs(plain[late, 0] - true).mean()


def test_training_is_reproducible():
    chance = random.Random(1)
    values = [tone(n) + chance.gauss(0.0, 0.05) for n in range(800)]
    first, estimates = run(settings_of(), values)
    second, again = run(settings_of(), values)
    assert first.state.pack() == second.state.pack()
    assert (estimates == again).all()


def test_saved_and_restored_in_the_middle_of_training_it_goes_on_the_same():
    settings = settings_of()
    whole, _ = run(settings, [tone(n) for n in range(400)])
    part, _ = run(settings, [tone(n) for n in range(120)])
    assert part.state.neural.phase == TRAINING
    data = part.state.serialise(settings.fingerprint, Clock())
    part.state, _ = State.restore(data, settings.fingerprint, True)
    for n in range(120, 400):
        part.take(tone(n))
    assert part.state.pack() == whole.state.pack()


def test_new_weights_that_are_worse_are_refused_and_counted():
    """What was learnt from the tone does not hold for the noise that follows."""
    chance = random.Random(2)
    settings = settings_of(learning={"cycle_steps": 60, "judge_steps": 40})
    values = [tone(n) if n < 100 else chance.gauss(0.0, 1.0) for n in range(145)]
    coupling, _ = run(settings, values)
    assert (coupling.state.neural.accepted, coupling.state.neural.use) == (0, coupling.state.neural.base)
    for _ in range(60):
        coupling.take(chance.gauss(0.0, 1.0))
    assert coupling.state.neural.refused == 1


@pytest.mark.parametrize(("factor", "allowed"), [(1.0, True), (1.2, True), (1.3, False), (1e9, False)])
def test_a_gain_above_the_bound_is_refused(factor, allowed):
    """The output weights scale the gain of what is predicted; the newest value adds a little."""
    coupling, _ = run(settings_of(), [0.0])
    net, own = coupling.settings.neural, coupling.state.neural
    own.candidate[:] = own.base
    own.candidate[net.size - 2 : net.size] = [factor * w for w in own.base[net.size - 2 : net.size]]
    assert propose(net, own) is allowed
    assert (own.phase == JUDGING) is allowed


def test_it_returns_to_its_start_when_the_skill_stays_below_zero():
    chance = random.Random(3)
    coupling, _ = run(settings_of(), [tone(n) for n in range(800)])
    assert coupling.state.neural.use != coupling.state.neural.base
    coupling.state.neural.enabled = 0
    for _ in range(400):
        coupling.take(chance.gauss(0.0, 1.0))
    assert coupling.state.neural.fallbacks == 1
    assert coupling.state.neural.use == coupling.state.neural.base


def test_after_a_discontinuity_nothing_from_before_is_learnt_from():
    settings = settings_of(discontinuity={"enabled": True})
    coupling, _ = run(settings, [tone(n) for n in range(90)])
    assert coupling.state.neural.power > 0.0
    coupling.take(tone(90) + 50.0)
    own = coupling.state.neural
    assert coupling.state.discontinuity.detected
    assert (own.power, own.collected, own.phase) == (0.0, 0, COLLECTING)
    assert not any(own.matrix)


def test_a_jump_that_the_network_has_foreseen_is_none():
    from couplant_runtime.learning.foresight import foreseen

    s = State(True)
    s.switching.active, s.history.past[0], s.history.past[1] = BY_NAME["network"].number, 1.0, 0.0
    s.quality.error = 0.4
    assert foreseen(s)
    s.quality.error = 0.6
    assert not foreseen(s)
    s.quality.error, s.switching.active = 0.0, BY_NAME["eros3"].number
    assert not foreseen(s)


def test_it_foresees_while_the_newest_value_is_given_out_in_its_place():
    from couplant_runtime.learning.foresight import foreseen

    s = State(True)
    s.parameter.selected, s.switching.active = BY_NAME["network"].number, BY_NAME["zoh"].number
    s.history.past[0] = 1.0
    assert not foreseen(s)
    s.neural.harmful = HARM_PATIENCE
    assert foreseen(s)
    s.parameter.selected = BY_NAME["zoh"].number
    assert not foreseen(s)


def test_switched_off_it_learns_nothing():
    coupling, _ = run(settings_of(learning={"enabled": False}), [tone(n) for n in range(500)])
    own = coupling.state.neural
    assert (own.accepted, own.refused, own.power) == (0, 0, 0.0)
    assert own.use == own.base


def test_the_state_is_small():
    assert len(State(True).pack()) <= 81920
