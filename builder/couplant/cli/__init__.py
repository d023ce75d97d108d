"""``couplant VERB``: a module for each verb or two that go together, each verb a function.

A verb imports its heavy libraries inside its function, so that ``--help`` answers at once.
"""

import importlib
import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from couplant.base.errors import CouplantError, Stopped, comes_from_stop
from couplant.base.files import in_words
from couplant.base.paths import resource
from couplant.cli.completion import VARIABLE, answer_shells
from couplant.cli.options import offered_by, with_options
from couplant.version import __version__

GROUPS = {
    "Start": {
        "try": "From a recording to an FMU, with a report",
        "advise": "Which algorithm a loop is to have: each is tried in it",
        "demo": "Two masses coupled over a network, with five algorithms",
        "workbench": "The same in the browser, with recordings of your own",
        "init": "A commented configuration and a scenario to start from",
    },
    "FMU": {
        "build": "One coupling FMU for each signal of a configuration",
        "info": "What an FMU is: kind, timing, latency, algorithm, ports",
        "validate": "Check FMUs: standard, own rules, start values, a run",
        "probe": "Two FMUs that tell what an importer does to signals",
    },
    "Run": {
        "simulate": "Co-simulate a scenario and judge the estimates",
        "sweep": "One scenario with many algorithms and networks",
        "arena": "Algorithms, ours and others', on tasks of all kinds",
        "bench": "Couple two prototypes in real time and judge them",
        "tune": "The settings that measure best on a running bench",
        "router": "Route the messages of benches over zenoh",
        "latency": "Measure the latency to another machine",
    },
    "Other systems": {
        "export": "A scenario for other tools: FMUs, SSP, OSP, Ecos",
        "ssp": "Put coupling FMUs into an SSP, and take them out",
        "container": "One FMU of prototypes and the couplings between them",
        "helics": "Run a scenario as a HELICS federation",
        "dcp": "Sides of a bench as slaves of DCP, and a master",
        "linearise": "An FMU as a linear prototype",
    },
    "Signals": {
        "inspect": "What a recording shows, and which algorithm suits it",
        "lag": "How far a response lags behind its command",
        "macro-step": "How often to exchange values, by measured latencies",
        "design": "The optimal linear algorithm for a recording",
        "learn": "An algorithm learnt from recordings",
        "identify": "The model of a prototype from recordings",
        "energy": "The energy that a recorded coupling makes",
    },
    "Theory": {
        "limits": "Up to which frequency an algorithm changes nothing",
        "bode": "Gain and phase of the coupling process",
        "stability": "Whether a coupled system is stable, with which margin",
        "certify": "A proof that a system is stable whatever messages do",
        "eros": "Algorithms by the procedure that EROS3 and EROS4 are of",
    },
    "Services": {
        "serve": "Train the neural networks of running FMUs",
        "schema": "JSON schemas of settings files, for editors",
        "completion": "Let a shell complete words",
    },
}
"""Verbs in the order of ``couplant --help``, in a few words, which load nothing."""

VERBS = tuple(verb for verbs in GROUPS.values() for verb in verbs)

PLACES = {
    **{verb: f"signals.{verb}:command" for verb in ("design", "energy", "identify", "inspect", "learn")},
    "certify": "stability:certify_command",
    "demo": "simulate:demo",
    "eros": "limits:eros",
    "export": "container:export",
    "lag": "signals.inspect:lag",
    "macro-step": "signals.inspect:macro_step_command",
    "router": "bench:router",
    "schema": "completion:schema",
    "try": "try_:command",
    "validate": "info:validate",
    "workbench": "try_:workbench",
}
"""Module and function of verbs that are not the function `command` of the module with their name."""

_LONGEST, _MOST_LINES = 500, 50  # letters of a line of an error, and its lines

# typer exports BadParameter <- UsageError <- ClickException, but the base class only under names that changed
_ClickException: Any = typer.BadParameter.__mro__[2]


