"""Sides of example 01 as containers, run by hosts of other makers: the figures are those of couplant's own."""

import functools
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from couplant.elsewhere.container import RUNS_ON, contain
from couplant.elsewhere.export import export
from couplant.pack.binaries.platforms import host
from tests.importers.closed_loop import WATCHED
from tests.importers.conftest import NEEDED, require
from tests.isolated import isolated
from tests.unwired import simulate

OSCILLATOR = Path(__file__).resolve().parents[2] / "examples" / "01_two_mass_oscillator" / "scenario.toml"
MACRO_STEP, DURATION, MICRO_STEPS = 0.02, 4.0, 4
STARTS = "components.mass_1.parameters.x1.start=0.5", "components.mass_2.parameters.v2.start=0.2"
MOVING = (f"duration={DURATION}", *STARTS)
JITTER = (*MOVING, "network.jitter_steps=2", "network.loss=0.05")
FINE = (*MOVING, f"micro_step={MACRO_STEP / MICRO_STEPS}")
TURNS = ["f.coupling", "f.network", "mass_2", "x1.coupling", "v1.coupling", "x1.network", "v1.network", "mass_1"]
"""Whoever steps before what it gets values from gets what the last step gave; but for `f.coupling` and `mass_1`, which
are in one container, all do, as in hosts that step everything at once."""

pytestmark = pytest.mark.skipif(host().name not in RUNS_ON, reason="there is no container for this machine")


@functools.cache
def simulated(*changes):
    """Return what couplant simulates: its traces by signal."""
    (found,) = simulate(OSCILLATOR, ('timing=["step"]', 'algorithms=["eros3"]', *changes)).runs
    return found.traces


@pytest.fixture(scope="module")
def loose(tmp_path_factory):
    """Return a function that exports all FMUs of the scenario, once for each changes: folder and connections."""

    @functools.cache
    def once(*changes):
        folder = tmp_path_factory.mktemp("loose")
        export(OSCILLATOR, folder, ('timing=["step"]', 'host="jacobi"', *changes), algorithm="eros3")
        links = json.loads((folder / "container.json").read_text(encoding="utf-8"))["link"]
        return folder / "fmus", [[Path(a).stem, name, Path(b).stem, target] for a, name, b, target in links]

    return once


def assemble(folder, loose, containers):
    """Put FMUs into `folder`: containers, and what is in none of them; write how they are connected."""
    fmus, links = loose
    folder.mkdir()
    inside, ends = {}, {}
    for one in containers:
        shutil.copy(one.file, folder)
        inside |= dict.fromkeys(one.order, one.file.stem)
        ends |= {(end.part, end.port.name): [one.file.stem, end.name] for end in (*one.inputs, *one.outputs)}
    for path in fmus.glob("*.fmu"):
        if path.stem not in inside:
            shutil.copy(path, folder)

    def end(part, name):
        return ends.get((part, name), [part, name])

    kept = [[*end(a, n), *end(b, m)] for a, n, b, m in links if inside.get(a, a) != inside.get(b, b)]
    watched = {name: end(*place) for name, place in WATCHED.items()}
    (folder / "system.json").write_text(json.dumps({"links": kept, "watched": watched}), encoding="utf-8")


def check(folder, tool, expected, early=(), every=1):
    """Run what is in a folder; the trajectories must be those `expected` at every so many of their points.

    What is `early` is shown with what the step gave, not with what it was carried out with.
    """
    if tool in NEEDED:
        require(*NEEDED[tool])
    steps = round(DURATION / MACRO_STEP)
    report = json.loads(isolated("tests.importers.sides", tool, folder, str(steps), str(MACRO_STEP))[-1])
    for name, trace in expected.items():
        for kind, values in (("sent", trace.sent), ("estimated", trace.estimate)):
            key = f"{kind}.{name}"
            wanted = values[::every]
            wanted = wanted[:-1] if key in early else wanted[1:]
            assert len(report[key]) == steps and np.abs(wanted).max() > 0.01
            assert np.abs(np.array(report[key]) - wanted).max() < 1e-9, key


@pytest.fixture(scope="module")
def side(tmp_path_factory):
    """Return a function that makes a container of one prototype's side, once for each changes and options."""

    @functools.cache
    def once(component, changes, **options):
        file = tmp_path_factory.mktemp("side") / f"side_of_{component}.fmu"
        return contain(OSCILLATOR, file, [component], changes, "eros3", **options)

    return once


@pytest.mark.sample(1)
@pytest.mark.parametrize("component", ["mass_1", "mass_2"])
@pytest.mark.parametrize("tool", ["fmpy", "libcosim"])
def test_a_side_in_parallel_is_what_couplant_simulates(tmp_path, loose, side, tool, component):
    assemble(tmp_path / "system", loose(*JITTER), [side(component, JITTER)])
    check(tmp_path / "system", tool, simulated('host="jacobi"', *JITTER))


@pytest.mark.landing("the order of another host: 2 s of CPU")
@pytest.mark.sample(1)
@pytest.mark.parametrize("tool", ["fmpy", "libcosim"])
def test_a_side_in_turns_is_what_couplant_simulates(tmp_path, loose, side, tool):
    made = side("mass_1", MOVING, order=("f.coupling", "mass_1"))
    assert made.host == "sequential" and made.received[0].host == -1
    assemble(tmp_path / "system", loose(*MOVING), [made])
    expected = simulated('host="sequential"', f"order={json.dumps(TURNS)}", *MOVING)
    check(tmp_path / "system", tool, expected, early=("estimated.f",))


@pytest.mark.landing("a container of another maker: 3 s of CPU")
@pytest.mark.sample(1)
@pytest.mark.parametrize("tool", ["fmpy", "libcosim"])
def test_inside_a_container_steps_may_be_finer_and_in_threads(tmp_path, loose, side, tool):
    """The tool around it takes macro steps; only what goes through the networks has to wait for one."""
    made = [side(component, FINE, threads=True) for component in ("mass_1", "mass_2")]
    assert [one.step for one in made] == [MACRO_STEP / MICRO_STEPS] * 2
    assert [one.host for one in made[1].received] == [1 / MICRO_STEPS] * 2
    assemble(tmp_path / "system", loose(*MOVING), made)
    expected = simulated('host="jacobi"', *FINE)
    check(tmp_path / "system", tool, expected, every=(len(expected["f"].sent) - 1) // round(DURATION / MACRO_STEP))
