"""Channels of MATLAB files as users, Simulink, Dymola and dSPACE lay them down, of HDF5 and of arrays of numpy by name.

Files up to version 7 are read by scipy, those of 7.3 and other HDF5 by h5py.
"""

import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.archives import opened_arrays
from couplant.base.arrays import Vector
from couplant.base.errors import CouplantError, UsageError, quote
from couplant.base.isolation import call_isolated
from couplant.tables.channels import Channel, Channels, Loaded, missing, unreadable
from couplant.tables.clock import duration_in, factor_of, is_time, seconds_in, unit_in
from couplant.tables.headings import Reading

_VALUES = ("values", "value", "data", "Data", "y")
_SMALL, _LARGEST = 2**20, 2**26  # size of a file that is looked through first, and of what is in it [byte]
_COMPRESSED = 15  # kind of an element of a MATLAB file
_DIMENSIONS = re.compile(rb"\x06\0\0\0\x08\0\0\0[\x01-\x03].{7}\x05\0\0\0\x08\0\0\0(.{8})", re.DOTALL)
"""Of cells, structures and objects in two dimensions, behind their flags."""
_FEWEST = 64  # values that a variable has at least which stands without times


def channels(path: Path, how: Reading) -> Channels:
    """Return the channels among the variables of a file.

    These are vectors as long as a vector of times beside them; structures with times (Simulink: structure with time,
    also with several signals; dSPACE: X and Y); matrices whose first column or row is times that increase (Simulink:
    array, To File); results of Modelica tools; with a time between rows all that is long enough.
    Raise `UsageError` if the file cannot be read, or is of version 7.3 and h5py is missing, if the unit of times is
    unknown, or two channels have one name.
    """
    variables = _variables(path)
    modelica = isinstance(variables.get("dataInfo"), np.ndarray) and "data_2" in variables
    try:
        found = list(_of_modelica(variables) if modelica else _within(variables, "", how, str(path)))
    except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
        if isinstance(error, UsageError):
            raise
        raise unreadable(path, "MATLAB", error) from None
    names = [channel.name for channel in found]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"{path} has {names.count(twice)} channels {quote(twice)}, allowed 1.")
    times = [name for name in variables if is_time(name)]
    unit = how.time_unit or duration_in(how.time or "") or next((unit_in(name) for name in times), "")
    said = "" if unit or modelica or not found else "times in s, as no unit is given"
    return Loaded(str(path), names, found.__getitem__, said)


