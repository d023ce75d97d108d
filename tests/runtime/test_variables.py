"""The table of variables against docs/variables.md."""

import pytest

from couplant.pack.settings import runtime_settings
from couplant_runtime.generated.numbers import ENUMERATIONS
from couplant_runtime.generated.variables import ALL
from couplant_runtime.variables import choose

from .runs import interface

INTERFACE = [variable for variable in ALL if not variable.feature and variable.role != "independent"]
ORDER = """y y_time y_valid
y_hat latency.steps latency.seconds discontinuity.detected algorithm.active quality.error quality.tolerance quality.ok
quality.skill output.limited state
macro_step latency.mode latency.constant_steps latency.offset latency.coast_steps latency.lost_steps
discontinuity.enabled discontinuity.hold discontinuity.floor reconstruction output.on_loss output.safe_value
bypass algorithm.selected algorithm.observer_gain discontinuity.sensitivity quality.action quality.zeta quality.delta
output.min output.max output.rate_max""".split()
UNLIMITED = 1.7976931348623157e308


def names(**sections):
    algorithm = sections.pop("algorithm", "foh")
    return [variable.name for variable in runtime_settings(interface(algorithm, 0, **sections), "s").variables()]


def test_order_and_groups():
    assert [variable.name for variable in INTERFACE] == ORDER
    groups = [(v.causality, v.variability if v.causality == "parameter" else "") for v in INTERFACE]
    assert list(dict.fromkeys(groups)) == [
        ("input", ""),
        ("output", ""),
        ("parameter", "fixed"),
        ("parameter", "tunable"),
    ]


def test_debug_outputs_and_weights_only_where_configured():
    assert names(debug=False) == [*ORDER, "time", "quality.skill_zoh"]
    weights = names(debug=False, algorithm={"selected": "linear", "a": [1.0, 0.0], "A": [0.5, -0.5]})
    given = ["algorithm.a[1]", "algorithm.a[2]", "algorithm.A[1]", "algorithm.A[2]"]
    assert weights == [*ORDER, *given, "time", "quality.skill_zoh"]
    assert [name for name in names(debug=True) if name.startswith("debug.")]


@pytest.mark.parametrize(
    "features", [{}, {"debug": 1, "burst": 3}, {"energy": 1, "grade": 1}, {"auto": 6}, {"network": 9}]
)
def test_the_skill_against_zoh_comes_last_so_that_references_stay(features):
    positions = choose(features)
    more = choose(features | {"baseline": 1})
    assert more[:-1] == positions and ALL[more[-1] - 1].name == "quality.skill_zoh"


def test_names_are_short_and_described():
    for name in names(algorithm={"selected": "linear", "a": [1.0] * 64, "A": [0.0] * 64}):
        assert len(name) <= 55
    for variable in INTERFACE:
        assert variable.description


def test_enumerations():
    assert next(iter(ENUMERATIONS["ActiveAlgorithm"].items())) == ("none", 0)
    assert list(ENUMERATIONS["State"].items()) == [("starting", 1), ("running", 2), ("holding", 3), ("lost", 4)]
    for variable in INTERFACE:
        assert (variable.kind == "enumeration") == (variable.items in ENUMERATIONS)


def test_unlimited_is_never_infinity():
    starts = {variable.name: variable.start for variable in INTERFACE}
    assert (starts["output.min"], starts["output.max"]) == (-UNLIMITED, UNLIMITED)
    assert (starts["output.rate_max"], starts["y_time"]) == (UNLIMITED, -UNLIMITED)
    assert (starts["latency.coast_steps"], starts["latency.lost_steps"], starts["discontinuity.enabled"]) == (3, 64, 0)
    assert starts["y_valid"] == 1