class _Verbs(Mapping[str, Any]):
    """Commands of the verbs in their order, each loaded when it is asked for."""

    def __getitem__(self, verb: str) -> Any:
        return _command_of(verb)

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


class _Late(TyperGroup):
    """Has all verbs and loads the one that is called; of itself typer wants them all, those with own verbs last."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Verbs()  # type: ignore[assignment]  # nothing is added to it

    def list_commands(self, ctx: Any) -> list[str]:
        return [*VERBS]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the verbs by group, of which none is loaded for it."""
        for title, verbs in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([*verbs.items()])


_SETTINGS: dict[str, Any] = {
    "no_args_is_help": False,
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

app = typer.Typer(name="couplant", cls=_Late, **_SETTINGS)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"couplant {__version__}")
        raise typer.Exit


@app.callback()
def _couplant(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Build FMUs that hide the latency between real and virtual prototypes."""


@cache
def _command_of(verb: str) -> Any:
    """Return the command of a verb, a `KeyError` if there is none."""
    if verb not in VERBS:
        raise KeyError(verb)
    module, _, function = PLACES.get(verb, f"{verb}:command").partition(":")
    loaded = importlib.import_module(f"couplant.cli.{module}")
    alone = typer.Typer(**_SETTINGS)
    alone.callback()(_couplant)  # without one typer makes no group of a single command
    if hasattr(loaded, "group"):
        alone.add_typer(loaded.group, name=verb)
    else:
        alone.command(verb)(getattr(loaded, function))
    group: Any = typer.main.get_command(alone)
    found = group.commands[verb]
    for one in (found, *getattr(found, "commands", {}).values()):
        one.epilog = _examples(verb)
        # a command keeps the names of its help from the first context that it has, which need not be that of the group
        one.context_settings = {**one.context_settings, **_SETTINGS["context_settings"]}
    return found


def _examples(verb: str) -> str:
    """Return the end of the help of a `verb`: examples, as they are written, and what comes next."""
    texts = resource("examples.txt").read_text(encoding="utf-8").split("\n\n")
    lines = next(text for text in texts if text.split()[1] == verb).split("\n")
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines[:2]), "\n\b", *lines[2:]])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and report every error as a sentence on standard error.

    The `arguments` are the words after ``couplant``; those of the process if not given.

    Returns
    -------
    int
        Exit status: 0 success, 1 the check or run failed, 2 wrong use, 130 stopped by Ctrl-C.
    """
    # Python has none where they are closed: then nobody reads them
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):  # a name that the encoding lacks ends no command, as on standard error
        sys.stdout.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if VARIABLE in os.environ:
        answer_shells()
    root = typer.main.get_command(app)
    try:
        status = int(root(args=words, prog_name="couplant", standalone_mode=False) or 0)
        return _report_stop() if status == Stopped.exit_code else status  # what typer makes of Ctrl-C
    except _ClickException as error:
        return _fail(_usage_message(error), error.exit_code)
    except CouplantError as error:
        return _fail(with_options(str(error), offered_by(root, words)), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _report_stop()
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        return _fail(f"{in_words(error)}.", 1)
    except Exception as error:
        if comes_from_stop(error):
            return _report_stop()
        if os.environ.get("COUPLANT_TRACEBACK"):
            raise
        return _fail(f"{_first_line(error)} (an error of couplant itself; COUPLANT_TRACEBACK=1 shows where).", 1)


def _report_stop() -> int:
    return _fail(f"{Stopped.words}.", Stopped.exit_code)


def _fail(message: str, code: int) -> int:
    lines = [line if len(line) <= _LONGEST else f"{line[: _LONGEST - 2]}.." for line in message.splitlines()]
    lines = [*lines[:_MOST_LINES], *([f"{len(lines) - _MOST_LINES} more."] if len(lines) > _MOST_LINES else [])]
    sys.stderr.writelines(f"couplant: {line}\n" for line in lines)
    return code


def _usage_message(error: Any) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "couplant"
    message = error.format_message().replace("Value error, ", "").rstrip(".")
    return f"{message}; see '{path} --help'."


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else 'no message'}"
