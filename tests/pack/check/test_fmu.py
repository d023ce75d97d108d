"""Each rule finds the one thing that was broken."""

import re
import sys
import tempfile
import zipfile

import pytest

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.check import Findings, check_fmu
from couplant.pack.check.child import SHARED
from couplant.pack.check.fmu import MOST_PROBLEMS
from couplant.pack.check.probe import probe

SETTINGS = {
    "interface": {"name": "bench", "macro_step": 0.01},
    "signals": {"torque": {"unit": "N.m", "algorithm": "eros3", "latency": {"constant_steps": 3}, "debug": True}},
}


def build(folder, **more):
    return build_coupling_fmu(parse_interface(SETTINGS, "x"), "torque", folder, **more)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    return build(tmp_path_factory.mktemp("fmu"))


@pytest.fixture
def altered(original, tmp_path):
    """Return a function that copies the FMU with its model description (or another file) changed."""

    def alter(pattern="", replacement="", name="modelDescription.xml", more=(), of=original):
        target = tmp_path / "altered.fmu"
        with zipfile.ZipFile(of) as source, zipfile.ZipFile(target, "w") as archive:
            for entry in source.namelist():
                content = source.read(entry)
                if entry == name and pattern:
                    text, count = re.subn(pattern, replacement, content.decode(), count=1, flags=re.DOTALL)
                    assert count == 1, "the pattern fits nothing: the test tests nothing"
                    content = text.encode()
                archive.writestr(entry, content)
            for entry in more:
                archive.writestr(entry, b"")
        return target

    return alter


def test_a_good_fmu_has_no_findings(original):
    assert check_fmu(original) == check_fmu(original)
    assert check_fmu(original).problems == ()
    assert check_fmu(original).notes == ()


@pytest.mark.parametrize(
    ("pattern", "replacement", "sentence"),
    [
        (r'guid="[^"]*"', 'guid="1234"', 'the GUID "1234" does not consist of 32 hexadecimal digits.'),
        (r'valueReference="5"', 'valueReference="500"', "has the value reference 500, expected below 6"),
        (r'name="y_valid"', f'name="{"y" * 56}"', "has 56 characters, allowed 55."),
        (r'(name="y_time"[^>]*?) description="[^"]*"', r"\1", "y_time has no description."),
        (
            r'(name="latency.constant_steps".*?start=)"3"',
            r'\1"65"',
            "latency.constant_steps starts with 65, allowed 0 to 64.",
        ),
        (r'(name="algorithm.selected".*?start=)"4"', r'\1"99"', "starts with 99, which is no item"),
        (
            r'(<Unknown index="4") dependencies=""( dependenciesKind="")?',
            r"\1",
            "the output y_hat declares no dependencies",
        ),
        (r'stepSize="0.01"', 'stepSize="0.02"', "the step size of the default experiment is 0.02, macro_step is 0.01."),
        (r'stepSize="0.01"', 'stepSize="0.003"', "of the default experiment is 0.003, macro_step is 0.01."),
        (r'(name="y_hat".*?unit=)"N\.m"', r'\1"s"', "y has the unit N.m and y_hat the unit s."),
        (r'<Unit name="N\.m">.*?</Unit>', "", "N.m"),
        (r"<InitialUnknowns>\s*<Unknown [^>]*>", "<InitialUnknowns>", "InitialUnknowns"),
        (r"<ModelStructure>", "<Structure>", "modelDescription.xml is not well-formed: mismatched tag: line "),
        (r'fmiVersion="2.0"', 'fmiVersion="7.0"', "Unsupported FMI version: 7.0"),
    ],
)
def test_a_broken_model_description_is_told(altered, pattern, replacement, sentence):
    found = check_fmu(altered(pattern, replacement), run=False)
    assert any(sentence in problem for problem in found.problems), found.problems


def test_start_values_that_disagree_with_the_binary_are_found_by_running(altered):
    found = check_fmu(altered(r'(name="latency.constant_steps".*?start=)"3"', r'\1"4"'))
    assert found.problems == ("latency.constant_steps starts with 3, its model description says 4.",)


def test_what_is_incomplete_by_the_standard_is_run_all_the_same(altered, tmp_path):
    once = altered(r"<InitialUnknowns>\s*<Unknown [^>]*>", "<InitialUnknowns>")
    once = once.rename(tmp_path / "once.fmu")
    found = check_fmu(altered(r'(name="latency.constant_steps".*?start=)"3"', r'\1"4"', of=once))
    assert "InitialUnknowns" in found.problems[0]
    assert found.problems[-1] == "latency.constant_steps starts with 3, its model description says 4."
    assert found.notes == ()


def test_paths_that_lead_out_of_the_archive(altered):
    found = check_fmu(altered(more=["../evil.txt", "/etc/evil"]))
    assert found.problems[:2] == (
        "the path ../evil.txt leads out of the archive.",
        "the path /etc/evil leads out of the archive.",
    )


def test_an_archive_without_description(tmp_path):
    path = tmp_path / "x.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    assert check_fmu(path).problems == ("not an FMU: it holds no modelDescription.xml.",)


def test_a_slave_that_raises_while_it_is_loaded(altered, tmp_path):
    slave = build(tmp_path, backend="python")
    with zipfile.ZipFile(slave) as archive:
        module = next(name for name in archive.namelist() if re.fullmatch(r"resources/[^/]*\.py", name))
    found = check_fmu(altered("^", "raise RuntimeError('broken')\n", name=module, of=slave))
    assert len(found.problems) == 1
    assert "run" in found.problems[0]


