"""One signal in the forms in which tools write recordings."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from scipy.io import savemat

STEP = 0.01
COUNT = 600
TIME = np.round(STEP * np.arange(COUNT), 9)
TORQUE = 40.0 + 9.0 * np.sin(7.0 * TIME) + 3.0 * np.sin(23.0 * TIME + 1.0)
SPEED = 100.0 + 20.0 * np.cos(2.0 * TIME)


def _lines(head: str, between: str = ",", time: Callable[[float], str] = repr, decimal: str = ".") -> str:
    columns = zip(map(time, TIME.tolist()), map(repr, TORQUE.tolist()), map(repr, SPEED.tolist()), strict=True)
    rows = map(between.join, columns)
    body = "\n".join(rows)
    return head + (body if decimal == "." else body.replace(".", decimal)) + "\n"


def _moment(t: float) -> datetime:
    return datetime(2026, 3, 29, 23, 59, 58) + timedelta(microseconds=round(1e6 * t))


def _stamp(t: float) -> str:
    return _moment(t).isoformat(timespec="microseconds")


def _german_stamp(t: float) -> str:
    return _moment(t).strftime("%d.%m.%Y %H:%M:%S.%f")


LABVIEW = (
    "LabVIEW Measurement\t\nWriter_Version\t2\nReader_Version\t2\nSeparator\tTab\nDecimal_Separator\t.\n"
    "Multi_Headings\tNo\nX_Columns\tOne\nTime_Pref\tRelative\nDate\t2026/03/29\nTime\t23:59:58.1\n"
    "***End_of_Header***\t\n\t\t\nChannels\t2\t\nSamples\t600\t600\nDate\t2026/03/29\t2026/03/29\n"
    "Y_Unit_Label\tN.m\trad/s\nX_Dimension\tTime\tTime\nX0\t0.0\t0.0\nDelta_X\t0.01\t0.01\n***End_of_Header***\t\t\n"
)
INCA = "ETASAsciiItemFile\trecord\t{D6A5}\nsampleCount\t600\t\n"

TEXTS: Mapping[str, tuple[str, str]] = {
    "plain.csv": (_lines("time_s,torque,speed\n"), "utf-8"),
    "german_excel.csv": (_lines("Zeit [s];torque;speed\ns;N·m;1/s\n", ";", decimal=","), "cp1252"),
    "units_row.csv": (_lines("t,torque,speed\n[s],[N.m],[rad/s]\n"), "utf-8-sig"),
    "milliseconds.csv": (_lines("time_ms,torque,speed\n", time=lambda t: repr(round(1e3 * t, 6))), "utf-8"),
    "microseconds.txt": (_lines("t/µs\ttorque\tspeed\n", "\t", lambda t: str(round(1e6 * t))), "utf-8"),
    "excel_unicode.txt": (_lines("time\ttorque\tspeed\ns\tN.m\trad/s\n", "\t"), "utf-16"),
    "inca.ascii": (_lines(INCA + "time\ttorque\tspeed\nf8\tf8\tf8\ns\tN.m\trad/s\n", "\t"), "utf-8"),
    "labview.lvm": (_lines(LABVIEW + "X_Value\ttorque\tspeed\n", "\t"), "utf-8"),
    "canape.csv": (_lines("Recorder: bench 3\nComment;none;\n\ntime;torque;speed\ns;N.m;rad/s\n", ";"), "utf-8"),
    "stamps.csv": (_lines("timestamp,torque,speed\n", time=_stamp), "utf-8"),
    "german_stamps.csv": (_lines("Zeit;torque;speed\n", ";", _german_stamp), "utf-8"),
    "blanks.dat": (_lines("time_s  torque speed\n", "  "), "utf-8"),
    "bars.txt": (_lines("time_s|torque|speed\n", "|"), "utf-8"),
}


def write_text(folder: Path, name: str) -> Path:
    text, encoding = TEXTS[name]
    (folder / name).write_bytes(text.replace("\n", "\r\n").encode(encoding))
    return folder / name


def write_mdf(path: Path) -> Path:
    from asammdf import MDF, Signal

    with MDF(version="4.10") as file:
        file.append([Signal(TORQUE, TIME, unit="N.m", name="torque")])
        file.append([Signal(SPEED[::10], TIME[::10], unit="rad/s", name="speed")])
        file.save(path, overwrite=True)
    return path


def write_mat(path: Path) -> Path:
    savemat(path, {"time": TIME, "torque": TORQUE, "speed": SPEED, "remark": "bench 3"})
    return path


def write_structure(path: Path) -> Path:
    """Write what Simulink logs as a structure with time."""
    signals = np.array(
        [(TORQUE.reshape(-1, 1), "torque"), (SPEED.reshape(-1, 1), "speed")], dtype=[("values", "O"), ("label", "O")]
    )
    savemat(path, {"out": {"time": TIME, "signals": signals}})
    return path


def write_array(path: Path) -> Path:
    """Write what the block To File does: a matrix with a row of times."""
    savemat(path, {"torque": np.vstack([TIME, TORQUE])})
    return path


def write_mat73(path: Path) -> Path:
    import h5py

    with h5py.File(path, "w", userblock_size=512) as file:
        for name, values in (("time", TIME), ("torque", TORQUE), ("speed", SPEED)):
            file.create_dataset(name, data=values.reshape(1, -1)).attrs["MATLAB_class"] = np.bytes_("double")
        text = file.create_dataset("remark", data=np.array([[ord(one)] for one in "bench"], dtype=np.uint16))
        text.attrs["MATLAB_class"] = np.bytes_("char")
    with path.open("r+b") as raw:
        raw.write(b"MATLAB 7.3 MAT-file, Platform: PCWIN64".ljust(124) + struct.pack("<HH", 0x0200, 0x4D49))
    return path


def write_parquet(path: Path) -> Path:
    import pyarrow as pa
    from pyarrow import parquet

    fields = [pa.field(name, pa.float64(), metadata={"unit": unit}) for name, unit in UNITS.items()]
    parquet.write_table(pa.table([TIME, TORQUE, SPEED], schema=pa.schema(fields)), path)
    return path


UNITS = {"time": "s", "torque": "N.m", "speed": "rad/s"}
BINARIES = {
    "run.mf4": write_mdf,
    "run.mat": write_mat,
    "structure.mat": write_structure,
    "array.mat": write_array,
    "run73.mat": write_mat73,
    "run.parquet": write_parquet,
}


def write(folder: Path, name: str) -> Path:
    """Write the signal in one of the forms and return the file."""
    return write_text(folder, name) if name in TEXTS else BINARIES[name](folder / name)
