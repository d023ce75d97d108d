"""Scripts for the loader: a coupling FMU taken through everything it can meet, the same on every machine."""

from __future__ import annotations

import random
import struct

from fmpy import read_model_description

KINDS = {"Real": "real", "Float64": "real", "Integer": "int", "Int32": "int", "Boolean": "bool", "Enumeration": "enum"}
PERIOD = 0.01
ODD = (float("nan"), float("inf"), -1.7976931348623157e308, 5e-324, -0.0, 1e300)


def bits(value: float) -> str:
    """Return a real number as the loader reads it exactly."""
    return f"@{struct.unpack('<Q', struct.pack('<d', value))[0]:016x}"


class Script:
    """Lines for the loader, with variables by name."""

    def __init__(self, path) -> None:
        self.variables = {v.name: v for v in read_model_description(str(path)).modelVariables}
        self.lines: list[str] = []

    def set(self, name: str, value: float) -> None:
        """Set a variable."""
        variable = self.variables[name]
        kind = KINDS[variable.type]
        self.lines.append(f"{kind} {variable.valueReference} {bits(value) if kind == 'real' else int(value)}")

    def read(self) -> None:
        """Read every variable."""
        for variable in self.variables.values():
            self.lines.append(f"get {KINDS[variable.type]} {variable.valueReference}")

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"


def coupling_script(path, seed: int, steps: int = 200, stamps: bool = False, events: bool = False) -> str:
    """Return a script: micro-steps, jumps, drop-outs, stamps out of order, NaN, tuning, saved states."""
    chance, script = random.Random(seed), Script(path)
    script.set("discontinuity.enabled", 1)
    script.set("latency.mode", 2 if stamps else 1)
    script.set("latency.constant_steps", chance.randint(0, 8))
    script.set("algorithm.selected", chance.choice((1, 2, 4, 5)))
    script.set("quality.action", 2)
    start = chance.choice((0.0, -1.5, 1e4))
    script.lines.append(f"init {bits(start)}")
    if events:
        script.lines.append("step-mode")
    parts, level = chance.choice((1, 1, 4)), 0.0
    for n in range(steps):
        if chance.random() < 0.02:
            level += chance.uniform(-5.0, 5.0)
        value = chance.choice(ODD) if chance.random() < 0.02 else level + chance.uniform(-0.3, 0.3)
        script.set("y", value)
        script.set("y_valid", chance.random() > 0.1)
        time = start + n * PERIOD / parts
        if stamps:
            script.set("y_time", time - PERIOD * chance.uniform(1.0, 6.0))
        if chance.random() < 0.05:
            script.set("algorithm.selected", chance.choice((1, 2, 4, 5, 9)))
        if chance.random() < 0.05:
            script.set("output.max", chance.choice((0.5, 2.0, 1.7976931348623157e308, -1e9)))
        if chance.random() < 0.3:
            script.read()
        if n == steps // 3:
            script.lines.append("save")
        script.lines.append(f"step {bits(time)} {bits(PERIOD / parts)}")
        if events:
            script.lines.append("event")
        script.lines.append("state")
    final = ["restore", "state"], [f"step {bits(start + steps * PERIOD)} {bits(PERIOD)}"]
    for lines in final:  # without a set, event timing reads differently in FMI 3 outside Event Mode
        script.set("y", level)
        script.read()
        script.lines += lines
    script.set("y", level)
    script.read()
    return str(script)
