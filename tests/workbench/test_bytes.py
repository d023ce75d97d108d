"""Canonical JSON, identity and settings files, translated: the same text as in Python."""

import random
import shutil
from dataclasses import asdict, replace

import pytest

from couplant.base.written_json import canonical
from couplant.config.frame.written_toml import toml
from couplant.pack.archive.identity import identity_text
from tests.config.test_written_toml import marked, table
from tests.pack.test_identity import DESCRIPTION, LISTS
from tests.workbench.node import WORKBENCH, run
from workbench.build.translator import translate

MODULES = ("couplant.base.written_json", "couplant.config.frame.written_toml", "couplant.pack.archive.identity")
WRITE = """
import { py } from "./python/run.js";
import { canonical } from "./python/couplant.base.written_json.js";
import { Real, toml } from "./python/couplant.config.frame.written_toml.js";
const held = (value) => {
  if (Array.isArray(value)) return value[0] === "real" ? new Real(value[1]) : value[1].map(held);
  if (value === null || typeof value !== "object") return value;
  return new py.Dict(Object.entries(value).map(([key, one]) => [key.slice(1), held(one)]));
};
answer(given.map(([kind, value]) => (kind === "toml" ? toml(held(value), ["head"]) : canonical(held(value)))));
"""
IDENTITY = """
import { py } from "./python/run.js";
import { identity_text } from "./python/couplant.pack.archive.identity.js";
const record = (one) => Object.assign(Object.create({ constructor: { fields: Object.keys(one) } }), one);
const known = given.description;
Object.assign(known, { capabilities: record(known.capabilities), variables: known.variables.map(record) });
answer(identity_text(record(known), "3", new py.Dict(Object.entries(given.lists)), "12ab"));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the modules and what they need."""
    place = tmp_path_factory.mktemp("page")
    shutil.copytree(WORKBENCH / "python", place / "python")
    for path, text in translate(MODULES).items():
        (place / path).write_text(text, encoding="utf-8")
    return place


def held(value, real):
    """Return a document for node: keys with a sign before them, because JavaScript moves keys that are numbers."""
    if isinstance(value, dict):
        return {f"_{key}": held(one, real) for key, one in value.items()}
    if isinstance(value, list):
        return ["list", [held(one, real) for one in value]]
    return ["real", value] if real and isinstance(value, float) else value


def without_reals(value):
    if isinstance(value, dict):
        return {key: without_reals(one) for key, one in value.items()}
    if isinstance(value, list):
        return [without_reals(one) for one in value]
    return value.hex() if isinstance(value, float) else value


def test_settings_files_and_canonical_json_have_the_same_text(folder):
    documents = [table(random.Random(seed), 4) for seed in range(300)]
    given = [["toml", held(one, True)] for one in documents]
    given += [["json", held(without_reals(one), False)] for one in documents]
    expected = [toml(marked(one), ["head"]) for one in documents]
    assert run(WRITE, given, folder=folder) == expected + [canonical(without_reals(one)) for one in documents]


def test_the_identity_of_an_fmu_is_the_same_text(folder):
    variables = tuple(replace(one, enum=None) for one in DESCRIPTION.variables)
    lists = {**LISTS, "more": [-0.0, 1e-300, -2.5e7, 5e-324]}
    given = {"description": asdict(replace(DESCRIPTION, variables=variables)), "lists": lists}
    expected = identity_text(replace(DESCRIPTION, variables=variables), "3", lists, "12ab")
    assert run(IDENTITY, given, folder=folder) == expected
