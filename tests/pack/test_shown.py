"""What importers show of an FMU: page, licences, icons, terminals against the schema of the standard."""

import json
import posixpath
import re
import struct
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import fmpy
import pytest
from fmpy.validation import validate_fmu
from lxml import etree

from couplant.base import paths
from couplant.base.errors import CouplantError
from couplant.base.inline import inline_json
from couplant.base.style import DARK, LIGHT
from couplant.pack import build_coupling_fmu, build_model_fmu
from couplant.pack.check import check_fmu
from couplant.pack.describe.model_sheet import model_page
from couplant.pack.describe.shown import LICENCES, PAGE, TERMINALS, Shown, Terminal, page, terminals
from couplant.pack.describe.xml import VERSIONS, EnumType, ModelDescription, Variable
from couplant.pack.fmu import ICONS, frame
from tests.pack.runs import interface
from tests.prototypes import MODELS, sheet_of

SCHEMA = Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3TerminalsAndIcons.xsd"
ODD = "</script><b>\"'`ä&<!--\u2028"
BURST = {"debug": True, "burst": 3, "latency": {"mode": "stamps"}}
MODE = EnumType("M", (("a", 1, ""), ("b", 2, "")))
TABLE = [f"a[{i}]" for i in range(1, 65)]
DESCRIPTION = ModelDescription(
    "shaft",
    (
        Variable("u", 1, "Real", "input", "continuous", "an input", start=0.5, unit="N.m"),
        Variable("mode", 2, "Enumeration", "parameter", "fixed", "of it", start=2, enum=MODE),
        Variable("count", 3, "Integer", "parameter", "tunable", "of it", start=1000000, min=0, max=10000000),
        *(Variable(name, i, "Real", "parameter", "fixed", "weight", start=0.1 * i) for i, name in enumerate(TABLE, 4)),
        Variable("y", 68, "Real", "output", "continuous", "an output", unit="N.m/s"),
        Variable("time", 69, "Real", "independent", "continuous", unit="s"),
    ),
    "Turns",
)  # fmt: skip


def contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def data_of(text):
    """Return what a page has as data, read as a browser does: up to the first end of a script."""
    return json.loads(text.split('<script type="application/json" id="data">')[1].split("</script>")[0])


def rows_of(data):
    return {row[0]: row[1:] for _, _, rows in data["variables"] for row in rows}


def described(files):
    return ElementTree.fromstring(files["modelDescription.xml"])


def variables(files):
    return {one.get("name") for one in described(files).find("ModelVariables")}


def members(files):
    """Return by terminal its variables by what they are called there; there are such variables."""
    found = valid(files[TERMINALS])
    assert {name for named in found.values() for name in named.values()} <= variables(files)
    return found


def valid(text):
    """Return the same of a text, which fulfils the schema of the standard."""
    root = etree.fromstring(text)
    etree.XMLSchema(etree.parse(str(SCHEMA))).assertValid(root)
    return {
        one.get("name"): {member.get("memberName"): member.get("variableName") for member in one}
        for one in root.iter("Terminal")
    }


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    """Return files by kind of FMU: coupling FMUs of both runtimes, a model."""
    folder = tmp_path_factory.mktemp("fmus")
    made = {
        f"native {fmi}": build_coupling_fmu(interface("eros3", **BURST), "s", folder / fmi, fmi=fmi)
        for fmi in VERSIONS
    }
    made["python"] = build_coupling_fmu(interface("eros3"), "s", folder / "python", backend="python")
    made |= {f"network {fmi}": build_model_fmu("network", folder / fmi, fmi=fmi) for fmi in VERSIONS}
    return made


KINDS = ("native 2", "native 3", "python", "network 2", "network 3")


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", KINDS)
def test_every_fmu_has_all_of_it_and_passes_the_checks(fmus, kind):
    files = contents(fmus[kind])
    fmi = kind[-1] if kind[-1] in VERSIONS else "2"
    assert {PAGE, LICENCES, *ICONS[fmi]} <= files.keys()
    assert (TERMINALS in files) == (fmi == "3") != ("model.png" in files)
    assert validate_fmu(str(fmus[kind])) == []
    assert check_fmu(fmus[kind]).problems == ()


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_tells_every_variable_or_the_list_that_it_stands_in(fmus, kind):
    files = contents(fmus[kind])
    rows = rows_of(data_of(files[PAGE].decode()))
    for name in variables(files) - {"time"}:
        lists = [row for row in rows if " .. " in row and row.partition("[")[0] == name.partition("[")[0]]
        assert name in rows or lists, name


@pytest.mark.parametrize("kind", KINDS)
def test_licences_of_all_that_is_in_it(fmus, kind):
    files = contents(fmus[kind])
    text = files[LICENCES].decode()
    assert paths.licence().read_text(encoding="utf-8") in text
    fmi = "3" if kind.endswith("3") else "2"
    header = paths.resource(f"headers/fmi{fmi}/fmi{fmi}Functions.h").read_text(encoding="utf-8")
    words = " ".join(text.split())
    for line in header[header.index("Copyright (C)") : header.index("OF SUCH DAMAGE")].splitlines():
        assert " ".join(line.strip(" -").split()) in words, line
    assert ("PythonFMU" in text) == (kind == "python")


@pytest.mark.parametrize("fmi", VERSIONS)
def test_the_icon_is_a_small_square_with_a_palette(fmus, fmi):
    files = contents(fmus[f"native {fmi}"])
    (png,) = (files[name] for name in ICONS[fmi] if name.endswith(".png"))
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and len(png) < 1000
    assert struct.unpack(">IIBB", png[16:26]) == (96, 96, 4, 3)
    for name in ICONS[fmi]:
        if name.endswith(".svg"):
            tags = {one.tag.split("}")[1] for one in ElementTree.fromstring(files[name]).iter()}
            assert tags == {"svg", "rect", "path", "circle"}


