"""The options of the command line that the quantities in the sentences of errors are given by."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

OPTIONS = {
    "algorithm": "--algorithm",
    "algorithms": "--algorithms",
    "anywhere": "--anywhere",
    "assignment": "--set",
    "assignments": "--set",
    "backend": "--backend",
    "bond": "--bond",
    "certificate": "--certificate",
    "command": "--command",
    "dask": "--dask",
    "decimal": "--decimal",
    "delimiter": "--delimiter",
    "drop_signatures": "--drop-signatures",
    "effort_received": "--effort-received",
    "elsewhere": "--elsewhere",
    "federate": "--federate",
    "flow_received": "--flow-received",
    "fresh": "--fresh",
    "host": "--host",
    "inputs": "--input",
    "jitter": "--jitter",
    "key": "--key",
    "latency": "--latency",
    "listen": "--listen",
    "loss": "--loss",
    "macro_step": "--macro-step",
    "micro_step": "--micro-step",
    "order": "--order",
    "outputs": "--output",
    "patience": "--wait",
    "peer": "--peer",
    "platform": "--platform",
    "receives": "--receives",
    "recording": "--recording",
    "seed": "--seed",
    "seeds": "--seeds",
    "sends": "--sends",
    "settings": "--map",
    "signals": "--signals",
    "states": "--states",
    "steps": "--steps",
    "threads": "--threads",
    "time": "--time",
    "time_unit": "--time-unit",
    "timing": "--timing",
    "transport": "--transport",
    "workers": "--workers",
}
"""Quantities as sentences name them, ``macro_step = 0`` or ``macro_step is missing``, and their options."""

_NAMED = re.compile(r"(?<![\w.])(\w+)(?= = | is missing| are missing| and \w+ are missing)")
_STARTS = {quantity.replace("_", " "): quantity for quantity in ("macro_step", "latency")}
"""How lines on what was assumed begin."""


def with_options(message: str, offered: Collection[str]) -> str:
    """Return an error's sentences, a line each, with the options of its quantities that a command has, `offered`."""
    return "\n".join(_with_options(line, offered) for line in message.splitlines())


def assumption_with_option(line: str) -> str:
    """Return a `line` on what was assumed of a recording with the option that says otherwise."""
    quantity = next((name for words, name in _STARTS.items() if line.startswith(f"{words} ")), None)
    return line if quantity is None else f"{line} ({OPTIONS[quantity]})"


def _with_options(line: str, offered: Collection[str]) -> str:
    named = [OPTIONS[name] for name in _NAMED.findall(line) if OPTIONS.get(name) in offered]
    missing = [option for option in dict.fromkeys(named) if option not in line]
    if not missing:
        return line
    sentence = line.rstrip(".")
    return f"{sentence} ({', '.join(missing)}){line[len(sentence) :]}"


def offered_by(command: Any, words: Sequence[str]) -> set[str]:
    """Return the options of the verb that `words` of a command line begin with, such as ``ssp insert``."""
    for word in words:
        inner = getattr(command, "commands", {}).get(word)
        if inner is None:
            break
        command = inner
    return {option for parameter in command.params for option in parameter.opts}
