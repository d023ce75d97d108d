"""Systems with coupling FMUs in importers of other makers: the figures of the two masses, and equal results."""

import json

import pytest

from couplant.elsewhere.ssp import Request, insert
from tests.elsewhere.ssp import systems
from tests.elsewhere.ssp.systems import END, NAMES, STEP
from tests.importers.conftest import require
from tests.isolated import ROOT, isolated
from tests.unwired import simulate

TRUTH = 0.1504
"""Largest |x1| of the two masses without any delay. [m]"""

STEPS = round(END / STEP)
OSCILLATOR = ROOT / "examples" / "01_two_mass_oscillator" / "scenario.toml"
JACOBI = {"host": "jacobi", "macro_step": STEP}


def run(tool, path, *names, steps=STEPS):
    if tool == "ecos":
        require("ecospy", "ecospy.lib")
    if tool == "libcosim":
        require("libcosimpy", "libcosimpy.CosimExecution", least_python=(3, 11))
    return json.loads(isolated("tests.elsewhere.ssp.runs", tool, path, str(steps), *names)[-1])


def largest(rows):
    return max(abs(row[0]) for row in rows)


def difference(some, others):
    assert len(some) == len(others)
    return max(abs(a - b) for row, other in zip(some, others, strict=True) for a, b in zip(row, other, strict=True))


@pytest.fixture(scope="module")
def places(tmp_path_factory, masses, networks):
    """Return archives with coupling FMUs by name, and those that they were made of."""
    folder = tmp_path_factory.mktemp("archives")
    texts = {
        "flat": (systems.flat(), 0, "2"),
        "swapped": (systems.flat(swapped=("x1", "f")), 0, "2"),
        "nested": (systems.nested(), 0, "2"),
        "network": (systems.networked(), 3, "2"),
        "network3": (systems.networked(), 3, "3"),
    }
    found = {}
    for name, (text, steps, fmi) in texts.items():
        before = systems.archive(folder / f"{name}.ssp", text, masses[fmi] | (networks[fmi] if steps else {}))
        signals = [one.replace("mass_2", "inner.mass_2") for one in NAMES] if name == "nested" else NAMES
        found[f"{name} before"], found[name] = before, folder / f"{name}_coupled.ssp"
        insert(before, found[name], Request(signals, steps=steps, **JACOBI))
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("tool", ["fmpy", "ecos", "libcosim"])
@pytest.mark.parametrize(("name", "without"), [("flat", 0.2416), ("network", 2.08)])
def test_two_masses_move_as_without_any_delay(places, tool, name, without):
    assert largest(run(tool, places[f"{name} before"], "mass_1.x1")) == pytest.approx(without, rel=2e-3)
    assert largest(run(tool, places[name], "mass_1.x1")) == pytest.approx(TRUTH, rel=0.02)


def test_libcosim_and_ecos_agree_where_connections_started_at_the_receiver(places):
    """Compared are states: Ecos reads outputs that depend on inputs at once after it has set these."""
    names = ("mass_1.x1", "mass_1.v1", "mass_2.x2", "mass_2.v2")
    rows = run("libcosim", places["swapped"], *names)
    assert difference(rows, run("ecos", places["swapped"], *names)) <= 1e-12
    assert largest(rows) == pytest.approx(TRUTH, rel=0.02)


@pytest.mark.parametrize("name", ["nested", "swapped"])
def test_nested_and_swapped_systems_equal_the_flat_one_in_fmpy(places, name):
    second = "inner.mass_2" if name == "nested" else "mass_2"
    flat = run("fmpy", places["flat"], "mass_1.x1", "mass_2.f")
    assert difference(flat, run("fmpy", places[name], "mass_1.x1", f"{second}.f")) == 0.0
    assert largest(flat) > 0.1


