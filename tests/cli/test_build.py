"""``couplant build``: FMUs, a table, and nothing at all after an error."""

import json
import sys
import zipfile
from contextlib import nullcontext

import pytest

from couplant import pack
from couplant.base.errors import UsageError
from couplant.config import load_interface
from couplant.pack import BACKENDS
from couplant.pack.binaries.platforms import host
from couplant.pack.build import HEADINGS


def test_each_signal_becomes_one_fmu(couplant, bench, tmp_path):
    done = couplant("build", bench, "-o", tmp_path / "fmus")
    assert (done.status, done.err) == (0, "")
    assert sorted(path.name for path in (tmp_path / "fmus").iterdir()) == ["bench_speed.fmu", "bench_torque.fmu"]
    rows = done.out.splitlines()
    folder = host().fmi2
    assert rows[0].split() == " ".join(HEADINGS).split()
    assert rows[1].split()[:-1] == f"bench_torque.fmu N.m eros3 3 steps 0.01 s step native 2.0 {folder}".split()
    assert rows[2].split()[:-1] == f"bench_speed.fmu rad/s foh by stamps 0.01 s step native 2.0 {folder}".split()
    assert rows[3] == f"2 FMUs in {tmp_path / 'fmus'}"
    assert rows[4] == "communication step 0.01 s (assumed)"
    assert "foresees one step more than a plain wire is late: interface.micro_step = 0.001" in rows[5]


def test_the_communication_step_is_named(couplant, bench, tmp_path):
    done = couplant("build", bench, "-o", tmp_path, "--set", "interface.micro_step=0.001")
    assert "communication step 0.001 s (interface.micro_step)\n" in done.out and "plain wire" not in done.out
    figures = json.loads(couplant("build", bench, "-o", tmp_path, "--json").out)
    assert {row["communication_step"] for row in figures["fmus"]} == {0.01}


def test_json_is_all_that_is_printed(couplant, bench, tmp_path):
    done = couplant("build", bench, "-o", tmp_path, "--json", "--set", "signals.speed.output={}")
    figures = json.loads(done.out)
    assert [row["signal"] for row in figures["fmus"]] == ["torque", "speed"]
    assert all((tmp_path / row["file"]).stat().st_size == row["bytes"] for row in figures["fmus"])
    assert figures["warnings"] == [
        f"{bench}: signals.speed has no limits: "
        "set output.min and output.max, or output.guard, to bound a wrong estimate."
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


def test_an_fmu_of_another_signal_that_is_called_the_same_stays(couplant, tmp_path):
    for file, interface, signal in (("one.toml", "a_b", "c"), ("two.toml", "a", "b_c")):
        text = f'[interface]\nname = "{interface}"\nmacro_step = 0.01\n[signals.{signal}]\n[signals.other]\n'
        (tmp_path / file).write_text(text, encoding="utf-8")
    assert couplant("build", tmp_path / "one.toml", "-o", tmp_path / "out").status == 0
    before = (tmp_path / "out" / "a_b_c.fmu").read_bytes()
    done = couplant("build", tmp_path / "two.toml", "-o", tmp_path / "out")
    whose = "is the FMU of signal c of interface a_b, and that of signal b_c of interface a has the same name"
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(f"couplant: {tmp_path / 'out' / 'a_b_c.fmu'} {whose}: take another folder.\n")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"a_b_c.fmu", "a_b_other.fmu"}
    assert (tmp_path / "out" / "a_b_c.fmu").read_bytes() == before
    with pytest.raises(UsageError, match=whose):
        pack.build_coupling_fmu(load_interface(tmp_path / "two.toml"), "b_c", tmp_path / "out")
    for content in (b"no FMU", b""):
        (tmp_path / "out" / "a_b_c.fmu").write_bytes(content)
        assert couplant("build", tmp_path / "two.toml", "-o", tmp_path / "out").status == 0


