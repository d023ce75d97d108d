"""Settings of an FMU: the parts that are worked out from the configuration."""

import hashlib

import pytest

from couplant.analysis.algorithms import LinearAlgorithm, Shifted
from couplant.analysis.signal.quality import quality_table, tolerance_parameters
from couplant.config import parse_interface
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.settings import runtime_settings
from couplant_runtime.config import Settings

FOH_3 = {"selected": "linear", "a": [4.0, -3.0], "A": [1.0, -1.0], "steps": 3}


def settings(timing="step", **signal):
    interface = {"name": "bench", "macro_step": 0.01, "timing": timing}
    return runtime_settings(parse_interface({"interface": interface, "signals": {"s": signal}}, "here"), "s")


@pytest.mark.parametrize("timing", ["event", "step"])
def test_weights_get_the_tolerance_of_the_algorithm_that_they_are(timing):
    made = settings(timing, algorithm=FOH_3, latency={"constant_steps": 3})
    horizon = 3 + (timing == "step")
    (expected,) = quality_table("foh", timing, [horizon])
    assert (made.zeta["linear"][horizon], made.delta["linear"][horizon]) == pytest.approx(expected, rel=1e-9)


def test_a_lead_of_a_fraction_of_a_step_moves_the_tolerance_of_weights():
    made = settings(algorithm=FOH_3, latency={"constant_steps": 2, "offset": 0.0025})
    expected = tolerance_parameters(Shifted(LinearAlgorithm(3, (4.0, -3.0), (1.0, -1.0)), 0.75), "step")
    assert (made.zeta["linear"][4], made.delta["linear"][4]) == pytest.approx(expected, rel=1e-9)


def test_weights_without_steps_hold_for_the_latency_with_its_offset():
    given = {key: value for key, value in FOH_3.items() if key != "steps"}
    made = settings(algorithm=given, latency={"constant_steps": 2, "offset": 0.0025})
    assert list(made.by_steps) == [3]


def test_start_values_follow_the_configuration():
    made = settings(
        start=2.0, algorithm="eros4", latency={"mode": "stamps"}, output={"max": 7.0}, discontinuity={"enabled": True}
    )
    values = {v.name: start for v, start in zip(made.variables(), made.start, strict=True)}
    assert (values["y"], values["algorithm.selected"], values["latency.mode"]) == (2.0, 5.0, 2.0)
    assert (values["output.max"], values["discontinuity.enabled"], values["macro_step"]) == (7.0, 1.0, 0.01)


TABLES = ("zeta", "delta", "real", "imaginary", "irregular", "correlation", "gradient", "weights", "derivative")
PINNED = {
    ("any", "event"): "eb559f807cb21644",
    ("any", "step"): "7884fee4f51e9be1",
    ("weights", "event"): "69f72f7af5c150da",
    ("weights", "step"): "5ba386570ca33c12",
    ("derivative", "event"): "578b69383c6afc9c",
    ("derivative", "step"): "79777fe43a638013",
    ("spectrum", "event"): "f7568e934ffda9f6",
    ("spectrum", "step"): "546539d0a40ded88",
}
WITH = {
    "any": {},
    "weights": {"algorithm": FOH_3, "latency": {"constant_steps": 3}},
    "derivative": {"algorithm": "linear", "derivative": "v", "latency": {"mode": "stamps"}},
    "spectrum": {"algorithm": "auto"},
}


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("kind", WITH)
def test_tables_have_the_same_bits_on_every_machine(kind, timing):
    """An FMU of any algorithm has these; where a table is meant to change, its new digest belongs here."""
    lists = settings(timing, **WITH[kind]).lists()
    text = "\n".join(f"{key} {x.hex()}" for key, row in lists.items() if key.split(".")[0] in TABLES for x in row)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == PINNED[kind, timing]


def test_lists_are_all_that_the_text_needs():
    made = settings(algorithm=FOH_3, latency={"constant_steps": 3}, debug=True)
    again = Settings.from_text(SettingsFile("{token}", f"{5:016x}", made.lists()).text())
    assert again.lists() == made.lists()
    assert (again.token, again.fingerprint, again.event) == ("{token}", 5, made.event)
