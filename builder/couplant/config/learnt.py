"""Weights that a network had learnt at the end of a run, from the file that `couplant simulate` writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from couplant.base.errors import UsageError
from couplant.config.frame.read import Content, read_toml


def with_learnt(settings: Any, signal: str, file: Callable[[str], Path]) -> Any:
    """Return the table `settings` of a `signal` with the weights in the file that its `network.learnt` names.

    `file` gives the path of a file that is named so. Tables that are wrong in another way are left as they are: the
    schema says what is wrong.

    Raises
    ------
    UsageError
        If the file cannot be read or has no weights for the signal.
    """
    network = settings.get("network") if isinstance(settings, dict) else None
    name = network.get("learnt") if isinstance(network, dict) else None
    if not isinstance(network, dict) or not isinstance(name, str) or "weights" in network:
        return settings
    found: Any = read_toml(file(name))
    for key in ("signals", signal, "network", "weights"):
        found = found.get(key) if isinstance(found, dict) else None
    if found is None:
        raise UsageError(f"{file(name)}: no signals.{signal}.network.weights, as network.learnt needs them")
    return {**settings, "network": {**network, "weights": found}}


def all_with_learnt(document: Content, folder: Path) -> Content:
    """Return a `document` with the weights that its signals name; files are relative to `folder`.

    Raises
    ------
    UsageError
        If a file cannot be read or has no weights for the signal.
    """
    signals = document.get("signals")
    if not isinstance(signals, dict):
        return document
    return {**document, "signals": {n: with_learnt(one, n, lambda text: folder / text) for n, one in signals.items()}}
