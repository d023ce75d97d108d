"""Columns and rows of tables as tools write them, and files that are none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from couplant.base.errors import UsageError
from couplant.tables import open_table
from couplant.tables.table import _BLOCK


@pytest.fixture
def write(tmp_path):
    def make(content, encoding="utf-8"):
        path = tmp_path / "data.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return make


def read(path, *names, **dialect):
    return open_table(path, **dialect).columns(names)


def test_columns_by_name(write):
    path = write("t, x ,y\n0,1,2\n1,3,4\n")
    assert open_table(path).names == ("t", "x", "y")
    y, t = read(path, "y", "t")
    assert y.tolist() == [2.0, 4.0] and t.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    "content",
    [
        "t;y\n0;1,5\n1;-2,5\n",
        "t\ty\r\n0\t1.5\r\n1\t-2.5\r\n",
        "t\ty\n0\t1,5\n1\t-2,5\n",
        "t\ty\r0\t1.5\r1\t-2.5",
        "\ufefft,y\n0,1.5\n1,-2.5",
        '"t","y"\n"0","1.5"\n"1","-2.5"\n',
        '"t";"y"\n"0";"1,5"\n"1";"-2,5"\n',
        '"t";"y, z, or ; less";"y"\n0;5;1,5\n1;5;-2,5\n',
        "y\n1,5\n-2,5\n",
        "\n\nt,y\n\n0,1.5\n\n\n1,-2.5\n\n",
        "t,y\n0,1.5,,\n1,-2.5,\n",
        ",t,y,\n0,0,1.5,\n1,1,-2.5,\n",
        "t,remark,y\n0,first,1.5\n1,,-2.5\n",
        't,remark,y\n0,"first, or so",1.5\n1,"second ""one""",-2.5\n',
        't,remark,y\n0,"two\nlines",1.5\n1,x,-2.5\n',
        "t,y\n[s],[Nm]\n0,1.5\n1,-2.5\n",
        "t,y\ns,\n0,1.5\n1,-2.5\n",
        '"t\nin words",y\n"s",-\n0,1.5e0\n1,-25.E-1\n',
    ],
)  # fmt: skip
def test_dialects(write, content):
    assert read(write(content), "y")[0].tolist() == [1.5, -2.5]
    assert open_table(write(content)).finite(["y"])[0].tolist() == [1.5, -2.5]


def test_units_stand_in_a_second_row(write):
    assert open_table(write("t;M;n\n[s];[N m];\n0;1;2\n")).units == ("s", "N m", "")
    assert open_table(write("t,M\n0,1\n")).units == ("", "")
    assert read(write("t,y\n,NA\n1,2\n"), "y")[0].tolist()[1:] == [2.0], "a row of missing values holds no units"


@pytest.mark.parametrize(
    ("heading", "unit", "factor"),
    [
        ("t", "s", 1.0), ("t", "[s]", 1.0), ("t", "", 1.0), ("t", "-", 1.0), ("t", "ms", 1e-3), ("t", "[min]", 60.0),
        ("time_ms", "", 1e-3), ("t [ms]", "", 1e-3), ("t/µs", "", 1e-6), ("Zeit in ms", "", 1e-3), ("ms", "", 1e-3),
        ("time (us)", "", 1e-6), ("time_ns", "", 1e-9), ("t [h]", "", 3600.0), ("time_ms", "s", 1.0),
    ],
)  # fmt: skip
def test_times_have_a_unit(write, heading, unit, factor):
    table = open_table(write(f"{heading},y\n{unit},Nm\n0,1\n2,1\n"))
    assert table.with_times(heading, [])[0][0].tolist() == [0.0, 2.0 * factor]
    assert table.with_times(heading, [], "min")[0][0].tolist() == [0.0, 120.0], "what is told counts"


@pytest.mark.parametrize("heading", ["t [ticks]", "time/Date", "t (fortnights)"])
def test_an_unknown_unit_of_times_is_refused(write, heading):
    table = open_table(write(f"{heading},y\n0,1\n"))
    with pytest.raises(UsageError, match=r'time_unit = "\w+" of .*, allowed s, ms, us, ns, min or h'):
        table.with_times(heading, [])


def test_a_dialect_may_be_given(write):
    assert read(write("a;b;c,d\n1,2\n"), "d", delimiter=",")[0].tolist() == [2.0]
    assert read(write('t,y\n0,"1,5"\n'), "y", decimal=",")[0].tolist() == [1.5]
    with pytest.raises(UsageError, match='row 2: y = "1,5", allowed a number'):
        read(write("t;y\n0;1,5\n"), "y", decimal=".")


def test_missing_values_are_nan(write):
    y = read(write("t,y\n0,1\n1,\n2,NaN\n3,n/a\n4\n5,2\n"), "y")[0]
    assert np.isnan(y).tolist() == [False, True, True, True, True, False]
    empty = read(write("a,b,c\n,,1\n,2,\n3,,\n"), "c", "a", "b")
    assert np.array_equal(empty, [[1, np.nan, np.nan], [np.nan, np.nan, 3], [np.nan, 2, np.nan]], equal_nan=True)


cell = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.from_regex(r"[-+]?[0-9]{1,7}\.[0-9]{0,7}(e-?[0-9]{1,2})?", fullmatch=True),
)


