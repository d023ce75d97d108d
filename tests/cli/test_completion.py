"""``couplant completion``: shells complete verbs, options and names."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from couplant.cli import VERBS
from couplant.cli.completion import SHELLS, VARIABLE
from tests import commands

ROOT = Path(__file__).resolve().parents[2]
ASK = """
eval "$(couplant completion bash)"
complete -p couplant
while IFS= read -r line; do
  read -r -a COMP_WORDS <<< "$line"
  case "$line" in *' ') COMP_WORDS+=("");; esac
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _couplant_completion couplant
  echo "${COMPREPLY[*]}"
done
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Return an environment in which `couplant` is this one."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "couplant"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m couplant "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = os.pathsep.join([str(ROOT / "builder"), str(ROOT / "fmu_src")])
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": path}


@pytest.mark.landing("a shell that completes")
@pytest.mark.needs_system("bash")
def test_bash_completes(environment):
    asked = {
        "couplant ini": "init",
        "couplant ": " ".join(VERBS),
        "couplant build --plat": "--platform",
        "couplant build --backend ": "native python",
        "couplant simulate --host ja": "jacobi",
        "couplant simulate READ": "",  # of files bash knows more
    }
    lines = "".join(f"{line}\n" for line in asked)
    command = [shutil.which("bash"), "--norc", "-c", ASK]
    done = commands.run(command, input=lines, env=environment, capture_output=True, text=True, check=True)
    said, *found = done.stdout.split("\n")[:-1]
    assert (said, done.stderr) == ("complete -o default -F _couplant_completion couplant", "")
    assert found == list(asked.values())


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("shell", "more"),
    [("zsh", {}), ("fish", {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}), ("powershell", {})],
)
def test_other_shells_are_answered(environment, shell, more):
    asked = {VARIABLE: f"complete_{shell}", "_TYPER_COMPLETE_ARGS": "couplant ins", **more}
    asked |= {"_TYPER_COMPLETE_WORD_TO_COMPLETE": "ins"}
    done = commands.run(["couplant"], env=environment | asked, capture_output=True, text=True, check=True)
    assert "inspect" in done.stdout and "Inspect a recording" in done.stdout and "init" not in done.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_asks_couplant(couplant, shell):
    done = couplant("completion", shell)
    assert (done.status, done.err) == (0, "")
    assert f"complete_{shell}" in done.out and VARIABLE in done.out


def test_another_shell_is_refused(couplant):
    done = couplant("completion", "csh")
    assert (done.status, done.err) == (2, "couplant: shell = csh, allowed bash, zsh, fish, powershell\n")
