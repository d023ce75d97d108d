"""What a step of the native backend costs, from C: against the face alone, and against the Python backend."""

import ctypes.util
import sysconfig
from pathlib import Path

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import host
from couplant.pack.settings import runtime_settings
from couplant_runtime.generated.algorithms import AUTO, MODEL
from tests.c.programs import HERE, missing, program, run
from tests.c.test_loader import Unpacked
from tests.c.test_realtime import harness

COST = Path(__file__).with_name("step_cost.c")
LINUX = pytest.mark.skipif("linux" not in host().name, reason="preloads libpython")


def interface():
    signal = {"algorithm": "eros4", "latency": {"constant_steps": 6}, "discontinuity": {"enabled": True}}
    head = {"name": "speed", "macro_step": 0.01}
    return parse_interface({"interface": head, "signals": {"s": {**signal, "quality": {"action": "warn"}}}}, "speed")


def nanoseconds(arguments, count, start=()):
    """Return what one exchange costs; the least of three runs."""
    lines = [run([*start, program(HERE / "loader.c"), *arguments], f"init 0\nbench {count} 0.01\n") for _ in range(3)]
    return min(float(text.split("bench 0 ")[1].split()[0]) for text in lines)


def libpython():
    """Return the shared library of this Python, which the loader of PythonFMU needs in a host that is not Python."""
    name = sysconfig.get_config_var("INSTSONAME") or ""
    places = [Path(sysconfig.get_config_var("LIBDIR") or "/") / name, Path(ctypes.util.find_library("python3") or "")]
    found = [place for place in places if place.suffix != ".a" and place.is_file()]
    return found[0] if found else missing("libpython as a shared library")


@LINUX
def test_native_is_a_hundred_times_faster_than_python(tmp_path):
    native = Unpacked(build_coupling_fmu(interface(), "s", tmp_path / "n"), tmp_path / "n" / "u")
    python = Unpacked(build_coupling_fmu(interface(), "s", tmp_path / "p", backend="python"), tmp_path / "p" / "u")
    path = sysconfig.get_path("purelib")
    start = ["env", f"LD_PRELOAD={libpython()}", f"PYTHONPATH={path}"]
    slow = nanoseconds(python.arguments(host()), 2000, start)
    fast = nanoseconds(native.arguments(host()), 200_000)
    print(f"\nPython {slow:.0f} ns, native {fast:.0f} ns, ratio {slow / fast:.0f}, at least 100")
    assert slow >= 100.0 * fast


@LINUX
def test_a_step_costs_at_most_thirty_times_the_face_alone(tmp_path):
    """EROS4 at k = 6 with detection and quality; batches of 100 steps, the least of three runs."""
    fmu = Unpacked(build_coupling_fmu(interface(), "s", tmp_path), tmp_path / "unpacked").arguments(host())[2:]
    whole, face = least(None, fmu), least("idle.c", fmu)
    for name, (median, high, longest) in (("step", whole), ("face alone", face)):
        print(f"\n{name}: median {median:.0f} ns, 99.9 percentile {high:.0f} ns, longest {longest:.0f} ns", end="")
    print(f"\nratio {whole[0] / face[0]:.1f}, at most 30")
    assert whole[0] <= 30.0 * face[0]


def least(model, fmu, signal=""):
    """Return median, 99.9 percentile and maximum of set + doStep + get of the quickest of three runs, ns."""
    return min([float(word) for word in run([harness(model, signal), "time", *fmu]).split()] for _ in range(3))


def everything():
    """Return a signal with all that bad networks call for: bank, residual detector, messages of three, free clock."""
    signal = {"algorithm": "auto", "burst": 3, "quality": {"action": "warn"}}
    signal |= {"latency": {"mode": "stamps", "clock": "free", "minimum": 0.02}}
    signal |= {"discontinuity": {"enabled": True, "detector": "residual"}}
    head = {"name": "everything", "macro_step": 0.01}
    return parse_interface({"interface": head, "signals": {"s": signal}}, "everything")


def plain():
    """Return a signal with EROS4 and nothing else but a latency."""
    signal = {"algorithm": "eros4", "latency": {"constant_steps": 3}}
    return parse_interface({"interface": {"name": "plain", "macro_step": 0.01}, "signals": {"s": signal}}, "plain")