@pytest.mark.landing("another importer: 3 s of CPU")
def test_fmi_3_in_ecos_equals_simulate_with_that_host(places):
    rows = run("ecos", places["network3"], "mass_1.x1", "mass_1.v1")
    changes = ['host="jacobi"', 'timing=["step"]', 'algorithms=["auto"]', 'coupling.fmi="3"']
    (own,) = simulate(OSCILLATOR, assignments=changes).runs
    sent = [own.traces[name].sent[1:] for name in ("x1", "v1")]
    assert difference(rows, [list(row) for row in zip(*sent, strict=True)]) <= 1e-9
    assert largest(rows) == pytest.approx(TRUTH, rel=0.02)


def first_change(rows, column):
    return next(i for i, row in enumerate(rows) if row[column] != 0.0)


def passing(folder, text, files, signals, **more):
    """Return an archive whose coupling FMUs pass values on, and the sum of what the host is said to add."""
    path = systems.archive(folder / "loop.ssp", text, files)
    names = [one.partition("->")[2].replace(".", "_") for one in signals]
    changes = [f"signals.{name}.bypass=true" for name in names]
    done = insert(path, folder / "passing.ssp", Request(signals, macro_step=STEP, assignments=changes, **more))
    return folder / "passing.ssp", {one.target: one.host for one in done.placed}


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("chosen", "network"), [("x1 v1 f", False), ("f", False), ("x1 v1", False), ("x1 v1 f", True)]
)
def test_the_steps_round_the_loop_are_those_that_are_told(tmp_path, masses, networks, chosen, network):
    """From x1 through the force to the input of mass 1; coupling FMUs that pass values on take a step each."""
    signals = [name for name in NAMES if name.partition("->")[0].partition(".")[2] in chosen.split()]
    text, files = (systems.networked(), networks["2"]) if network else (systems.flat(), {})
    more = {"host": "jacobi", "steps": 3 if network else 0}
    path, added = passing(tmp_path, text, masses["2"] | files, signals, **more)
    rows = run("fmpy", path, "mass_1.x1", "mass_1.f", steps=100)
    counted = first_change(rows, 1) - first_change(rows, 0)
    host = added.get("mass_2.x1", 0.0) + added.get("mass_1.f", 0.0)
    own = sum(one in chosen.split() for one in ("x1", "f"))
    assert counted == host + own + (6 if network else 0)
    assert host == 1.0


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "order",
    [
        "mass_1 mass_2_x1_coupling mass_2_v1_coupling mass_2 mass_1_f_coupling",
        "mass_1 mass_2 mass_2_x1_coupling mass_2_v1_coupling mass_1_f_coupling",
        "mass_2 mass_1 mass_1_f_coupling mass_2_v1_coupling mass_2_x1_coupling",
        "mass_1_f_coupling mass_2_v1_coupling mass_2_x1_coupling mass_2 mass_1",
    ],
)
def test_the_steps_round_the_loop_where_components_take_turns(tmp_path, masses, order):
    """The step in which x1 changes ends where the one begins in which it acts at the soonest."""
    turns = order.split()
    path, added = passing(tmp_path, systems.flat(), masses["2"], NAMES, host="sequential", order=turns)
    text = systems.description_in(path)
    parts = {part.split('"')[1]: part for part in _components(text)}
    ordered = text
    for i, part in enumerate(parts.values()):
        ordered = ordered.replace(part, f"@{i}@")
    for i, name in enumerate(turns):
        ordered = ordered.replace(f"@{i}@", parts[name])
    files = {name: content for name, content in systems.entries(path).items() if name.endswith(".fmu")}
    turned = systems.archive(tmp_path / "turned.ssp", ordered, files)
    rows = run("sequential", turned, "mass_1.x1", "mass_1.f", steps=100)
    counted = first_change(rows, 1) - first_change(rows, 0) - 1
    assert counted == added["mass_2.x1"] + added["mass_1.f"] + 2
    assert counted >= 0


def _components(text):
    while "<ssd:Component " in text:
        begin, end = text.index("<ssd:Component "), text.index("</ssd:Component>") + len("</ssd:Component>")
        yield text[begin:end]
        text = text[end:]
