"""Channels of MATLAB files, as users and Simulink lay them down: up to version 7 by scipy, of 7.3 (HDF5) by h5py."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.tables.channels import Channel, Channels, Loaded, missing, unreadable
from couplant.tables.clock import factor_of, is_time, seconds_in, unit_in
from couplant.tables.headings import Reading

_HDF5 = b"MATLAB 7.3"  # what files of version 7.3 begin with

_VALUES = ("values", "value", "data", "Data", "y")


def channels(path: Path, how: Reading) -> Channels:
    """Return the channels among the variables of a file.

    These are vectors as long as a vector of times beside them; structures with times (Simulink: structure with time,
    also with several signals); matrices whose first column or row is times that increase (Simulink: array, To File).
    Raise `UsageError` if the file cannot be read, or is of version 7.3 and h5py is missing, if the unit of times is
    unknown, or two channels have one name.
    """
    with path.open("rb") as file:
        newer = file.read(len(_HDF5)) == _HDF5
    variables = _of_hdf5(path) if newer else _of_matlab_5(path)
    found = list(_within(variables, "", how, str(path)))
    names = [channel.name for channel in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"{path} has {names.count(twice[0])} channels {twice[0]}, allowed 1.")
    times = [name for name in variables if is_time(name)]
    unit = how.time_unit or next((unit_in(name) for name in times), "")
    said = "" if unit or not found else "times in s, as no unit is given"
    return Loaded(str(path), names, found.__getitem__, said)


def _within(variables: Mapping[str, Any], before: str, how: Reading, origin: str) -> Iterator[Channel]:
    """Find channels in variables, or in the fields of a structure whose name is `before`."""
    times = {name: one for name, one in variables.items() if _is_vector(one) and _is_clock(name, how)}
    clocks = {name: _seconds(name, np.asarray(one, dtype=float), how, origin) for name, one in times.items()}
    for name, one in variables.items():
        if name in clocks:
            continue
        if isinstance(one, Mapping):
            yield from _structure(one, f"{before}{name}", how, origin)
        elif (clock := _beside(one, clocks)) is not None:
            # where a structure holds times and values only, its name is that of the channel
            alone = before and name in _VALUES and len(clocks) == 1
            own = before.removesuffix(".") if alone else f"{before}{name}"
            yield from _columns(own, np.asarray(one, dtype=float), clock)
        elif not clocks and (table := _with_times(one)) is not None:
            yield from _columns(f"{before}{name}", table[:, 1:], table[:, 0] * _factor(how))


def _structure(one: Mapping[str, Any], name: str, how: Reading, origin: str) -> Iterator[Channel]:
    signals = one.get("signals")
    clock = next((one[key] for key in one if _is_vector(one[key]) and _is_clock(key, how)), None)
    if signals is None or clock is None:
        yield from _within(one, f"{name}.", how, origin)
        return
    several = signals if isinstance(signals, list) else [signals]
    for i, signal in enumerate(several):
        label = str(signal.get("label") or "")
        own = label if len(several) > 1 and label else f"{name}.{i + 1}" if len(several) > 1 else label or name
        values, time = np.asarray(signal["values"], dtype=float), np.asarray(clock, dtype=float)
        yield from _columns(own, values, time * _factor(how))


def _columns(name: str, values: Any, clock: Vector) -> Iterator[Channel]:
    """Return a channel for each column of values, shape (N,) or (N, M)."""
    if values.ndim == 1:
        yield Channel(name, "", clock, values)
        return
    several = values.shape[1] > 1
    for i in range(values.shape[1]):
        yield Channel(f"{name}.{i + 1}" if several else name, "", clock, values[:, i])


def _is_vector(one: Any) -> bool:
    return isinstance(one, np.ndarray) and one.ndim == 1 and one.size > 1 and one.dtype.kind in "fiub"


def _is_clock(name: str, how: Reading) -> bool:
    return name == how.time if how.time else is_time(name)


def _beside(one: Any, clocks: Mapping[str, Vector]) -> Vector | None:
    """Return the times that values have, of which each has one."""
    if not (isinstance(one, np.ndarray) and one.dtype.kind in "fiub" and one.ndim in (1, 2)):
        return None
    return next((clock for clock in clocks.values() if clock.size == one.shape[0]), None)


def _with_times(one: Any) -> Any:
    """Return a matrix with times in its first column, shape (N, M), if this is one, as rows or as columns."""
    if not (isinstance(one, np.ndarray) and one.dtype.kind in "fiu" and one.ndim == 2 and min(one.shape) > 1):
        return None
    upright = np.asarray(one if one.shape[0] >= one.shape[1] else one.T, dtype=float)
    return upright if np.all(np.diff(upright[:, 0]) > 0.0) else None


def _factor(how: Reading) -> float:
    return (seconds_in(how.time_unit) if how.time_unit else None) or 1.0


def _seconds(name: str, time: Vector, how: Reading, origin: str) -> Vector:
    return time * factor_of(how.time_unit or unit_in(name), name, origin)


def _of_matlab_5(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    try:
        found = loadmat(path, squeeze_me=True, struct_as_record=True)
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, "a MATLAB file", error) from None
    return {name: _plain(one) for name, one in found.items() if not name.startswith("__")}


def _plain(value: Any) -> Any:
    """Return structures as mappings, several of them as lists of these."""
    if not hasattr(value, "dtype"):
        return value
    if value.dtype.names:
        found = [{name: _plain(one[name]) for name in value.dtype.names} for one in value.reshape(-1)]
        return found[0] if len(found) == 1 else found
    return _plain(value.item()) if value.dtype.kind == "O" and value.size == 1 else value


def _of_hdf5(path: Path) -> dict[str, Any]:
    try:
        import h5py
    except ImportError:
        raise missing(path, "h5py", "mat") from None
    try:
        with h5py.File(path) as file:
            return {name: _plain_hdf5(file, one) for name, one in file.items() if not name.startswith("#")}
    except (OSError, RuntimeError, ValueError) as error:
        raise unreadable(path, "a MATLAB file", error) from None


def _plain_hdf5(file: Any, one: Any) -> Any:
    """Return groups as mappings, texts as texts, arrays with their axes in the order of MATLAB, references followed."""
    if hasattr(one, "items"):
        return {name: _plain_hdf5(file, inner) for name, inner in one.items()}
    if one.attrs.get("MATLAB_class") == b"char":
        empty = bool(one.attrs.get("MATLAB_empty", 0))
        return "".join(map(chr, np.asarray(one).reshape(-1))) if one.dtype.kind == "u" and not empty else ""
    if one.dtype.kind == "O":
        inner = [_plain_hdf5(file, file[reference]) for reference in np.asarray(one).reshape(-1)]
        return inner[0] if len(inner) == 1 else inner
    return np.squeeze(np.asarray(one).T)
