"""Benches to find settings for: the systems of tests/loops.toml as two sides, and runs of hand settings there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tomlkit

from couplant.bench import load_bench
from couplant.bench.session import solve_reference
from couplant.bench.tune.dry import DryBench, run_plain, thinking_time
from couplant.bench.tune.sides import Candidate, with_models
from couplant.bench.tune.tuner import Budget
from couplant.config.bench import SIDES
from couplant.cosim.fmu.load import FmuLibrary
from couplant.sweep.for_bench import first_models, identify_bench, known_loop, network_of_steps, proposals, shells
from tests.sweep.loops import LOOPS, document

HAND = ("wire", "zoh", "foh", "smb", "eros3", "eros4", "auto", "irregular")


def write_bench(name: str, folder: Path, latency: float = 2.4, jitter: float = 0.0, loss: float = 0.0, **more) -> Path:
    """Write the bench of a loop and return it; `latency` and `jitter` in macro steps."""
    loop, h = document(name, 3, "event"), LOOPS[name]["macro_step"]
    renamed = tomlkit.dumps(loop).replace("prototypes.a", "prototypes.left").replace("prototypes.b", "prototypes.right")
    for old, new in (("a", "left"), ("b", "right")):
        renamed = renamed.replace(f'"{old}.', f'"{new}.').replace(f"[excitation.{old}]", f"[excitation.{new}]")
    (folder / "system.toml").write_text(renamed, encoding="utf-8")
    duration = Budget.of(h).total * h
    bench = {"name": name, "duration": duration, "macro_step": h, "timing": ["event"], "algorithms": ["wire"]}
    bench["components"] = {side: {"system": "system.toml"} for side in SIDES}
    bench["relay"] = {"latency": latency * h, "jitter": jitter * h, "loss": loss, "seed": 3}
    bench["signals"] = {
        sent: {"from": f"{side}.{sent}", "to": [f"{other}.{sent}"]}
        for side, other, mine in zip(SIDES, SIDES[::-1], "ab", strict=True)
        for sent in LOOPS[name][mine]["sends"]
    }
    path = folder / "bench.toml"
    path.write_text(tomlkit.dumps(bench | more), encoding="utf-8")
    return path


def tuned(path: Path, folder: Path, known: bool = True, **how):
    """Return a bench, its dry run, and the advice that it went by, None without one.

    Where the sides are not `known` they are identified.
    """
    loaded = load_bench(path)
    loop, advice, found = known_loop(loaded) if known else None, [], None

    def propose(ages, lost):
        network = network_of_steps(ages, lost, loaded.scenario.bench.repeat)
        rows, one = proposals(loaded, found.loop if found else loop, network, found=found)
        advice.append(one)
        return [Candidate(p.name, p.algorithm, p.models, p.expected) for p in rows]

    def identify(rows):
        nonlocal found
        found = identify_bench(loaded, rows)
        return propose

    models = first_models(loaded, loop) if loop else shells(loaded)
    takes = thinking_time(loop is not None)
    first = Candidate("before", loaded.scenario.algorithms[0])
    how |= {"certain": known, "takes": takes, "identify": None if known else identify}
    run = DryBench(loaded, first, models, propose, folder, **how).tune()
    return loaded, run, advice[0] if advice else None


def tried(path: Path, folder: Path, *algorithms: str, certain: bool = False, **how):
    """Return a bench and its dry run in which some algorithms are tried in this order, all of them at once ready."""
    loaded = load_bench(path)
    order = {name: 0.1 + 0.01 * i for i, name in enumerate(algorithms)}
    first = Candidate("before", loaded.scenario.algorithms[0])

    def propose(ages, lost):
        return [Candidate(name, name, {}, expected if certain else float("inf")) for name, expected in order.items()]

    return loaded, DryBench(loaded, first, {}, propose, folder, certain=certain, **{"takes": 0.0} | how).tune()


def courses_by_hand(loaded, candidates, folder: Path) -> dict[str, dict[str, np.ndarray]]:
    """Return the courses of the errors of each hand setting, as `errors_of`."""
    reference, found = solve_reference(loaded), {}
    with FmuLibrary() as library:
        for name, algorithm, models in candidates:
            place = folder / name.replace(" ", "_").replace(",", "")
            records, _ = run_plain(with_models(loaded, models), algorithm, library, place)
            found[name] = errors_of(loaded, reference, records)
    return found


def errors_of(loaded, reference, records) -> dict[str, np.ndarray]:
    """Return the course of the error of each estimate against the delay-free reference, over the size of the signal."""
    found = {}
    for record in records:
        for i, name in enumerate(record.receives):
            true = reference.values[loaded.scenario.signals[name].source]
            found[name] = (record.estimate[:, i] - true[: len(record.estimate)]) / max(float(np.std(true)), 1e-300)
    return found


def windows_of(errors: dict[str, np.ndarray], macro_step: float) -> np.ndarray:
    """Return the rms error in windows of one second, of ten macro steps where these are longer; mean of the signals."""
    size = max(round(1.0 / macro_step), 10)
    count = len(next(iter(errors.values()))) // size
    parts = [one[: count * size].reshape(count, size) for one in errors.values()]
    return np.mean([np.sqrt(np.mean(part**2, axis=1)) for part in parts], axis=0)


def rms_of(errors: dict[str, np.ndarray]) -> float:
    """Return the rms of errors over the size of each signal, mean of the signals."""
    shares = [float(np.sqrt(np.mean(one**2))) for one in errors.values()]
    return float(np.mean(shares)) if np.isfinite(shares).all() else float("inf")


def hide(path: Path) -> Path:
    """Let the system file of a bench have a loop that is not there besides, so that the sides are not known to it."""
    file = path.parent / "system.toml"
    found = tomlkit.parse(file.read_text(encoding="utf-8"))
    idle = {"A": [[-1.0]], "B": [[1.0]], "C": [[0.5]]}
    for one, other in (("spare", "other"), ("other", "spare")):
        found["prototypes"][one] = idle | {"inputs": ["u"], "outputs": ["y"]}
        found["connections"].append({"from": f"{one}.y", "to": f"{other}.u"})
    file.write_text(tomlkit.dumps(found), encoding="utf-8")
    return path
