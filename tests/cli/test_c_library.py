"""``couplant build --c-library``: a folder in place of FMUs, and nothing at all after an error."""

import json

import pytest


def test_a_folder_is_written_and_what_is_in_it_is_told(couplant, bench, tmp_path):
    done = couplant("build", bench, "--c-library", "-o", tmp_path / "c")
    assert (done.status, done.err) == (0, "")
    rows = done.out.splitlines()
    assert rows[1].split() == ["torque", "bench_torque", "N.m", "38", "23176", "26240"]
    assert rows[2].split()[:3] == ["speed", "bench_speed", "rad/s"]
    energy = "power bonds, models, derivatives, phasors and a lag that is learnt"
    assert rows[3] == f"left out: networks that learn, {energy}"
    printed = rows[4].removeprefix(f"10 files in {tmp_path / 'c'}; examples/main.c prints: ")
    assert printed in (tmp_path / "c" / "examples" / "main.c").read_text().splitlines()[0]
    assert {path.name for path in (tmp_path / "c" / "src").iterdir()} == {
        "couplant.h", "couplant.c", "couplant_bench.h", "couplant_bench.c",
    }  # fmt: skip
    assert "#define COUPLANT_WITHOUT_NEURAL\n" in (tmp_path / "c" / "src" / "couplant.h").read_text()


def test_equal_settings_give_equal_files_and_json_names_them(couplant, bench, tmp_path):
    for folder in "ab":
        figures = json.loads(couplant("build", bench, "--c-library", "-o", tmp_path / folder, "--json").out)
    one, other = ([(tmp_path / folder / name).read_bytes() for name in figures["files"]] for folder in "ab")
    assert one == other and len(one) == 10
    assert [row["state"] for row in figures["rows"]] == [23176, 23176] and figures["folder"] == str(tmp_path / "b")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--fmi", "3"], "--fmi is for FMUs, allowed without --c-library"),
        (["--sources"], "--sources is for FMUs"),
        (["--set", "signals.torque.algorithm='recursive_fir'"], "native backend does not have it"),
        (["--set", "interface.name='couplant'"], "interface.name = couplant, allowed another one"),
        (["--set", "interface.macro_step=-1"], "macro_step"),
    ],
)
def test_what_is_wrong_leaves_nothing_behind(couplant, bench, tmp_path, words, sentence):
    done = couplant("build", bench, "--c-library", "-o", tmp_path / "c", *words)
    assert done.status == 2 and sentence in done.err and done.err.count("\n") == 1
    assert not (tmp_path / "c").exists()


def test_a_folder_that_holds_files_is_left_alone(couplant, bench, tmp_path):
    (tmp_path / "README.md").write_text("mine")
    done = couplant("build", bench, "--c-library", "-o", tmp_path)
    assert done.status == 2 and "holds files already" in done.err
    assert (tmp_path / "README.md").read_text() == "mine"
    assert couplant("build", bench, "--c-library", "-o", tmp_path, "--force").status == 0
