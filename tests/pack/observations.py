"""What finished FMUs do with bad input, seen in a process of its own: `python -m tests.pack.observations FOLDER`.

Prints one line of JSON for each observation, as soon as it is made.
"""

from __future__ import annotations

import gc
import json
import math
import sys
from collections.abc import Callable
from ctypes import byref, c_int
from pathlib import Path
from zipfile import ZipFile

from fmpy.fmi1 import FMICallException

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from tests.drivers import FmuDriver
from tests.vectors.reader import Setup

STEP = 0.01
TERMINATED = 3
NAN, INF = math.nan, math.inf
BUILT: dict[str, Path] = {}
OBSERVATIONS: list[Callable] = []


def observation(function: Callable) -> Callable:
    OBSERVATIONS.append(function)
    return function


def fmu(name: str = "plain", **signal) -> Path:
    """Return a built FMU; the same name stands for the same configuration."""
    if name not in BUILT:
        section = {"algorithm": "foh", "latency": {"constant_steps": 1}, **signal}
        document = {"interface": {"name": name, "macro_step": STEP, "timing": "step"}, "signals": {"s": section}}
        BUILT[name] = build_coupling_fmu(parse_interface(document, "test"), "s", Path(sys.argv[1]), backend="python")
    return BUILT[name]


def start(path: Path | None = None, **values) -> FmuDriver:
    """Return a running FMU; parameters with `_` for `.`."""
    named = {
        name.replace("_", ".", 1) if name.startswith(("latency", "output", "quality")) else name: value
        for name, value in values.items()
    }
    return FmuDriver(path or fmu(), Setup(values=named))


def run(driver: FmuDriver, values, first: int = 0) -> list[float]:
    out = []
    for n, y in enumerate(values, start=first):
        driver.set("y", y)
        driver.step(n * STEP, STEP)
        out.append(driver.get("y_hat"))
    return out


def texts(driver: FmuDriver) -> list[str]:
    return [text for _, _, text in driver.messages]


def status(call: Callable, *arguments) -> int:
    """Return the FMI status of a call."""
    try:
        call(*arguments)
    except FMICallException as problem:
        return problem.status
    return 0


@observation
def not_a_number():
    driver = start()
    out = run(driver, [0.0, 1.0, 2.0, NAN, INF, -INF, 6.0, 7.0, NAN])
    driver.close()
    return {"out": out, "logged": sum("not a finite number" in text for text in texts(driver))}


@observation
def stamp_not_a_number():
    driver = start(latency_mode=2)
    out = []
    for n in range(8):
        driver.set("y", float(n))
        driver.set("y_time", [n * STEP, NAN, INF, -INF][n % 4 if n > 3 else 0])
        driver.step(n * STEP, STEP)
        out.append(driver.get("y_hat"))
    driver.close()
    return {"out": out, "logged": sum("not a finite number" in text for text in texts(driver))}


@observation
def stamps_in_future_and_past():
    driver = start(latency_mode=2)
    out = []
    for n in range(100):
        stamp = n * STEP
        if n > 80:
            stamp = (n + 5) * STEP if n % 2 else (n - 70) * STEP
        driver.set("y", 1e9 if n > 80 else float(n))
        driver.set("y_time", stamp)
        driver.step(n * STEP, STEP)
        out.append(driver.get("y_hat"))
    driver.close()
    return {
        "out": out[80:84],
        "largest": max(out),
        "future": sum("future" in text for text in texts(driver)),
        "older": sum("older" in text for text in texts(driver)),
    }


@observation
def late_host():
    driver = start()
    run(driver, [float(n) for n in range(6)])
    driver.set("y", 6.0)
    accepted = driver.step(6 * STEP, 3 * STEP)
    out = run(driver, [9.0, 10.0], first=9)
    again = driver.step(11 * STEP, 3 * STEP)
    run(driver, [14.0], first=14)
    driver.close()
    logged = sum("left out" in text for text in texts(driver))
    return {"accepted": accepted, "again": again, "out": out, "logged": logged}


@observation
def wrong_times():
    found = {}
    for name, time, size in (
        ("back", 3 * STEP, STEP),
        ("ahead", 7 * STEP, STEP),
        ("zero", 5 * STEP, 0.0),
        ("negative", 5 * STEP, -STEP),
        ("nan", NAN, STEP),
        ("infinite", 5 * STEP, INF),
    ):
        driver = start()
        run(driver, [float(n) for n in range(5)])
        saved = driver.save()
        accepted = driver.step(time, size)
        text = texts(driver)[-1] if driver.messages else ""
        driver.restore(saved)
        restored = run(driver, [5.0], first=5)
        driver.step(time, size)
        driver.fmu.reset()
        driver.initialise(Setup())
        after_reset = run(driver, [float(n) for n in range(4)])
        driver.close()
        found[name] = {"accepted": accepted, "text": text, "restored": restored, "after reset": after_reset}
    return found


