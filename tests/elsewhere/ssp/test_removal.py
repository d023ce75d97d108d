"""What others have edited between insert and remove stays."""

import pytest

from couplant.base.errors import UsageError
from couplant.elsewhere.ssp import Request, insert, remove
from tests.elsewhere.ssp import systems
from tests.elsewhere.ssp.systems import NAMES, STEP, Way, component, description_in, entries

OWN = component("logger", ["u"], ["y"], "resources/mass_1.fmu")


@pytest.fixture(scope="module")
def between(tmp_path_factory, masses):
    """Return an archive with coupling FMUs."""
    folder = tmp_path_factory.mktemp("between")
    before = systems.archive(folder / "in.ssp", systems.flat(swapped=("f",)), masses["2"])
    insert(before, folder / "out.ssp", Request(NAMES, macro_step=STEP), status=True)
    return folder / "out.ssp"


@pytest.fixture
def edited(tmp_path, between):
    """Return a function that edits the text, removes, and returns the text then."""

    def work(*changes):
        text = description_in(between)
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        files = {name: content for name, content in entries(between).items() if name.endswith(".fmu")}
        path = systems.archive(tmp_path / "edited.ssp", text, files)
        remove(path, tmp_path / "back.ssp")
        assert list(entries(tmp_path / "back.ssp")) == ["SystemStructure.ssd", *list(files)[:2]]
        return description_in(tmp_path / "back.ssp")

    return work


BEFORE = systems.flat(swapped=("f",))
END_OF_ELEMENTS, END_OF_CONNECTIONS = "\n    </ssd:Elements>", "\n    </ssd:Connections>"


def test_a_component_and_its_connection_stay(edited):
    way = Way(("mass_1", "x1"), ("logger", "u")).text()
    parts, ways = f"\n      {OWN}{END_OF_ELEMENTS}", f"\n      {way}{END_OF_CONNECTIONS}"
    added = (END_OF_ELEMENTS, parts), (END_OF_CONNECTIONS, ways)
    expected = BEFORE
    for old, new in added:
        expected = expected.replace(old, new)
    assert edited(*added) == expected


def test_comments_stay(edited):
    """Between ours, before them and in what is taken out around units."""
    added = (
        ("\n    <ssd:Connections>", "\n    <!-- one --><ssd:Connections>"),
        (END_OF_ELEMENTS, f"<!-- two -->{END_OF_ELEMENTS}"),
    )
    expected = BEFORE
    for old, new in added:
        expected = expected.replace(old, new)
    more = ("<ssd:Units>", "<ssd:Units><!-- three -->")
    assert edited(*added) == expected
    assert "<!-- three -->" in edited(*added, more) and "Units>" not in edited(*added, more)


def test_moved_blocks_stay_where_they_are(edited, between):
    text = description_in(between)
    begin, end = text.index("\n    <ssd:Connections>"), text.index(END_OF_CONNECTIONS) + len(END_OF_CONNECTIONS)
    first, second = (name for name in _components(text))
    swapped = text.replace(first, "@").replace(second, first).replace("@", second)
    expected_first, expected_second = _components(BEFORE)
    turned = BEFORE.replace(expected_first, "@").replace(expected_second, expected_first).replace("@", expected_second)
    assert edited((text[:begin], swapped[:begin])) == turned
    assert end > begin


def _components(text):
    """Return the two masses."""
    begin = text.index("<ssd:Component ")
    middle = text.index("<ssd:Component ", begin + 1)
    end = text.index("</ssd:Component>", middle) + len("</ssd:Component>")
    return text[begin : text.index("</ssd:Component>") + len("</ssd:Component>")], text[middle:end]


def test_renamed_coupling_fmus_are_known_by_their_annotation(tmp_path, between):
    text = description_in(between).replace("mass_2_x1_coupling", "predictor")
    files = {name: content for name, content in entries(between).items() if name.endswith(".fmu")}
    path = systems.archive(tmp_path / "renamed.ssp", text, files)
    done = remove(path, tmp_path / "back.ssp")
    assert "predictor" in done.components["SystemStructure.ssd"]
    assert description_in(tmp_path / "back.ssp") == BEFORE


def test_a_unit_that_others_use_since_stays(edited):
    text = edited(('name="f" kind="output"><ssc:Real/>', 'name="f" kind="output"><ssc:Real unit="N"/>'))
    assert '<ssc:Unit name="N">' in text and '<ssc:Unit name="m">' not in text and "Enumeration" not in text