@pytest.mark.landing("many numbers: 4 s of CPU")
@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=30), st.sampled_from([",;", ".,", ".;", ".\t", ",\t"]))
def test_every_number_is_that_of_float(tmp_path_factory, rows, dialect):
    decimal, delimiter = dialect
    rows = [*rows, ("0.25", "0.25")]  # 1,000 alone may have thousands
    path = tmp_path_factory.getbasetemp() / "numbers.csv"
    lines = [delimiter.join(row).replace(".", decimal) for row in [("a", "b"), *rows]]
    path.write_text("\n".join(lines), encoding="utf-8")
    expected = np.array([[float(b), float(a)] for a, b in rows])
    assert np.column_stack(read(path, "b", "a")).tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "needs a row of headings"),
        ("\n\n", "needs a row of headings"),
        ("t,y\n", "needs a row of headings and rows of numbers"),
        ("t,y\ns,Nm\n\n", "needs a row of headings and rows of numbers"),
        (",,\n", "has to name the columns"),
        ("1,2\n3,4\n", "has no column y; there are: column1, column2."),
        ("t,y\n0,1\n1,x\n", 'row 3: y = "x", allowed a number.'),
        ("t,y\n\n0,1\n\n1,x\n", 'row 5: y = "x", allowed a number.'),
        ("t,y\n0,5,1,5\n", "row 2: 4 cells, allowed 2 as in the headings."),
        ("t,y,z\n0,5,1,5,2,5\n", "row 2: 6 cells, allowed 3 as in the headings."),
        ("t;y\n0;1.234,5\n", 'row 2: y = "1.234,5", allowed a number.'),
        ("t,z\n0,1\n", "has no column y; there are: t, z."),
        ("y,y\n0,1\n", "has 2 columns y, allowed 1."),
        (b"\0\1t,y", "UTF-8"),
        (b"t,y\n0,\xff\n", 'row 2: y = "\xff", allowed a number.'),
        ("t;y\n1;1,234\n2;2,345\n", '"1,234" may have a decimal comma or thousands: decimal = , or decimal = . tells'),
    ],
)
def test_refusals(write, content, message):
    path = write(content)
    with pytest.raises(UsageError) as found:
        read(path, "y")
    assert message in str(found.value)
    assert str(found.value).startswith(str(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("t,y\n0,1\n1,\n", 'row 3: y = "", allowed a finite number.'),
        ("t,y\n0,1\n\n1,nan\n", 'row 4: y = "nan", allowed a finite number.'),
        ("t,y\n0,1\n1,inf\nx,2\n", 'row 3: y = "inf", allowed a finite number.'),
        ("t,y\n0,1\n1\n", "row 3: 1 cells, allowed 2 as in the headings."),
    ],
)
def test_what_has_to_be_finite(write, content, message):
    with pytest.raises(UsageError) as found:
        open_table(write(content)).finite(["y"])
    assert message in str(found.value)


def test_rows_with_words(write):
    table = open_table(write('t;word;y\r\n0,5;"a;\r\nb";1\r\n\r\n1;;\r\n'))
    assert list(table.rows()) == [(3, ["0,5", "a;\r\nb", "1"]), (5, ["1", "", ""])]
    first, second = table.records(["word"], blanks=True)
    assert first == {"t": 0.5, "word": "a;\r\nb", "y": 1.0} and second == {"t": 1.0, "word": "", "y": None}
    with pytest.raises(UsageError, match=r'row 5: y = "", allowed a number\.'):
        list(table.records(["word"]))


def test_missing_file(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: no such file"):
        open_table(tmp_path / "none.csv")


@pytest.fixture(scope="module")
def long_rows():
    return [f"{0.01 * n:.2f},{np.sin(n):.6f}" for n in range(_BLOCK // 6)]


def long(tmp_path, rows, delimiter=","):
    path = tmp_path / "long.csv"
    path.write_text("t,y\n".replace(",", delimiter) + "\n".join(rows), encoding="utf-8")
    return path


def test_blocks_follow_each_other(tmp_path, long_rows):
    rows = [row.replace(",", ";").replace(".", ",") for row in long_rows]
    path = long(tmp_path, rows, ";")
    assert path.stat().st_size > 2 * _BLOCK
    t, y = read(path, "t", "y")
    assert t.tolist() == [float(row.split(",")[0]) for row in long_rows]
    assert y.tolist() == [float(row.split(",")[1]) for row in long_rows]


def test_gaps_in_a_later_block(tmp_path, long_rows):
    rows = [*long_rows[:-3], "5,", "6,NaN", "7"]
    y = read(long(tmp_path, rows), "y")[0]
    assert np.isnan(y).nonzero()[0].tolist() == [len(rows) - 3, len(rows) - 2, len(rows) - 1]


@pytest.mark.parametrize(
    ("last", "message"), [("5,x", 'y = "x", allowed a number'), ("5,1,2", "3 cells, allowed 2 as in the headings")]
)
def test_the_row_of_a_wrong_cell_in_a_later_block(tmp_path, long_rows, last, message):
    path = long(tmp_path, [*long_rows[:-1], last])
    with pytest.raises(UsageError, match=f"row {len(long_rows) + 1}: {message}"):
        read(path, "y")
