"""Algorithms in Python: the stages run them as any other, and what is wrong is a sentence with name and time."""

import importlib.metadata
import pickle
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

import couplant
from couplant.base.errors import CouplantError, UsageError
from couplant.config.bench import load_bench
from couplant.config.frame.read import read_toml
from couplant.config.own import PLACE_NAME, find_algorithm, load_algorithms
from couplant.elsewhere.export import export
from couplant.elsewhere.helics.plan import load_federation
from couplant.lab.algorithm import Algorithm
from couplant_runtime.algorithms import ALL
from tests.lab import scenes
from tests.lab.scenes import Tracker, courses, function, line, matrices, scenario

BENCH = Path(__file__).parents[2] / "examples" / "05_udp_bench" / "scenario.toml"
JITTER = {"latency_steps": 2, "jitter_steps": 3, "loss": 0.1, "seed": 4}


@pytest.mark.parametrize("network", [{"latency_steps": 3}, JITTER], ids=["constant", "jitter"])
def test_foh_written_again_is_foh_to_the_bit(network):
    found = couplant.simulate(scenario(matrices, ["foh", "line"], network=network))
    for timing in ("event", "step"):
        own, other = (next(r for r in found.runs if (r.algorithm, r.timing) == (n, timing)) for n in ("line", "foh"))
        for name in own.traces:
            assert np.array_equal(own.traces[name].estimate, other.traces[name].estimate)
            assert set(np.unique(own.traces[name].active)) <= {0, 1, 2, len(ALL) + 1}
            assert len(ALL) + 1 in own.traces[name].active
        assert own.per_signal["x"] == other.per_signal["x"]
        assert own.messages == other.messages


def test_results_tell_that_it_runs_in_process():
    found = couplant.simulate(scenario(matrices, ["foh", line], ["event"]))
    assert [run.get("runs") for run in found.to_dict()["runs"]] == [None, "in process, Python"]
    assert [run.label for run in found.runs] == ["FOH", "line (Python)"]
    assert found.runs[1].radius is None  # theory is that of another one


def test_runs_do_not_share_an_instance_and_saved_states_are_copies():
    first, again = (courses(couplant.simulate(scenario(matrices, [Tracker], ["step"]))) for _ in range(2))
    assert np.array_equal(first, again)
    runtime = Tracker.runtime(0.01)
    runtime.body.slope = 2.0
    assert Tracker.make(0.01).slope == 0.0
    assert Tracker.make(0.02).macro_step == 0.02


def test_learn_hears_each_value_once_before_the_estimate(monkeypatch):
    heard = []
    make = Tracker.target.__init__

    def keep(self, macro_step):
        make(self, macro_step)
        heard.append(self)

    monkeypatch.setattr(Tracker.target, "__init__", keep)
    document = scenario({"plant": matrices}, [Tracker], ["step"])  # no previews: they run on copies
    result = couplant.simulate(document)
    sent = result.runs[0].traces["x"].sent
    k = document["network"]["latency_steps"]
    (of_x,) = (one for one in heard if one.heard and one.heard[0] == [sent[1], sent[0]])
    assert of_x.heard == [[sent[n], sent[n - 1]] for n in range(1, len(sent) - k - 1)]


def test_learn_hears_nothing_across_a_jump():
    state_of = {}

    @couplant.algorithm(values=3, name="watching")
    class Watching:
        def learn(self, past, k):
            state_of.setdefault("past", []).append(list(past))

        def estimate(self, past, k):
            return past[0]

    def stepped(t, x, u):
        return [0.0, 0.0]

    plant = couplant.Plant(stepped, lambda t, x: [1.0 if t < 0.3 else 9.0, 0.0], **scenes.SIGNALS)
    detected = {"discontinuity": {"enabled": True}}
    couplant.simulate(scenario(plant, ["watching"], ["step"], coupling=detected))
    spans = [past for past in state_of["past"] if 1.0 in past or 9.0 in past]
    assert {tuple(past) for past in spans if len(set(past)) > 1} == set()
    assert [9.0] * 3 in spans


def test_a_signal_may_have_one_of_its_own():
    document = scenario(matrices, ["configured"], ["step"])
    document["signals"]["x"]["coupling"] = {"algorithm": "line"}
    for name in ("v", "f"):
        document["signals"][name]["coupling"] = {"algorithm": "foh"}
    foh = couplant.simulate(scenario(matrices, ["foh"], ["step"]))
    assert np.array_equal(courses(couplant.simulate(document)), courses(foh))


def test_a_single_number_is_held_and_numpy_numbers_are_taken():
    couplant.algorithm(lambda past, k: np.float64(past[0]), values=1, name="held")
    couplant.algorithm(lambda past, k: np.array([past[0], 0.0]), values=lambda k: 1, name="held_too")
    found = couplant.simulate(scenario(matrices, ["zoh", "held", "held_too"], ["step"]))
    zoh, *others = courses(found)
    assert all(np.array_equal(zoh, one) for one in others)


def test_a_file_brings_algorithms(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import couplant\n@couplant.algorithm(values=1)\ndef filed(past, k):\n    return past[0]\n")
    document = scenario(matrices, ["filed"], ["step"], algorithm_files=[str(path)])
    assert couplant.simulate(document).runs[0].algorithm == "filed"
    (found,) = load_algorithms(path)
    assert isinstance(found, Algorithm)
    assert find_algorithm("filed") is found
    assert pickle.loads(pickle.dumps(found)).make(1.0).estimate([4.0], 1) == 4.0
    path.write_text(path.read_text().replace("return past[0]", "return 7.0"))
    assert load_algorithms(path)[0].make(1.0).estimate([4.0], 1) == 7.0


def test_a_package_brings_algorithms(monkeypatch):
    point = EntryPoint("brought", "tests.lab.brought:brought", "couplant.algorithms")
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point] if "algorithms" in group else [])
    brought = find_algorithm("brought")
    assert brought is not None
    assert couplant.simulate(scenario(matrices, ["brought"], ["step"])).runs[0].label == "brought (Python)"


