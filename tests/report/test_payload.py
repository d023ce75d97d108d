import base64

import numpy as np
import pytest

from couplant.base.style import LIGHT
from couplant.cosim.judgement.judging import OWN
from couplant.report.signals import intervals
from couplant.report.simulation import group_size, payload
from couplant_runtime.generated.algorithms import ROWS
from tests.report.conftest import CODES


def column(data, index):
    return np.frombuffer(base64.b64decode(data["columns"][index]), dtype="<f4")


def test_columns_hold_the_signals(canonical):
    data = payload(canonical)
    for run, packed in zip(canonical.runs, data["runs"], strict=True):
        for name, trace in run.traces.items():
            stored = packed["traces"][name]
            assert column(data, stored["reference"]) == pytest.approx(trace.reference, rel=1e-6, abs=1e-9)
            total = column(data, stored["reference"]).astype(float) + column(data, stored["error"])
            assert total == pytest.approx(trace.estimate, rel=1e-6, abs=1e-6)
            assert np.isnan(column(data, stored["received"])[:3]).all()
            first, step, count = stored["time"]
            assert first + step * np.arange(count) == pytest.approx(trace.time)


def test_equal_columns_are_stored_once(canonical):
    data = payload(canonical)
    assert len({stored["reference"] for run in data["runs"] for stored in run["traces"].values()}) == 1


def test_values_too_large_for_the_page_are_clipped(make_run, make_result):
    data = payload(make_result([make_run("zoh", "step", 0.1, rate=20.0)]))
    assert np.isfinite(column(data, data["runs"][0]["traces"]["f"]["error"])).all()


def test_intervals_cover_the_run():
    time = np.arange(6) * 0.5
    assert intervals(time, np.array([1, 1, 4, 4, 4, 2])) == [[0.0, 1.0, 1], [1.0, 2.5, 4], [2.5, 3.0, 2]]
    assert intervals(time[:0], np.array([])) == []


def test_intervals_never_lose_a_flag_when_rows_are_joined():
    flags = np.zeros(1000, dtype=bool)
    flags[777] = True
    marked = [part for part in intervals(np.arange(1000) * 0.1, flags, 10) if part[2]]
    assert marked == [[77.0, 78.0, 1]]


def test_joined_rows_show_the_fallback():
    active = np.full(100, 5)
    active[42] = 2
    parts = intervals(np.arange(100) * 1.0, active, 10, np.minimum)
    assert parts == [[0.0, 40.0, 5], [40.0, 50.0, 2], [50.0, 100.0, 5]]


def test_numbers_of_algorithms_are_those_of_the_fmu(canonical):
    *names, own = payload(canonical)["names"]
    assert {name: number for number, name in enumerate(names)} == {"none": 0} | {r.name: r.number for r in ROWS}
    # that of an algorithm in Python, as runs number it; a strip needs a colour for it
    assert (own, len(names)) == ("own", OWN)
    assert payload(canonical)["looks"]["own"]["colour"] in LIGHT.algorithms


def test_every_name_has_the_colour_of_the_table(make_run, make_result):
    names = ("coupling_element", "recursive_fir", "network_server", "mine")
    found = payload(make_result([make_run(name, "step", 0.1) for name in names]))
    assert [run["colour"] for run in found["runs"]][:3] == ["smb", "linear", "network"]
    assert found["looks"]["eros3"] == {"label": "EROS3", "colour": "eros3"}


def test_runs_of_one_family_have_colours_of_their_own(make_run, make_result):
    names = ("eros3", "network_off", "network_unsafe", "network_embedded", "network_server", "configured")
    result = make_result([make_run(name, timing, 0.1) for timing in ("event", "step") for name in names])
    result.runs[0].traces["f"].active[:3] = CODES["foh"]
    shown = {run["algorithm"]: run["colour"] for run in payload(result)["runs"]}
    assert len(set(shown.values())) == len(names) and "foh" not in shown.values()
    assert (shown["eros3"], shown["network_off"], shown["configured"]) == ("eros3", "network", "linear")


def test_lines_of_variants_are_dashed(make_run, make_result):
    runs = payload(make_result([make_run(name, "step", 0.1) for name in ("network", "network_server")]))["runs"]
    assert [run["dash"] for run in runs] == [(), (9, 3, 2, 3)]


def test_long_runs_are_thinned_to_their_extremes(make_run, make_result):
    result = make_result([make_run("foh", "step", 0.01, rows=400_000, signals=("f",))])
    trace = result.runs[0].traces["f"]
    trace.estimate[123_456] = 1.9
    group = group_size(result)
    data = payload(result)
    stored = data["runs"][0]["traces"]["f"]
    assert data["group"] == group > 1
    assert column(data, stored["estimate"]).max() == pytest.approx(1.9)
    first, step, count = stored["time"]
    assert count == len(column(data, stored["estimate"]))
    assert first + step * count >= trace.time[-1]


def test_short_runs_are_complete(canonical):
    assert group_size(canonical) == 1