@observation
def wrong_parameters():
    found = {}
    for name, value in (
        ("latency.mode", 7),
        ("algorithm.selected", 0),
        ("reconstruction", -1),
        ("output.on_loss", 3),
        ("quality.action", 5),
        ("latency.constant_steps", 65),
        ("latency.coast_steps", -1),
        ("latency.offset", -0.5),
        ("macro_step", NAN),
        ("discontinuity.floor", INF),
    ):
        driver = FmuDriver.__new__(FmuDriver)
        try:
            driver.__init__(fmu(), Setup(values={name: value}))
            code = 0
        except FMICallException as problem:
            code = problem.status
        found[name] = {"status": code, "text": texts(driver)[0] if driver.messages else ""}
        driver.release()
        gc.collect()
    return found


@observation
def tunable_out_of_range():
    driver = start()
    run(driver, [0.0, 1.0, 2.0])
    found = {}
    for name, value in (
        ("algorithm.selected", 9),
        ("algorithm.selected", 6),
        ("discontinuity.sensitivity", 0.5),
        ("quality.zeta", NAN),
        ("output.rate_max", -1.0),
        ("output.min", INF),
    ):
        before = driver.get(name)
        driver.set(name, value)
        found[f"{name} = {value}"] = {"same": driver.get(name) == before, "text": texts(driver)[-1]}
    found["out"] = run(driver, [3.0], first=3)
    driver.close()
    return found


@observation
def limits():
    driver = start(output_min=-1.0, output_max=3.0, output_rate_max=50.0)
    out, limited = [], []
    for n, y in enumerate([0.0, 0.0, 0.4, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 2.0, 2.0, 2.0, 2.0]):
        driver.set("y", y)
        driver.step(n * STEP, STEP)
        out.append(driver.get("y_hat"))
        limited.append(bool(driver.get("output.limited")))
    driver.close()
    return {"out": out, "limited": limited}


@observation
def wrong_order():
    path = fmu()
    driver = FmuDriver.__new__(FmuDriver)
    FmuDriver.__init__(driver, path, begin=False)
    library = driver.fmu
    found = {"doStep before initialisation": status(library.doStep, 0.0, STEP)}
    found["read before initialisation"] = status(driver.get, "y_hat")
    found["exitInitializationMode first"] = status(library.exitInitializationMode)
    driver.initialise(Setup())
    run(driver, [0.0, 1.0, 2.0])
    for name, call in (
        ("setupExperiment", library.setupExperiment),
        ("enterInitializationMode", library.enterInitializationMode),
        ("exitInitializationMode", library.exitInitializationMode),
    ):
        found[f"{name} in a run"] = status(call)
    found["unchanged"] = run(driver, [3.0], first=3)
    found["fixed parameter in a run"] = status(driver.set, "latency.constant_steps", 3)
    found["fixed parameter stays"] = driver.get("latency.constant_steps")
    found["unknown reference"] = status(library.getReal, [4711])
    found["reference of another type"] = status(library.getInteger, [1])
    found["terminate"] = status(library.terminate)
    found["doStep after terminate"] = status(library.doStep, 4 * STEP, STEP)
    found["read after terminate"] = driver.get("y_hat")
    found["terminate again"] = status(library.terminate)
    found["texts"] = texts(driver)
    driver.release()
    gc.collect()
    return found


@observation
def foreign_states():
    other, driver = FmuDriver(fmu("other", start=1.0), Setup()), start()  # FMPy hands all messages to the last one
    run(driver, [0.0, 1.0, 2.0])
    run(other, [0.0, 1.0, 2.0])
    good = driver.save()
    bad = {
        "truncated": good[:-8],
        "empty": b"",
        "longer": good + b"\0" * 8,
        "version": good[:8] + b"\x63" + good[9:],
        "magic": b"x" + good[1:],
        "body": good[:-40] + b"\x55" * 8 + good[-32:],
        "another FMU": other.save(),
    }
    found = {}
    for name, data in bad.items():
        code = status(driver.restore, data)
        found[name] = {"status": code, "same": driver.save() == good, "text": (texts(driver) or [""])[-1]}
    found["out"] = run(driver, [3.0], first=3)
    driver.close()
    other.close()
    return found


@observation
def damaged_settings():
    damaged = Path(sys.argv[1], "damaged.fmu")
    with ZipFile(fmu()) as source, ZipFile(damaged, "w") as target:
        for name in source.namelist():
            whole = source.read(name)
            target.writestr(name, whole[: len(whole) // 2] if name.endswith("settings.txt") else whole)
    driver = FmuDriver.__new__(FmuDriver)
    try:
        driver.__init__(damaged)
    except Exception as problem:  # FMPy raises a bare one
        return {"text": str(problem), "logged": texts(driver)}
    return {"text": "", "logged": []}


@observation
def quality_stop():
    driver = FmuDriver(fmu("stop", quality={"action": "stop", "zeta": 0.0, "delta": 1e-3}), Setup())
    accepted = []
    for n in range(12):
        driver.set("y", math.sin(2.0 * n))
        accepted.append(driver.step(n * STEP, STEP))
    terminated = c_int(0)
    library = driver.fmu
    library.fmi2GetBooleanStatus(library.component, TERMINATED, byref(terminated))
    driver.close()
    return {"accepted": accepted, "terminated": terminated.value, "text": texts(driver)[-1]}


if __name__ == "__main__":
    for each in OBSERVATIONS:
        print(json.dumps([each.__name__, each()]), flush=True)
