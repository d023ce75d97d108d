"""Settings are bounded once, when they are taken, so that no step has to."""

import random

import pytest

from couplant_runtime.config import Settings, _from_lists
from couplant_runtime.generated.numbers import HORIZONS, TAPS
from tests.kernel.library import Kernel, Refused, needs_compiler
from tests.twin.scenario import some_settings

pytestmark = needs_compiler

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("key", ["timing", "variables", "start", "real", "imaginary", "zeta.zoh", "delta.linear"])
def test_a_missing_list_is_refused(kernel, settings, key):
    lists = settings.lists()
    del lists[key]
    with pytest.raises(Refused, match="damaged"):
        kernel.settle(lists, 1)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("timing", ()),
        ("timing", (NAN,)),
        ("variables", ()),
        ("variables", (0.0,)),
        ("variables", (176.0,)),
        ("variables", (1.5,)),
        ("variables", (NAN,)),
        ("variables", (1.0,) * 176),
        ("start", (0.0,)),
        ("start", (INF,) * 36),
        ("real", (0.0,) * 31),
        ("imaginary", (0.0,) * 33),
        ("zeta.smb", (0.0,) * (HORIZONS - 1)),
        ("delta.smb", (NAN,) * HORIZONS),
        ("weights.3", ()),
        ("weights.3", (1.0,)),
        ("weights.3", (1.0, 0.0, 0.0)),
        ("weights.3", (1.0, INF)),
        ("weights.3", (0.0,) * (2 * TAPS + 2)),
        ("weights.65", (1.0, 0.0)),
        ("weights.", (1.0, 0.0)),
        ("weights.-1", (1.0, 0.0)),
        ("weights.99999999999999999999", (1.0, 0.0)),
        ("weights.3x", (1.0, 0.0)),
    ],
)
def test_a_damaged_list_is_refused(kernel, settings, key, values):
    with pytest.raises(Refused, match=key.partition(".")[0]):
        kernel.settle(settings.lists() | {key: values}, 1)


@pytest.mark.parametrize(("fallback", "known"), [(1, True), (8, True), (12, True), (0, False), (3, False), (13, False)])
def test_a_model_falls_back_to_auto_zoh_or_itself(kernel, settings, fallback, known):
    """A model with one state, input and output; the eighth number is its fallback."""
    lists = settings.lists()
    lists |= {key: lists[key.replace("model", "zoh")] for key in ("zeta.model", "delta.model")}
    lists |= {"plant": (1, 1, 1, 0, 0, 1, 0, fallback, *(1.0,) * 10)}
    if known:
        kernel.settle(lists, 1)
        assert _from_lists(lists, "", 1).plant.fallback == fallback
        return
    with pytest.raises(Refused, match="plant"):
        kernel.settle(lists, 1)
    with pytest.raises(ValueError, match="plant falls back"):
        _from_lists(lists, "", 1)


def test_a_start_value_that_does_not_fit_an_integer_is_refused(kernel, settings):
    lists = settings.lists()
    start = list(lists["start"])
    start[[v.name for v in settings.variables()].index("latency.coast_steps")] = 1e10
    with pytest.raises(Refused, match="start"):
        kernel.settle(lists | {"start": tuple(start)}, 1)


def test_other_lists_are_ignored(kernel, settings):
    kernel.settle(settings.lists() | {"later": (1.0, 2.0), "zeta.later": ()}, 1)


@pytest.mark.sample(31)
@pytest.mark.parametrize("seed", range(200))
def test_what_the_kernel_accepts_the_python_runtime_accepts(seed):
    chance = random.Random(seed)
    settings = some_settings(chance)
    lists = dict(settings.lists())
    for _ in range(chance.randint(1, 3)):
        _damage(lists, chance)
    kernel = Kernel(settings)
    try:
        kernel.settle(lists, 1)
    except Refused:
        return
    assert isinstance(_from_lists(lists, "", 1), Settings)
    kernel.reset()


def _damage(lists, chance):
    key = chance.choice(list(lists))
    values = list(lists[key])
    kind = chance.randrange(5)
    if kind == 0:
        del lists[key]
    elif kind == 1:
        lists[key] = tuple(values[: chance.randint(0, len(values))])
    elif kind == 2 and values:
        values[chance.randrange(len(values))] = chance.choice((NAN, INF, -1.0, 0.5, 1e300, 200.0, 3e9))
        lists[key] = tuple(values)
    elif kind == 3:
        lists[key] = (*values, 1.0)
    else:
        lists[f"weights.{chance.randint(-2, 70)}"] = tuple(1.0 for _ in range(chance.randint(0, 140)))
