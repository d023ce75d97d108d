"""Recordings of text in the page: the same channels bit for bit, assumptions and sentences as in Python."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.tables import Reading, read
from tests.tables.forms import TEXTS
from tests.tables.test_dialects import DIALECTS
from tests.workbench.node import WORKBENCH, run
from tests.workbench.test_translator import write

MODULES = ("couplant.tables.headings", "couplant.tables.clock", "couplant.tables.dialect", "couplant.tables.sheet")
RECORDING = Path(__file__).resolve().parents[1] / "recordings" / "channels.csv"
SCRIPT = """
import { readRecording } from "./recording/read.js";
const hex = (values) => Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("hex");
const told = (content, how, piece) => {
  const found = readRecording(Uint8Array.from(Buffer.from(content, "hex")), "data.csv", how, piece);
  if (found.error !== undefined) return found;
  const channels = found.channels.map((one) => [one.name, one.unit, hex(one.time), hex(one.value)]);
  return { assumed: found.assumed, clocks: found.clocks, names: found.names, channels };
};
answer(given.map(([content, how]) => {
  const [whole, ...inPieces] = [undefined, 7, 48].map((piece) => JSON.stringify(told(content, how, piece)));
  return inPieces.every((one) => one === whole) ? JSON.parse(whole) : { whole, inPieces };
}));
"""
ODD = [
    "", "\n\n", "t,y\n", "t,y\ns,Nm\n\n", ",,\n0,1,2\n", "1,2\n3,4\n", "t,y\n0,1\n1,x\n", "t,y\n\n0,1\n\n1,x\n",
    "t,y\n0,5,1,5\n",
    "t,y,z\n0,5,1,5,2,5\n", "t;y\n0;1.234,5\n", "y,y\n0,1\n", "\0\1t,y", "t;y\n1;1,234\n2;2,345\n",
    "t\ty\r\n0\t1.5\r\n1\t-2.5\r\n",
    "t\ty\r0\t1.5\r1\t-2.5", "\ufefft,y\n0,1.5\n1,-2.5", '"t","y"\n"0","1.5"\n"1","-2.5"\n',
    '"t";"y, z, or ; less";"y"\n0;5;1,5\n1;5;-2,5\n',
    "y\n1,5\n-2,5\n", "t,y\n0,1.5,,\n1,-2.5,\n", ",t,y,\n0,0,1.5,\n1,1,-2.5,\n",
    't,remark,y\n0,"two\nlines",1.5\n1,x,-2.5\n',
    't,remark,y\n0,"second ""one""",-2.5\n1,a"b,2\n', '"t\nin words",y\n"s",-\n0,1.5e0\n1,-25.E-1\n',
    "t,y\n0,1\n1,\n2,NaN\n3,n/a\n4\n5,2\n",
    "a,b,c\n,,1\n,2,\n3,,\n", "t y  z\n0 1 2\n 1  2 3 \n\n2 3 4\n", "t,y\n0,1_000\n1,inf\n2, 5 \n3,+1e3\n4,1e400\n",
    "t;y\n0;٣\n1;２,５\n",
    "timestamp,y\n2026-03-29T23:59,1\n\n2026-03-30T00:00:00.5+01:00,2\n",
    "timestamp,y\n2026-03-29 23:59:58,1\n,2\n2026-03-30,3\n",
    "Zeit;y\n29.02.2024 23:59:58,25;1\n1.3.2024 00:00;2\n", "Zeit;y\n29.02.2023 23:59:58;1\n",
    "t,y\n2026-03-29T23:59:58.1234567891Z,1\nx,2\n",
    "timestamp,y\n2020-01-01T00:00:00.000000001,1\n2026-03-29T23:59:58.123456789,2\n", "t [fortnights],y\n0,1\n",
    "t;1,234;y\n",
    "t_s;a;t_ms;b\n0;1;0;2\n1;2;1000;3\n", "time_s,quick,slow\n0,1,\n1,2,5\n2,3,\n3,4,6\n4,5,\n5,6,7\n",
    "t|y\n0|1,5\n1|2,5\n", "t,😀\n0,1\n1,2\n",
    "# rig 7\n% t,y\n0,1\n1,2\n2,OVER\n", "0,1\n1,3\n3,5\n", "0.5 1.5\n1 2\n1.5 9\n", "0,5;1\n1,5;2\n2;3\n",
    "1\n2\n3\n",
    "n,y\n1,5\n2,6\n3,7\n", "y,t_ms,z\n5,0,a\n4,1,b\n6,2,c\n", "T;n\nNm;1/s\n5;1\n4;2\n6;3\n", "t,1,2\n0,5,6\n1,7,8\n",
    "Time,y\n8:15:00.5,1\n8:15:01.5,2\n", "Time,y\n23:59:59.5,1\n0:00:00.5,2\nx,3\n", "a,t,b,t\n1,2,3,4\n2,3,4,5\n",
    "Date,Time,y\n22.11.2026,08:15:00,1\n22.11.2026,08:15:01,2\n",
    "Time,y\n11/22/2026 11:59:59.5 AM,1\n11/22/2026 12:00:00 PM,2\n",
    "Time,y\n22-Nov-2026 08:15:00,1\n22-Nov-2026 08:15:01,2\n",
    "time y(Nm) id \n1700000000000 5 1a7b \n1700000000010 6 0f \n",
    "X0\t0\t0\nDelta_X\t0.1\t0.1\n***End_of_Header***\t\nX_Value\ta\tb\tComment\n\t1\t2\n\t3\t4\n\t5\t6\n",
    "[column names]\nsats time y\n[data]\n7 235959.50 1\n7 000000.50 2\n7 000001.50 3\n", "t y\n0.0 1.5D+01\n0.1 2D0\n",
    "t,y\n0,1\n1,2,\n2,3,4\n", "t,y\n0,123456789012345678\n1,0.1234567890123456789\n2,-0\n3,.5\n4,5.\n5,.\n",
]  # fmt: skip
LETTERS = [",", ";", "\t", "|", " ", '"', "\n", "\r", ".", "-", "e", "0", "7", "x", "[", "]", "µ", "s", "nan", "", "'",
"€"]


