"""The vectors through the Python runtime and through finished FMUs; the files and their origin."""

import json
import re

import pytest

from couplant_runtime.algorithms import BY_NAME, GENERIC
from tests.drivers import PythonDriver
from tests.isolated import ROOT, isolated
from tests.vectors import generate
from tests.vectors.reader import FOLDER, STAGES, read_cases, read_stage
from tests.vectors.replay import differences


@pytest.mark.parametrize("stage", STAGES)
def test_the_python_runtime_reproduces_the_vectors(stage):
    assert [text for case in read_stage(stage) for text in differences(case, PythonDriver)] == []


@pytest.fixture(scope="module", params=["python", "native"])
def replayed(request, tmp_path_factory):
    """Return the differences by stage that tests of this run look at, through FMUs of one backend."""
    mine = (one for one in request.session.items if one.path == request.path)
    cases = [one.callspec.params for one in mine if request.fixturename in one.fixturenames]
    stages = [case["stage"] for case in cases if case[request.fixturename] == request.param]
    return json.loads(isolated("tests.vectors.replay", request.param, tmp_path_factory.mktemp("fmus"), *stages)[-1])


@pytest.mark.sample(1)
@pytest.mark.parametrize("stage", STAGES)
def test_finished_fmus_reproduce_the_vectors(stage, replayed):
    assert replayed[stage] == []


@pytest.mark.parametrize("stage", generate.STAGES)
def test_the_committed_files_are_what_the_equations_give(stage):
    committed = (FOLDER / f"{stage}.txt").read_text(encoding="utf-8").split()
    generated = generate.text(stage).split()
    assert len(committed) == len(generated)
    assert [pair for pair in zip(committed, generated, strict=True) if not same(*pair)] == []


def same(word, other):
    """Numbers may differ in the last places: numpy's functions differ between machines."""
    try:
        numbers = [float.fromhex(text) if "x" in text else float(text) for text in (word, other)]
    except ValueError:
        return word == other
    return word == other or abs(numbers[0] - numbers[1]) <= 1e-13 * max(1.0, abs(numbers[1]))


def test_every_algorithm_that_needs_nothing_but_the_latency_has_vectors():
    selected = {case.setup.values.get("algorithm.selected") for case in read_stage("algorithm")}
    assert {BY_NAME[name].number for name in GENERIC} - selected == set()


def test_the_generator_does_not_know_the_code_under_test():
    text = (FOLDER / "generate.py").read_text(encoding="utf-8")
    modules = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert modules == {"__future__", "collections", "fractions", "pathlib", "numpy"}


@pytest.mark.parametrize("stage", STAGES)
def test_every_case_has_a_name_of_its_own_an_origin_and_expectations(stage):
    cases = read_stage(stage)
    assert len({case.name for case in cases}) == len(cases) > 0
    for case in cases:
        assert case.origin
        assert any(row.outputs for row in case.rows)


def test_stages_are_the_same_in_python_c_vectors_and_tests():
    called = re.compile(r"^    (?:cp_)?(\w+)\(c, s\)", re.MULTILINE)
    source = (ROOT / "fmu_src/couplant_runtime/step.py").read_text(encoding="utf-8")
    body = source.partition("def pipeline")[2].partition("\n\n\n")[0]
    assert tuple(called.findall(body)) == STAGES
    for stage in STAGES:
        assert (ROOT / f"fmu_src/couplant_runtime/stages/{stage}.py").is_file()
        assert (ROOT / f"fmu_src/kernel/stages/{stage}.c").is_file()
        assert (FOLDER / f"{stage}.txt").is_file()
        assert (ROOT / f"tests/runtime/test_{stage}.py").is_file()


def test_a_wrong_value_is_found():
    text = "case a\norigin b\nset macro_step 1\nset algorithm.selected foh\nt h y | y_hat\n0 1 1 | 1\n1 1 2 | 3.5\n"
    (case,) = read_cases(text)
    assert differences(case, PythonDriver) == [
        "a, line 7: y_hat = 3.0 (0x1.8000000000000p+1), expected 3.5 (0x1.c000000000000p+1)"
    ]
