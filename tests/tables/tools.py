"""Recordings as the manuals of tools describe the files that they write: texts.

A pressure and a flow stand in each of them; `TOOLS` has by the name of a file its bytes, and what is to be found:
the name of the pressure, or words of the sentence that refuses the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

import numpy as np

STEP, COUNT = 0.004, 300
TIME = np.round(STEP * np.arange(COUNT), 9)
PRESSURE = np.round(3.0 + 0.8 * np.sin(11.0 * TIME) + 0.2 * np.sin(47.0 * TIME + 0.5), 6)
FLOW = np.round(12.0 - 5.0 * np.cos(4.0 * TIME), 6)
START = datetime(2026, 11, 22, 23, 59, 59, 400_000)  # midnight lies within


@dataclass(frozen=True)
class Form:
    """A file, and what is to be found in it."""

    content: str | bytes
    pressure: str = "p"
    refused: tuple[str, ...] = ()
    said: str = ""
    how: tuple[tuple[str, str], ...] = ()
    missing: tuple[int, ...] = ()  # rows without a pressure
    accuracy: float = 2e-6

    @property
    def bytes(self) -> bytes:
        return self.content.encode() if isinstance(self.content, str) else self.content


Row = Callable[[int, float, float, float], str]


def rows(form: Row, end: str = "\n") -> str:
    numbers = zip(TIME.tolist(), PRESSURE.tolist(), FLOW.tolist(), strict=True)
    return "".join(form(n, *one) + end for n, one in enumerate(numbers))


def plain(between: str = ",", decimal: str = ".", end: str = "\n") -> str:
    return rows(lambda n, t, p, q: between.join([f"{t:.3f}", f"{p}", f"{q}"]).replace(".", decimal), end)


def stamp(t: float, form: str) -> str:
    """Return a time stamp; %f are milliseconds here."""
    moment = START + timedelta(milliseconds=round(1e3 * t))
    return moment.strftime(form.replace("%f", f"{moment.microsecond // 1000:03}"))


def since_1970(t: float) -> int:
    """Return nanoseconds since 1970."""
    whole = int(START.replace(tzinfo=timezone.utc).timestamp()) * 1000 + START.microsecond // 1000
    return (whole + round(1e3 * t)) * 1_000_000


def labview(columns: str, decimal: str = ".", heads: str = "X_Value\tp\tq\tComment") -> str:
    lines = [
        "LabVIEW Measurement\t", "Writer_Version\t2", "Reader_Version\t2", "Separator\tTab",
        f"Decimal_Separator\t{decimal}", "Multi_Headings\tNo", f"X_Columns\t{columns}", "Time_Pref\tAbsolute",
        "Operator\trig 4", "Description\tvalve, cold", "Date\t2026/11/22", "Time\t23:59:59,4",
        "***End_of_Header***\t", "",
        "Channels\t2\t\t", f"Samples\t{COUNT}\t{COUNT}\t", "Date\t2026/11/22\t2026/11/22\t",
        "Time\t23:59:59,4\t23:59:59,4\t", "Y_Unit_Label\tbar\tl/min\t", "X_Dimension\tTime\tTime\t",
        f"X0\t0{decimal}0E+0\t0{decimal}0E+0\t", f"Delta_X\t0{decimal}004\t0{decimal}004\t",
        "***End_of_Header***\t\t\t", heads,
    ]  # fmt: skip
    return "\r\n".join(lines) + "\r\n"


def wide(count: int = 8000) -> str:
    """Return a table with more headings than 2^18 letters."""
    names = [f"Model Root/Subsystem {n:05}/Out1/Signal" for n in range(count)]
    return (
        ",".join(["time", "p", *names])
        + "\n"
        + "".join(
            ",".join([f"{t:.3f}", f"{p}", *["0"] * count]) + "\n" for t, p in zip(TIME[:80], PRESSURE[:80], strict=True)
        )
    )


def spoilt(word: str) -> Form:
    body = rows(lambda n, t, p, q: f"{t:.3f},{word if n in (5, 6, 90) else p},{q}")
    return Form("time_s,p,q\n" + body, missing=(5, 6, 90), said=f'3 cells of p without a number, as "{word}" in row 7')


TEK = (
    "Model,MSO64\nFirmware Version,1.38.2\n\nWaveform Type,ANALOG\nPoint Format,Y\nHorizontal Units,s\n"
    "Horizontal Scale,0.4\nSample Interval,4.0E-3\nRecord Length,300\nVertical Units,V,V\n\nLabels,,\nTIME,p,q\n"
)
DEWESOFT = (
    "Data info\nFile name:\tvalve.dxd\nStart time:\t22.11.2026 23:59:59.400\nNumber of channels:\t2\n"
    "Sample rate:\t250\nStore type:\talways fast\n\nTime (s)\tp (bar)\tq (l/min)\n"
)
AIM = (
    '"Format","AiM CSV File"\n"Venue","rig"\n"Sample Rate","250"\n"Duration","1.2"\n\n"Time","p","q"\n'
    '"s","bar","l/min"\n\n'
)
RIGOL = "X,CH1,CH2,Start,Increment,\nSequence,Volt,Volt,0.000000e+00,4.000000e-03,\n"
VBOX = (
    "File created on 22/11/2026 at 23:59:59\n\n[header]\nsatellites\ntime\np\nq\n\n[comments]\nVBOX 3i\n\n"
    "[column names]\nsats time p q\n\n[data]\n"
)
LECROY = (
    "LECROYWR8254,1234,Waveform\nSegments,1,SegmentSize,300\nSegment,TrigTime,TimeSinceSegment1\n"
    "#1,22-Nov-2026 23:59:59,0\n"
)

TOOLS: dict[str, Form] = {
    "LabVIEW one X.lvm": Form(labview("One") + plain("\t", end="\r\n"), said="headings in line 24"),
    "LabVIEW one X, a comment.lvm": Form(
        labview("One") + rows(lambda n, t, p, q: f"{t}\t{p}\t{q}" + "\topened" * (n == 0), "\r\n")
    ),
    "LabVIEW no X.lvm": Form(
        labview("No") + rows(lambda n, t, p, q: f"\t{p}\t{q}", "\r\n"), said="rows 0.004 s apart, as Delta_X says"
    ),
    "LabVIEW multi X.lvm": Form(
        labview("Multi", heads="X_Value\tq\tX_Value\tp\tComment")
        + rows(lambda n, t, p, q: f"{t}\t{q}\t{t}\t{p}", "\r\n")
    ),
    "LabVIEW decimal comma.lvm": Form(labview("One", ",") + plain("\t", ",", "\r\n"), said="decimal comma"),
    "Tektronix.csv": Form(TEK + rows(lambda n, t, p, q: f"{t:.6E},{p},{q}")),
    "Keysight.csv": Form(
        "x-axis,1,2\nsecond,Volt,Volt\n" + rows(lambda n, t, p, q: f"{t - 0.2:+.6E},{p:+.6E},{q:+.6E}"), pressure="1"
    ),
    "LeCroy.csv": Form(LECROY + "Time,Ampl\n" + rows(lambda n, t, p, q: f"{t:.9g},{p}"), pressure="Ampl"),
    "PicoScope.csv": Form(
        "Time,p,q\n(ms),(V),(V)\n\n" + rows(lambda n, t, p, q: f"{1e3 * t:.8f},{'∞' if n == 9 else p},{q}"),
        missing=(9,),
    ),
    "Rigol.csv": Form(
        RIGOL + rows(lambda n, t, p, q: f"{n},{p},{q},,"), refused=("time = 10ms tells the time between rows",)
    ),
    "Rigol, step told.csv": Form(
        RIGOL + rows(lambda n, t, p, q: f"{n},{p},{q},,"), pressure="column2", how=(("time", "4ms"),)
    ),
    "Saleae Logic.csv": Form("Time [s],p,q\n" + rows(lambda n, t, p, q: f"{t:.9f},{p},{q}")),
    "Dewesoft.txt": Form(DEWESOFT + plain("\t"), pressure="p (bar)"),
    "INCA.ascii": Form(
        "ETASAsciiItemFile\trecord\t{1C}\nsampleCount\t300\t\ntime\tp\tq\nf8\tf8\tf8\ns\tbar\tl/min\n" + plain("\t"),
        said="headings in line 3",
    ),
    "CANape.csv": Form("Comment;valve\n\ntime;p;q\ns;bar;l/min\n" + plain(";", ",")),
    "AiM, MoTeC.csv": Form(AIM + rows(lambda n, t, p, q: f'"{t}","{p}","{q}"')),
    "VBOX.vbo": Form(VBOX + rows(lambda n, t, p, q: f"009 {stamp(t, '%H%M%S.%f')} {p:+.6f} {q:+.6f}")),
    "Torque for Android.csv": Form(
        "GPS Time, Device Time, p(bar),q(l/min)\n"
        + rows(
            lambda n, t, p, q: (
                f"Sun Nov 22 GMT+01:00 2026,{stamp(t, '%d-%b-%Y %H:%M:%S.%f')},{'-' if n == 8 else p},{q}"
            )
        ),
        pressure="p(bar)",
        missing=(8,),
    ),
    "OMEdit with events.csv": Form(
        '"time","p","q"\n' + rows(lambda n, t, p, q: (f"{t},7,{q}\n" if n in (50, 200) else "") + f"{t},{p},{q}"),
        said="2 rows have the time of the row below",
    ),
    "PlotJuggler.csv": Form(
        "__time,p,q\n" + rows(lambda n, t, p, q: f"{since_1970(t) / 1e9:.6f},{p},{q}"),
        said="in s since 1970",
        accuracy=1e-5,
    ),
    "rostopic echo -p.csv": Form(
        "%time,field.p,field.q\n" + rows(lambda n, t, p, q: f"{since_1970(t)},{p},{q}"),
        pressure="field.p",
        said="times (time) in ns since 1970",
    ),
    "logger of a 5G car.txt": Form(
        "pub_time(ms) sub_time(ms) p(bar) cellid(db) q(l/min)\n"
        + rows(lambda n, t, p, q: f"{since_1970(t) // 10**6} {since_1970(t) // 10**6 + 31} {p} {0x1A7B + n:x}f {q} "),
        pressure="p(bar)",
        accuracy=1e-5,
    ),
    "pandas with its index.csv": Form(",time,p,q\n" + rows(lambda n, t, p, q: f"{n},{t},{p},{q}")),
    "pandas, times are the index.csv": Form(
        ",p,q\n" + rows(lambda n, t, p, q: f"{stamp(t, '%Y-%m-%d %H:%M:%S.%f')}000,{p},{q}")
    ),
    "numpy savetxt.txt": Form("# time p q\n" + plain(" ")),
    "numpy savetxt without names.txt": Form(
        rows(lambda n, t, p, q: f"{t:.18e} {p:.18e} {q:.18e}"),
        pressure="column2",
        said="no headings: columns are called",
    ),
    "MATLAB save -ascii.txt": Form(
        rows(lambda n, t, p, q: f"{t:16.7e}{p:16.7e}{q:16.7e}"), pressure="column2", said="column1, column2, column3"
    ),
    "MATLAB writetable.csv": Form(
        "Time,p,q\n" + rows(lambda n, t, p, q: f"{stamp(t, '%d-%b-%Y %H:%M:%S.%f')},{p},{q}")
    ),
    "Fortran.txt": Form(
        "  time              p              q\n"
        + rows(lambda n, t, p, q: f"{t:12.4f} {p:.6E} {q:.6E}".replace("E", "D"))
    ),
    "Excel, German.csv": Form(
        (
            "Zeit;p;q\n"
            + rows(lambda n, t, p, q: f"{stamp(t, '%d.%m.%Y %H:%M:%S,%f')};{p};{q}")
            .replace(".", ",")
            .replace("22,11,2026", "22.11.2026")
            .replace("23,11,2026", "23.11.2026")
        ).encode("cp1252"),
        said="decimal comma",
    ),
    "Excel, sep= and trailing cells.csv": Form("sep=;\nt;p;q;\n" + rows(lambda n, t, p, q: f"{t};{p};{q};")),
    "Excel, United States.csv": Form(
        "Time,p,q\n" + rows(lambda n, t, p, q: f"{stamp(t, '%m/%d/%Y %I:%M:%S.%f %p')},{p},{q}")
    ),
    "date and time of day.csv": Form(
        "Datum;Uhrzeit;p;q\n" + rows(lambda n, t, p, q: f"{stamp(t, '%d.%m.%Y;%H:%M:%S.%f')};{p};{q}")
    ),
    "time of day.csv": Form("Time,p,q\n" + rows(lambda n, t, p, q: f"{stamp(t, '%H:%M:%S.%f')},{p},{q}")),
    "elapsed, minutes and seconds.csv": Form("Elapsed;p;q\n" + rows(lambda n, t, p, q: f"00:{t:06.3f};{p};{q}")),
    "date alone.csv": Form(
        "time,p\n" + rows(lambda n, t, p, q: f"2026-11-22,{p}"), refused=("or a time stamp such as 2026",)
    ),
    "no times.csv": Form(
        "p,q\n" + rows(lambda n, t, p, q: f"{p},{q}"), refused=("time = 10ms tells the time between rows",)
    ),
    "no times, step told.csv": Form("p,q\n" + rows(lambda n, t, p, q: f"{p},{q}"), how=(("time", "4ms"),)),
    "one column, step told.csv": Form(
        rows(lambda n, t, p, q: f"{p}"), pressure="column1", how=(("time", "0.004"),), said="columns are called column1"
    ),
    "PSCAD.out": Form(rows(lambda n, t, p, q: f"  {t:.6f}  {p:.8f}  {q:.8f}"), pressure="column2"),
    "COMTRADE.dat": Form(
        rows(lambda n, t, p, q: f"{n + 1},{round(1e6 * t)},{p},{q}"),
        pressure="column3",
        how=(("time", "column2"), ("time_unit", "us")),
    ),
    "torque T.csv": Form("t;T\ns;N.m\n" + rows(lambda n, t, p, q: f"{t};{p};"), pressure="T"),
    "torque T first.csv": Form(
        "T;n\nN.m;1/min\n" + rows(lambda n, t, p, q: f"{p};{q}"), refused=("no column of times was found",)
    ),
    "eight thousand channels.csv": Form(wide(), pressure="p"),
    "started again.csv": Form(
        "time_s,p,q\n" + rows(lambda n, t, p, q: ("time_s,p,q\n" if n == 150 else "") + f"{t},{p},{q}"),
        said='as "p" in row 152',
    ),
    "cut in a row.csv": Form("time_s,p,q\n" + plain().rpartition("1.196")[0] + "1.196,", missing=(COUNT - 1,)),
    "OVERFLOW.csv": spoilt("OVERFLOW"),
    "hash N A.csv": spoilt("#N/A!"),
    "Bad.csv": spoilt("Bad"),
    "dashes.csv": spoilt("---"),
    "QNAN.csv": spoilt("1.#QNAN"),
    "units in cells.csv": Form(
        "time_s,p\n" + rows(lambda n, t, p, q: f"{t},{p} bar"), refused=('p = "', 'bar", allowed a number without')
    ),
    "workbook.xlsx": Form(
        b"PK\3\4\x14\0\6\0" + bytes(200), refused=("a workbook or an archive, allowed are text (CSV)",)
    ),
    "old workbook.xls": Form(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(900), refused=("a workbook",)),
    "packed.csv.gz": Form(b"\x1f\x8b\x08\0" + bytes(30), refused=("packed by gzip: unpack it first (gunzip)",)),
    "ROS 1.bag": Form(b"#ROSBAG V2.0\nE\0\0\0" + bytes(90), refused=("a bag of ROS: write the topic as CSV",)),
    "ROS 2.db3": Form(b"SQLite format 3\0" + bytes(90), refused=("a database of SQLite",)),
    "log.mcap": Form(b"\x89MCAP0\r\n" + bytes(90), refused=("MCAP", "as CSV or Parquet")),
    "famos.raw": Form(b"|CF,2,1,1;|CK,1,3,1,1;" + bytes(90), refused=("imc FAMOS: write it as CSV or MDF",)),
    "feather.arrow": Form(b"ARROW1\0\0" + bytes(90), refused=("write it as Parquet",)),
    "sound.wav": Form(b"RIFF\x24\0\0\0WAVEfmt " + bytes(90), refused=("write it as CSV",)),
    "unknown.bin": Form(bytes(range(256)) * 4, refused=("not a table as text", "write it as CSV")),
    "settings.json": Form(json.dumps({"p": 1}), refused=("settings.json",)),
}
