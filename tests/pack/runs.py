"""Runs of finished FMUs in a process of its own: `python -m tests.pack.runs NAME FOLDER`; prints one line of JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from tests.drivers import FmuDriver, PythonDriver
from tests.vectors.reader import Setup

STEP = 0.01
SIGNAL = [(n * 7 % 11) / 8.0 for n in range(60)]


def interface(algorithm: str, timing: str = "step", name: str = "pair", k: int = 1, **signal):
    section = {"algorithm": algorithm, "latency": {"constant_steps": k}, **signal}
    document = {"interface": {"name": name, "macro_step": STEP, "timing": timing}, "signals": {"s": section}}
    return parse_interface(document, "test")


def begin(folder: Path, algorithm: str, **more) -> FmuDriver:
    return FmuDriver(build(interface(algorithm, **more), folder), Setup())


def build(settings, folder: Path) -> Path:
    return build_coupling_fmu(settings, "s", folder, backend="python")


def step(driver, n: int, y: float) -> float:
    driver.set("y", y)
    driver.step(n * STEP, STEP)
    return driver.get("y_hat")


def side_by_side(folder: Path):
    """Two FMUs of one name and five algorithms, stepped in turn in one process."""
    names = ("zoh", "foh", "smb", "eros3", "eros4")
    fmus = [begin(folder / name, name) for name in names]
    out = {name: [] for name in names}
    for n, y in enumerate(SIGNAL):
        for name, driver in zip(names, fmus, strict=True):
            out[name].append(step(driver, n, y))
    for driver in fmus:
        driver.close()
    expected = {}
    for name in names:
        twin = PythonDriver(Setup(), interface(name))
        expected[name] = [step(twin, n, y) for n, y in enumerate(SIGNAL)]
    return {"out": out, "expected": expected}


def rebuilt(folder: Path):
    """One FMU, built with the algorithm that the file `algorithm` in the folder names."""
    algorithm = (folder / "algorithm").read_text(encoding="utf-8")
    driver = begin(folder, algorithm)
    out = [step(driver, n, y) for n, y in enumerate(SIGNAL)]
    driver.close()
    return out


def two_instances(folder: Path):
    """Two instances of one FMU do not share a state."""
    path = build(interface("foh"), folder)
    one, two = FmuDriver(path), FmuDriver(path)
    out = [[step(one, n, y), step(two, n, -2.0 * y)] for n, y in enumerate(SIGNAL)]
    one.close()
    two.close()
    return out


def saved_and_restored(folder: Path):
    """A run that goes back to a saved state, also from its serialised form in another instance."""
    path = build(interface("eros3", discontinuity={"enabled": True}), folder)
    whole, parts, other = FmuDriver(path), FmuDriver(path), FmuDriver(path)
    plain = [step(whole, n, y) for n, y in enumerate(SIGNAL)]
    for n, y in enumerate(SIGNAL[:30]):
        step(parts, n, y)
    kept, data = parts.fmu.getFMUstate(), parts.save()
    for n in range(30, 40):
        step(parts, n, 5.0)
    parts.fmu.setFMUstate(kept)
    first = [step(parts, n, y) for n, y in enumerate(SIGNAL[30:], start=30)]
    parts.fmu.setFMUstate(kept)
    second = [step(parts, n, y) for n, y in enumerate(SIGNAL[30:], start=30)]
    parts.fmu.freeFMUstate(kept)
    other.restore(data)
    third = [step(other, n, y) for n, y in enumerate(SIGNAL[30:], start=30)]
    states = [driver.save().hex() for driver in (whole, parts, other)]
    for driver in (whole, parts, other):
        driver.close()
    return {"plain": plain[30:], "again": [first, second, third], "states": states}


def identified(folder: Path, algorithm: str):
    """An identified model: as in this process, from a saved state in another instance, and after a reset."""
    path, tone = build(interface(algorithm, "event"), folder), [0.0, 1.0]
    for _ in range(298):
        tone.append(1.9 * tone[-1] - 0.95 * tone[-2])
    whole, other = FmuDriver(path), FmuDriver(path)
    twin = PythonDriver(Setup(), interface(algorithm, "event"))
    out, data = [], b""
    for n in range(300):
        if n == 200:
            data = whole.save()
        out.append(_fed(whole, n, tone))
    expected = [_fed(twin, n, tone) for n in range(300)]
    settled = whole.get("identification.settled")
    other.restore(data)
    again = [_fed(other, n, tone) for n in range(200, 300)]
    states = [driver.save().hex() for driver in (whole, other)]
    other.fmu.reset()
    other.initialise(Setup())
    fresh = [_fed(other, n, tone) for n in range(50)]
    whole.close()
    other.close()
    return {"out": out, "expected": expected, "again": again, "states": states, "fresh": fresh, "settled": settled}


def _fed(driver, n: int, tone: list[float]) -> float:
    """Step with a value of the tone, and where there is an input `u` with that of seven steps before."""
    known = driver.variables if isinstance(driver, FmuDriver) else driver.references
    if "u" in known:
        driver.set("u", tone[n - 7])
    return step(driver, n, tone[n])


def identified_recursive_fir(folder: Path):
    """See `identified`."""
    return identified(folder, "recursive_fir")


def identified_coupling_element(folder: Path):
    """See `identified`."""
    return identified(folder, "coupling_element")


def reads(folder: Path):
    """Get after set: in Initialization Mode, and in a run of both timings."""
    found = {}
    for timing in ("step", "event"):
        path = build(interface("foh", timing, output={"max": 6.0}), folder / timing)
        driver = FmuDriver(path, begin=False)
        library = driver.fmu
        library.setupExperiment(startTime=0.0)
        library.enterInitializationMode()
        seen = [driver.get("y_hat")]
        for y in (3.0, 7.0, -2.0):
            driver.set("y", y)
            seen.append(driver.get("y_hat"))
        driver.set("latency.constant_steps", 2)
        driver.set("latency.offset", 0.005)
        seen.append(driver.get("latency.seconds"))
        driver.set("latency.offset", 0.0)
        driver.set("latency.constant_steps", 1)
        library.exitInitializationMode()
        quiet = FmuDriver(path, Setup(values={"y": -2.0}))
        previews, given, plain = [], [], []
        for n, y in enumerate([0.0, 1.0, 2.0, 3.0, 1.0]):
            for value in (50.0, y, y):
                driver.set("y", value)
                last = driver.get("y_hat")
            previews.append(last)
            driver.step(n * STEP, STEP)
            step(quiet, n, y)
            given.append(driver.committed("y_hat"))
            plain.append(quiet.committed("y_hat"))
        driver.close()
        quiet.close()
        found[timing] = {"initialisation": seen, "previews": previews, "given": given, "plain": plain}
    return found


def variables(folder: Path):
    """Values of all variables after instantiation."""
    path = build(interface("eros3", start=0.5), folder)
    driver = FmuDriver(path, begin=False)
    found = {name: driver.get(name) for name in driver.variables}
    driver.fmu.setupExperiment(startTime=2.0)
    found["time"] = driver.get("time")
    driver.fmu.enterInitializationMode()
    driver.fmu.exitInitializationMode()
    driver.step(2.0, STEP)
    found["time after a step"] = driver.get("time")
    driver.close()
    return found


def many_instances(folder: Path):
    """Instances come and go; the loader must not wear anything out."""
    path = build(interface("eros4"), folder)
    out = []
    for _ in range(40):
        driver = FmuDriver(path)
        out.append(step(driver, 0, 0.5))
        driver.close()
    return out


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](Path(sys.argv[2]))))
