"""What the page does with files that are too large, odd or broken: a sentence each, and it goes on."""

import re
import struct
import threading
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from tests.workbench.test_views_files import choose, written
from tests.workbench.test_views_recording import VIEW, answer, headline

ROWS = 2_100_000
READ = 262_144
"""Most bytes of a file that is refused for its size."""
COUNTED = """() => {
    window.read = 0;
    const own = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = function () { window.read += this.size; return own.call(this); };
}"""
DROPPED = """(selector) => {
    const dataTransfer = new DataTransfer(), how = { dataTransfer, bubbles: true, cancelable: true };
    document.querySelector(selector).dispatchEvent(new DragEvent("drop", how));
}"""

WIDE = "wide.csv has about 18.0 million numbers, allowed 16 million; couplant try wide.csv reads it."
MOST_MEMORY = 500.0
"""Of the process that shows the page and computes for it, MB."""
LATENCY = """(k) => {
    const slider = document.querySelector("#field-recording-latency");
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
}"""


def png():
    """Return a picture of one point."""
    parts = (b"IHDR", struct.pack(">2I5B", 1, 1, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(b"\0\0")), (b"IEND", b"")
    number = struct.Struct(">I").pack
    framed = [number(len(one)) + name + one + number(zlib.crc32(name + one)) for name, one in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


@pytest.fixture
def seen(opened):
    one = opened("#recording")
    headline(one.page)
    return one


def told(seen, name, path):
    """Open a file that is refused; return the sentence."""
    choose(seen.page, path)
    wrong = seen.page.locator(f"{VIEW} .files .wrong", has_text=name)
    wrong.wait_for()
    words = wrong.inner_text()
    assert words.startswith(name) and words.endswith(".") and "\n" not in words, words
    return words


def goes_on(seen, tmp_path):
    choose(seen.page, written(tmp_path / "good.csv"))
    seen.page.locator(f"{VIEW} .facts", has_text="400 of 0.02 s").wait_for()
    assert seen.page.locator(f"{VIEW} .files .wrong").inner_text() == ""


def test_files_beyond_the_limits_are_not_read(seen, tmp_path):
    seen.page.evaluate(COUNTED)
    many = tmp_path / "many.csv"
    many.write_text("t,y\n" + "".join(f"{n / 1000:.3f},{n % 97}\n" for n in range(ROWS)), encoding="utf-8")
    assert "rows, allowed 2 million; couplant try many.csv reads it." in told(seen, "many.csv", many)
    many.unlink()
    large = written(tmp_path / "large.csv", "t,y\n0,1\n")
    with large.open("r+b") as file:
        file.truncate(200_000_001)
    assert told(seen, "large.csv", large) == "large.csv has 200 MB, allowed 200 MB; couplant try large.csv reads it."
    large.unlink()
    assert 0 < seen.page.evaluate("window.read") <= READ
    heads, row = ",".join(f"y{n}" for n in range(89)), ",".join("1" * 90)
    wide = written(tmp_path / "wide.csv", f"t,{heads}\n" + f"{row}\n" * 200_000)
    assert told(seen, "wide.csv", wide) == WIDE
    wide.unlink()
    goes_on(seen, tmp_path)


def test_odd_and_broken_files_are_refused_by_a_sentence(seen, tmp_path):
    archive = tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.csv", "t,y\n0,1\n")
    rows = "".join(f"{n},{n % 7}\n" for n in range(100))
    wrong = {
        "nothing.csv": b"", "picture.png": png(), "archive.zip": archive.read_bytes(), "one.csv": b"t,y\n0,1\n",
        "line.csv": b"0123456789," * 5_000_000, "half.csv": b"\xff\xfe" + f"t,y\n{rows}".encode("utf-16-le") + b"\0",
    }  # fmt: skip
    for name, content in wrong.items():
        told(seen, name, written(tmp_path / name, content))
    seen.page.evaluate(DROPPED, f"{VIEW} .chart")
    goes_on(seen, tmp_path)


@pytest.mark.landing("several files in the page")
def test_of_several_files_those_are_read_that_can_be(seen, tmp_path):
    good = [written(tmp_path / f"good{n}.csv") for n in range(4)]
    utf16 = written(tmp_path / "wide.csv", "t,y\n".encode("utf-16") + "".join(
        f"{t:.2f},{np.sin(t):.6f}\n" for t in 0.02 * np.arange(300)).encode("utf-16-le"))
    choose(seen.page, *good[:2], written(tmp_path / "broken.csv", bytes(range(256))), *good[2:], utf16)
    seen.page.locator(f"{VIEW} .files .wrong", has_text="broken.csv").wait_for()
    choice = seen.page.get_by_label("recording", exact=True).locator("option")
    seen.page.get_by_label("recording", exact=True).locator("option", has_text="wide.csv").wait_for(state="attached")
    assert choice.all_inner_texts()[:5] == ["good0.csv", "good1.csv", "good2.csv", "good3.csv", "wide.csv"]


def memory(process):
    """Return the memory of a process that no file stands for, MB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+) kB", status)[1]) / 1024


@contextmanager
def measured(browser):
    """Yield a list that gets the largest memory of all pages of a browser, 20 times a second [MB]."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    processes = [one["id"] for one in told if one["type"] == "renderer"]
    found, end = [], threading.Event()

    def measure():
        while not end.wait(0.05):
            found.append(max(memory(one) for one in processes))

    thread = threading.Thread(target=measure)
    thread.start()
    try:
        yield found
    finally:
        end.set()
        thread.join()


@pytest.mark.night("files of 180 MB")
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is not told here")
@pytest.mark.parametrize(
    ("rows", "columns", "encoding"),
    [(1_950_000, 1, "utf-8"), (300_000, 48, "utf-8"), (150_000, 48, "utf-16")],
    ids=["long", "wide", "letters of two bytes"],
)
def test_the_largest_files_fit_into_the_memory_of_a_page(browser, seen, tmp_path, rows, columns, encoding):
    """Two million rows; 180 MB."""
    noise = 0.01 * np.random.default_rng(1).normal(size=(2_000, columns))
    values = (np.sin(np.pi * np.arange(2_000) / 400)[:, None] + noise).tolist()  # a whole number of waves
    ends = ["".join(f",{one:.9f}" for one in row) for row in values]
    long = tmp_path / "long.csv"
    with long.open("w", encoding=encoding) as file:
        file.write("t" + "".join(f",y{n}" for n in range(columns)) + "\n")
        file.writelines(f"{n / 1000:.3f}{ends[n % 2_000]}\n" for n in range(rows))
    facts, advice = (seen.page.locator(f"{VIEW} {name}") for name in (".facts", ".advice p"))
    with measured(browser) as found:
        choose(seen.page, long)
        facts.get_by_text(f"{rows} of 0.001 s").wait_for(timeout=120_000)
        answer(seen.page, 3)
        advice.first.wait_for(timeout=600_000)
        for k in "579":
            seen.page.evaluate(LATENCY, k)
            seen.page.get_by_text(f"{k} ms = {k} macro steps of 1 ms").wait_for()
            seen.page.wait_for_timeout(3000)
    assert found and max(found) < MOST_MEMORY
