"""What judges has made nothing: designs, ranks, recommendations."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.analysis.signal.recording import span_with_news, split
from couplant.base.style import WIRE
from couplant.design.inspection import inspect_recording
from couplant.design.judged import judge_span
from couplant.design.recommendation import AUTO_DESIGNED, AUTO_LEARNT, DESIGNED, EVERY, LEARNT
from couplant.tables import resample
from tests.design.test_torque import torque

STEP = 0.01


def recording(value):
    return resample(np.arange(value.size) * STEP, value, STEP)


def signals(kind, rng):
    n = np.arange(600)
    return {
        "walk": np.cumsum(rng.standard_normal(600)),
        "tone": np.sin(0.1 * n) + 0.02 * rng.standard_normal(600),
        "steps": np.repeat(rng.standard_normal(20), 30),
        "quantised": np.round(3 * np.sin(0.05 * n)) / 3,
        "noise": rng.standard_normal(600),
    }[kind]


def test_the_parts_are_next_to_each_other():
    one = recording(np.arange(100.0))
    train, span = split(one)
    assert (train.value.size, span.first, span.last) == (60, 60, 100) and train.value[-1] == 59.0
    assert span.seconds(STEP) == (0.6, 0.99)
    assert (span_with_news(one, 3, "event").first, span_with_news(one, 3, "step").first) == (3, 4)
    assert split(recording(np.arange(100_000.0)))[1].size == 10_000


def test_what_judges_does_not_change_the_design():
    one = torque("a")
    other = one.value.copy()
    other[split(one)[1].first :] = torque("high").value[split(one)[1].first :]
    first, second = (inspect_recording(each, 6, "step") for each in (one, replace(one, value=other)))
    assert first.design.algorithm == second.design.algorithm
    assert first.judged.rows[DESIGNED] != second.judged.rows[DESIGNED]
    assert first.made_of == 7.2 and first.judged.seconds == (7.2, 11.99)
    auto, eros3 = (first.judged.rows[name].mae / first.judged.rows[WIRE].mae for name in ("auto", "eros3"))
    assert (auto, eros3) == pytest.approx((0.69, 2.7), rel=0.02), "the README tells it"


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["walk", "tone", "steps", "quantised", "noise"])
def test_nothing_is_recommended_that_is_worse_than_no_fmu(kind):
    found = inspect_recording(recording(signals(kind, np.random.default_rng(5))), 4, "step")
    assert {row.algorithm for row in found.table} == {WIRE, *EVERY, DESIGNED, AUTO_DESIGNED, LEARNT, AUTO_LEARNT}
    errors = [row.mae for row in found.table]
    assert errors == sorted(errors)
    own, wire = found.judged.rows[found.recommended], found.judged.rows[WIRE]
    assert own.mae <= wire.mae and own.rms <= wire.rms
    shifted = [rows[found.recommended].rms / rows[WIRE].rms for rows in found.judged.shifted.values()]
    assert len(shifted) == 6 and max(shifted) <= 1.0


def test_a_network_is_judged_on_demand():
    one = torque("b")
    short = replace(one, value=one.value[:300])
    found = inspect_recording(short, 6, "step", network=True)
    assert np.isfinite(found.judged.rows["network"].mae)


def test_another_recording_judges_from_its_first_received_value_on():
    found = inspect_recording(torque("a"), 6, "event", judge=("b.csv", torque("b")))
    assert found.judged.other == "b.csv" and found.judged.seconds == (0.06, 11.99) and found.made_of == 12.0
    alone = judge_span(torque("b"), span_with_news(torque("b"), 6, "event"), 6, "event", common=found.protection)
    assert all(found.judged.rows[name] == alone.rows[name] for name in EVERY)
