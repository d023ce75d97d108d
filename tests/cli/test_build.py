"""``couplant build``: FMUs, a table, and nothing at all after an error."""

import json
import zipfile

import pytest

from couplant.pack import BACKENDS


def test_each_signal_becomes_one_fmu(couplant, bench, tmp_path):
    done = couplant("build", bench, "-o", tmp_path / "fmus")
    assert (done.status, done.err) == (0, "")
    assert sorted(path.name for path in (tmp_path / "fmus").iterdir()) == ["bench_speed.fmu", "bench_torque.fmu"]
    rows = done.out.splitlines()
    assert rows[0].split() == ["FMU", "unit", "algorithm", "latency", "macro", "step", "timing", "kB"]
    assert rows[1].split()[:8] == ["bench_torque.fmu", "N.m", "eros3", "3", "steps", "0.01", "s", "step"]
    assert rows[2].split()[:8] == ["bench_speed.fmu", "rad/s", "foh", "by", "stamps", "0.01", "s", "step"]
    assert rows[3] == f"2 FMUs in {tmp_path / 'fmus'}"


def test_json_is_all_that_is_printed(couplant, bench, tmp_path):
    done = couplant("build", bench, "-o", tmp_path, "--json", "--set", "signals.speed.output={}")
    figures = json.loads(done.out)
    assert [row["signal"] for row in figures["fmus"]] == ["torque", "speed"]
    assert all((tmp_path / row["file"]).stat().st_size == row["bytes"] for row in figures["fmus"])
    assert figures["warnings"] == [
        f"{bench}: signals.speed has no limits: set output.min and output.max to bound a wrong estimate."
    ]
    assert done.err == f"couplant: warning: {figures['warnings'][0]}\n"


def test_equal_input_gives_equal_bytes_and_set_changes_them(couplant, bench, tmp_path):
    for folder, more in (("a", ()), ("b", ()), ("c", ("--set", "interface.macro_step=0.02"))):
        assert couplant("build", bench, "-o", tmp_path / folder, *more).status == 0
    one, same, other = ((tmp_path / folder / "bench_torque.fmu").read_bytes() for folder in "abc")
    assert one == same
    assert one != other
    with zipfile.ZipFile(tmp_path / "c" / "bench_torque.fmu") as archive:
        assert b'stepSize="0.02"' in archive.read("modelDescription.xml")


def test_a_build_replaces_the_fmus_of_the_last_one(couplant, bench, tmp_path):
    couplant("build", bench, "-o", tmp_path)
    before = (tmp_path / "bench_torque.fmu").read_bytes()
    couplant("build", bench, "-o", tmp_path, "--set", "signals.torque.latency.constant_steps=4")
    assert (tmp_path / "bench_torque.fmu").read_bytes() != before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bench.toml", "bench_speed.fmu", "bench_torque.fmu"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--set", "signals.torque.latency.constant_steps=80"),
            "signals.torque.latency.constant_steps = 80, allowed 0 to 64",
        ),
        (("--set", "signals.torque.algorithm=foh"), """texts need quotes that the shell keeps"""),
        (("--set", "nonsense"), "allowed is key=value"),
        (("--backend", "pascal"), f"backend = pascal, allowed {', '.join(BACKENDS)}"),
    ],
)
def test_an_error_leaves_no_file_and_no_folder_behind(couplant, bench, tmp_path, words, sentence):
    done = couplant("build", bench, "-o", tmp_path / "new" / "fmus", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["bench.toml"]


def test_a_failure_at_the_last_fmu_leaves_the_old_ones_alone(couplant, bench, tmp_path, monkeypatch):
    from couplant import pack

    build = pack.build_coupling_fmu

    def fail_at_speed(interface, signal, *args, **more):
        if signal == "speed":
            raise OSError(28, "No space left on device")
        return build(interface, signal, *args, **more)

    monkeypatch.setattr(pack, "build_coupling_fmu", fail_at_speed)
    (tmp_path / "bench_torque.fmu").write_text("old", encoding="utf-8")
    done = couplant("build", bench, "-o", tmp_path)
    assert (done.status, done.err) == (1, "couplant: no space left on device.\n")
    assert (tmp_path / "bench_torque.fmu").read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bench.toml", "bench_torque.fmu"]


def test_a_missing_and_a_damaged_configuration(couplant, tmp_path):
    done = couplant("build", tmp_path / "nowhere.toml")
    assert (done.status, done.err) == (
        2,
        f"couplant: {tmp_path / 'nowhere.toml'}: cannot be read: no such file or directory.\n",
    )
    (tmp_path / "x.toml").write_bytes(b"[interface")
    done = couplant("build", tmp_path / "x.toml")
    assert done.status == 2
    assert done.err.startswith(f"couplant: {tmp_path / 'x.toml'}: not a TOML file: ")


def test_all_errors_of_a_file_come_at_once_each_with_the_name_of_the_file(couplant, bench):
    words = ("--set", "interface.timing=1", "--set", "signals.speed.unti='m'")
    done = couplant("build", bench, *words)
    assert done.status == 2
    assert done.err.splitlines() == [
        f'couplant: {bench}: interface.timing = 1, allowed "step" or "event"',
        f"couplant: {bench}: signals.speed.unti is unknown: did you mean unit?",
    ]


def test_a_file_in_place_of_the_folder_is_refused(couplant, bench):
    done = couplant("build", bench, "-o", bench)
    assert (done.status, done.err) == (2, f"couplant: {bench}: cannot be a folder, {bench} is a file.\n")