def test_terminals_of_what_is_received_and_of_the_estimate(fmus):
    burst = {f"{member}[{i}]": f"{name}[{i}]" for i in (2, 3) for member, name in RECEIVED.items()}
    assert members(contents(fmus["native 3"])) == {
        "received": RECEIVED | burst,
        "estimate": {"value": "y_hat", "slope_per_macro_step": "debug.slope"},
    }


RECEIVED = {"value": "y", "stamp": "y_time", "valid": "y_valid"}


def test_the_network_fits_to_what_is_received(fmus, tmp_path):
    """A bus connects members that are called the same: all that a coupling FMU may be told the network gives out."""
    path = build_coupling_fmu(interface("eros3", burst=8, latency={"mode": "round_trip"}), "s", tmp_path, fmi="3")
    received, given = members(contents(path))["received"], members(contents(fmus["network 3"]))["received"]
    assert received.keys() == given.keys() and received["echo"] == "y_echo"
    assert {given[member] for member in RECEIVED} == {"received", "stamp", "valid"}


@pytest.mark.parametrize("model", MODELS)
def test_terminals_of_models_are_valid(model):
    sheet = sheet_of(model)
    names = {variable.name for variable in sheet.variables}
    found = valid(terminals(model_page(sheet).terminals).encode())
    assert {name for named in found.values() for name in named.values()} <= names
    sloped = {name for name in names if f"{name}.slope" in names}
    assert sloped <= found.keys()
    assert all(found[name] == {"value": name, "slope": f"{name}.slope"} for name in sloped)


def test_an_input_that_is_left_out_is_in_no_terminal_and_no_sentence(tmp_path):
    settings = interface("eros3").model_copy(update={"inputs": "needed"})
    files = contents(build_coupling_fmu(settings, "s", tmp_path, fmi="3"))
    assert members(files)["received"] == {"value": "y", "valid": "y_valid"}
    assert b"y_time" not in files[PAGE]


def test_a_page_shows_names_starts_ranges_and_long_lists():
    data = data_of(page(DESCRIPTION, "3", Shown(), ["binaries/a/b.so", "binaries/a/c.so", "sources/all.c"], frame()))
    assert data["name"] == "shaft" and data["what"] == "Turns"
    assert dict(data["facts"]).items() >= {"platforms": "a", "standard": "FMI 3.0, co-simulation"}.items()
    assert rows_of(data) == {
        "u": ["an input", "0.5 N.m"],
        "mode": ["of it; a, b", "b"],
        "count": ["of it; 0 to 10000000", "1000000"],
        "a[1] .. a[64]": ["weight", "0.4 .."],
        "y": ["an output", "N.m/s"],
    }
    assert [title for title, _, _ in data["variables"]] == [
        "Inputs", "Outputs", "Parameters that may change while it runs", "Parameters"
    ]  # fmt: skip


def test_links_lead_to_what_the_fmu_carries(fmus):
    for kind, path in fmus.items():
        files = contents(path)
        links = [place for _, place in data_of(files[PAGE].decode())["links"]]
        assert {place.split("/")[-1] for place in links} == (
            {"license.txt"} if "network" in kind else {"interface.toml", "license.txt"}
        )
        assert {posixpath.normpath(posixpath.join("documentation", place)) for place in links} <= files.keys()


def test_no_text_of_settings_leaves_its_place():
    first, *rest = DESCRIPTION.variables
    odd = replace(DESCRIPTION, variables=(replace(first, unit=ODD, description=ODD), *rest), description=ODD)
    text = page(odd, "2", Shown(connect={ODD: ODD}), [], frame())
    assert text.count("</script>") == page(DESCRIPTION, "2", Shown(), [], frame()).count("</script>") == 2
    assert ODD not in text and "<!--" not in text.split('id="data">')[1] and "\u2028" not in text
    data = data_of(text)
    assert data["what"] == ODD and data["connect"] == [[ODD, ODD]] and rows_of(data)["u"] == [ODD, f"0.5 {ODD}"]


def test_half_a_character_is_written_too():
    assert json.loads(inline_json(["\udc80"]).encode().decode()) == ["\udc80"]
    with pytest.raises(ValueError, match="JSON"):
        inline_json([float("nan")])


def test_odd_names_in_terminals():
    root = etree.fromstring(terminals([Terminal("a", ODD, {"x<y": 'a"b'})]).encode())
    assert root.find(".//Terminal").get("description") == ODD
    assert root.find(".//TerminalMemberVariable").get("variableName") == "x<y"


def test_the_page_asks_for_nothing_and_has_the_colours_of_the_reports():
    text = page(DESCRIPTION, "2", Shown(), [], frame())
    assert not re.search(r"https?:|src=|@import|fetch|url\(", text)
    sheet = paths.resource("templates/report/page.css").read_text(encoding="utf-8")
    dark = "@media screen and (prefers-color-scheme: dark)"
    schemes, reports = text.split("<style>")[1].split(dark), sheet.split("* {")[0].split(dark)
    for scheme, report, theme in zip(schemes, reports, (LIGHT, DARK), strict=True):
        colours, own = (dict(re.findall(r"--([a-z]+): ?(#[0-9a-f]{6})", css)) for css in (scheme, report))
        assert colours == {key: theme.own[key] for key in ("background", "ink", "muted", "grid")} | own


def test_what_is_missing_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "root", lambda: tmp_path)
    with pytest.raises(CouplantError, match=r"^LICENSE is missing from this installation of couplant"):
        paths.licence()
    with pytest.raises(CouplantError, match=r"^resources/importer/icon.png is missing"):
        paths.resource("importer/icon.png")
