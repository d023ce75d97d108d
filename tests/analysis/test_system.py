"""Prototypes from matrices, transfer functions and other libraries; wiring errors; scatter."""

import numpy as np
import pytest

from couplant.analysis import generic
from couplant.analysis.system import Connection, Prototype, System, scatter, transfer_prototype
from couplant.analysis.system_file import read_system
from couplant.base.errors import UsageError
from tests.analysis.conftest import OSCILLATOR

ZOH = generic("zoh", 1)


def one(**changes):
    arguments = {"name": "p", "A": [[-2.0]], "B": [[0.5]], "C": [[3.0]], "D": [[0.0]]}
    return Prototype(**(arguments | changes))


def test_transfer_function_has_its_response():
    prototype = transfer_prototype("p", [2.0, 1.0], [1.0, 0.3, 4.0])
    s = np.array([0.5j, 2j, 7j])
    assert prototype.response(s)[:, 0, 0] == pytest.approx((2 * s + 1) / (s**2 + 0.3 * s + 4))


def test_matrix_of_transfer_functions():
    prototype = transfer_prototype(
        "p", [[[1.0], [2.0, 0.0]], [[0.0], [3.0]]], [[[1.0, 1.0], [1.0, 2.0]], [[1.0], [4.0]]]
    )
    s = np.array([0.5j, 2j])
    response = prototype.response(s)
    assert response[:, 0, 0] == pytest.approx(1 / (s + 1)) and response[:, 0, 1] == pytest.approx(2 * s / (s + 2))
    assert response[:, 1, 0] == pytest.approx(0 * s) and response[:, 1, 1] == pytest.approx(0.75 + 0 * s)


def test_improper_transfer_function_is_refused():
    with pytest.raises(UsageError, match="not proper"):
        transfer_prototype("p", [1.0, 0.0, 0.0], [1.0, 1.0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"A": [[1.0, 2.0]]}, r"A is \(1, 2\), expected \(1, 1\)"),
        ({"B": [[1.0], [2.0]]}, r"B is \(2, 1\)"),
        ({"D": [[0.0, 1.0]]}, r"D is \(1, 2\)"),
        ({"A": [["x"]]}, "not a matrix"),
        ({"A": [[float("nan")]]}, "finite"),
        ({"inputs": ("u", "v")}, "expected 1 different names"),
    ],
)
def test_wrong_prototypes(changes, message):
    with pytest.raises(UsageError, match=message):
        one(**changes)


@pytest.mark.parametrize(
    ("connections", "macro_step", "message"),
    [
        ((), 0.1, "at least one connection"),
        ((Connection("p.y2", "p.u1", ZOH),), 0.1, "output 'p.y2' does not exist, allowed p.y1"),
        ((Connection("p.y1", "p.x", ZOH),), 0.1, "input 'p.x' does not exist, allowed p.u1"),
        ((Connection("p.y1", "p.u1", ZOH), Connection("p.y1", "p.u1", ZOH)), 0.1, "input p.u1 is used twice"),
        ((Connection("p.y1", "p.u1", ZOH),), 0.0, "allowed above 0 s"),
    ],
)
def test_wrong_systems(connections, macro_step, message):
    with pytest.raises(UsageError, match=message):
        System((one(),), connections, macro_step)


def test_scatter_of_entries_keeps_structure_and_range():
    plant = one(A=[[0.0, 1.0], [-5.0, -0.3]], B=[[0.0], [2.0]], C=[[1.0, 0.0]])
    plants = scatter(System((plant,), (Connection("p.y1", "p.u1", ZOH),), 0.1), 50, 0.05, 1)
    entries = np.array([p.prototypes[0].A for p in plants])
    assert np.all(entries[:, 0] == [0.0, 1.0])
    ratio = entries[:, 1] / [-5.0, -0.3]
    assert ratio.min() < 0.96 and ratio.max() > 1.04 and np.all(np.abs(ratio - 1) <= 0.05)
    with pytest.raises(UsageError, match=r"spread = 1\.0"):
        scatter(System((plant,), (Connection("p.y1", "p.u1", ZOH),), 0.1), 1, 1.0)


def test_a_file_knows_its_host():
    """The host adds a step where mass 2 feeds through; what the file gives has the last word."""
    host = ["timing='step'", "host='jacobi'"]
    assert [c.lead for c in read_system(OSCILLATOR, host).connections] == [1.0, 1.0, 0.0]
    assert read_system(OSCILLATOR, host).stale == ("mass_2.f",)
    held = read_system(OSCILLATOR, [*host, "hold_lead=0.25", "latency_steps=2"])
    assert [c.lead for c in held.connections] == [1.25, 1.25, 0.25]
    # EROS3 for k = 4 that acts on values 2 steps old and looks 1.25 steps further: f = 4 - 3.25
    of_four = generic("eros3", 4)
    assert held.connections[0].algorithm.k == 2
    assert held.connections[0].algorithm.a == pytest.approx(np.subtract(of_four.a, 0.75 * np.array(of_four.A)))
    assert [c.lead for c in read_system(OSCILLATOR).connections] == [0.0, 0.0, 0.0]
    with pytest.raises(UsageError, match="event timing needs a host that reads outputs again"):
        read_system(OSCILLATOR, ["host='jacobi'"])
