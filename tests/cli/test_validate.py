"""``couplant validate``: silent on good FMUs, a sentence for everything else."""

import json
import zipfile

import pytest

from couplant.config import load_interface
from couplant.pack import build_coupling_fmu


@pytest.fixture
def fmu(bench, tmp_path):
    return build_coupling_fmu(load_interface(bench), "torque", tmp_path)


def rewrite(fmu, change):
    """Write the FMU again with `change(name, content)` in place of each content; None leaves a file out."""
    with zipfile.ZipFile(fmu) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(fmu, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            changed = change(name, content)
            if changed is not None:
                archive.writestr(name, changed)


def test_nothing_is_found_in_what_was_just_built(couplant, fmu):
    done = couplant("validate", fmu)
    assert (done.status, done.out, done.err) == (0, f"{fmu}: no problems\n", "")


def test_folders_and_patterns_where_the_shell_expands_none(couplant, fmu, tmp_path):
    folder = tmp_path / "fmus"
    folder.mkdir()
    names = [folder / "a.fmu", folder / "b.FMU"]
    for name in (*names, folder / "c.txt"):
        name.write_bytes(fmu.read_bytes())
    told = "".join(f"{name}: no problems\n" for name in names)
    assert couplant("validate", folder, "--no-run").out.replace(" (not run: not asked for)", "") == told
    assert couplant("validate", folder / "*.fmu", "--no-run").out.startswith(f"{names[0]}: no problems")
    odd = tmp_path / "[x].fmu"
    odd.write_bytes(fmu.read_bytes())
    assert couplant("validate", odd, "--no-run").status == 0, "a file is no pattern"
    done = couplant("validate", folder / "*.ssp")
    assert (done.status, done.err) == (2, f"couplant: {folder / '*.ssp'}: no such file.\n")


def test_json(couplant, fmu):
    done = couplant("validate", fmu, "--json")
    assert json.loads(done.out) == {"fmus": [{"file": str(fmu), "problems": [], "notes": []}]}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "not an FMU"), (b"PK\x03\x04", "not an FMU"), (b"text", "it is not a zip archive")],
)
def test_what_is_no_fmu(couplant, tmp_path, content, sentence):
    path = tmp_path / "x.fmu"
    path.write_bytes(content)
    done = couplant("validate", path)
    assert (done.status, done.err) == (1, "couplant: 1 of 1 files did not pass.\n")
    assert sentence in done.out


def test_every_file_is_checked_even_after_a_bad_one(couplant, fmu, tmp_path):
    bad = tmp_path / "bad.fmu"
    bad.write_bytes(b"")
    done = couplant("validate", bad, fmu, "--json")
    assert (done.status, done.err) == (1, "couplant: 1 of 2 files did not pass.\n")
    assert [len(row["problems"]) for row in json.loads(done.out)["fmus"]] == [1, 0]


def test_a_missing_file_and_an_empty_folder_are_wrong_use(couplant, tmp_path):
    for path, said in ((tmp_path / "nowhere.fmu", "no such file"), (tmp_path, "no .fmu file")):
        done = couplant("validate", path)
        assert (done.status, done.err) == (2, f"couplant: {path}: {said}.\n")


def test_a_truncated_and_an_altered_file(couplant, fmu):
    whole = fmu.read_bytes()
    fmu.write_bytes(whole[: len(whole) // 2])
    assert "truncated" in couplant("validate", fmu).out
    fmu.write_bytes(whole[:20000] + bytes(byte ^ 0xFF for byte in whole[20000:20008]) + whole[20008:])
    assert "does not fit its checksum" in couplant("validate", fmu).out


@pytest.mark.sample(1)
@pytest.mark.parametrize("library", [b"", b"not a library"])
def test_a_damaged_binary_is_told_and_does_not_crash_the_command(couplant, fmu, library):
    rewrite(fmu, lambda name, content: library if name.startswith("binaries/") else content)
    done = couplant("validate", fmu)
    assert done.status == 1
    assert "a short run failed" in done.out


def test_an_fmu_for_other_platforms_is_not_run(couplant, fmu):
    rewrite(fmu, lambda name, content: None if name.startswith("binaries/") else content)
    done = couplant("validate", fmu)
    assert done.status == 0
    assert "no problems (not run: it has no binary for this platform" in done.out


def test_no_run_checks_the_description_only(couplant, fmu):
    rewrite(fmu, lambda name, content: b"" if name.startswith("binaries/") else content)
    assert couplant("validate", fmu, "--no-run").out == f"{fmu}: no problems (not run: not asked for)\n"