def _variables(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        begins = file.read(10)
    if begins.startswith(b"PK"):
        return _of_numpy(path)
    return _of_hdf5(path) if begins == b"MATLAB 7.3" or begins.startswith(b"\x89HDF") else _of_matlab_5(path)


def _of_modelica(variables: Mapping[str, Any]) -> Iterator[Channel]:
    """Find the trajectories in a result of Dymola or OpenModelica; names with one point of data share it.

    A row of `dataInfo` tells the matrix in which a variable stands and its row there, below 0 with the other sign.
    """
    transposed = "Trans" in "".join(_texts(variables["Aclass"], False))
    names = _texts(variables["name"], transposed)
    about = _texts(variables["description"], transposed) if "description" in variables else [""] * len(names)
    info, data = np.atleast_2d(variables["dataInfo"]).astype(int), np.atleast_2d(variables["data_2"])
    info = info.T if transposed else info
    data = data if transposed else data.T
    time = np.asarray(data[0], dtype=float)
    for name, words, (matrix, place) in zip(names, about, info[:, :2].tolist(), strict=True):
        if matrix == 2 and abs(place) > 1:
            unit = words.rpartition("[")[2].partition("]")[0].partition("|")[0] if "[" in words else ""
            yield Channel(name, unit, time, np.sign(place) * np.asarray(data[abs(place) - 1], dtype=float))


def _texts(rows: Any, transposed: bool) -> list[str]:
    """Return the texts in rows of letters, or in columns."""
    texts = [_text(row) for row in np.atleast_1d(rows)]
    width = max(map(len, texts), default=0)
    letters = zip(*(one.ljust(width) for one in texts), strict=True) if transposed else texts
    return ["".join(one).strip() for one in letters]


def _text(row: Any) -> str:
    letters = np.asarray(row).reshape(-1).tolist()
    return "".join(one if isinstance(one, str) else chr(int(one)) for one in letters).replace("\0", "")


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
        elif not clocks and (step := duration_in(how.time or "")):
            if _is_long(one):
                clock = step * np.arange(len(one), dtype=float)
                yield from _columns(f"{before}{name}", np.asarray(one, dtype=float), clock)
        elif not clocks and (table := _with_times(one)) is not None:
            yield from _columns(f"{before}{name}", table[:, 1:], table[:, 0] * _factor(how))


def _structure(one: Mapping[str, Any], name: str, how: Reading, origin: str) -> Iterator[Channel]:
    if isinstance(one.get("Y"), (list, Mapping)) and isinstance(one.get("X"), (list, Mapping)):
        yield from _of_dspace(_as_list(one["X"]), _as_list(one["Y"]), how)
        return
    signals = one.get("signals")
    clock = next((one[key] for key in one if _is_vector(one[key]) and _is_clock(key, how)), None)
    if signals is None or clock is None:
        yield from _within(one, f"{name}.", how, origin)
        return
    several = _as_list(signals)
    for i, signal in enumerate(several):
        label = str(signal.get("label") or "")
        own = label if len(several) > 1 and label else f"{name}.{i + 1}" if len(several) > 1 else label or name
        values, time = np.asarray(signal["values"], dtype=float), np.asarray(clock, dtype=float)
        yield from _columns(own, values, time * _factor(how))


def _as_list(one: Any) -> list[Any]:
    return one if isinstance(one, list) else [one]


def _of_dspace(x: list[Mapping[str, Any]], y: list[Mapping[str, Any]], how: Reading) -> Iterator[Channel]:
    """Find signals as dSPACE writes them: each with the number of its times among the rasters."""
    for one in y:
        at = int(np.asarray(one.get("XIndex", 1)).item() or 1) - 1 if len(x) > 1 else 0
        value, time = (np.asarray(part["Data"], dtype=float).reshape(-1) for part in (one, x[at]))
        if value.size == time.size > 1:
            yield Channel(_text(one["Name"]), _text(one.get("Unit", "")), time * _factor(how), value)


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


def _is_long(one: Any) -> bool:
    numbers = isinstance(one, np.ndarray) and one.dtype.kind in "fiu" and one.ndim in (1, 2)
    return numbers and one.shape[0] >= _FEWEST


def _factor(how: Reading) -> float:
    return (seconds_in(how.time_unit) if how.time_unit else None) or 1.0


def _seconds(name: str, time: Vector, how: Reading, origin: str) -> Vector:
    return time * factor_of(how.time_unit or unit_in(name), name, origin)


def _of_matlab_5(path: Path) -> dict[str, Any]:
    try:
        _check_sizes(path)
        # damaged files make scipy end its process
        found = call_isolated(_load, path)
    except CouplantError:
        raise unreadable(path, "a MATLAB file", ValueError("it is damaged")) from None
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, "a MATLAB file", error) from None
    return {name: _plain(one) for name, one in found.items() if not name.startswith("__")}


def _load(path: Path, *_: Any) -> dict[str, Any]:
    from scipy.io import loadmat

    found: dict[str, Any] = loadmat(path, squeeze_me=True, struct_as_record=True)
    return found


def _check_sizes(path: Path) -> None:
    """Raise `ValueError` if a structure or cells claim more elements than a small file has bytes.

    Scipy makes them before it reads them; what large files claim is in proportion to them.
    """
    content = path.read_bytes() if path.stat().st_size < _SMALL else b""
    parts, place = [content], 128
    while place + 8 <= len(content):
        kind, size = struct.unpack_from("<II", content, place)
        if kind == _COMPRESSED:
            with suppress(zlib.error):
                parts.append(zlib.decompressobj().decompress(content[place + 8 : place + 8 + size], _LARGEST))
        place += 8 + size
    for part in parts:
        for one in _DIMENSIONS.finditer(part):
            sizes = np.frombuffer(one[1], "<i4").astype(float)
            if np.prod(sizes) > len(part):
                raise ValueError(f"an array of {' x '.join(f'{size:.0f}' for size in sizes)} elements is not there")


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
        raise missing(path, "MATLAB 7.3 or HDF5", "h5py", "mat") from None
    try:
        with h5py.File(path) as file:
            return {name: _plain_hdf5(file, one) for name, one in file.items() if not name.startswith("#")}
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, "a MATLAB file", error) from None


def _of_numpy(path: Path) -> dict[str, Any]:
    with opened_arrays(path, "an archive of arrays of numbers (npz)") as found:
        return {name: np.squeeze(found[name]) for name in found.files}


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
