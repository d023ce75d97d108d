"""Settings files whose FMUs the page writes, drawn by dice over all that the page takes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomlkit

from couplant.config import Interface, load_interface
from couplant.errors import UsageError
from couplant_runtime.algorithms import BY_NAME

OUTSIDE = ("network", "model")
"""Algorithms whose FMUs the page leaves to the command."""

_INSIDE = tuple(row.name for row in BY_NAME.values() if row.native and row.name not in OUTSIDE)
_UNITS = ("1", "N.m", "m/s", "kW", "rev/min", "°C", "<&>\"'")
_HOSTS = ("reads_again", "jacobi")


def documents(seed: int, folder: Path) -> Iterator[tuple[str, Interface]]:
    """Yield texts that `couplant` takes, with what they say, without end; files go to a `folder`."""
    dice = random.Random(seed)
    path = folder / "interface.toml"
    while True:
        text = tomlkit.dumps(_document(dice))
        path.write_text(text, encoding="utf-8")
        try:
            yield text, load_interface(path)
        except UsageError:
            continue


def _document(dice: random.Random) -> dict[str, Any]:
    head = {"name": dice.choice(("demo", "a_b", "X1")), "macro_step": dice.choice((0.0, 0.001, 0.01, 1 / 3, 1, 1e-7))}
    head |= _some(dice, 0.7, timing=dice.choice(("step", "event")))
    head |= _some(dice, 0.4, inputs=dice.choice(("all", "needed")))
    head |= _some(dice, 0.4, host=dice.choice(_HOSTS))
    return {"interface": head, "signals": {dice.choice(("torque", "s", "v_1")): _signal(dice)}}


def _some(dice: random.Random, share: float, **keys: Any) -> dict[str, Any]:
    """Return some of the keys."""
    return {key: value for key, value in keys.items() if dice.random() < share}


def _signal(dice: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {"algorithm": _algorithm(dice), "latency": _latency(dice)}
    found |= _some(
        dice, 0.4, unit=dice.choice(_UNITS), start=dice.uniform(-9, 9), bypass=dice.random() < 0.5, debug=True,
        burst=dice.randint(1, 4), reconstruction=dice.choice(("ramp", "hold")),
    )  # fmt: skip
    found |= _some(dice, 0.2, **{"from": "engine.torque", "to": ["shaft.torque", "load.m"]})
    low, high = sorted((dice.uniform(-1e3, 1e3), dice.uniform(-1e3, 1e3)))
    output = _some(dice, 0.5, min=low, max=high, rate_max=10.0 ** dice.randint(-3, 20), safe_value=(low + high) / 2)
    output |= _some(dice, 0.3, variability="discrete", on_loss=dice.choice(("hold", "safe")))
    quality = _some(dice, 0.4, zeta=dice.choice((-1.0, 0.5, 3)), delta=dice.choice((-1.0, 0.02)), action="hold")
    jumps = _some(dice, 0.4, enabled=dice.random() < 0.7, sensitivity=dice.uniform(1, 9))
    found |= {key: one for key, one in (("output", output), ("quality", quality), ("discontinuity", jumps)) if one}
    if dice.random() < 0.15:
        found["signal"] = {"period": dice.choice((360.0, 6.283185307179586))}
    return found


def _algorithm(dice: random.Random) -> Any:
    name = dice.choice(_INSIDE)
    if name == "linear":
        return _weights(dice)
    found = {"selected": name}
    if name in ("irregular", "auto"):
        low = dice.uniform(0, 20)
        found |= _some(dice, 0.5, band=[low, low + dice.uniform(0.1, 60)], values=dice.randint(4, 12))
        found |= _some(dice, 0.4, exact=dice.randint(0, 2), noise=10.0 ** dice.randint(-8, -1))
    return name if found == {"selected": name} else found


def _weights(dice: random.Random) -> dict[str, Any]:
    def row() -> dict[str, Any]:
        m = dice.randint(1, 6)
        inner = [dice.uniform(-1, 1) for _ in range(m - 1)], [dice.uniform(-1, 1) for _ in range(m - 1)]
        return {"a": [1.0 - sum(inner[0]), *inner[0]], "A": [-sum(inner[1]), *inner[1]]}

    if dice.random() < 0.5:
        return {"selected": "linear", **row()}
    steps = sorted(dice.sample(range(12), 3))
    return {"selected": "linear", "table": [{"steps": k, **row()} for k in steps]}


def _latency(dice: random.Random) -> dict[str, Any]:
    mode = dice.choice(("constant", "constant", "stamps", "round_trip"))
    found = {"mode": mode, **_some(dice, 0.6, constant_steps=dice.randint(0, 9))}
    found |= _some(dice, 0.2, offset=dice.uniform(0, 0.02), host_lead=dice.choice((0.5, 1.0)), hold_lead=0.5)
    found |= _some(dice, 0.2, coast_steps=dice.randint(0, 5), lost_steps=dice.randint(5, 50))
    return found | (_some(dice, 0.3, clock="free", minimum=0.001) if mode != "constant" else {})
