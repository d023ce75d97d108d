"""What goes along of what a user typed: its text with what it uses, or a sentence that says what to do."""

import linecache
import pickle
import sys

import pytest

import couplant
from couplant.base.errors import UsageError
from couplant.lab.carried import check_imports
from couplant.lab.source import Source, source_of
from tests.commands import run
from tests.lab import scenes

CELL = '''
import math
import numpy as np
from fractions import Fraction
import couplant

GAIN, NAMES, MATRIX = 0.5, ("a", "b"), np.array([[1.0, 2.0]])
OPEN = object()
CALLS = []


def half(value):
    return GAIN * value


class Base:
    values = 2

    def estimate(self, past, k):
        return half(past[0]) + math.sqrt(float(Fraction(1, 4)))


class Derived(Base):
    def learn(self, past, k):
        self.known = past


@couplant.algorithm(values=2)
def typed(past, k):
    """Uses what stands around it."""
    return half(past[0]) + MATRIX[0, 1] + len(NAMES)


@couplant.algorithm
class Typed:
    values = 1

    def estimate(self, past, k):
        return np.float64(past[0]) * GAIN


def bad(t, x, u):
    return [id(OPEN) * x[0]]


def outer():
    factor = 3.0

    def inner(t, x, u):
        return [-factor * x[0]]

    return inner


inner = outer()
'''


@pytest.fixture(scope="module")
def cell():
    """Names of a cell, as a notebook has them."""
    name = "<ipython-input-1>"
    linecache.cache[name] = (len(CELL), None, CELL.splitlines(keepends=True), name)
    names = {"__name__": "__main__"}
    exec(compile(CELL, name, "exec"), names)
    return names


def again(text):
    names = {"__name__": "other"}
    exec(text, names)
    return names


def test_a_function_takes_along_what_it_uses_and_nothing_else(cell):
    text = cell["typed"].source.text
    assert again(text)["typed"]([4.0, 3.0], 1) == cell["typed"]([4.0, 3.0], 1) == 6.0
    assert "Fraction" not in text and "OPEN" not in text
    assert again(cell["Typed"].source.text)["Typed"].make(1.0).estimate([3.0], 1) == 1.5


def test_a_function_inside_of_another_takes_along_what_is_around_it(cell):
    text = source_of(cell["inner"], "plant").text
    assert again(text)["inner"](0.0, [2.0], [0.0]) == [-6.0]


def test_a_class_takes_along_its_base(cell):
    text = source_of(cell["Derived"], "x").text
    assert again(text)["Derived"]().estimate([4.0], 1) == 2.5


def test_what_cannot_go_along_is_told(cell):
    with pytest.raises(
        UsageError, match=r"bad uses OPEN, <object object.*which cannot go along: write it inside of bad"
    ):
        source_of(cell["bad"], "plant")
    with pytest.raises(UsageError, match="a lambda has no text of its own: write def"):
        source_of(lambda t, x, u: x, "plant")
    with pytest.raises(UsageError, match="Python does not know the text of lost: put it into a Python file"):
        names = {"__name__": "__main__"}
        exec("def lost(t, x, u):\n    return x\n", names)
        source_of(names["lost"], "plant")
    with pytest.raises(UsageError, match="is no function of Python with a text of its own"):
        source_of(len, "plant")


def test_what_stands_in_a_file_goes_along_as_that_file():
    found = source_of(scenes.spring, "plant", scenes.states)
    assert found.file == "scenes.py"
    with open(scenes.__file__, encoding="utf-8") as file:
        assert found.text == file.read()


def test_what_was_typed_goes_to_another_process(cell, tmp_path):
    """With the names of this process a child could be right by chance."""
    plant = couplant.Plant(cell["inner"], inputs="u", outputs="y", start=[1.0])
    (tmp_path / "things").write_bytes(pickle.dumps((plant, cell["typed"])))
    code = (
        "import pickle, sys; sys.path[:] = {!r}\n"
        "plant, typed = pickle.load(open({!r}, 'rb'))\n"
        "from couplant.config.own import find_algorithm\n"
        "assert find_algorithm('typed').make(1.0).estimate([4.0, 3.0], 1) == 6.0\n"
        "assert pickle.loads(pickle.dumps(plant)).functions[0](0.0, [2.0], [0.0]) == [-6.0]\n"
    ).format(sys.path, str(tmp_path / "things"))
    done = run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import tests.lab\n", "import of tests.lab, which does not go along into an FMU"),
        ("from . import x\n", "a relative import"),
        ("import couplant.cosim\n", "import of couplant.cosim"),
        ("from couplant import simulate\n", "import of couplant.simulate"),
        ("import couplant\ncouplant.simulate({})\n", "couplant.simulate, which does not go along"),
        ("import nosuchmodule\n", "import of nosuchmodule"),
    ],
)
def test_imports_that_an_fmu_does_not_have_are_told(text, words):
    with pytest.raises(UsageError, match=words):
        check_imports(Source(text, "mine.py"), "algorithm mine")


def test_imports_that_are_installed_go_along():
    check_imports(Source("import math\nimport numpy as np\nimport couplant\ncouplant.Plant\n", "mine.py"), "x")
