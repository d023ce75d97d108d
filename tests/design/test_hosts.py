"""Designs for a plant in a host that does not read outputs again, judged by components stepped one by one."""

from functools import cache

import numpy as np
import pytest

from couplant.analysis.stability import stability
from couplant.analysis.system_file import read_system
from couplant.config import load_interface
from couplant.config.latency import PROPOSED, latency_steps, own_weights
from couplant.design.closed_loop import with_design
from couplant.design.request import Request, answer
from couplant.design.settings import write_settings
from tests.analysis.conftest import OSCILLATOR
from tests.analysis.hosts_oracle import Case, Loop, growth, mae, reference
from tests.config.test_hold_lead import PLANTS
from tests.pages.markdown import rows, shows

ONE_FORCE, BOTH = (1.0, 0.0), (1.0, 1.0)
LEADS = (1.0 + PROPOSED, 1.0 + PROPOSED, 0.0)
"""Of x1, v1 and f, as `build` proposes them. [macro steps]"""


def plant(place, host):
    parameters = [f"parameters.{key}={value}" for key, value in PLANTS[place].items()]
    return read_system(OSCILLATOR, [*parameters, 'timing="step"', f'host="{host}"'])


@cache
def designs(place, k, host="jacobi"):
    return answer(Request(0.02, [k], "step", (0.5, 12.0), system=plant(place, host)))


def loop(place, k, host="jacobi"):
    """Return the loop in a Jacobi host, with the weights that x1, v1 and f get from designs for `host`."""
    found = designs(place, k, host)
    late = found[max(found)].design.algorithm.a
    return Loop(Case([late, late, found[k].design.algorithm.a], k, "jacobi", plant=PLANTS[place]))


def error(place, k, forces, host="jacobi"):
    return mae(loop(place, k, host).run(forces, 25.0), reference(PLANTS[place], forces, 25.0))


def test_the_table_of_the_page():
    table = rows("docs/system.md", "| in a Jacobi host | one force | both forces |")
    loops = {
        "design that does not know it": loop(0, 3, "reads_again"),
        "design for it": loop(0, 3),
        "EROS3 with `host_lead` and `hold_lead` as `build` proposes": Loop(Case("eros3", 3, "jacobi", leads=LEADS)),
    }
    assert table.keys() == loops.keys()
    for name, one in loops.items():
        for cell, forces in zip(table[name], (ONE_FORCE, BOTH), strict=True):
            found, truth = one.run(forces, 25.0), reference(PLANTS[0], forces, 25.0)
            shares = np.abs(found[:, 3:] - truth).mean(axis=0) / np.sqrt((truth**2).mean(axis=0))
            assert shows(cell, 100.0 * float(shares.mean()), mae(found, truth)), name


def test_the_example():
    """EROS3 has .021 with the lead that is proposed, and .133 without anything."""
    assert list(designs(0, 3)) == [3, 4]
    assert error(0, 3, ONE_FORCE) <= 0.015
    assert growth(loop(0, 3).run(ONE_FORCE, 100.0)) < 1.0


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", range(len(PLANTS)))
def test_other_plants_are_stable_and_better_than_with_a_design_that_does_not_know_the_host(place):
    assert stability(with_design(plant(place, "jacobi"), designs(place, 3)[3].design)).stable
    for forces in (ONE_FORCE, BOTH):
        assert growth(loop(place, 3).run(forces, 100.0)) < 1.0
        assert error(place, 3, forces) < 0.75 * error(place, 3, forces, "reads_again")


def test_theory_sees_the_loop_that_runs():
    coupled = with_design(plant(0, "jacobi"), designs(0, 3)[3].design)
    assert stability(coupled).radius == pytest.approx(loop(0, 3).radius(), abs=1e-9)


def test_one_table_serves_signals_with_and_without_a_lead(tmp_path):
    """FMUs count leads in: both find the weights for their horizon."""
    path = tmp_path / "bench.toml"
    path.write_text('[interface]\nname = "b"\nmacro_step = 0.02\n[signals.s]\nlatency = { constant_steps = 3 }\n')
    write_settings(path, "s", {k: one.design for k, one in designs(0, 3).items()})
    settings = load_interface(path).signals["s"]
    for host_lead, k in ((0.0, 3), (1.0, 4)):
        latency = settings.latency.model_copy(update={"host_lead": host_lead})
        ahead = latency_steps(latency, 0.02)
        assert own_weights(settings, ahead)[ahead][0] == designs(0, 3)[k].design.algorithm.a