def test_an_edited_first_connection_keeps_what_was_added(edited):
    old = '<ssd:Connection startElement="mass_1" startConnector="x1" endElement="mass_2_x1_coupling" endConnector="y"/>'
    new = old.replace("/>", '><ssc:LinearTransformation factor="2"/></ssd:Connection>')
    kept = new.replace("mass_2_x1_coupling", "mass_2").replace('endConnector="y"', 'endConnector="x1"')
    assert kept in edited((old, new))


def test_others_behind_the_estimate_get_the_signal_itself(edited):
    way = Way(("mass_2_x1_coupling", "y_hat"), ("logger", "u"))
    text = edited(
        (END_OF_ELEMENTS, f"\n      {OWN}{END_OF_ELEMENTS}"),
        (END_OF_CONNECTIONS, f"\n      {way.text()}{END_OF_CONNECTIONS}"),
    )
    assert Way(("mass_1", "x1"), ("logger", "u")).text() in text


def test_where_the_receiver_is_gone_the_signal_goes_nowhere(edited, between):
    gone = Way(("mass_2_x1_coupling", "y_hat"), ("mass_2", "x1")).text()
    text = edited((f"\n      {gone}", ""))
    assert "coupling" not in text and 'startConnector="x1"' not in text


LOG = systems.connectors([], ["log"])
OURS = Way(("mass_2_x1_coupling", "y_hat"), ("mass_2", "x1")).text()
FIRST = Way(("mass_1", "x1"), ("mass_2_x1_coupling", "y")).text()
TOP = '<ssd:System name="two">'
TRANSFORMATION = '<ssc:LinearTransformation factor="2"/>'


@pytest.mark.parametrize("place", ["first", "last"])
def test_a_connector_of_the_system_behind_the_estimate_gets_the_signal_itself(edited, place):
    way = Way(("mass_2_x1_coupling", "y_hat"), ("", "log")).text()
    there = (FIRST, f"{way}{FIRST}") if place == "first" else (END_OF_CONNECTIONS, f"{way}{END_OF_CONNECTIONS}")
    text = edited((TOP, f"{TOP}{LOG}"), there)
    for target in (("", "log"), ("mass_2", "x1")):
        assert text.count(Way(("mass_1", "x1"), target).text()) == 1


def test_a_connector_of_the_system_in_the_place_of_the_receiver_gets_the_signal_itself(edited):
    swapped = Way(("mass_1_f_coupling", "y_hat"), ("mass_1", "f")).text()
    own = systems.connectors([], ["log", "force"])
    theirs = (
        (OURS, Way(("mass_2_x1_coupling", "y_hat"), ("", "log")).text()),
        (swapped, Way(("mass_1_f_coupling", "y_hat"), ("", "force")).text()),
    )
    text = edited((TOP, f"{TOP}{own}"), *theirs)
    assert Way(("mass_1", "x1"), ("", "log")).text() in text
    assert Way(("", "force"), ("mass_2", "f")).text() in text  # starts where the signal ends, as before


MORE = {
    "a transformation": {"inside": TRANSFORMATION},
    "a description": {"more": 'description="theirs"'},
    "points": {"inside": '<ssd:ConnectionGeometry pointsX="1" pointsY="1"/>'},
}


@pytest.mark.parametrize("name", MORE)
def test_an_edited_second_connection_keeps_what_was_added(edited, name):
    text = edited((OURS, Way(("mass_2_x1_coupling", "y_hat"), ("mass_2", "x1"), **MORE[name]).text()))
    assert Way(("mass_1", "x1"), ("mass_2", "x1"), **MORE[name]).text() in text
    assert text.count('endElement="mass_2" endConnector="x1"') == 1


def test_others_before_ours_keep_their_transformation(edited):
    way = Way(("mass_2_x1_coupling", "y_hat"), ("logger", "u"), TRANSFORMATION).text()
    text = edited((END_OF_ELEMENTS, f"\n      {OWN}{END_OF_ELEMENTS}"), (FIRST, f"{way}{FIRST}"))
    assert Way(("mass_1", "x1"), ("logger", "u"), TRANSFORMATION).text() in text
    assert Way(("mass_1", "x1"), ("mass_2", "x1")).text() in text


