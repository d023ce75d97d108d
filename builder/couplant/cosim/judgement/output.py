"""Files of a result: one CSV file a run, one for each signal whose stages are logged."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tomlkit
from numpy.typing import NDArray

from couplant.base.files import write_atomic
from couplant.config.scenario import log_name
from couplant.cosim.result import Run
from couplant.cosim.traces import BondTrace, run_columns


def write_run(run: Run, folder: Path) -> list[Path]:
    """Write the signals of a run, and its logs, into a folder that is made if needed; return the paths of the files.

    These are ``<timing>_<algorithm>.csv``, ``<timing>_<algorithm>_<signal>_stages.csv``, of a run with power bonds
    ``<timing>_<algorithm>_bonds.csv``, of one with networks ``<timing>_<algorithm>_learnt.toml``; whole files or none.
    Raises OSError if a file cannot be written.
    """
    traces = folder / f"{run.timing}_{run.algorithm}.csv"
    write_columns(traces, run_columns(run.traces, run.watched))
    found = (run.debug or {}).items()
    logs = {folder / log_name(run.timing, run.algorithm, signal): columns for signal, columns in found}
    if run.bonds:
        logs[folder / f"{run.timing}_{run.algorithm}_bonds.csv"] = _bond_columns(run.bonds)
    for path, columns in logs.items():
        write_columns(path, columns)
    learnt = folder / f"{run.timing}_{run.algorithm}_learnt.toml"
    if run.learnt:
        # the file that the key `network.learnt` names
        signals = {name: {"network": {"weights": list(weights)}} for name, weights in run.learnt.items()}
        write_atomic(learnt, tomlkit.dumps({"signals": signals}))
    return [traces, *logs, *([learnt] if run.learnt else [])]


def write_columns(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write `columns`, shape (N,) by heading, to a CSV file that appears only when it is complete.

    What is not a number is left empty. Raises OSError if the file cannot be written.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*map(_cells, columns.values()), strict=True))
    write_atomic(path, text.getvalue())


def _bond_columns(bonds: Mapping[str, BondTrace]) -> dict[str, NDArray[Any]]:
    """Return power at the ends of the steps [W], energy given since the start, created and left [J], by bond."""
    columns: dict[str, NDArray[Any]] = {}
    for name, one in bonds.items():
        given = {"given_e": np.cumsum(one.given_effort), "given_f": np.cumsum(one.given_flow)}
        left = {"left_e": one.left_effort, "left_f": one.left_flow}
        known = {part: values for part, values in left.items() if values is not None}
        shown = {"power": one.power, **given, "residual": one.residual, **known}
        columns.setdefault("time", one.time)
        columns.setdefault("step", one.step)
        columns |= {f"{name}.{part}": values for part, values in shown.items()}
    return columns


def _cells(column: NDArray[Any]) -> Sequence[str]:
    if column.dtype.kind == "f":
        return ["" if np.isnan(value) else repr(value) for value in column.tolist()]
    return [str(int(value)) for value in column.tolist()]
