"""The frame of the command line: help, version, wrong use, exit status, no traceback."""

import sys

import pytest

from couplant import __version__, cli
from couplant.base.errors import CouplantError, UsageError
from tests import commands

VERBS = list(cli.VERBS)
NEEDED = {"init", "build", "validate", "simulate"}


def test_the_verbs_of_the_whole_path_are_there():
    assert set(VERBS) >= NEEDED


@pytest.mark.sample(8)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_verb_explains_itself(couplant, verb, flag):
    done = couplant(verb, flag)
    assert (done.status, done.err) == (0, "")
    assert f"Usage: couplant {verb}" in done.out


def test_help_lists_the_verbs_in_the_order_of_the_work(couplant):
    done = couplant("--help")
    assert done.status == 0
    listed = [line.split()[0] for line in done.out.split("Start:")[1].splitlines() if line.startswith("  ")]
    assert listed == VERBS
    assert max(map(len, (text for verbs in cli.GROUPS.values() for text in verbs.values()))) <= 60
    assert max(map(len, done.out.splitlines())) <= 80


def test_help_and_import_load_no_verb():
    program = "import sys; from couplant import cli; cli.main([]); print(*sys.modules, file=sys.stderr)"
    loaded = {*commands.run([sys.executable, "-c", program], capture_output=True, text=True).stderr.split()}
    assert not {f"couplant.cli.{verb}" for verb in VERBS if verb not in ("completion",)} & loaded
    program = "import sys; import couplant; print(*sys.modules)"
    loaded = {*commands.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.split()}
    assert not {"typer", "importlib.resources", "tempfile", "dataclasses"} & loaded


def test_closed_output_is_no_error_of_couplant(tmp_path):
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        words = f'"{sys.executable}" -m couplant limits --help {closed}'
        done = commands.run(["sh", "-c", words], capture_output=True, text=True)
        assert done.returncode == 0 and "couplant itself" not in done.stderr


def test_no_error_fills_the_terminal(couplant, tmp_path):
    path = tmp_path / "long.toml"
    path.write_text(f'name = "{"x" * 2_000_000}"\n' + "".join(f"k{i} = 1\n" for i in range(900)), encoding="utf-8")
    done = couplant("build", str(path))
    assert done.status == 2 and max(map(len, done.err.splitlines())) <= 520
    assert len(done.err.splitlines()) == 51 and done.err.endswith(" more.\n")


def test_without_a_word_the_help_is_printed(couplant):
    assert couplant() == couplant("--help")


def test_version(couplant):
    assert couplant("--version").out == f"couplant {__version__}\n"


def test_a_verb_is_called_without_the_others():
    program = "import sys; from couplant import cli; cli.main(['limits', '-h']); print(*sys.modules, file=sys.stderr)"
    loaded = commands.run([sys.executable, "-c", program], capture_output=True, text=True).stderr.split()
    assert "couplant.cli.limits" in loaded
    assert not {"couplant.cli.sweep", "rich.console", "scipy", "numpy"} & {*loaded}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("bulid",), "No such command 'bulid'"),
        (("--nope",), "No such option: --nope"),
        (("build",), "Missing argument 'CONFIG'; see 'couplant build --help'."),
        (("build", "a.toml", "--nope"), "No such option: --nope"),
        (("build", "a.toml", "b.toml"), "unexpected extra argument"),
        (("build", "a.toml", "-o"), "requires an argument"),
        (("validate",), "Missing argument 'FMU'"),
        (("simulate",), "Missing argument 'SCENARIO'"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(couplant, words, sentence):
    done = couplant(*words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.startswith("couplant: ")
    assert done.err.endswith(".\n")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (CouplantError("the run failed."), 1, "the run failed."),
        (UsageError("k = 80, allowed 0 to 64."), 2, "k = 80, allowed 0 to 64."),
        (OSError(28, "No space left on device", "x.fmu"), 1, "x.fmu: no space left on device."),
        (OSError("odd"), 1, "odd."),
        (KeyboardInterrupt(), 130, "stopped by the user."),
        (ZeroDivisionError("division by zero"), 1, "ZeroDivisionError: division by zero (an error of couplant itself"),
        (RuntimeError(), 1, "RuntimeError: no message"),
    ],
)
def test_every_error_becomes_a_sentence(couplant, bench, monkeypatch, error, status, text):
    def fail(*_args, **_more):
        raise error

    monkeypatch.setattr("couplant.pack.check.validate", fail)
    done = couplant("validate", bench)
    assert (done.status, done.out) == (status, "")
    assert done.err.startswith(f"couplant: {text}")


@pytest.mark.needs_system("bash")
@pytest.mark.parametrize("words", ["limits --algorithm zoh", "limits --algorithm zoh --json", "--help"])
def test_a_process_without_outputs_ends_as_with_them(words):
    command = [sys.executable, "-c", f"import os; os.close(1); os.close(2); {RUN}", sys.executable, *words.split()]
    assert commands.run(command, check=False).returncode == 0


RUN = "import sys; os.execv(sys.argv[1], [sys.argv[1], '-m', 'couplant', *sys.argv[2:]])"


def test_errors_of_couplant_are_builtin_errors_too():
    assert issubclass(UsageError, ValueError)
    assert (CouplantError.exit_code, UsageError.exit_code) == (1, 2)


@pytest.mark.parametrize("command", [["-m", "couplant"], ["-c", "from couplant.__main__ import entry; entry()"]])
def test_the_process_leaves_with_the_status(command):
    done = commands.run([sys.executable, *command, "build"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "couplant: Missing argument 'CONFIG'; see 'couplant build --help'.\n"


def test_help_does_not_load_heavy_libraries():
    heavy = ("numpy", "scipy", "matplotlib", "fmpy")
    code = f"import sys, couplant.cli; print([name for name in {heavy} if name in sys.modules])"
    done = commands.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
