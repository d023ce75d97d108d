"""What a run makes of the words of its processes, without any: who left too early, whom it waits for."""

import time

import pytest

from couplant.base.errors import CouplantError
from couplant.elsewhere.helics import course, crew
from couplant.elsewhere.helics.course import Place
from couplant.elsewhere.helics.crew import Word
from couplant.elsewhere.helics.link import Address, Ended
from tests.elsewhere.helics.conftest import loaded

ADDRESS = Address("127.0.0.1", 23404)


class Crew:
    """Says words at their times, s after the first order."""

    def __init__(self, *words):
        self.left, self.begun = [(0.0, Word(course.BROKER, "address", ADDRESS)), *words], None

    def order(self, name, content):
        self.begun = self.begun or time.monotonic()

    def words(self):
        time.sleep(0.01)
        while self.left and time.monotonic() > self.begun + self.left[0][0]:
            yield self.left.pop(0)[1]


def run(*words, elsewhere=("mass_2",), heard=None):
    said = [] if heard is None else heard
    place = Place(elsewhere, ADDRESS)
    return course.Course(loaded(), Crew(*words), place, ["mass_1"], 0, lambda *_: None, said.append).records(None)


def word(kind, content=None, process="mass_1"):
    return Word(process, kind, content)


FIRST, RECORD = word("share", 0.0), word("record", "all of it")
END = ((0.3, RECORD), (0.3, word("left")), (0.3, word("ended", None, course.BROKER)))


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(course, "_HINDSIGHT", 0.2)
    monkeypatch.setattr(course, "_STANDSTILL", 0.1)


@pytest.mark.parametrize(("kind", "names"), [("gone", ["mass_2"]), ("ended", None)])
def test_who_leaves_before_the_run_begins(kind, names):
    with pytest.raises(CouplantError, match=r"^mass_2 left the federation before the run began\.$"):
        run((0.0, word(kind, names, course.BROKER)))


def test_who_leaves_after_it_may():
    """The broker may be quicker to tell that somebody has left than a federate here that the run began."""
    words = [(0.0, word("gone", ["mass_2"], course.BROKER)), (0.05, FIRST)]
    assert run(*words, *END) == {"mass_1": "all of it"}


def test_one_that_does_not_go_on_is_named_once():
    heard = []
    run((0.0, FIRST), *END, heard=heard)
    assert [text for text in heard if "waiting for mass_2: nobody here has gone on for 0.1 s." == text] == heard[-1:]
    assert len(heard) == 3


def test_what_is_odd_is_told():
    heard = []
    run((0.0, FIRST), (0.0, word("remark", "3 messages of f came")), *((0.05, one) for _, one in END), heard=heard)
    assert "warning: 3 messages of f came." in heard


def test_an_error_that_comes_from_the_federation_names_nobody_here(monkeypatch, tmp_path):
    monkeypatch.setattr(crew, "_HINDSIGHT", 0.0)
    own = crew.Crew(tmp_path)
    assert str(own._cause("mass_1", Ended("a federate ended it: x."))) == "a federate ended it: x."
    assert str(own._cause("mass_1", CouplantError("x."))) == "mass_1: x."
