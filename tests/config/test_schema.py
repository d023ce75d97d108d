"""The schemas of settings files: they take what couplant takes, and refuse key by key what it refuses."""

import copy
import json

import pytest
import tomlkit
from jsonschema import Draft202012Validator

from couplant.analysis.system_file import parse_system
from couplant.base.errors import UsageError
from couplant.base.paths import resource, root
from couplant.cli import main
from couplant.cli.completion import KINDS, schema_file
from couplant.config import parse_interface
from couplant.config.bench import load_bench
from couplant.config.frame.read import check, read_toml
from couplant.config.scenario import CONFIGURED, check_scenario
from couplant.cosim.wiring.coupling import build_options, coupling_of
from couplant.elsewhere.dcp.plan import MasterTable
from couplant.elsewhere.dcp.plan import problems as master_problems
from couplant.elsewhere.dcp.side import SideTable
from couplant.elsewhere.dcp.side import problems as side_problems
from couplant.pack import check_options
from couplant.sweep.axes import KEYS, read_axes
from docs.site.schemas import json_schema, schema_text
from tests.analysis.conftest import OSCILLATOR

EXAMPLES = root() / "examples"
START = resource("templates/start") / "interface.toml"
SCENARIOS = [
    path for path in sorted(EXAMPLES.glob("*/*.toml")) if path.is_file() and "components" in read_toml(path)
]
VALIDATORS = {kind: Draft202012Validator(json_schema(kind)) for kind in KINDS}
SWEEP = EXAMPLES / "06_sweep" / "scenario.toml"
BENCH = EXAMPLES / "05_udp_bench" / "scenario.toml"
FILES = {"interface": START, "scenario": EXAMPLES / "01_two_mass_oscillator" / "scenario.toml", "bench": BENCH}
FILES |= {"system": OSCILLATOR}


def blocks(page):
    """Return the indented blocks of a page of the documentation, in their order."""
    lines = [*(root() / "docs" / f"{page}.md").read_text(encoding="utf-8").splitlines(), "end"]
    texts, inside = [[]], False
    for line in lines:
        inside = line.startswith("    ") or (inside and not line)
        if inside:
            texts[-1].append(line[4:])
        elif texts[-1]:
            texts.append([])
    return ["\n".join(text) for text in texts if text]


def document_of(kind):
    """Return a document that is right; those of DCP are the ones of its page."""
    if kind in FILES:
        return read_toml(FILES[kind])
    first = {"dcp-side": "bench =", "dcp-master": "duration ="}[kind]
    return tomlkit.parse(next(text for text in blocks("dcp") if text.startswith(first))).unwrap()


def load_content(document):
    return check_scenario("settings", document)  # as a file: from Python networks may be more


def scenario_problems(document, load=load_content):
    """Read what `simulate` and `sweep` read of a scenario before they run it."""
    loaded = load(document)
    for signal in loaded.scenario.signals:
        coupling_of(loaded, signal, CONFIGURED, loaded.scenario.timing[0])
        options = {"backend": "native", "fmi": "2"} | build_options(loaded, signal)
        check_options(**options, platform="host", sources=False)
    read_axes(loaded, {})


LOADERS = {
    "interface": lambda document: parse_interface(document, START),
    "scenario": scenario_problems,
    "bench": lambda document: scenario_problems(document, load_bench),
    "system": lambda document: parse_system(document, OSCILLATOR),
    "dcp-side": lambda document: check(SideTable, document, "side.toml", side_problems),
    "dcp-master": lambda document: check(MasterTable, document, "master.toml", master_problems),
}


def kind_of(path):
    return "bench" if "bench" in read_toml(path) else "scenario"


def errors(kind, document):
    return [f"{error.json_path}: {error.message}" for error in VALIDATORS[kind].iter_errors(document)]


