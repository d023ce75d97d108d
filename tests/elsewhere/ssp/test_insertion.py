"""What insert writes into a description: valid, at its place, in the way of the file; and that remove undoes it."""

import io
from pathlib import Path

import pytest
from lxml import etree

from couplant.base.errors import UsageError
from couplant.elsewhere.ssp import Request, insert, listing, remove
from tests.elsewhere.ssp import systems
from tests.elsewhere.ssp.systems import (
    MASS_1,
    MASS_2,
    NAMES,
    STEP,
    Way,
    component,
    description,
    description_in,
    entries,
)

SCHEMAS = Path(__file__).parent / "schema"
SSD = "{http://ssp-standard.org/SSP1/SystemStructureDescription}"
SSC = "{http://ssp-standard.org/SSP1/SystemStructureCommon}"
X1 = "mass_1.x1->mass_2.x1"
GEOMETRY = '<ssd:ElementGeometry x1="{}" y1="0" x2="{}" y2="40"/>'
TRANSFORMED = (
    '<ssc:LinearTransformation factor="2.5" offset="-1"/>'
    '<ssd:ConnectionGeometry pointsX="1  2 3" pointsY="4 5 6"/>'
    '<ssd:Annotations><ssc:Annotation type="org.example"><note xmlns="urn:n">a &lt; b</note></ssc:Annotation>'
    "</ssd:Annotations>"
)
UNITS = '\n  <ssd:Units>\n    <ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>\n  </ssd:Units>'
ENUMERATIONS = (
    '\n  <ssd:Enumerations>\n    <ssc:Enumeration name="State"><ssc:Item name="on" value="1"/></ssc:Enumeration>'
    "\n  </ssd:Enumerations>"
)
EXPERIMENT = '\n  <ssd:DefaultExperiment startTime="0.0" stopTime="25.0"/>'


def one(way, *parts, more="", version="1.0"):
    """Return a description with one connection."""
    return description(systems.system([MASS_1, MASS_2, *parts], [way]), version, more)


def plain(start=("mass_1", "x1"), end=("mass_2", "x1"), **more):
    return one(Way(start, end, **more))


def request(*signals, **more):
    return Request(**{"signals": signals or (X1,), "macro_step": STEP, **more})


@pytest.fixture
def put(tmp_path, masses):
    """Return a function that inserts into descriptions and returns what was done, and the text then."""

    def work(text, *signals, options=None, **more):
        before = systems.archive(tmp_path / "in.ssp", text, masses["2"])
        done = insert(before, tmp_path / "out.ssp", request(*signals, **more), **(options or {}))
        return done, description_in(tmp_path / "out.ssp")

    return work


def validate(text):
    root = etree.fromstring(text.encode())
    folder = SCHEMAS / root.get("version")
    schema = etree.XMLSchema(etree.parse(str(folder / "SystemStructureDescription.xsd")))
    schema.assertValid(root)
    return root


def test_our_own_systems_are_valid():
    for text in (systems.flat(), systems.nested(), systems.networked(), systems.flat("2.0"), plain(inside=TRANSFORMED)):
        validate(text)


@pytest.mark.parametrize(
    ("version", "status", "more"),
    [
        ("1.0", False, ""),
        ("1.0", True, ENUMERATIONS),
        ("2.0", True, ENUMERATIONS + UNITS + EXPERIMENT),
        ("2.0", True, UNITS),
        ("2.0", False, EXPERIMENT),
    ],
)
def test_what_is_written_is_valid_and_stays_of_its_version(put, version, status, more):
    _, text = put(one(Way(("mass_1", "x1"), ("mass_2", "x1")), more=more, version=version), options={"status": status})
    root = validate(text)
    assert root.get("version") == version
    assert [unit.get("name") for unit in root.iter(f"{SSC}Unit")].count("m") == 1
    defined = {e.get("name") for e in root.iterfind(f"{SSD}Enumerations/*")}
    (own,) = (c for c in root.iter(f"{SSD}Component") if c.get("name") == "mass_2_x1_coupling")
    assert {e.get("name") for e in own.find(f"{SSD}Connectors").iter(f"{SSC}Enumeration")} <= defined
    assert (len(own.find(f"{SSD}Connectors")) > 2) == status
    if more.startswith(ENUMERATIONS) and status:
        assert "State_2" in defined  # theirs has other items


