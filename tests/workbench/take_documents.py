"""Settings files of coupling FMUs, drawn by dice over all keys of signals that run natively without a network."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomlkit

from couplant.base.errors import UsageError
from couplant.config import Interface, load_interface
from couplant_runtime.algorithms import BY_NAME

OUTSIDE = ("network", "model")
"""Algorithms whose FMUs the page leaves to the command."""

_INSIDE = tuple(row.name for row in BY_NAME.values() if row.native and row.name not in OUTSIDE)
_UNITS = ("1", "N.m", "m/s", "kW", "rev/min", "°C", "<&>\"'")
_HOSTS = {"step": ("reads_again", "jacobi"), "event": ("reads_again",)}
_PERIODS = {"step": (0.0, 0.001, 0.01, 1 / 3, 1, 1e-7), "event": (0.001, 0.01, 1 / 3, 1, 1e-7)}


def documents(seed: int, folder: Path) -> Iterator[tuple[str, Interface]]:
    """Yield texts that `couplant` takes, with what they say, without end; files go to a `folder`.

    The page writes the FMUs of most of their signals. Timings take turns.
    """
    dice = random.Random(seed)
    path = folder / "interface.toml"
    while True:
        for timing in _HOSTS:
            yield _allowed(dice, timing, path)


def _allowed(dice: random.Random, timing: str, path: Path) -> tuple[str, Interface]:
    while True:
        text = tomlkit.dumps(_document(dice, timing))
        path.write_text(text, encoding="utf-8")
        try:
            return text, load_interface(path)
        except UsageError:
            continue


def _document(dice: random.Random, timing: str) -> dict[str, Any]:
    head = {"name": dice.choice(("demo", "a_b", "X1")), "macro_step": dice.choice(_PERIODS[timing])}
    head |= {"timing": timing} if timing == "event" else _some(dice, 0.5, timing=timing)
    head |= _some(dice, 0.4, inputs=dice.choice(("all", "needed")))
    head |= _some(dice, 0.4, host=dice.choice(_HOSTS[timing]))
    return {"interface": head, "signals": {dice.choice(("torque", "s", "v_1")): _signal(dice, timing)}}


def _some(dice: random.Random, share: float, **keys: Any) -> dict[str, Any]:
    """Return some of the keys."""
    return {key: value for key, value in keys.items() if dice.random() < share}


def _signal(dice: random.Random, timing: str) -> dict[str, Any]:
    found: dict[str, Any] = {"algorithm": _algorithm(dice), "latency": _latency(dice)}
    found |= _some(
        dice, 0.4, unit=dice.choice(_UNITS), start=dice.uniform(-9, 9), bypass=dice.random() < 0.5, debug=True,
        reconstruction=dice.choice(("linear", "hold")),
    )  # fmt: skip
    found |= _some(dice, 0.2, **{"from": "engine.torque", "to": ["shaft.torque", "load.m"], "derivative": "engine.v"})
    found |= _some(dice, 0.4, burst=dice.randint(1, 4)) if found["latency"]["mode"] != "constant" else {}
    quality = _some(
        dice, 0.4, zeta=dice.choice((-1.0, 0.5, 3)), delta=dice.choice((-1.0, 0.02)),
        action=dice.choice(("ignore", "warn", "stop", "hold")),
    )  # fmt: skip
    jumps = _some(
        dice, 0.4, enabled=dice.random() < 0.7, sensitivity=dice.uniform(1, 9), hold=True, floor=dice.random(),
        detector=dice.choice(("spectral", "residual")),
    )  # fmt: skip
    wrap = _some(dice, 0.1, period=dice.choice((360.0, 6.283185307179586)), noise=10.0 ** dice.randint(-9, 0))
    tables = {"output": _output(dice, timing), "quality": quality, "discontinuity": jumps, "signal": wrap}
    return found | {key: one for key, one in tables.items() if one}


def _output(dice: random.Random, timing: str) -> dict[str, Any]:
    low, high = sorted((dice.uniform(-1e3, 1e3), dice.uniform(-1e3, 1e3)))
    found = _some(dice, 0.5, min=low, max=high, rate_max=10.0 ** dice.randint(-3, 20), safe_value=(low + high) / 2)
    found |= _some(dice, 0.3, on_loss=dice.choice(("hold", "safe")), guard=dice.choice((0.0, 0.5, 2)))
    variability = ("continuous", "discrete") if timing == "step" else ("continuous",)
    return found | _some(dice, 0.3, variability=dice.choice(variability))


def _algorithm(dice: random.Random) -> Any:
    name = dice.choice(_INSIDE)
    if name == "linear":
        return _weights(dice)
    found = {"selected": name}
    if name == "smb":
        found |= _some(dice, 0.3, observer_gain=dice.uniform(0, 5))
    if name in ("irregular", "auto"):
        low = dice.uniform(0, 20)
        found |= _some(dice, 0.5, band=[low, low + dice.uniform(0.1, 60)], values=dice.randint(4, 10))
        found |= _some(dice, 0.4, exact=dice.randint(0, 2), noise=10.0 ** dice.randint(-8, -1))
    return name if found == {"selected": name} else found


def _weights(dice: random.Random) -> dict[str, Any]:
    def row() -> dict[str, Any]:
        m = dice.randint(1, 6)
        inner = [dice.uniform(-1, 1) for _ in range(m - 1)], [dice.uniform(-1, 1) for _ in range(m - 1)]
        found = {"a": [1.0 - sum(inner[0]), *inner[0]], "A": [-sum(inner[1]), *inner[1]]}
        return found | ({"b": [0.25] * m, "B": [-0.5] * m} if dice.random() < 0.1 else {})

    if dice.random() < 0.5:
        return {"selected": "linear", **row()}
    steps = sorted(dice.sample(range(12), 3))
    return {"selected": "linear", "table": [{"steps": k, **row()} for k in steps]}


def _latency(dice: random.Random) -> dict[str, Any]:
    mode = dice.choice(("constant", "constant", "stamps", "resequenced", "round_trip"))
    found = {"mode": mode, **_some(dice, 0.6, constant_steps=dice.randint(0, 9))}
    found |= _some(dice, 0.2, offset=dice.uniform(0, 0.02), host_lead=dice.choice((0.5, 1.0)), hold_lead=0.5)
    found |= _some(dice, 0.2, coast_steps=dice.randint(0, 5), lost_steps=dice.randint(5, 50))
    found |= _some(dice, 0.1, follow=dice.choice(("off", "lag", "lag_and_gain")), offset_min=0.0, offset_max=0.02)
    return found | (_some(dice, 0.3, clock="free", minimum=0.001) if mode != "constant" else {})
