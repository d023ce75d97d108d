"""Runs in C have the bits of those in Python, and end with the same sentences."""

import ctypes
import random

import numpy as np
import pytest

from couplant.base.errors import CouplantError
from couplant.bench.steps import NativePut, NativeSide
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Clock, RecordingComponent
from couplant.cosim.fmu.load import FmuLibrary
from couplant.cosim.fmu.native import NativeFmu, NativeGroup, type_of
from couplant.cosim.run import engine, grid_run, master, reference, relaxation, store
from couplant.cosim.run.exchange import Read, Step
from couplant.cosim.run.master import Grid, Wiring, run
from couplant.cosim.wiring.order import Link, Value
from couplant.pack import build_model_fmu
from couplant.pack.binaries.compile import engine_unit
from couplant.tables import Series
from tests import commands
from tests.c.programs import WARNINGS
from tests.unwired import simulate

SYSTEM = """
name = "both"
macro_step = 0.02
duration = 3.0
{top}
[components]
mass_1 = {{ model = "mass_1", parameters = {{ "force.amplitude" = 1.0, "force.start" = 0.2 }} }}
mass_2 = {{ model = "mass_2" }}
[network]
{network}
[signals]
x1 = {{ from = "mass_1.x1", to = ["mass_2.x1"] }}
v1 = {{ from = "mass_1.v1", to = ["mass_2.v1"] }}
f = {{ from = "mass_2.f", to = ["mass_1.f"] }}
[coupling]
{coupling}
"""
HOSTS = {
    "as the dissertation": 'timing = ["event", "step"]\nalgorithms = ["zoh", "eros3", "auto"]',
    "jacobi": 'timing = ["step"]\nhost = "jacobi"\nmicro_step = 0.005\nalgorithms = ["foh", "auto"]',
    "sequential": 'timing = ["step"]\nhost = "sequential"\nalgorithms = ["eros3"]',
}


def in_python(monkeypatch):
    """Let nothing run in C, and take no reference from disk."""
    for module in (master, reference):
        monkeypatch.setattr(module, "is_native", lambda components: False)
    monkeypatch.setattr(store, "load", lambda *_: None)


def arrays(result):
    return {
        (one.algorithm, one.timing, name, key): value.tobytes()
        for one in result.runs
        for name, trace in one.traces.items()
        for key, value in vars(trace).items()
        if isinstance(value, np.ndarray)
    }


@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("host", HOSTS)
def test_every_host_has_the_bits_of_python(scenario, monkeypatch, host, fmi):
    draw = random.Random(f"{host} {fmi}")
    network = f"latency_steps = {draw.randint(0, 4)}\njitter_steps = {draw.randint(0, 2)}"
    network += f"\nloss = {draw.choice([0, 0.1])}"
    path = scenario(SYSTEM.format(top=HOSTS[host], network=network, coupling=f'fmi = "{fmi}"'))
    monkeypatch.setattr(store, "load", lambda *_: None)
    found = arrays(simulate(path))
    in_python(monkeypatch)
    assert found == arrays(simulate(path))
    assert found


def test_a_run_that_diverges_ends_where_it_does_in_python(scenario, monkeypatch):
    top = 'timing = ["step"]\nalgorithms = ["zoh"]'
    path = scenario(SYSTEM.format(top=top, network="latency_steps = 5", coupling=""))
    monkeypatch.setattr(master, "DIVERGED", 0.01)
    ends = []
    for _ in range(2):
        (one,) = simulate(path).runs
        ends.append([int(np.isfinite(trace.estimate).sum()) for trace in one.traces.values()])
        in_python(monkeypatch)
    assert ends[0] == ends[1]
    assert 1 < ends[0][0] < 150


@pytest.fixture
def masses(tmp_path):
    """Return a function that makes the components of two masses, each time anew."""
    paths = [build_model_fmu(name, tmp_path, macro_step=0.1) for name in ("mass_1", "mass_2")]
    with FmuLibrary() as library:
        yield lambda: {path.stem: library.open(path, path.stem) for path in paths}


