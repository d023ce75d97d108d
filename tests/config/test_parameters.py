"""Keys that are parameters of the network FMU allow what it allows, in scenarios and in benches alike."""

import pytest

from couplant.config.bench import BenchTable
from couplant.config.frame.read import schema_lines
from couplant.config.network import NetworkTable, RelayTable
from couplant.pack.describe.model_sheet import limits, read_sheet

VARIABLES = {variable.name: variable for variable in read_sheet("network").variables}
KEYS = [
    (NetworkTable, "order", "latency.order"),
    (NetworkTable, "loss", "loss"),
    (NetworkTable, "clock_offset", "clock.offset"),
    (NetworkTable, "clock_drift", "clock.drift"),
    (NetworkTable, "seed", "seed"),
    (RelayTable, "loss", "loss"),
    (RelayTable, "seed", "seed"),
    (BenchTable, "repeat", "burst"),
]


@pytest.mark.parametrize(("table", "key", "name"), KEYS)
def test_the_ranges_are_those_of_the_fmu(table, key, name):
    low, high = limits(VARIABLES[name])
    for good in (low, high):
        assert schema_lines(table, {key: good}) == []
    for bad in (2 * low - high - 1, 2 * high - low + 1):
        (line,) = schema_lines(table, {key: bad})
        assert line.startswith(
            f"{key} = {bad}, allowed {low:g}" if isinstance(low, float) else f"{key} = {bad}, allowed"
        )


@pytest.mark.parametrize(("table", "key", "name"), [row for row in KEYS if row[0] is not BenchTable])
def test_the_start_values_are_those_of_the_fmu(table, key, name):
    assert getattr(table(), key) == VARIABLES[name].start


def test_the_words_are_those_of_the_fmu():
    for table in (NetworkTable, RelayTable):
        assert table.model_fields["loss"].description == "probability that a value is lost [-]"