HEAD = "[interface]\nmacro_step = 0.01\n"
STRANGE = ("..", "a/b", "a\\\\b", "a.", "a ", " a", "a:b", "ü", "a" * 56, "a\\u0000b", "a\\nb", "")


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", STRANGE)
def test_names_that_are_no_names_of_files_everywhere_are_refused(couplant, tmp_path, name):
    (tmp_path / "a.toml").write_text(f'{HEAD}name = "a"\n[signals."{name}"]\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text(f'{HEAD}name = "{name}"\n[signals.a]\n', encoding="utf-8")
    for file in ("a.toml", "b.toml"):
        done = couplant("build", tmp_path / file, "-o", tmp_path / "out")
        assert (done.status, done.out) == (2, "")
        assert done.err.endswith("a letter, then letters, digits and underscores, at most 55 characters\n")
        assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


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
        (("--fmi", "1"), "fmi = 1, allowed 2, 3"),
        (("--platform", "host,amiga"), "platform = amiga, allowed host, all, x86_64-linux"),
        (("--backend", "python", "--platform", "win64"), "platform = win64: the python backend cannot do that"),
        (("--backend", "python", "--sources"), "sources: the python backend cannot do that"),
    ],
)
def test_an_error_leaves_no_file_and_no_folder_behind(couplant, bench, tmp_path, words, sentence):
    done = couplant("build", bench, "-o", tmp_path / "new" / "fmus", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bench.toml"]


def test_a_failure_at_the_last_fmu_leaves_the_old_ones_alone(couplant, bench, tmp_path, monkeypatch):
    build = pack.build_coupling_fmu

    def fail_at_speed(interface, signal, *args, **more):
        if signal == "speed":
            raise OSError(28, "No space left on device")
        return build(interface, signal, *args, **more)

    monkeypatch.setattr("couplant.pack.build.build_coupling_fmu", fail_at_speed)
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


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_version_platform_and_sources_are_in_the_figures_and_in_the_file(couplant, bench, tmp_path, fmi):
    done = couplant("build", bench, "-o", tmp_path, "--fmi", fmi, "--platform", "host", "--sources", "--json")
    for row in json.loads(done.out)["fmus"]:
        folder = host().folder(fmi)
        assert (row["backend"], row["fmi"], row["platforms"]) == ("native", f"{fmi}.0", [folder])
        assert row["sources"] is True
        with zipfile.ZipFile(row["file"]) as archive:
            names = archive.namelist()
        assert [name for name in names if name.startswith("binaries/")] == [
            f"binaries/{folder}/bench_{row['signal']}{host().suffix}"
        ]
        assert "sources/all.c" in names


@pytest.mark.parametrize("algorithm", ["recursive_fir", "coupling_element"])
def test_an_algorithm_of_the_python_backend_is_refused_before_anything_is_compiled(
    couplant, bench, tmp_path, algorithm, monkeypatch
):
    monkeypatch.setattr(pack, "compile_ahead", None)
    change = ("--set", f'signals.speed.algorithm="{algorithm}"')
    done = couplant("build", bench, "-o", tmp_path / "fmus", *change)
    setting, why = f'signals.speed.algorithm = "{algorithm}"', "the native backend does not have it"
    assert (done.status, done.err) == (2, f"couplant: {setting}: {why}, backend = python does (--backend)\n")
    assert not (tmp_path / "fmus").exists()
    done = couplant("build", bench, "-o", tmp_path / "fmus", "--backend", "python", *change)
    assert (done.status, done.err) == (0, "")


def test_the_python_backend_carries_the_loaders_of_pythonfmu(couplant, bench, tmp_path):
    done = couplant("build", bench, "-o", tmp_path, "--backend", "python")
    assert done.out.splitlines()[1].split()[8:12] == ["python", "2.0", "linux64,", "win64"]


def test_the_python_backend_has_fmi_3_and_says_what_it_cannot_do_there(couplant, bench, tmp_path, monkeypatch):
    done = couplant("build", bench, "-o", tmp_path, "--backend", "python", "--fmi", "3")
    assert done.status == 0
    assert done.out.splitlines()[1].split()[8:12] == ["python", "3.0", "x86_64-linux,", "x86_64-windows"]
    assert "keeps no states, has no Event Mode" in done.out + done.err
    monkeypatch.setitem(sys.modules, "pythonfmu3", None)
    done = couplant("build", bench, "-o", tmp_path / "none", "--backend", "python", "--fmi", "3")
    assert done.status == 2
    assert "pip install couplant[fmi3python]" in done.err
    assert not (tmp_path / "none").exists()


def test_a_terminal_is_told_what_is_compiled(couplant, bench, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr("couplant.cli.build.progress_bar", lambda: nullcontext(lambda *words: told.append(words)))
    assert couplant("build", bench, "-o", tmp_path, "--fmi", "3").status == 0
    assert told == [(0.0, f"compiling for {host().name}")]


def test_a_compiler_that_is_missing_is_told_and_nothing_is_written(couplant, bench, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = couplant("build", bench, "-o", tmp_path / "fmus")
    assert (done.status, len(done.err.splitlines())) == (1, 1)
    assert "no C compiler found" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["bench.toml"]


def test_how_far_a_loop_bears_jitter_is_told(couplant, bench, tmp_path):
    words = ("--set", 'signals.speed.algorithm="auto"', "--set", 'signals.torque.algorithm="auto"')
    (line,) = (line for line in couplant("build", bench, "-o", tmp_path, *words).out.splitlines() if "jitter" in line)
    assert line.startswith("auto by stamps: the loop of example 01 is stable up to a latency of 5 macro steps with 2")
    assert "jitter" not in couplant("build", bench, "-o", tmp_path).out


def batches(path, size):
    rows = [f"{n * 0.01:.2f},{0.03 + (size - 1 - n % size) * 0.01:.2f}" for n in range(400)]
    path.write_text("\n".join(["sent_s,latency_s", *rows, ""]), encoding="utf-8")
    return path


def test_settings_that_do_not_bear_measured_latencies_are_told(couplant, bench, tmp_path):
    done = couplant("build", bench, "-o", tmp_path, "--latencies", batches(tmp_path / "way.csv", 5))
    assert done.status == 0
    assert "torque takes 3 to 7 macro steps of 0.01 s, but latency.mode is constant with constant_steps = 3" in done.err
    assert "nothing new of speed comes in for up to 4 macro steps in a row, but latency.coast_steps = 3" in done.err
    assert "the output is held in 20 % of all; use 5" in done.err
    assert "up to 5 values of speed come in at once, but burst = 1" in done.err


def test_settings_that_bear_measured_latencies_need_no_word(couplant, bench, tmp_path):
    changes = ("--set", "signals.speed.latency.coast_steps=5", "--set", "signals.speed.burst=5")
    changes += ("--set", "signals.torque.latency.mode=stamps", "--set", "signals.torque.latency.coast_steps=5")
    changes += ("--set", "signals.torque.burst=5")
    way = batches(tmp_path / "way.csv", 5)
    assert "way.csv" not in couplant("build", bench, "-o", tmp_path, "--latencies", way, *changes).err


def test_a_macro_step_comes_with_what_coupling_fmus_need(couplant, tmp_path):
    way = batches(tmp_path / "way.csv", 5)
    done = couplant("macro-step", way, "--micro-step", "10ms")
    found = json.loads(couplant("macro-step", way, "--micro-step", "10ms", "--json").out)
    step, wanted = found["stamped"]["macro_step"], found["stamped_settings"]
    told = f"latency.coast_steps = {wanted['coast_steps']}, burst = {wanted['burst']}"
    assert f"With stamps at {1e3 * step:g} ms up to" in done.out and told in done.out


def test_latencies_that_cannot_be_read_leave_nothing_behind(couplant, bench, tmp_path):
    done = couplant("build", bench, "-o", tmp_path / "fmus", "--latencies", tmp_path / "none.csv")
    assert (done.status, done.out) == (2, "") and "none.csv: cannot be read: no such file" in done.err
    assert not (tmp_path / "fmus").exists()