TEXTS = {
    "flat": (systems.flat(), NAMES),
    "swapped": (systems.flat(swapped=("x1", "v1", "f")), NAMES),
    "nested": (systems.nested(), [n.replace("mass_2", "inner.mass_2") for n in NAMES]),
    "line ends of Windows": (systems.flat().replace("\n", "\r\n"), NAMES),
    "one line": (systems.flat().replace("\n", "").replace("  ", ""), NAMES),
    "tabulators": (systems.flat().replace("  ", "\t"), NAMES),
    "byte order mark": ("\ufeff" + systems.flat(), NAMES),
    "units": (systems.flat(more=UNITS), NAMES),
    "units and enumerations": (systems.flat(more=ENUMERATIONS + UNITS + EXPERIMENT), NAMES),
    "transformed": (plain(inside=TRANSFORMED, more='suppressUnitConversion="true"'), [X1]),
    "transformed and swapped": (plain(("mass_2", "x1"), ("mass_1", "x1"), inside=TRANSFORMED), [X1]),
    "single quotes": (plain().replace('"', "'"), [X1]),
    "signs that look like tags": (plain(more='description="a > b /> &amp; &#x41;"'), [X1]),
    "comments": (systems.flat().replace("<ssd:Connection ", "<!-- <x> --> <ssd:Connection "), NAMES),
    "letters of all kinds": (systems.flat().replace('name="two"', 'name="zwei Mäße ✓"'), NAMES),
    "units that nobody defines": (plain().replace("<ssc:Real/>", '<ssc:Real unit="m"/>'), [X1]),
    "a unit of the source only": (
        plain().replace('"x1" kind="output"><ssc:Real/>', '"x1" kind="output"><ssc:Real unit="m"/>'),
        [X1],
    ),
    "attributes over lines": (plain().replace(" endElement", "\n         endElement"), [X1]),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", TEXTS)
def test_remove_gives_back_the_text_and_all_other_entries(tmp_path, put, name):
    text, signals = TEXTS[name]
    _, between = put(text, *signals, options={"status": name != "flat"})
    validate(between.removeprefix("\ufeff"))
    remove(tmp_path / "out.ssp", tmp_path / "back.ssp")
    assert between != text
    assert description_in(tmp_path / "back.ssp") == text
    found, before = entries(tmp_path / "back.ssp"), entries(tmp_path / "in.ssp")
    assert list(found.items()) == list(before.items())


def test_the_two_connections_start_at_the_output_and_the_first_keeps_what_it_had(put):
    _, text = put(TEXTS["transformed and swapped"][0])
    first, second = etree.fromstring(text.encode()).iter(f"{SSD}Connection")
    assert dict(first.attrib) == {
        "startElement": "mass_1",
        "startConnector": "x1",
        "endElement": "mass_2_x1_coupling",
        "endConnector": "y",
    }
    assert dict(second.attrib) == {
        "startElement": "mass_2_x1_coupling",
        "startConnector": "y_hat",
        "endElement": "mass_2",
        "endConnector": "x1",
    }
    assert first.find(f"{SSC}LinearTransformation").get("factor") == "2.5"
    assert first.find(f"{SSD}ConnectionGeometry").get("pointsX") == "3 2  1"
    assert len(second) == 0


def test_conversion_of_units_stays_on_the_first_connection(put):
    """The coupling FMU has the unit of the receiver, so that nothing is left to convert behind it."""
    receiver = MASS_2.replace('name="x1" kind="input"><ssc:Real/>', 'name="x1" kind="input"><ssc:Real unit="mm"/>')
    millimetres = '<ssd:Units><ssc:Unit name="mm"><ssc:BaseUnit m="1" factor="0.001"/></ssc:Unit></ssd:Units>'
    way = Way(("mass_1", "x1"), ("mass_2", "x1"), more='suppressUnitConversion="true"')
    done, text = put(description(systems.system([MASS_1, receiver], [way]), more=millimetres))
    first, second = etree.fromstring(text.encode()).iter(f"{SSD}Connection")
    assert (first.get("suppressUnitConversion"), second.get("suppressUnitConversion")) == ("true", None)
    assert text.count('<ssc:Real unit="mm"/>') == 3
    assert [one.unit for one in done.placed] == ["mm"]
    validate(text)


def test_a_receiver_without_a_unit_gets_values_as_they_are(put, tmp_path, masses):
    """With a unit of its own, be it 1, the coupling FMU would let importers convert what comes in per cent."""
    bare = component("mass_2", ["x1", "v1"], ["f"], "resources/unknown.fmu")
    percent = MASS_1.replace('name="x1" kind="output"><ssc:Real/>', 'name="x1" kind="output"><ssc:Real unit="%"/>')
    units = '<ssd:Units><ssc:Unit name="%"><ssc:BaseUnit factor="0.01"/></ssc:Unit></ssd:Units>'
    _, text = put(description(systems.system([percent, bare], [Way(("mass_1", "x1"), ("mass_2", "x1"))]), more=units))
    (own,) = (c for c in validate(text).iter(f"{SSD}Component") if c.get("name") == "mass_2_x1_coupling")
    assert [dict(kind.attrib) for kind in own.iter(f"{SSC}Real")] == [{}, {}]
    assert text.count("<ssc:Unit ") == 1


@pytest.mark.parametrize("x1", ["NaN", "INF", "-INF", "1e308"])
def test_a_geometry_that_is_not_finite_is_not_taken_up(put, x1):
    box = f'<ssd:ElementGeometry x1="{x1}" y1="0" x2="-1e308" y2="10"/>\n      </ssd:Component>'
    _, text = put(plain().replace("\n      </ssd:Component>", box))
    validate(text)
    assert text.count("<ssd:ElementGeometry") == 2


def test_a_unit_of_the_settings_that_is_not_that_of_the_input_is_refused(put):
    with pytest.raises(UsageError, match=r'signals.mass_2_x1.unit = "ft", allowed "m", the unit of mass_2.x1'):
        put(plain(), assignments=['signals.mass_2_x1.unit="ft"'])


def test_each_of_three_receivers_gets_a_coupling_fmu_of_its_own(put):
    others = [component(name, ["x1", "v1"], ["f"], "resources/mass_2.fmu") for name in ("second", "third")]
    targets = ("mass_2", "second", "third")
    ways = [Way(("mass_1", "x1"), (name, "x1")) for name in targets]
    text = description(systems.system([MASS_1, MASS_2, *others], ways))
    settings = {
        "interface": {"name": "fan", "macro_step": STEP},
        "signals": {"x": {"from": "mass_1.x1", "to": [f"{name}.x1" for name in targets], "algorithm": "eros3"}},
    }
    done, written = put(text, signals=(), settings=settings)
    assert [one.component for one in done.placed] == [f"x_{name}_x1_coupling" for name in targets]
    assert {one.algorithm for one in done.placed} == {"eros3"}
    root = validate(written)
    ends = [(c.get("startElement"), c.get("endElement")) for c in root.iter(f"{SSD}Connection")]
    for name in targets:
        assert ends.count(("mass_1", f"x_{name}_x1_coupling")) == ends.count((f"x_{name}_x1_coupling", name)) == 1
    assert len(ends) == 6


def test_one_receiver_of_three_is_chosen_and_the_others_stay(put):
    others = [component(name, ["x1", "v1"], ["f"], "resources/mass_2.fmu") for name in ("second", "third")]
    ways = [Way(("mass_1", "x1"), (name, "x1")) for name in ("mass_2", "second", "third")]
    _, written = put(description(systems.system([MASS_1, MASS_2, *others], ways)), "mass_1.x1->second.x1")
    ends = [c.get("endElement") for c in etree.fromstring(written.encode()).iter(f"{SSD}Connection")]
    assert ends == ["mass_2", "second_x1_coupling", "second", "third"]


def test_the_coupling_fmu_is_put_into_the_system_of_the_receiver(put):
    _, text = put(systems.nested(), "mass_1.x1->inner.mass_2.x1", "inner.mass_2.f->mass_1.f")
    root = validate(text)
    top = root.find(f"{SSD}System")
    inner = top.find(f"{SSD}Elements/{SSD}System")
    names = [[e.get("name") for e in system.find(f"{SSD}Elements")] for system in (top, inner)]
    assert names == [["mass_1", "inner", "mass_1_f_coupling"], ["mass_2", "inner_mass_2_x1_coupling"]]
    first, second, *_ = inner.find(f"{SSD}Connections")
    assert "startElement" not in first.attrib and first.get("startConnector") == "place"
    assert second.get("endElement") == "mass_2"


def test_an_empty_name_of_an_element_is_the_system_and_foreign_prefixes_may_be_undeclared(put):
    text = systems.nested()
    foreign = '<ssd:Annotations><ssc:Annotation type="x"><osp:A><osp:B/></osp:A></ssc:Annotation></ssd:Annotations>'
    odd = text.replace("<ssd:Connection startConnector", '<ssd:Connection startElement="" startConnector')
    odd = odd.replace("</ssd:Connections>", f"</ssd:Connections>{foreign}")
    assert odd.count('startElement=""') and odd.count("osp:A") >= 2
    names = ("mass_1.x1->inner.mass_2.x1", "inner.mass_2.f->mass_1.f")
    _, written = put(odd, *names)
    _, plain = put(text, *names)
    assert written.replace(foreign, "").replace('startElement="" ', "") == plain


def test_files_without_prefix_get_none_for_what_has_none(put, tmp_path):
    text = plain().replace("<ssd:", "<").replace("</ssd:", "</").replace("xmlns:ssd", "xmlns")
    _, written = put(text, options={"status": True})
    assert "<Component name=" in written and "<ssc:Real" in written and "ssd" not in written
    validate(written)
    remove(tmp_path / "out.ssp", tmp_path / "back.ssp")
    assert description_in(tmp_path / "back.ssp") == text


def test_prefixes_that_are_not_declared_there_are_declared(put, tmp_path):
    space = 'xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"'
    bare = plain().replace(f" {space}", "").replace("<ssc:Real/>", f"<ssc:Real {space}/>")
    text = bare.replace("<ssd:Elements>", '<ssd:Elements xmlns:couplant="urn:theirs">')
    _, written = put(text, options={"status": True})
    validate(written)
    assert 'xmlns:couplant_="urn:couplant:ssp:1"' in written
    remove(tmp_path / "out.ssp", tmp_path / "back.ssp")
    assert description_in(tmp_path / "back.ssp") == text


def test_it_is_drawn_between_its_neighbours(put):
    parts = [part.replace("\n      </ssd:Component>", f"{GEOMETRY.format(*x)}\n      </ssd:Component>")
             for part, x in ((MASS_1, (0, 60)), (MASS_2, (200, 100)))]  # fmt: skip
    ways = [Way(("mass_1", name), ("mass_2", name)) for name in ("x1", "v1")]
    _, text = put(description(systems.system(parts, ways)), X1, "mass_1.v1->mass_2.v1")
    found = [dict(e.attrib) for e in validate(text).iter(f"{SSD}ElementGeometry")][2:]
    assert found == [
        {"x1": "75", "y1": "-2", "x2": "105", "y2": "18"},
        {"x1": "75", "y1": "22", "x2": "105", "y2": "42"},
    ]


def test_names_that_are_taken_get_a_number(tmp_path, masses):
    taken = component("Mass_2_X1_Coupling", ["f"], ["x1"], "resources/mass_1.fmu")
    files = masses["2"] | {"resources/IN_mass_2_x1.fmu": b"theirs"}
    before = systems.archive(tmp_path / "in.ssp", one(Way(("mass_1", "x1"), ("mass_2", "x1")), taken), files)
    done = insert(before, tmp_path / "out.ssp", request())
    assert [(one.component, one.file) for one in done.placed] == [
        ("mass_2_x1_coupling_2", "resources/in_mass_2_x1_2.fmu")
    ]
    assert entries(tmp_path / "out.ssp")["resources/IN_mass_2_x1.fmu"] == b"theirs"


def test_a_second_insertion_is_refused_and_others_are_not(tmp_path, put):
    put(systems.flat())
    out = tmp_path / "out.ssp"
    for signal in (X1, "mass_1.x1->mass_2_x1_coupling.y", "mass_2_x1_coupling.y_hat->mass_2.x1"):
        with pytest.raises(UsageError, match=r"there is the coupling FMU mass_2_x1_coupling already"):
            insert(out, tmp_path / "twice.ssp", request(signal))
    assert not (tmp_path / "twice.ssp").exists()
    insert(out, out, request(NAMES[1]))
    rows = {f"{row.source}->{row.target}": row.coupling for row in listing(out).rows}
    assert rows == {X1: "mass_2_x1_coupling", NAMES[1]: "mass_2_v1_coupling", NAMES[2]: ""}
    remove(out, out)
    assert description_in(out) == systems.flat()


def test_of_variants_the_one_that_is_named_is_changed(tmp_path, masses):
    texts = {"SystemStructure.ssd": systems.flat(), "Second.ssd": systems.flat(swapped=("f",))}
    before = systems.archive(tmp_path / "in.ssp", texts, masses["2"])
    insert(before, tmp_path / "out.ssp", request(*NAMES), variant="Second.ssd")
    assert description_in(tmp_path / "out.ssp") == texts["SystemStructure.ssd"]
    assert {row.coupling for row in listing(tmp_path / "out.ssp").rows} == {""}
    assert "" not in {row.coupling for row in listing(tmp_path / "out.ssp", "Second.ssd").rows}
    with pytest.raises(UsageError, match=r"variant = Third.ssd, allowed SystemStructure.ssd, Second.ssd"):
        insert(before, tmp_path / "none.ssp", request(), variant="Third.ssd")
    both = tmp_path / "both.ssp"
    insert(tmp_path / "out.ssp", both, request(*NAMES))
    assert remove(both, both).components.keys() == texts.keys()
    assert entries(both) == entries(before)


SIGNATURE = '<ssc:Signature role="authenticity" type="application/x-pki" source="{}.p7s"/>'


def signed():
    signed_mass = MASS_2.replace("\n      </ssd:Component>", f"{SIGNATURE.format('mass')}\n      </ssd:Component>")
    inner_own = systems.connectors(["place"], []) + SIGNATURE.format("inner")
    inner = systems.system([signed_mass], [Way(("", "place"), ("mass_2", "x1"))], "inner", inner_own)
    other_own = systems.connectors([], []).replace("<ssd:Connectors></ssd:Connectors>", "") + SIGNATURE.format("other")
    two = [component("a", [], ["x1"], "resources/mass_1.fmu"), component("b", ["f"], [], "resources/mass_1.fmu")]
    other = systems.system(two, [Way(("a", "x1"), ("b", "f"))], "other", other_own)
    text = systems.system([MASS_1, inner, other], [Way(("mass_1", "x1"), ("inner", "place"))])
    return description(text, "2.0", SIGNATURE.format("all"))


def test_signatures_that_do_not_hold_any_more_are_refused_or_dropped(put):
    text, signal = signed(), "mass_1.x1->inner.mass_2.x1"
    validate(text)
    with pytest.raises(UsageError, match=r"signatures of the description, the system inner would not hold any more"):
        put(text, signal)
    _, written = put(text, signal, options={"drop_signatures": True})
    kept = [s.get("source") for s in validate(written).iter(f"{SSC}Signature")]
    assert kept == ["mass.p7s", "other.p7s"]


def test_an_fmu_has_the_version_of_its_receiver(tmp_path, masses):
    mixed = {"resources/mass_1.fmu": masses["2"]["resources/mass_1.fmu"],
             "resources/mass_2.fmu": masses["3"]["resources/mass_2.fmu"]}  # fmt: skip
    before = systems.archive(tmp_path / "in.ssp", systems.flat(), mixed)
    insert(before, tmp_path / "out.ssp", request(X1, NAMES[2]))
    found = entries(tmp_path / "out.ssp")
    versions = [_version(found[f"resources/in_{name}.fmu"]) for name in ("mass_2_x1", "mass_1_f")]
    assert versions == ["3.0", "2.0"]
    insert(before, tmp_path / "out.ssp", request(X1), fmi="2")
    assert _version(entries(tmp_path / "out.ssp")["resources/in_mass_2_x1.fmu"]) == "2.0"


def _version(content):
    from fmpy import read_model_description

    return read_model_description(io.BytesIO(content)).fmiVersion


def test_settings_are_start_values_inside_the_fmu(put, tmp_path):
    """ParameterBindings are ignored by some importers without a word."""
    from fmpy import read_model_description

    done, text = put(plain(), host="jacobi", steps=3, assignments=['signals.mass_2_x1.algorithm="eros3"'])
    assert "ParameterBinding" not in text
    fmu = read_model_description(io.BytesIO(entries(tmp_path / "out.ssp")[done.placed[0].file]))
    starts = {v.name: v.start for v in fmu.modelVariables}
    assert (starts["latency.constant_steps"], starts["algorithm.selected"], starts["macro_step"]) == ("3", "4", "0.02")