def wiring(components, **more):
    links = [Link(Value(Ref("mass_1", name)), Ref("mass_2", name)) for name in ("x1", "v1")]
    links.append(Link(Value(Ref("mass_2", "f")), Ref("mass_1", "f")))
    watched = [Ref("mass_1", "x1"), Ref("mass_2", "f")]
    parameters = {"mass_1": {"x1.start": 1.0}} | more.pop("parameters", {})
    return Wiring(components, links, parameters, watched, **more)


def bits(found):
    tables = [found.values] if isinstance(found, reference.Reference) else [found.watched, found.logged]
    return [{ref: column.tobytes() for ref, column in table.items()} for table in tables]


def test_components_of_this_process_are_called_back(masses, components, monkeypatch):
    def system():
        parts = {**masses(), "g": components["Integrator"]("g", 0.5)}
        whole = wiring(parts, logged=[Ref("g", "x"), Ref("mass_1", "v1")])
        return master.replace(whole, links=[*whole.links, Link(Value(Ref("mass_2", "f")), Ref("g", "u"))])

    found = run(system(), Grid(0.1, 40, 3, fine=True))
    solved = reference.solve(system, 0.1, 40)
    in_python(monkeypatch)
    again, resolved = run(system(), Grid(0.1, 40, 3, fine=True)), reference.solve(system, 0.1, 40)
    assert found.time.tobytes() == again.time.tobytes()
    for ours, theirs in ((found, again), (solved, resolved)):
        assert bits(ours) == bits(theirs)
    assert np.ptp(found.logged[Ref("g", "x")]) > 0.01


def test_what_a_component_of_this_process_raises_comes_through(masses, components):
    parts = {**masses(), "g": components["Integrator"]("g", fails_at=0.25)}
    with pytest.raises(ArithmeticError, match="g fails"):
        run(wiring(parts), Grid(0.1, 40))


def message(masses, **more):
    with pytest.raises(CouplantError) as error:
        run(wiring(masses(), **more), Grid(0.1, 40))
    return str(error.value)


def test_refusals_have_the_same_words(masses, monkeypatch):
    # a velocity beyond all numbers ends the run in a step, and one of infinity is not taken
    cases = {"mass_1": {"v1.start": 1.7e308}}, {"mass_2": {"c2": 1e308, "x2.start": 1e3}}
    found = [message(masses, parameters=case) for case in cases]
    in_python(monkeypatch)
    assert found == [message(masses, parameters=case) for case in cases]
    assert all(text.startswith("mass_") for text in found)


def test_a_crash_that_windows_turns_into_an_error_is_a_sentence(masses, monkeypatch):
    class Crashing:
        def engine_run_steps(self, *_):
            raise OSError("exception: access violation reading 0x0")

    wired = wiring(masses())
    monkeypatch.setattr(engine, "library", Crashing)
    with pytest.raises(CouplantError, match=r"^an FMU ended the run: exception: access violation reading 0x0\.$"):
        run(wired, Grid(0.1, 4))


def test_the_structures_are_those_of_c():
    sizes = (ctypes.c_size_t * 9)()
    engine.library().engine_sizes(sizes)
    mirrors = (NativeFmu, NativeGroup, engine.NativeAction, engine.NativeFailure, grid_run.NativeRun, relaxation.Native)
    mirrors += (NativePut, NativeSide, engine.NativeChannel)
    assert list(sizes) == [ctypes.sizeof(one) for one in mirrors]


def test_the_sources_compile_without_a_warning(tmp_path):
    unit = engine_unit()
    commands.run(["cc", *WARNINGS, "-c", "-o", str(tmp_path / "object"), str(unit.source)], check=True)


TYPES = "double float int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool".split()


