"""Measured latencies from tables: lost and overtaken messages, files that hold none."""

import pytest

from couplant.analysis.signal.latencies import statistics
from couplant.base.errors import UsageError
from couplant.tables import read_latencies


def test_messages_that_are_lost_or_overtaken(tmp_path):
    path = tmp_path / "l.csv"
    rows = ["sequence,sent_s,received_s", "0,0.0,0.010", "1,0.1,0.115", "3,0.3,0.520", "4,0.4,0.410", "5,0.5,"]
    path.write_text("\n".join(rows), encoding="utf-8")
    found = statistics(read_latencies(path))
    assert (found.messages, found.lost, found.reordered) == (6, 2, 1)
    assert found.loss == pytest.approx(1 / 3)
    assert (found.minimum, found.maximum) == pytest.approx((0.01, 0.22))


def test_latencies_alone(tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("latency_s\n0.01\n0.02\n", encoding="utf-8")
    assert read_latencies(path).latency.tolist() == [0.01, 0.02]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("sent_s\n1\n", "are needed, found sent_s"),
        ("latency_s\n\nnan\n", "no message arrived"),
        ("latency_s\n-0.1\n", "allowed 0 to 1e6 s"),
    ],
)
def test_refusals(tmp_path, content, message):
    path = tmp_path / "l.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as found:
        read_latencies(path)
    assert message in str(found.value)