def mutated(rng, text):
    """Return a text with a few letters changed, the most of them near the headings."""
    for _ in range(rng.randint(1, 4)):
        at = min(int(rng.expovariate(1 / 60)), len(text))
        text = text[:at] + rng.choice(LETTERS) + text[at + rng.choice([0, 0, 1, 1, 5]) :]
    return text


def contents():
    """Return files with what is told about them: every form, its beginning with seeded changes, and odd ones."""
    rng = random.Random(18)
    forms = [(text.replace("\n", "\r\n"), encoding) for text, encoding in TEXTS.values()]
    forms += [(text, "utf-8") for text in DIALECTS.values()]
    yield from ((text.encode(encoding), {}) for text, encoding in forms)
    yield RECORDING.read_bytes(), {}
    yield from ((text.encode(), {}) for text in ODD)
    for text in [*ODD, "t,\u0a0d\n0,1\n1,\u0d0a\n", "t\r\u010a,y\r\n0,1\r1,2", "t,\U0001f600\u0a0a\n0,1\n"]:
        for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
            content = mark + text.encode(encoding)
            yield from ((one, {}) for one in (content, content[:-1], content.replace(b"\xd8", b"\xdc")))
    rows = "".join(f"{n / 100:.2f};{n % 97 / 7:.12f}\n" for n in range(30_000))  # more than Python reads at once
    yield from ((f"time_s;y\n{rows}{last}".encode(), {}) for last in ("", "300;x\n", "300;1;2\n", "300;\n"))
    short = [("\n".join(text.split("\n")[:36]), encoding) for text, encoding in forms] + [(text,
    "utf-8") for text in ODD]
    for text, encoding in short * 25:
        content = mutated(rng, text).encode(encoding, errors="replace")
        if rng.random() < 0.1:
            at = rng.randrange(len(content) + 1)
            content = content[:at] + bytes([rng.choice([0x81, 0xE4, 0xFF, 0xC3])]) + content[at:]
        yield content, {}
    for text in ODD:
        for how in ({"time_unit": "ms"}, {"decimal": ","}, {"decimal": "."}, {"delimiter": ";"}, {"time": "y"}):
            yield text.encode(), how
        yield text.encode(), {"time": "10ms"}
    yield from ((b"t,y\n0,1\n", how) for how in ({"time_unit": "x"}, {"decimal": "x"}, {"delimiter": "ab"}))


def in_python(content, how):
    """Return what `read` finds in the file ``data.csv`` of the folder that we are in."""
    Path("data.csv").write_bytes(content)
    try:
        found = read("data.csv", Reading(**how))
        channels = found.select(found.numeric())
    except UsageError as error:
        return {"error": str(error)}
    rows = [[one.name, one.unit, bits(one.time), bits(one.value)] for one in channels]
    return {"assumed": found.assumed, "clocks": list(found.clocks), "names": list(found), "channels": rows}


def bits(values):
    return np.where(np.isnan(values), np.nan, values).astype("<f8").tobytes().hex()


@pytest.mark.landing("every form of recordings in page and package")
def test_every_text_is_read_as_python_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = list(contents())
    expected = [in_python(*one) for one in given]
    assert sum("error" in one for one in expected) > 100 and sum("channels" in one for one in expected) > 500
    (tmp_path / "page").mkdir()
    folder = write(tmp_path / "page", MODULES)
    shutil.copytree(WORKBENCH / "recording", folder / "recording")
    found = run(SCRIPT, [[content.hex(), how] for content, how in given], folder=folder)
    wrong = [(content, a, b) for (content, _), a, b in zip(given, found, expected, strict=True) if a != b]
    assert not wrong, f"{len(wrong)}: {wrong[0]}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\3\4rest", "data.csv: a workbook or an archive, allowed are text (CSV), MDF, MATLAB and Parquet."),
        (b"MDF     4.10", "data.csv: MDF is not read here, allowed is text (CSV); couplant try data.csv reads it."),
        (b"PAR1 broken", "data.csv: Parquet is not read here, allowed is text (CSV); couplant try data.csv reads it."),
        (b"MATLAB 7.3 ", "data.csv: MATLAB is not read here, allowed is text (CSV); couplant try data.csv reads it."),
    ],
)
def test_other_files_name_the_command(tmp_path, content, message):
    folder = write(tmp_path, MODULES)
    shutil.copytree(WORKBENCH / "recording", folder / "recording")
    assert run(SCRIPT, [[content.hex(), {}]], folder=folder) == [{"error": message}]