def test_settings_that_the_binary_cannot_read(altered):
    found = check_fmu(altered("couplant settings 1", "couplant settings 9", name="resources/settings.txt"))
    (problem,) = found.problems
    assert problem.startswith("a short run failed")


def test_binaries_for_other_platforms_are_told_as_not_run(original, altered):
    found = check_fmu(altered(more=["binaries/beos/x.so", "binaries/win16/x.dll"]))
    assert found == Findings((), ("not run: the binaries for beos, win16.",))


@pytest.mark.parametrize(
    ("pattern", "replacement", "sentence"),
    [
        (r'instantiationToken="[^"]*"', 'instantiationToken="1234"', 'the GUID "1234" does not consist of'),
        (r'(name="y_time" )valueReference="2"', r'\1valueReference="200"', "y_time has the value reference 200"),
        (r'(<Output valueReference="4") dependencies=""', r"\1", "the output y_hat declares no dependencies"),
        (r'stepSize="0.01"', 'stepSize="0.02"', "the step size of the default experiment is 0.02, macro_step is 0.01."),
        (r'(name="latency.constant_steps"[^>]*?start=)"3"', r'\1"65"', "starts with 65, allowed 0 to 64."),
    ],
)
def test_a_broken_model_description_of_fmi_3_is_told(altered, tmp_path, pattern, replacement, sentence):
    found = check_fmu(altered(pattern, replacement, of=build(tmp_path, fmi="3")), run=False)
    assert any(sentence in problem for problem in found.problems), found.problems


def test_an_fmu_of_fmi_3_is_run(altered, tmp_path):
    path = build(tmp_path, fmi="3")
    assert check_fmu(path) == Findings()
    found = check_fmu(altered(r'(name="latency.constant_steps"[^>]*?start=)"3"', r'\1"4"', of=path))
    assert found.problems == ("latency.constant_steps starts with 3, its model description says 4.",)


def test_a_process_that_dies_is_told_with_its_last_words(original, monkeypatch):
    SHARED.end()
    monkeypatch.setattr(sys, "executable", "/bin/false" if sys.platform != "win32" else "where")
    (problem,) = check_fmu(original).problems
    assert problem.startswith("crashed during a short run (status 1)")


def test_the_rules_of_this_project_are_for_its_own_fmus_only(altered):
    both = altered(r'guid="[^"]*"(.*?) generationTool="couplant[^"]*"', r'guid="1234"\1 generationTool="other"')
    assert check_fmu(both, run=False).problems == ()


def test_the_probe_answers_for_what_it_cannot_run(tmp_path):
    (tmp_path / "modelDescription.xml").write_text("<a/>")
    assert len(probe(str(tmp_path))) == 1


def test_an_fmu_with_very_many_faults_is_told_with_the_first_of_them(altered):
    found = check_fmu(altered(more=[f"../{i}" for i in range(5000)]))
    assert len(found.problems) == MOST_PROBLEMS + 1
    assert found.problems[-1] == "there are more than these 100 problems."


def test_names_are_not_parsed_by_the_general_grammar(original, altered, monkeypatch):
    """It took milliseconds a name: 400 s and more for 300 000 variables."""

    def used(*_, **__):
        raise AssertionError

    monkeypatch.setattr("lark.Lark", used)
    assert check_fmu(original, run=False).problems == ()
    (problem,) = check_fmu(altered(r'name="y_time"', 'name="y time"'), run=False).problems
    assert problem == '"y time" is no name of the naming convention "structured".'


def test_a_name_that_fills_a_page_is_shortened(altered):
    found = check_fmu(altered(r'name="y_valid"', f'name="{"y " * 5000}"'), run=False)
    assert found.problems
    assert max(map(len, found.problems)) <= 300


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r'(name="macro_step".*?)<Real ([^>]*)start="0.01"', r'\1<String \2start="fast"'),
        (r'(name="latency.constant_steps".*?start=)"3"', r'\1"many"'),
        (r'declaredType="[^"]*"', 'declaredType="Nothing"'),
    ],
)
def test_a_description_that_is_not_what_it_should_be_comes_to_sentences(altered, pattern, replacement):
    assert check_fmu(altered(pattern, replacement), run=False).problems


def test_folders_of_an_fmu_that_crashes_do_not_stay(original, monkeypatch, tmp_path):
    SHARED.end()
    monkeypatch.setattr(sys, "executable", "/bin/false" if sys.platform != "win32" else "where")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert check_fmu(original).problems
    assert list(tmp_path.iterdir()) == []


def test_a_slave_that_prints_the_answer_of_the_check_and_ends_the_process(altered, tmp_path):
    """What an FMU prints is no answer, however it looks."""
    slave = build(tmp_path, backend="python")
    with zipfile.ZipFile(slave) as archive:
        module = next(name for name in archive.namelist() if re.fullmatch(r"resources/[^/]*\.py", name))
    code = "import os\nos.write(1, b'[]' + bytes(10))\nos._exit(0)\n"
    (problem,) = check_fmu(altered("^", code, name=module, of=slave)).problems
    assert problem.startswith("crashed during a short run (status 0): []")


def test_no_such_file(tmp_path):
    with pytest.raises(UsageError, match="no such file"):
        check_fmu(tmp_path / "x.fmu")