def costs(folder, **signals):
    """Return median and longest of 2000 steps, ns, of each the least of 25 runs, and the last algorithm, by name.

    All run in turn, set + doStep + get. The `signals` are interfaces with one signal; the least reference is that of y.
    """
    words = []
    for name, interface in signals.items():
        (signal,) = interface.signals
        names = [variable.name for variable in runtime_settings(interface, signal).variables()]
        fmu = Unpacked(build_coupling_fmu(interface, signal, folder / name), folder / name / "unpacked")
        places = [str(names.index(one) + 1) for one in ("y_hat", "algorithm.active")]
        words += ["repeated" if "y[2]" in names else "plain", *fmu.arguments(host())[2:], *places]
    lines = [line.split() for line in run([harness(signal="effort", source=COST), *words]).splitlines()]
    for name, (median, longest, active) in zip(signals, lines, strict=True):
        print(f"\n{name}: median {median} ns, longest {longest} ns, algorithm {active}", end="")
    return {name: (float(line[0]), float(line[1]), int(line[2])) for name, line in zip(signals, lines, strict=True)}


@LINUX
def test_everything_on_costs_at_most_eleven_times_eros4(tmp_path, cost):
    """`auto` with irregular ages that change at every step, so that no weights are known from before.

    The longest step is one in sixteen, in which the member with 31 changes works out its weights.
    """
    found = costs(tmp_path, eros4=plain(), everything=everything())
    usual, most = (found["everything"][i] / found["eros4"][i] for i in range(2))
    print(f"\nratio {usual:.1f}, of the longest {most:.1f}, at most 11 and 16")
    cost("step in an FMU, everything on", 1e-9 * found["everything"][0], "EROS4", 1e-9 * found["eros4"][0])
    assert usual <= 11.0 and most <= 16.0


def of_bond(name, bond):
    """Return a signal with EROS3 that is the effort of a power bond with the keys `bond`, or of none."""
    signal = {"algorithm": "eros3", "latency": {"constant_steps": 3}}
    shaft = {"bonds": {"shaft": {"effort": "s", **bond}}} if bond is not None else {}
    head = {"name": name, "macro_step": 0.01}
    return parse_interface({"interface": head, "signals": {"s": signal}, **shaft}, name)


@LINUX
def test_a_power_bond_costs_at_most_three_tenths_of_a_step(tmp_path):
    """EROS3 at k = 3, set + doStep + get; in turn, the least median of five runs."""
    bonds = {"none": None, "watched": {}, "guarded": {"take_back": 0.02, "budget": 1.0}}
    fmus = [build_coupling_fmu(of_bond(name, bond), "s", tmp_path / name) for name, bond in bonds.items()]
    places = [Unpacked(fmu, fmu.parent / "unpacked").arguments(host())[2:] for fmu in fmus]
    signals = ("", "effort", "effort")
    runs = [[least(None, *one)[0] for one in zip(places, signals, strict=True)] for _ in range(5)]
    plain_step, watched, guarded = (min(column) for column in zip(*runs, strict=True))
    print(f"\nEROS3: {plain_step:.0f} ns, watched {watched:.0f} ns, guarded {guarded:.0f} ns", end="")
    print(f"\nratio {watched / plain_step:.2f} and {guarded / plain_step:.2f}, at most 1.3")
    assert watched <= 1.3 * plain_step
    assert guarded <= 1.3 * plain_step


def late_by_fifteen(algorithm, noise=10.0):
    """Return a signal at k = 15; a model has two states, two of the disturbance, two inputs and one output.

    One that takes what it hears for noise stays as good as none and runs to the end; with little noise it falls.
    """
    model = {"A": [[0.0, 1.0], [-5.5, -0.01]], "B": [[0.0, 0.0], [5.0, 0.01]], "C": [[10.0, 0.01]]}
    model |= {"D": [[-10.0, -0.01]], "disturbance": [0.0, 0.5], "order": 2, "noise": [noise]}
    model |= {"inputs": ["x1", "v1"], "outputs": ["f"]}
    head = {"name": algorithm, "macro_step": 0.01}
    signal = {"algorithm": algorithm, "latency": {"constant_steps": 15}}
    more = {"models": {"mass_2": model}} if algorithm == "model" else {}
    return parse_interface({"interface": head, "signals": {"f": signal}, **more}, algorithm)


@LINUX
def test_a_model_costs_at_most_four_times_eros4_and_a_wrong_one_eight_times(tmp_path, cost):
    """Four states, k = 15, with inputs from here alone, which costs more than those that messages tell.

    In the place of a wrong model `auto` runs, the model beside it.
    """
    signals = {"eros4": late_by_fifteen("eros4"), "right": late_by_fifteen("model")}
    found = costs(tmp_path, **signals, wrong=late_by_fifteen("model", noise=1e-6))
    right, wrong = (found[name][0] / found["eros4"][0] for name in ("right", "wrong"))
    print(f"\nratio {right:.1f}, wrong {wrong:.1f}, at most 4 and 8")
    for name in ("right", "wrong"):
        cost(f"step in an FMU, a {name} model", 1e-9 * found[name][0], "EROS4", 1e-9 * found["eros4"][0])
    assert (found["right"][2], found["wrong"][2]) == (MODEL, AUTO)
    assert right <= 4.0 and wrong <= 8.0
