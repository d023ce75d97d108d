"""What recorded outputs of the probe say, in the dialects of tools."""

import zipfile

import pytest

from couplant.base.errors import CouplantError, UsageError
from couplant.pack.describe.model_sheet import read_sheet
from couplant.pack.probe import PARTNER, PROBE, WIRING, HostReport, build_probe, read_probe

NAMES = ("host_lead.receiver", "host_lead.sender", "host_lead.feedthrough")
JACOBI = HostReport("jacobi", 0.0, 0.0, 1.0)


@pytest.fixture
def table(tmp_path):
    """Return a function that writes a CSV file."""

    def write(*lines):
        path = tmp_path / "run.csv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("leads", "host", "plain", "direct"),
    [
        ((0, 0, 0), "reads_again", 0, 0),
        ((1, 1, 0), "reads_again", 2, 2),
        ((0, 0, 1), "jacobi", 0, 1),
        ((0, 0, 0.25), "jacobi", 0, 0.25),
        ((1, 0, 1), "jacobi", 1, 2),
        ((-1, 0, 1), "sequential", -1, 0),
        ((0, -1, 1), "sequential", -1, 0),
    ],
)
def test_the_host_follows_from_the_leads(table, leads, host, plain, direct):
    report = read_probe(table(",".join(("time", *NAMES, "result")), ",".join(map(str, (0.2, *leads, 8)))))
    assert (report.host, report.plain, report.direct) == (host, plain, direct)


@pytest.mark.parametrize(
    ("report", "follows"),
    [
        (HostReport("reads_again", 0.0, 0.0, 0.0), True),
        (HostReport("reads_again", 1.0, 0.0, 0.0), False),
        (HostReport("jacobi", 0.0, 0.0, 0.25), True),
        (HostReport("jacobi", 0.0, 0.0, 2.0), False),
        (HostReport("sequential", -1.0, 0.0, 1.0), True),
        (HostReport("sequential", 0.0, -0.25, 0.25), True),
        (HostReport("sequential", -1.0, 1.0, 1.0), False),
    ],
)
def test_delays_that_no_host_explains_are_those_of_connections(report, follows):
    assert report.follows == follows


def test_the_communication_step_is_read_if_it_is_there(table):
    heading = ",".join((*NAMES, "result", "probe.step.size"))
    assert read_probe(table(heading, "0,0,0.2499999999,8,0.005")) == HostReport("jacobi", 0.0, 0.0, 0.25, 0.005)


@pytest.mark.parametrize(
    "lines",
    [
        ("time,host_lead.receiver,host_lead.sender,host_lead.feedthrough,result", "0.1,0,0,0,1", "0.2,0,0,1,complete"),
        ("t;m.probe.host_lead.receiver;m.probe.host_lead.sender;m.probe.host_lead.feedthrough;m.probe.result",
         "0,2;0,0;0,0;1,0;8,0"),
        ("Time,host_lead_receiver,host_lead_sender,host_lead_feedthrough,complete", "0.2,0,0,1,1"),
        ("Time,probe::host_lead.receiver,probe::host_lead.sender,probe::host_lead.feedthrough,probe::complete",
         "[s],[-],[-],[-],[-]", "0.2,0,0,1,true"),
        ("Time,host_lead.receiver [10 real output],host_lead.sender [11 real output],"
         "host_lead.feedthrough [12 real output],complete [13 boolean output]", "0.2,0,0,1,true"),
    ],
    ids=["FMPy", "decimal comma", "Simulink", "Ecos", "libcosim"],
)  # fmt: skip
def test_columns_are_known_as_tools_write_them(table, lines):
    assert read_probe(table(*lines)) == JACOBI


@pytest.mark.parametrize("result", [item for item, _, _ in read_sheet(PROBE).variables[13].enum.items[:-1]])
def test_no_result_is_told_with_its_reason(table, result):
    texts = {item: text for item, _, text in read_sheet(PROBE).variables[13].enum.items}
    with pytest.raises(CouplantError) as error:
        read_probe(table(",".join((*NAMES, "result")), f"0,0,0,{result}"))
    assert str(error.value).endswith(f"run.csv: {texts[result]}.")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((",".join((*NAMES, "complete")), "0,0,0,false"), "complete is false"),
        ((",".join((*NAMES, "result")), "0,0,0,99"), 'result = "99", allowed running, 1, '),
        ((",".join((*NAMES, "result")), "0,0,x,8"), 'host_lead.feedthrough = "x", allowed a number'),
        ((",".join((*NAMES, "result")), "0,0,nan,8"), 'host_lead.feedthrough = "nan", allowed a number'),
        ((",".join(NAMES), "0,0,0"), "0 columns complete, allowed 1; there are: host_lead.receiver, "),
        (("time,result", "0,8"), "0 columns host_lead.receiver"),
        (("a.result,b.result", "8,8"), "2 columns result, allowed 1"),
        (("time,result",), "needs a row of headings and rows of numbers"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(table, lines, message):
    with pytest.raises((UsageError, CouplantError)) as error:
        read_probe(table(*lines))
    assert message in str(error.value) and "\n" not in str(error.value)


def test_both_are_built_and_have_what_is_to_be_connected(tmp_path):
    files = build_probe(tmp_path, fmi="3", macro_step=0.02)
    assert [file.stem for file in files] == [PROBE, PARTNER]
    for ends, causality in zip(zip(*WIRING, strict=True), ("output", "input"), strict=True):
        for name, variable in ends:
            kinds = {v.name: v.causality for v in read_sheet(name).variables}
            assert kinds[variable] == causality
    with zipfile.ZipFile(files[0]) as archive:
        text = archive.read("modelDescription.xml").decode()
    assert 'stepSize="0.02"' in text


def test_nothing_of_the_probe_depends_on_its_inputs_at_once():
    """As in a coupling FMU: no importer sees an algebraic loop."""
    assert not [v.name for v in read_sheet(PROBE).variables if v.dependencies]
    depending = [v.name for v in read_sheet(PARTNER).variables if v.dependencies]
    assert depending == ["feedthrough"]
