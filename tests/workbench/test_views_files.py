"""Files that a reader opens or drops: what tools write, several at once, and a sentence for what cannot be read."""

import numpy as np
import pytest

from couplant.base.style import LIGHT
from tests.workbench.test_views_recording import VIEW, answer, headline

TIME = 0.02 * np.arange(400)


def written(path, text=None):
    """Write a recording as a German spreadsheet does, or a text; return its path."""
    if text is None:
        rows = [f"{t:.2f};{np.sin(2.0 * t):.6f}".replace(".", ",") for t in TIME]
        text = "\n".join(["Zeit;Drehmoment", "s;N.m", *rows])
    path.write_bytes(text if isinstance(text, bytes) else text.encode("cp1252"))
    return path


@pytest.fixture
def seen(opened):
    one = opened("#recording")
    headline(one.page)
    return one


def choose(page, *paths):
    page.get_by_label("open files").set_input_files([str(path) for path in paths])


def test_a_file_is_opened_as_the_package_reads_it(seen, tmp_path):
    choose(seen.page, written(tmp_path / "Prüfstand.csv"))
    seen.page.locator(f"{VIEW} .facts", has_text="400 of 0.02 s").wait_for()
    assert seen.page.locator("#field-recording-column").input_value() == "Drehmoment"
    assert seen.page.locator("#field-recording-unit").input_value() == "N.m"
    answer(seen.page, 60)
    assert "60 ms late" in headline(seen.page)
    assert len(seen.pixels(0, LIGHT.algorithms["auto"])) > 100


def test_several_files_are_opened_at_once(seen, tmp_path):
    second = written(tmp_path / "b.csv", "t,u,v\n" + "".join(f"{t},{t * t},{-t}\n" for t in TIME[:200]))
    choose(seen.page, written(tmp_path / "a.csv"), second)
    choice = seen.page.get_by_label("recording", exact=True)
    choice.locator("option", has_text="b.csv").wait_for(state="attached")
    assert choice.locator("option").all_inner_texts() == ["a.csv", "b.csv", "torque_a.csv"]
    choice.select_option(label="b.csv")
    assert seen.page.locator("#field-recording-column option").all_inner_texts() == ["u", "v"]
    seen.page.locator(f"{VIEW} .facts", has_text="200 of 0.02 s").wait_for()


def test_a_file_is_dropped(seen, tmp_path):
    text = written(tmp_path / "dropped.csv").read_bytes().decode()
    seen.page.evaluate(
        """([selector, text]) => {
            const dataTransfer = new DataTransfer(), how = { dataTransfer, bubbles: true, cancelable: true };
            dataTransfer.items.add(new File([text], "dropped.csv"));
            const place = document.querySelector(selector);
            for (const name of ["dragover", "drop"]) place.dispatchEvent(new DragEvent(name, how));
        }""",
        [f"{VIEW} .chart", text],
    )
    seen.page.locator(f"{VIEW} .facts", has_text="400 of 0.02 s").wait_for()


BROKEN = {
    "empty.csv": (b"", "empty.csv"),
    "binary.dat": (bytes(range(256)) * 40, "binary.dat"),
    "bench.mf4": (b"MDF     4.10" + b"\0" * 100, "bench.mf4: MDF is not read here"),
    "words.csv": (b"t,y\n" + b"a,b\n" * 100, "words.csv"),
    "short.csv": (b"t,y\n0,1\n1,2\n", "short.csv: no channel with at least 64 numbers."),
}
BACKWARDS = b"t,y\n" + b"".join(b"%d,1\n" % (100 - i) for i in range(100))


def test_broken_files_are_refused_by_a_sentence_and_the_page_goes_on(seen, tmp_path):
    before = headline(seen.page)
    for name, (content, words) in BROKEN.items():
        choose(seen.page, written(tmp_path / name, content))
        told = seen.page.locator(f"{VIEW} .files .wrong", has_text=words)
        told.wait_for()
        assert told.inner_text().endswith(".") and "\n" not in told.inner_text()
        assert headline(seen.page) == before
    choose(seen.page, written(tmp_path / "back.csv", BACKWARDS))
    seen.page.locator(f"{VIEW} h1", has_text="Time does not increase at 100 s.").wait_for()
    choose(seen.page, written(tmp_path / "good.csv"))
    seen.page.locator(f"{VIEW} .facts", has_text="400 of 0.02 s").wait_for()


@pytest.mark.landing("large files")
def test_files_that_are_too_large_are_refused_by_their_heads(seen, tmp_path):
    for name, size, words in (("large.csv", 201e6, "has 201 MB, allowed 200 MB"), ("long.csv", 190e6, "rows, allowed")):
        path = written(tmp_path / name, "t,y\n" + "".join(f"{i},1\n" for i in range(20_000)))
        with path.open("r+b") as file:
            file.truncate(int(size))
        choose(seen.page, path)
        seen.page.locator(f"{VIEW} .files .wrong", has_text=f"{name} has").wait_for()
        assert words in seen.page.locator(f"{VIEW} .files .wrong").inner_text()