@pytest.mark.parametrize("name", TYPES)
def test_every_type_is_read_and_set(name):
    """The FMU is an array of two values that are exchanged behind the back of the library."""
    kind = getattr(ctypes, f"c_{name}")
    values, buffer, calls = (ctypes.c_double * 2)(1.0, 0.0), (kind * 2)(), []
    access = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)

    def exchange(*_):
        calls.append(list(buffer))
        if len(calls) == 2:
            buffer[:] = [0, 1]
        return 0

    call = access(exchange)
    group = NativeGroup(
        function=ctypes.cast(call, ctypes.c_void_p),
        buffer=ctypes.addressof(buffer),
        values=values,
        places=engine.integers([0, 1]),
        n=2,
        type=type_of(kind),
    )
    fmu = ctypes.pointer(NativeFmu(version=2))
    kinds = (engine._WRITE, engine._READ)
    actions = [engine.NativeAction(kind=i, fmu=fmu, groups=ctypes.pointer(group), n_groups=1) for i in kinds]
    plan = engine.NativePlan((engine.NativeAction * 2)(*actions), 2)
    assert engine.library().engine_run_last(ctypes.byref(grid_run.NativeRun(point=plan)), ctypes.c_double(0.0)) == 0
    assert calls == [[1, 0], [1, 0]]
    assert list(values) == [0.0, 1.0]


def test_a_recording_is_read_in_c_as_in_python():
    """At samples, next to them, between them and outside; the state is one for both."""
    chance = np.random.default_rng(4)
    time, value = np.cumsum(chance.random(40)), chance.standard_normal(40)
    one = RecordingComponent("r", Series({"a": (time, value), "b": (time[:3], value[:3])}))
    one.start(2.0, {})
    shown, own, read = (ctypes.c_double * 3)(), engine.Engine(), one.reader(["b", "a"])
    point = own.plan([Step(one), Read(one, ["b", "a"], shown, [0, 1]), Read(Clock(), ["time"], shown, [2])])
    assert [point.actions[i].kind for i in range(3)] == [engine._TIME, engine._CHANNELS, engine._CHANNELS]

    def act(plan, t):
        assert engine.library().engine_run_last(ctypes.byref(grid_run.NativeRun(point=plan)), ctypes.c_double(t)) == 0

    for t in [*time, *(time + 1e-12), *(time - 1e-12), *chance.uniform(-1.0, time[-1] + 1.0, 200)]:
        act(point, 2.0 + t)
        assert one.now[0] == 2.0 + t - 2.0
        assert list(shown) == [*read(), 0.0]
    kept = one.now[0]
    act(own.states([one], restore=False), 0.0)
    one.step(5.0, 0.1)
    act(own.states([one], restore=True), 0.0)
    assert one.now[0] == kept != 3.1


@pytest.mark.parametrize("damage", [b"", b"PK", None])
def test_a_reference_is_solved_once_and_a_damaged_one_again(masses, monkeypatch, tmp_path, damage):
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path / "cache"))
    engine.library()
    solved = []
    real = reference._solve
    monkeypatch.setattr(reference, "_solve", lambda *words: solved.append(1) or real(*words))
    first = reference.solve(lambda: wiring(masses()), 0.1, 20)
    (kept,) = (tmp_path / "cache" / "references").iterdir()
    if damage is not None:
        kept.write_bytes(damage)
    second = reference.solve(lambda: wiring(masses()), 0.1, 20)
    assert len(solved) == (1 if damage is None else 2)
    assert (first.micro_steps, first.error) == (second.micro_steps, second.error)
    assert bits(first) == bits(second)
    reference.solve(lambda: wiring(masses(), parameters={"mass_1": {"x1.start": 2.0}}), 0.1, 20)
    reference.solve(lambda: wiring(masses()), 0.1, 21)
    assert len(solved) == (3 if damage is None else 4)


def test_what_is_kept_has_a_limit(monkeypatch, tmp_path):
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(store, "_LARGEST", 1000)
    for i in range(20):
        store.save(f"{i:040}", {Ref("a", "x"): np.zeros(100)}, 1, 0.0)
    store.save("large", {Ref("a", "x"): np.zeros(126)}, 1, 0.0)
    sizes = [path.stat().st_size for path in (tmp_path / "references").iterdir()]
    assert 3 <= len(sizes) < 20
    assert sum(sizes) <= 8000
