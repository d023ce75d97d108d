"""Recordings as the manuals of tools describe the files that they write: binary ones, and logs of buses.

Each function writes a file with a pressure and a flow, as `tests.tables.tools` has them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.io import savemat

from tests.tables.tools import COUNT, FLOW, PRESSURE, TIME

DBC = """VERSION ""
NS_ :
BS_:
BU_: Valve
BO_ 291 Hydraulics: 8 Valve
 SG_ p : 0|32@1- (0.000001,0) [0|10] "bar" Vector__XXX
 SG_ q : 32|32@1- (0.000001,0) [0|30] "l/min" Vector__XXX
"""
_FRAME = [struct.pack("<ii", round(1e6 * p), round(1e6 * q)) for p, q in zip(PRESSURE, FLOW, strict=True)]


def database(path: Path) -> Path:
    (path.parent / "rig.dbc").write_text(DBC, encoding="ascii")
    return path


def asc(path: Path) -> None:
    day = "Sun Nov 22 08:15:00.000 am 2026"
    head = f"date {day}\nbase hex  timestamps absolute\ninternal events logged\nBegin Triggerblock {day}\n"
    rows = [
        f"   {t:.6f} 1  123             Rx   d 8 {data.hex(' ').upper()}\n"
        for t, data in zip(TIME, _FRAME, strict=True)
    ]
    path.write_text(
        head + "   0.000000 Start of measurement\n" + "".join(rows) + "End TriggerBlock\n", encoding="ascii"
    )


def trc(path: Path) -> None:
    head = ";$FILEVERSION=1.1\n;$STARTTIME=46348.34375\n;   Start time: 22.11.2026 08:15:00.000.0\n;\n"
    rows = [
        f"{n + 1:6})  {1e3 * t:9.1f}  Rx         0123  8  {data.hex(' ').upper()}\n"
        for n, (t, data) in enumerate(zip(TIME, _FRAME, strict=True))
    ]
    path.write_text(head + "".join(rows), encoding="ascii")


def blf(path: Path) -> None:
    import can

    with can.BLFWriter(path) as log:
        for t, data in zip(TIME.tolist(), _FRAME, strict=True):
            log.on_message_received(can.Message(1.7e9 + t, arbitration_id=0x123, is_extended_id=False, data=data))
            log.on_message_received(can.Message(1.7e9 + t, arbitration_id=0x7FF, is_extended_id=False, data=b"\1\2"))


def mf4_bus(path: Path) -> None:
    from asammdf import MDF, Signal, Source

    fields = [("BusChannel", "u1"), ("ID", "<u4"), ("IDE", "u1"), ("DLC", "u1"), ("DataLength", "u1")]
    kind = np.dtype(
        [(f"CAN_DataFrame.{name}", form) for name, form in fields] + [("CAN_DataFrame.DataBytes", "(8,)u1")]
    )
    frames = np.zeros(COUNT, dtype=kind)
    frames["CAN_DataFrame.BusChannel"], frames["CAN_DataFrame.ID"] = 1, 0x123
    frames["CAN_DataFrame.DLC"] = frames["CAN_DataFrame.DataLength"] = 8
    frames["CAN_DataFrame.DataBytes"] = np.frombuffer(b"".join(_FRAME), dtype="u1").reshape(-1, 8)
    source = Source("CAN1", "CAN1", "", Source.SOURCE_BUS, Source.BUS_TYPE_CAN)
    with MDF(version="4.11") as file:
        file.append([Signal(frames, TIME, name="CAN_DataFrame", source=source)], comment="bus")
        file.save(path, overwrite=True)


def mdf3(path: Path) -> None:
    from asammdf import MDF, Signal

    with MDF(version="3.30") as file:
        file.append([Signal(PRESSURE, TIME, unit="bar", name="p"), Signal(FLOW, TIME, unit="l/min", name="q")])
        file.save(path, overwrite=True)


def tdms(path: Path) -> None:
    from nptdms import ChannelObject, TdmsWriter

    with TdmsWriter(path) as file:
        waves = {
            "wf_increment": 0.004,
            "wf_start_offset": 0.0,
            "wf_samples": 1,
            "wf_start_time": np.datetime64("2026-11-22"),
        }
        for name, values, unit in (("p", PRESSURE, "bar"), ("q", FLOW, "l/min")):
            file.write_segment([ChannelObject("valve", name, values, properties={**waves, "unit_string": unit})])


def tdms_times(path: Path) -> None:
    from nptdms import ChannelObject, TdmsWriter

    with TdmsWriter(path) as file:
        file.write_segment([
            ChannelObject("valve", name, values) for name, values in (("Time (ms)", 1e3 * TIME), ("p", PRESSURE))
        ])  # fmt: skip


def tdms_bare(path: Path) -> None:
    from nptdms import ChannelObject, TdmsWriter

    with TdmsWriter(path) as file:
        file.write_segment([ChannelObject("valve", "p", PRESSURE)])


def ulog(path: Path) -> None:
    def message(kind: bytes, body: bytes) -> bytes:
        return struct.pack("<Hc", len(body), kind) + body

    content = b"ULog\x01\x12\x35\x01" + struct.pack("<Q", 5_000_000) + message(b"B", bytes(40))
    content += message(b"F", b"hydraulics:uint64_t timestamp;float p;float q;") + message(b"A", b"\0\0\0hydraulics")
    for t, p, q in zip(TIME, PRESSURE, FLOW, strict=True):
        content += message(b"D", struct.pack("<HQff", 0, 5_000_000 + round(1e6 * t), p, q))
    path.write_bytes(content)


def matlab_4(path: Path) -> None:
    savemat(path, {"time": TIME, "p": PRESSURE, "q": FLOW}, format="4")


def modelica(transposed: bool) -> Callable[[Path], None]:
    """Return what writes a result as Dymola and OpenModelica do; `q` stands there with the other sign."""

    def matrix(name: str, values: np.ndarray, kind: int) -> bytes:
        head = struct.pack("<5i", kind, *values.shape, 0, len(name) + 1) + name.encode() + b"\0"
        return head + values.astype({0: "<f8", 20: "<i4", 51: "u1"}[kind]).tobytes(order="F")

    def letters(*texts: str) -> np.ndarray:
        width = max(map(len, texts))
        return np.array([[ord(letter) for letter in text.ljust(width)] for text in texts])

    def write(path: Path) -> None:
        turned = np.transpose if transposed else np.asarray
        names, about = ("time", "p", "k", "valve.q"), ("Time [s]", "Pressure [bar]", "Gain", "Flow [l/min|l/min]")
        info = np.array([[0, 1, 0, -1], [2, 2, 0, -1], [1, 2, 0, 0], [2, -3, 0, -1]])
        kind = letters("Atrajectory", "1.1", "", "binTrans" if transposed else "binNormal")
        parts = [
            matrix("Aclass", kind, 51), matrix("name", turned(letters(*names)), 51),
            matrix("description", turned(letters(*about)), 51), matrix("dataInfo", turned(info), 20),
            matrix("data_1", turned(np.array([[0.0, 7.0], [TIME[-1], 7.0]])), 0),
            matrix("data_2", turned(np.column_stack([TIME, PRESSURE, -FLOW])), 0),
        ]  # fmt: skip
        path.write_bytes(b"".join(parts))

    return write


def dspace(path: Path) -> None:
    fields = [("Name", "O"), ("Data", "O"), ("Unit", "O"), ("XIndex", "O")]
    slow = TIME[::10]
    x = np.array([("clock", slow, "s", 0), ("clock", TIME, "s", 0)], dtype=fields)
    y = np.array([("q", FLOW[::10], "l/min", 1), ("p", PRESSURE, "bar", 2)], dtype=fields)
    savemat(path, {"rec_7": {"X": x, "Y": y, "Capture": "manual"}})


def matlab_rate(path: Path) -> None:
    savemat(path, {"Fs": 250.0, "p": PRESSURE, "q": FLOW})


def hdf5(path: Path) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        file["time"], file["p"], file["q"] = TIME, PRESSURE, FLOW


def numpy(path: Path) -> None:
    with path.open("wb") as file:
        np.savez(file, time=TIME, p=PRESSURE, q=FLOW)


def parquet(path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet as files

    stamps = np.datetime64("2026-11-22T08:15:00") + np.round(1e6 * TIME).astype("timedelta64[us]")
    files.write_table(pa.table({"when": stamps, "p": PRESSURE, "q": FLOW}), path)


BINARIES: dict[str, tuple[Callable[[Path], None], str]] = {
    "CANalyzer.asc": (asc, "can"),
    "CANoe.blf": (blf, "can"),
    "PCAN.trc": (trc, "can"),
    "CANedge.mf4": (mf4_bus, "mdf"),
    "CANape 3.mdf": (mdf3, "mdf"),
    "LabVIEW.tdms": (tdms, "tdms"),
    "DIAdem.tdms": (tdms_times, "tdms"),
    "PX4.ulg": (ulog, "ulog"),
    "MATLAB 4.mat": (matlab_4, ""),
    "OpenModelica.mat": (modelica(True), ""),
    "Dymola.mat": (modelica(False), ""),
    "ControlDesk.mat": (dspace, ""),
    "h5py.h5": (hdf5, "mat"),
    "numpy.npz": (numpy, ""),
    "pandas.parquet": (parquet, "parquet"),
}
"""What writes each file, and the extra that reads it, empty where none is needed."""