SECOND = Way(("mass_1", "v1"), ("mass_2_x1_coupling", "y")).text()
IMPOSSIBLE = {
    "both transformed": (
        [(OURS, OURS.replace("/>", f">{TRANSFORMATION}</ssd:Connection>")),
         (FIRST, FIRST.replace("/>", f">{TRANSFORMATION}</ssd:Connection>"))],
        "the connections before and behind it both have more than their ends",
    ),
    "one in the other": (
        [(OURS, Way(("mass_2_x1_coupling", "y_hat"), ("mass_2_v1_coupling", "y")).text()),
         (Way(("mass_1", "v1"), ("mass_2_v1_coupling", "y")).text(), "")],
        "it is connected to a coupling FMU",
    ),
    "two signals": ([(FIRST, FIRST + SECOND)], "mass_2_x1_coupling.y gets 2 signals, allowed is one"),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_undone_is_refused(tmp_path, edited, name):
    changes, sentence = IMPOSSIBLE[name]
    with pytest.raises(UsageError, match=f"mass_2_x1_coupling cannot be taken out: {sentence}"):
        edited(*changes)
    assert not (tmp_path / "back.ssp").exists()


def test_what_could_not_be_read_again_is_not_written(tmp_path, edited):
    """A connection at a connector that the coupling FMU does not have tells no direction."""
    way = Way(("mass_2_x1_coupling", "nothing"), ("mass_2", "x1")).text()
    with pytest.raises(UsageError, match=r"without its coupling FMUs SystemStructure.ssd has a connection with"):
        edited((END_OF_CONNECTIONS, f"{way}{END_OF_CONNECTIONS}"))
    assert not (tmp_path / "back.ssp").exists()


@pytest.mark.parametrize("source", ["SystemStructure.ssd", "documentation/report.pdf", "resources/mass_1.fmu"])
def test_only_coupling_fmus_go(tmp_path, between, source):
    """Others let a component that bears our mark run something else."""
    text = description_in(between).replace("resources/in_mass_2_x1.fmu", source)
    other = text.replace('source="resources/mass_1.fmu"', 'source="resources/mass_2.fmu"')
    files = {name: content for name, content in entries(between).items() if name.endswith(".fmu")}
    path = systems.archive(tmp_path / "in.ssp", other, files | {"documentation/report.pdf": b"theirs"})
    done = remove(path, tmp_path / "back.ssp")
    assert done.files == ("resources/in_mass_2_v1.fmu", "resources/in_mass_1_f.fmu")


def test_variants_without_coupling_fmus_may_be_of_other_kinds_and_keep_their_files(tmp_path, between):
    files = {name: content for name, content in entries(between).items() if name.endswith(".fmu")}
    draft = '<SystemStructureDescription><a source="resources/in_mass_1_f.fmu"/></SystemStructureDescription>'
    texts = {"SystemStructure.ssd": description_in(between), "old.ssd": draft}
    done = remove(systems.archive(tmp_path / "in.ssp", texts, files), tmp_path / "back.ssp")
    assert done.files == ("resources/in_mass_2_x1.fmu", "resources/in_mass_2_v1.fmu")
    assert description_in(tmp_path / "back.ssp", "old.ssd") == draft


def test_what_else_is_connected_is_refused(tmp_path, between):
    way = Way(("mass_2_x1_coupling", "state"), ("logger", "u")).text()
    changes = (END_OF_ELEMENTS, f"\n      {OWN}{END_OF_ELEMENTS}"), (END_OF_CONNECTIONS, f"{way}{END_OF_CONNECTIONS}")
    text = description_in(between)
    for old, new in changes:
        text = text.replace(old, new)
    path = systems.archive(tmp_path / "used.ssp", text, {})
    sentence = r"mass_2_x1_coupling cannot be taken out: mass_2_x1_coupling.state->logger.u is connected to it"
    with pytest.raises(UsageError, match=sentence):
        remove(path, tmp_path / "back.ssp")
    assert not (tmp_path / "back.ssp").exists()


def test_there_must_be_one(tmp_path, flat):
    with pytest.raises(UsageError, match=r"flat.ssp: there is no coupling FMU that couplant ssp insert has put in"):
        remove(flat, tmp_path / "back.ssp")


def test_an_fmu_that_others_use_too_stays(tmp_path, between):
    """A further component runs the coupling FMU."""
    other = component("again", ["y"], ["y_hat"], "resources/in_mass_2_x1.fmu")
    text = description_in(between).replace(END_OF_ELEMENTS, f"\n      {other}{END_OF_ELEMENTS}")
    files = {name: content for name, content in entries(between).items() if name.endswith(".fmu")}
    path = systems.archive(tmp_path / "used.ssp", text, files)
    remove(path, path)
    assert list(entries(path))[1:] == ["resources/mass_1.fmu", "resources/mass_2.fmu", "resources/in_mass_2_x1.fmu"]