def is_refused(kind, document):
    try:
        LOADERS[kind](document)
    except UsageError:
        return True
    return False


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_are_fresh_and_are_schemas(kind):
    written = (resource("schema") / schema_file(kind)).read_text(encoding="utf-8")
    assert written == schema_text(kind), "stale: make generate"
    Draft202012Validator.check_schema(json.loads(written))
    assert len(written) < 60_000


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.relative_to(EXAMPLES).as_posix())
def test_examples_are_taken(path):
    assert errors(kind_of(path), read_toml(path)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_documentation_begins_with_is_taken(kind):
    assert errors(kind, document_of(kind)) == []
    assert not is_refused(kind, document_of(kind))


@pytest.mark.parametrize("page", ["scenarios", "system"])
def test_blocks_of_the_documentation_are_taken(page):
    document = tomlkit.parse(blocks(page)[0]).unwrap()
    assert errors({"scenarios": "scenario", "system": "system"}[page], document) == []


def leaves(node, place=()):
    """Yield the place of every table, list and value below a node; lists of values count as one."""
    tables = isinstance(node, list) and node and isinstance(node[0], dict)
    items = node.items() if isinstance(node, dict) else enumerate(node) if tables else ()
    for key, value in items:
        yield (*place, key)
        yield from leaves(value, (*place, key))


def at(document, place):
    for key in place:
        document = document[key]
    return document


WRONG = (-1, 70_000, 0.25, "no such value", True, [], ["x"], {"x": 1})
"""Values that stand in turn in the place of each one."""


def whole(kind):
    """Return the document of a kind, a scenario with all that examples have in several."""
    document = document_of(kind)
    if kind == "scenario":
        document |= {key: read_toml(SWEEP)[key] for key in ("sweep", "network")}
        document["coupling"] = {"backend": "native", "latency": {"coast_steps": 6}, "algorithm": "foh"}
        document["signals"]["x1"] |= {"coupling": {"burst": 1}, "network": {"loss": 0.0}}
        document["figures"] = {"peak": {"of": "x1.sent", "take": "largest"}}
        document["watch"] = ["mass_1.x1"]
    if kind == "dcp-side":
        document |= {"name": "rig", "host": "127.0.0.1", "data_ports": [2048, 4096], "timing": "event", "settle": 0.5}
        document |= {"heartbeat": 2.0, "most_missed": 3, "first_number": 0, "first_step": 1}
    if kind == "dcp-master":
        document |= {"port": 0, "connect": 5.0, "initialisations": 1}
        document["slaves"]["left"] |= {"port": 8080, "data_port": 2048, "parameters": {"p": 1.0}, "record": ["x1"]}
    return document


def mutants(kind):
    """Yield documents in which one value is another, one key is missing, or one key is new."""
    document = whole(kind)
    for place in leaves(document):
        changes = [*WRONG, "deleted", *(["added"] if isinstance(at(document, place), dict) else [])]
        for value in changes:
            changed = copy.deepcopy(document)
            table = at(changed, place[:-1])
            if value == "deleted":
                del table[place[-1]]
            elif value == "added":
                table[place[-1]]["no such key"] = {}
            else:
                table[place[-1]] = value
            yield (*place, value), changed


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_couplant_takes_is_refused_and_most_that_it_refuses(kind):
    """What editors do not see takes several keys, other files, or names of models and components to tell."""
    assert not is_refused(kind, whole(kind))
    seen, missed = 0, []
    for place, document in mutants(kind):
        by_schema, by_couplant = bool(errors(kind, document)), is_refused(kind, document)
        assert by_couplant or not by_schema, place
        seen += by_schema
        missed += [place] if by_couplant and not by_schema else []
    assert seen > 8 * len(list(leaves(whole(kind)))) / 2 and seen > 6 * len(missed), missed


def test_keys_of_a_sweep_are_those_of_the_verb():
    assert tuple(json_schema("scenario")["properties"]["sweep"]["properties"]) == KEYS


def test_every_key_has_words():
    for kind in KINDS:
        schema = json_schema(kind)
        for table in (schema, *schema["$defs"].values()):
            for key, entry in table.get("properties", {}).items():
                assert entry.get("description"), f"{kind}: {key}"


def test_the_verb_prints_and_writes_it(capsys, tmp_path):
    assert main(["schema", "scenario"]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema("scenario")
    assert main(["schema", "system", "-o", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith("#:schema ./system.schema.json")
    assert json.loads((tmp_path / "system.schema.json").read_text(encoding="utf-8")) == json_schema("system")
    assert main(["schema", "recipe"]) == 2
    assert capsys.readouterr().err == f"couplant: schema = recipe, allowed {', '.join(KINDS)}\n"
