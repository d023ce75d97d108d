"""What has to hold in every importer."""

import pytest

from tests.importers.oscillator import LATENCY_STEPS, MACRO_STEP, differences, mean_error, replay
from tests.importers.probes import LEADS
from tests.isolated import ROOT


def steps_continue(records):
    """Every step begins where the one before ended and is as long as the macro step."""
    ends = [0.0, *(record.end for record in records)]
    assert [record.t for record in records] == ends[:-1]
    assert all(abs(record.end - record.t - MACRO_STEP) < 1e-12 for record in records)


def outputs_are_those_of_the_python_runtime(report):
    """Bit for bit, for the inputs that arrived; and the inputs were worth it."""
    for signal, records in report["records"].items():
        assert differences(records, replay(signal, records)) == []
    jumps, late = (report["records"][signal] for signal in ("f", "v1"))
    assert any(record.outputs["discontinuity.detected"] for record in jumps)
    assert any(record.outputs["output.limited"] for record in jumps)
    assert {record.outputs["latency.steps"] for record in late} >= set(range(LATENCY_STEPS, LATENCY_STEPS + 4))


def estimates_make_up_for_the_latency(report):
    """The estimate is near what the sender sends at the same time; what arrives is not. The force is limited."""
    for signal in ("x1", "v1"):
        records, sent = report["records"][signal], report["sent"][signal]
        estimated = mean_error([record.outputs["y_hat"] for record in records], sent)
        arrived = mean_error([record.inputs["y"] for record in records[1:]], sent[:-1])
        assert estimated < 0.3 * arrived, (signal, estimated, arrived)


def in_the_table(tool):
    """Return host and delay [steps] that docs/importing.md tells for a tool, of those that are measured."""
    rows = (ROOT / "docs" / "importing.md").read_text(encoding="utf-8").splitlines()
    (row,) = (row for row in rows if row.startswith(f"| {tool}") and "(measured)" in row)
    *_, host, delay = (cell.strip() for cell in row.strip(" |").split("|"))
    return host, 0.0 if delay == "none" else float(delay)


def probes_measure(report, leads, host="", tool=None):
    """The probe measures `leads`, of receiver, sender and feedthrough, and the docs name that host for the tool."""
    assert [report["coupling"][name] for name in LEADS] == pytest.approx(list(leads), abs=1e-9)
    named, alone = (host, 0.0) if tool is None else in_the_table(tool)
    assert host in named
    for name, delay in (("coupling", leads[1]), ("alone", alone)):
        found = report[name]
        assert found["delay.steps"] == delay
        assert found["delay.min"] == pytest.approx(delay * MACRO_STEP, abs=1e-12)
        assert found["delay.max"] == pytest.approx(delay * MACRO_STEP, abs=1e-12)
        assert abs(found["step.size"] - MACRO_STEP) < 1e-12
