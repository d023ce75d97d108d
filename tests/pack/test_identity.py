"""What tells FMUs apart: everything that they say and do counts, and how it happens to be written does not."""

import hashlib
import json
from dataclasses import fields, replace

import pytest
from fmpy import read_model_description

from couplant.pack import plan
from couplant.pack.archive.identity import identity_text
from couplant.pack.describe.xml import Capabilities, EnumType, ModelDescription, Variable
from couplant.version import __version__
from tests.pack.test_native_coupling import build, contents

ENUM = EnumType("Mode", (("off", 0, "nothing"), ("on", 1, "")))
REAL = Variable("a", 1, "Real", "parameter", "tunable", "words", "exact", 1.0, "N", 0.1, 1e16, False, None, (), None)
OUTPUT = Variable("b", 2, "Real", "output", "discrete", dependencies=(1,), initial_dependencies=(1,))
MODE = Variable("c", 3, "Enumeration", "parameter", "fixed", start=1, enum=ENUM)
FLAG = Variable("d", 4, "Boolean", "parameter", "fixed", start=True)
DESCRIPTION = ModelDescription("m", (REAL, OUTPUT, MODE, FLAG), "a model", "", 10.0, 0.01, (("all", "words"),))
LISTS = {"start": [1.0, 0.1], "none": []}
OTHER = {
    **{"name": "n", "reference": 5, "type": "Integer", "causality": "input", "variability": "fixed", "description": ""},
    **{"initial": None, "start": 2.0, "unit": "m", "min": 0.0, "max": None, "relative": True, "enum": ENUM},
    **{"dependencies": (3,), "initial_dependencies": (1,)},
}
"""Another value for each property of `REAL`."""
OTHER_DESCRIPTION = {
    **{"name": "n", "variables": (OUTPUT,), "description": "", "stop_time": None, "step_size": 0.02},
    **{"log_categories": (), "capabilities": Capabilities(event_mode=True)},
}
NO_PART = {"token": "{1}", "source_files": ("all.c",)}


def of(description=DESCRIPTION, fmi="2", lists=LISTS, digest="0"):
    return identity_text(description, fmi, lists, digest)


def test_it_is_canonical_json():
    text = of()
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text


def test_token_and_fingerprint_are_its_hash(tmp_path, monkeypatch):
    texts = []
    monkeypatch.setattr(plan, "identity_text", lambda *given: texts.append(identity_text(*given)) or texts[-1])
    token = read_model_description(str(build(tmp_path))).guid
    found = hashlib.sha256(texts[0].encode()).hexdigest()
    signs = token.strip("{}").replace("-", "")
    assert token == f"{{{signs[:8]}-{signs[8:12]}-5{signs[13:16]}-{signs[16:20]}-{signs[20:]}}}"
    assert (signs[:12], signs[13:16], signs[17:]) == (found[:12], found[13:16], found[17:32])
    settings = contents(tmp_path / "bench_torque.fmu")["resources/settings.txt"].decode().splitlines()
    assert settings[1:3] == [f"token {token}", f"hash {found[:16]}"]


def test_what_it_is_taken_of():
    """The text that programs in other languages must have, too."""
    only = replace(DESCRIPTION, variables=(replace(REAL, dependencies=None),), log_categories=())
    assert identity_text(only, "3", {"b": [0.5], "a": [1.0, -0.0]}, "12ab") == (
        '{"couplant":"' + __version__ + '","description":{"capabilities":{"directional_derivatives":false,'
        '"event_mode":false,"max_output_derivative_order":0,"needs_execution_tool":false},"description":"a model",'
        '"log_categories":[],"name":"m","step_size":"0.01","stop_time":"10.0","variables":[{"causality":"parameter",'
        '"dependencies":null,"description":"words","enum":null,"initial":"exact","initial_dependencies":null,'
        '"max":"1e+16","min":"0.1","name":"a","reference":1,"relative":false,"start":"1.0","type":"Real","unit":"N",'
        '"variability":"tunable"}]},"digest":"12ab","fmi":"3",'
        '"settings":[["b",["0x1p-1"]],["a",["0x1p+0","-0x0p+0"]]]}'
    )


def test_every_property_of_a_variable_counts():
    assert OTHER.keys() == {field.name for field in fields(Variable)}
    found = [of()]
    for name, value in OTHER.items():
        found.append(of(replace(DESCRIPTION, variables=(replace(REAL, **{name: value}), OUTPUT, MODE, FLAG))))
    assert len(set(found)) == len(found)


def test_every_property_of_a_description_counts_but_what_follows_from_it():
    assert OTHER_DESCRIPTION.keys() | NO_PART.keys() == {field.name for field in fields(ModelDescription)}
    found = [of(), *(of(replace(DESCRIPTION, **{name: value})) for name, value in OTHER_DESCRIPTION.items())]
    assert len(set(found)) == len(found)
    for name, value in NO_PART.items():
        assert of(replace(DESCRIPTION, **{name: value})) == of()


@pytest.mark.parametrize("field", fields(Capabilities))
def test_every_capability_counts(field):
    changed = replace(Capabilities(), **{field.name: 1 if field.name.endswith("order") else True})
    assert of(replace(DESCRIPTION, capabilities=changed)) != of()


def test_settings_version_and_binaries_count():
    lists = ({**LISTS, "start": [1.0, 0.1 + 2**-56]}, {"none": [], "start": LISTS["start"]}, {**LISTS, "more": [0.0]})
    found = [of(), of(fmi="3"), of(digest="1"), *(of(lists=one) for one in lists)]
    assert len(set(found)) == len(found)


def test_items_of_an_enumeration_count():
    changed = replace(MODE, enum=EnumType("Mode", (("off", 0, "nothing"), ("on", 2, ""))))
    assert of(replace(DESCRIPTION, variables=(REAL, OUTPUT, changed, FLAG))) != of()


def test_how_a_number_is_kept_does_not_count():
    """A language with one kind of number has the same identity."""
    same = replace(REAL, start=1, max=10**16), OUTPUT, replace(MODE, start=1.0), replace(FLAG, start=1)
    assert of(replace(DESCRIPTION, variables=same, stop_time=10), lists={"start": [1, 0.1], "none": []}) == of()