def test_what_was_typed_goes_to_another_process_as_its_text():
    one = pickle.loads(pickle.dumps(line))
    assert one is line  # by its name: its module is there
    assert pickle.loads(pickle.dumps(Tracker)) is Tracker


def failing(body):
    def estimate(past, k):
        return body(past) if past[0] != 1.0 else 1.0

    return couplant.algorithm(estimate, values=2, name="failing")


FAILS = {
    "raises": (lambda past: past[0] / 0.0, "estimate raises ZeroDivisionError: float division by zero"),
    "nan": (lambda past: float("nan"), "estimate gives nan, allowed one finite number, or two: level and slope"),
    "infinite": (lambda past: (1.0, float("inf")), "estimate gives (1.0, inf), allowed"),
    "three": (lambda past: (1, 2, 3), "estimate gives (1, 2, 3), allowed"),
    "text": (lambda past: "1.0", "estimate gives '1.0', allowed"),
    "none": (lambda past: None, "estimate gives None, allowed"),
}


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("what", FAILS)
def test_one_that_fails_is_a_sentence_with_its_name_and_time(what, timing):
    body, words = FAILS[what]
    with pytest.raises(CouplantError) as error:
        couplant.simulate(scenario(function, [failing(body)], [timing]))
    assert "algorithm failing at t = 0.0" in str(error.value)
    assert words in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_what_else_of_it_fails_is_a_sentence():
    @couplant.algorithm(name="stubborn")
    class Stubborn:
        values = 2

        def __init__(self):
            raise KeyError("no")

        def estimate(self, past, k):
            return 0.0

    with pytest.raises(CouplantError, match=r"refuses to start: algorithm stubborn: Stubborn\(\) raises KeyError"):
        couplant.simulate(scenario(matrices, ["stubborn"], ["step"]))
    couplant.algorithm(lambda past, k: 0.0, values=lambda k: "z", name="odd")
    with pytest.raises(CouplantError, match=r"algorithm odd at t = 0.03 s: values\(3\) gives 'z'"):
        couplant.simulate(scenario(matrices, ["odd"], ["step"]))


def nothing(past, k):
    return past[0]


REFUSED = [
    (lambda: couplant.algorithm(nothing, values=0), "values = 0, allowed 1 to 64"),
    (lambda: couplant.algorithm(nothing, values=65), "values = 65, allowed 1 to 64"),
    (lambda: couplant.algorithm(nothing, values=2.5), "values = 2.5, allowed a whole number"),
    (lambda: couplant.algorithm(nothing), "values is missing"),
    (lambda: couplant.algorithm(nothing, values=1, name="eros4"), "couplant has one of that name"),
    (lambda: couplant.algorithm(nothing, values=1, name="network_x"), "couplant has one of that name"),
    (lambda: couplant.algorithm(nothing, values=1, name="a b"), "allowed letters, digits and underscores"),
    (lambda: couplant.algorithm(lambda past, k: 0.0, values=1), "a lambda has no name"),
    (lambda: couplant.algorithm(3, values=1), "stands above 3"),
    (lambda: couplant.algorithm(dict, values=1), "no method estimate"),
    (lambda: couplant.simulate(scenario(matrices, ["nobody"])), 'algorithms[1] = "nobody", allowed "zoh"'),
    (lambda: couplant.simulate(scenario(matrices, ["line"], coupling={"backend": "python"})), "coupling.backend"),
    (lambda: couplant.simulate(scenario(matrices, ["line"], coupling={"fmu": "a.fmu"})), "coupling.fmu = a.fmu"),
    (lambda: couplant.simulate(scenario(matrices, algorithm_files=["no.py"])), "no.py: cannot be read"),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_is_wrong_is_one_sentence(place):
    call, words = REFUSED[place]
    with pytest.raises(UsageError) as error:
        call()
    assert words in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [("1 / 0\n", "line 1: ZeroDivisionError"), ("\ndef (\n", "line 2: SyntaxError"), ("x = 1\n", "nothing in it has")],
)
def test_a_file_that_is_wrong_is_told_with_its_line(tmp_path, text, words):
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        couplant.simulate(scenario(matrices, algorithm_files=[str(path)]))


def test_where_fmus_alone_run_it_is_refused(tmp_path):
    document = scenario(matrices, ["line"], ["step"])
    with pytest.raises(UsageError, match=r"components.mass.plant is in Python, which runs in process"):
        export(document, tmp_path / "folder")
    with pytest.raises(UsageError, match='algorithm "line" is in Python, which runs in process'):
        load_federation(document)
    bench = read_toml(BENCH) | {"algorithms": ["line"]}
    with pytest.raises(UsageError, match='algorithm "line" is in Python, which runs in process'):
        load_bench(bench)
    assert not (tmp_path / "folder").exists()


def test_what_it_runs_in_the_place_of_does_not_show():
    """`eros3` needs four values and ends at k = 61; `zoh` written again needs one and goes on to 63."""
    couplant.algorithm(lambda past, k: past[0], values=1, name="late")
    document = scenario(matrices, ["zoh", "late"], ["step"], network=63, duration=1.0)
    assert PLACE_NAME == "eros3"
    zoh, late = courses(couplant.simulate(document))
    assert np.array_equal(zoh, late)
