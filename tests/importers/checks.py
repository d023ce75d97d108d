"""What has to hold in every importer."""

from tests.importers.oscillator import LATENCY_STEPS, MACRO_STEP, differences, mean_error, replay


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


def probes_measure_no_delay(report):
    """As the table of docs/importing.md says."""
    for delays in report["probes"].values():
        assert (delays["delay.steps"], delays["delay.min"], delays["delay.max"]) == (0.0, 0.0, 0.0)
        assert delays["signal"] > 0.0
