"""Every line of bad input in docs/bad_input.md, through finished FMUs of the Python backend in another process."""

import json

import pytest

from tests.isolated import isolated

DISCARD, FATAL = 2, 4


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    lines = isolated("tests.pack.observations", tmp_path_factory.mktemp("fmus"))
    return dict(json.loads(line) for line in lines)


def test_nan_or_infinite_y_is_a_step_without_news_logged_once_and_never_reaches_the_output(seen):
    found = seen["not_a_number"]
    assert found["out"] == [0.0, 1.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    assert found["logged"] == 1


def test_a_nan_stamp_is_a_step_without_news_logged_once(seen):
    found = seen["stamp_not_a_number"]
    assert found["out"] == [0.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    assert found["logged"] == 1


def test_a_stamp_in_the_future_or_older_than_the_history_is_not_stored_and_logged_once(seen):
    found = seen["stamps_in_future_and_past"]
    assert found["out"] == pytest.approx([81.0, 82.0, 83.0, 84.0])
    assert found["largest"] < 85.0
    assert (found["future"], found["older"]) == (1, 1)


def test_a_host_late_by_several_macro_steps_is_logged_and_the_run_goes_on(seen):
    found = seen["late_host"]
    assert found["accepted"]
    assert found["again"]
    assert found["out"] == pytest.approx([11.0, 12.0])
    assert found["logged"] == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("back", ("0.03", "0.05")),
        ("ahead", ("0.07", "0.05")),
        ("negative", ("-0.01",)),
        ("nan", ("nan", "0.05")),
        ("infinite", ("inf",)),
    ],
)
def test_time_going_backwards_or_a_step_not_positive_is_refused_and_names_the_times(seen, name, words):
    found = seen["wrong_times"][name]
    assert not found["accepted"]
    assert all(word in found["text"] for word in words)


def test_a_step_of_no_size_is_none(seen):
    assert seen["wrong_times"]["zero"]["accepted"]
    assert seen["wrong_times"]["zero"]["text"] == ""


@pytest.mark.parametrize("name", ["back", "ahead", "zero", "negative", "nan", "infinite"])
def test_after_a_refused_step_reset_or_a_restored_state_help(seen, name):
    found = seen["wrong_times"][name]
    assert found["restored"] == [7.0]
    assert found["after reset"] == [0.0, 1.0, 4.0, 5.0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("latency.constant_steps", "latency.constant_steps = 65, allowed 0 to 64"),
        ("latency.coast_steps", "latency.coast_steps = -1, allowed 0 to 64"),
        ("latency.offset", "latency.offset = -0.5"),
        ("macro_step", "macro_step = nan"),
        ("discontinuity.floor", "discontinuity.floor = inf"),
    ],
)
def test_a_fixed_parameter_out_of_range_is_an_error_at_initialisation(seen, name, text):
    found = seen["wrong_parameters"][name]
    assert found["status"] == FATAL
    assert found["text"].startswith(text)
    assert "allowed" in found["text"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("latency.mode", "latency.mode = 7, allowed 1 (constant), 2 (stamps)"),
        ("algorithm.selected", "algorithm.selected = 0, allowed 1 (zoh), 2 (foh)"),
        ("reconstruction", "reconstruction = -1, allowed 1 (linear), 2 (hold)"),
        ("output.on_loss", "output.on_loss = 3, allowed 1 (hold), 2 (safe)"),
        ("quality.action", "quality.action = 5, allowed 1 (ignore), 2 (warn), 3 (stop), 4 (hold)"),
    ],
)
def test_an_unknown_enumeration_value_is_refused_at_once_and_the_old_one_stays(seen, name, text):
    found = seen["wrong_parameters"][name]
    assert found["status"] == 0
    assert found["text"].startswith(text)


def test_a_tunable_out_of_range_is_refused_and_the_old_value_stays(seen):
    found = dict(seen["tunable_out_of_range"])
    assert found.pop("out") == [5.0]
    assert len(found) == 6
    for assignment, answer in found.items():
        assert answer["same"]
        assert answer["text"].startswith(assignment)
        assert "allowed" in answer["text"]


def test_an_estimate_beyond_limits_or_too_fast_is_limited_and_says_so(seen):
    found = seen["limits"]
    assert found["out"] == pytest.approx([0, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3, 2.5, 2, 2, 2])
    assert found["limited"] == [False] * 2 + [True] * 8 + [False] * 3


def test_functions_in_a_wrong_order_give_an_error_status_and_a_log_line(seen):
    found = seen["wrong_order"]
    refused = {name: status for name, status in found.items() if name.startswith("doStep")}
    assert set(refused.values()) == {DISCARD}
    fatal = [name for name in found if name.endswith("in a run") and "parameter" not in name]
    for name in (*fatal, "exitInitializationMode first", "unknown reference", "reference of another type"):
        assert found[name] == FATAL
    for call in ("fmi2DoStep", "fmi2SetupExperiment", "fmi2EnterInitializationMode", "fmi2ExitInitializationMode"):
        assert any(text.startswith(call) for text in found["texts"])


def test_functions_in_a_wrong_order_change_nothing_and_harmless_reads_are_allowed(seen):
    found = seen["wrong_order"]
    assert found["unchanged"] == [5.0]
    assert found["read before initialisation"] == 0
    assert found["read after terminate"] == 5.0  # what the last step gave
    assert (found["terminate"], found["terminate again"]) == (0, 0)
    assert (found["fixed parameter in a run"], found["fixed parameter stays"]) == (0, 1)


@pytest.mark.parametrize("name", ["truncated", "empty", "longer", "version", "magic", "body", "another FMU"])
def test_a_serialised_state_that_is_truncated_foreign_or_of_another_version_is_refused(seen, name):
    found = seen["foreign_states"]
    assert found[name]["same"]
    assert found[name]["text"].startswith("serialised state")
    assert found["out"] == [5.0]


def test_damaged_settings_in_the_fmu_are_an_error_at_instantiation(seen):
    found = seen["damaged_settings"]
    assert "instantiate" in found["text"]
    assert any("SettingsError" in text for text in found["logged"])


def test_quality_stop_ends_the_run_in_the_way_of_the_standard(seen):
    found = seen["quality_stop"]
    assert found["accepted"][:3] == [True] * 3
    assert not all(found["accepted"])
    assert found["terminated"] == 1
    assert "quality.action = stop ends the run" in found["text"]
