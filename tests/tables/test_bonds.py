"""Recordings of power bonds: columns by name, those of a run, rows without numbers, the other sign."""

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.tables import Reading
from couplant.tables.bonds import BondColumns, read_bond

RUN = """time,x1.sent,x1.received,x1.estimate,x1.active,f.sent,f.received,f.estimate,f.active
0.0,1.0,,1.0,0,-1.0,,-1.0,0
0.1,2.0,,1.0,0,-2.0,,-1.0,0
0.2,3.0,1.0,3.0,2,-3.0,-1.0,-3.0,1
0.3,4.0,2.0,4.0,2,-4.0,-2.0,-4.0,1
"""


@pytest.fixture
def table(tmp_path):
    """Return a function that writes a text as a table."""

    def write(text):
        path = tmp_path / "run.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_run_tells_how_its_signals_were_estimated(table):
    found = read_bond(table(RUN), BondColumns.of_run("f:x1"))
    effort, flow = found.received
    assert found.effort.tolist() == [-1.0, -2.0, -3.0, -4.0] and found.flow.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert effort.value.tolist() == [-1.0, -1.0, -3.0, -4.0] and flow.value.tolist() == [1.0, 1.0, 3.0, 4.0]
    assert (effort.algorithm.tolist(), flow.algorithm.tolist()) == ([0, 0, 1, 1], [0, 0, 2, 2])
    assert (effort.k, flow.k, found.k) == (2, 2, 2)
    assert found.columns.signals == ("f", "x1") and found.gaps == 0


def test_other_files_tell_nothing_of_it(table):
    names = BondColumns("f.sent", "x1.sent", "f.estimate", "x1.estimate")
    found = read_bond(table(RUN.replace("x1.active", "x1.mode")), names)
    assert found.received[0].algorithm is None and found.k == 0


def test_rows_without_numbers_are_left_out(table):
    text = "t,f,x\n0,1,1\n1,,2\n2,3,nan\n3,4,4\n4,5,5\n5,6,inf\n"
    found = read_bond(table(text), BondColumns("f", "x"))
    assert found.time.tolist() == [0.0, 3.0, 4.0] and found.effort.tolist() == [1.0, 4.0, 5.0]
    assert (found.gaps, found.longest_gap, found.received) == (2, 3.0, None)


def test_a_minus_takes_the_other_sign(table):
    text = "t [s],f,x,fh,xh\n0,1,1,-1,1\n1,2,2,-2,2\n2,3,3,-3,4\n"
    found = read_bond(table(text), BondColumns("f", "x", "-fh", "xh"))
    assert found.received[0].value.tolist() == found.effort.tolist()
    assert np.all(found.received[1].value > 0.0)


def test_units_and_time(table):
    text = "x,clock,f\nm,s,N\n1,0,1\n2,1,2\n3,3,4\n"
    found = read_bond(table(text), BondColumns("f", "x"), Reading(time="clock"))
    assert found.units == ("N", "m") and found.time.tolist() == [0.0, 1.0, 3.0]


@pytest.mark.parametrize("bond", ["", "f", ":x1", "f:"])
def test_a_bond_names_two_signals(bond):
    with pytest.raises(UsageError, match="EFFORT:FLOW"):
        BondColumns.of_run(bond)
