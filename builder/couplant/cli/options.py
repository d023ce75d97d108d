"""Options that many verbs have, and those by which the quantities in the sentences of errors are given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, BadParameter, Option

from couplant.base.errors import UsageError

if TYPE_CHECKING:
    from couplant.analysis import ErlangLatency
    from couplant.config.network import Seconds

_PARTS_OF_A_SECOND = {"": 1.0, "s": 1.0, "ms": 1e3, "us": 1e6, "µs": 1e6}


def seconds(text: str) -> float:
    """Return a time [s] from ``45ms``, ``200us`` or ``0.045``, in s; raise BadParameter if it is none."""
    found = re.fullmatch(r"\s*([-+.\deE]+)\s*([mµu]?s|)\s*", str(text))
    try:
        return float(found[1]) / _PARTS_OF_A_SECOND[found[2]] if found else float(text)
    except ValueError:
        raise BadParameter(f"{text!r} is no time, allowed 45ms, 200us or 0.045 (s).") from None


def steps_or_time(text: str) -> int | Seconds:
    """Return macro steps from ``2``, a time from ``9ms``; raise BadParameter if a `text` is neither."""
    from couplant.config.network import Seconds

    if re.fullmatch(r"\s*[-+]?\d+\s*", str(text)):
        return int(text)
    if not re.search(r"[a-zµ]\s*$", str(text)):
        raise BadParameter(f"{text!r} is no number of macro steps and no time, allowed 2 or 9ms.")
    return Seconds(seconds(text))


AsJson = Annotated[bool, Option("--json", help="Print the figures as JSON, and nothing else, on standard output.")]
Assignments = Annotated[
    list[str] | None, Option("--set", metavar="KEY=VALUE", help="Set a key to a TOML value; may be given many times.")
]

TimeColumn = Annotated[
    str | None,
    Option("--time", "--time-column", "--sample-time", metavar="NAME", help="Column of the times; without one 10ms."),
]
TimeUnit = Annotated[str | None, Option(metavar="UNIT", help="Unit of the times; else as the file tells, or s.")]
Delimiter = Annotated[str | None, Option(metavar="CHAR", help="Between cells of a text; else guessed.")]
Decimal = Annotated[str | None, Option(metavar="CHAR", help="Decimal mark, a comma or a point; else guessed.")]
TIME: Any = {"parser": seconds, "metavar": "TIME"}
"""Of options that are times."""
MacroStep = Annotated[float | None, Option(help="Macro step: 20ms; else as recorded.", **TIME)]
Latency = Annotated[float | None, Option(help="Latency: 45ms; else 3 macro steps.", **TIME)]
Steps = Annotated[int | None, Option(metavar="K", help="Latency in macro steps, in place of --latency.")]
Latencies = Annotated[list[float] | None, Option("--latency", help="Latency: 45ms; may be given many times.", **TIME)]
ManySteps = Annotated[list[int] | None, Option("--steps", metavar="K", help="In macro steps, in place of --latency.")]
StepOfLatency = Annotated[float | None, Option("--macro-step", help="Macro step, for --latency: 20ms.", **TIME)]
Jitter = Annotated[
    Any, Option(parser=steps_or_time, metavar="K|TIME", help="Largest extra latency, at random: 2 macro steps, or 9ms.")
]
Loss = Annotated[float | None, Option(metavar="SHARE", help="Share of the values that are lost; else 0.")]
Seed = Annotated[int | None, Option(metavar="N", help="Seed of jitter and loss; else 1.")]

Sends = Annotated[list[str] | None, Option(metavar="NAME", help="Column that one side sends; several.")]
Receives = Annotated[list[str] | None, Option(metavar="NAME", help="Column that this side receives; several.")]

Column = Annotated[str | None, Option(metavar="NAME", help="Column of the signal; else the first.")]

RECORDINGS = (".csv", ".txt", ".lvm", ".mf4", ".mat", ".parquet", ".tdms", ".blf", ".ulg")
_OTHERS = (".asc", ".dat", ".mdf", ".tsv", ".xlsx")
"""Endings of the recordings that are taken from a folder, and of others that are no settings files."""


def no_recording(path: Path) -> Path:
    """Return the `path` of a settings file; raise `UsageError` if it has the ending of a recording."""
    if path.suffix.lower() in (*RECORDINGS, *_OTHERS):
        raise UsageError(f"{path} is a recording, allowed is a settings file: couplant try {path} makes one of it")
    return path


Scenario = Annotated[Path, Argument(metavar="SCENARIO", help="Scenario, a TOML file.", callback=no_recording)]
OneAlgorithm = Annotated[
    str | None, Option("--algorithm", metavar="NAME", help="Algorithm; needed where the scenario runs several.")
]
WeightsInto = Annotated[Path | None, Option(metavar="TOML", help="Settings file that gets the weights.")]
Judge = Annotated[Path | None, Option(metavar="FILE", help="To judge on; else the end of the recording.")]
Signal = Annotated[str | None, Option(metavar="NAME", help="Signal of the settings file.")]

Anywhere = Annotated[bool, Option("--anywhere", help="Allow other addresses than loopback.")]
Sources = Annotated[bool, Option("--sources", help="Put the C sources into the FMUs too.")]
Force = Annotated[bool, Option("--force", help="Write into a folder that holds files already.")]
Open = Annotated[bool, Option("--open/--no-open", help="Open the report in the browser.")]


def among(*names: str) -> Callable[[], list[str]]:
    """Return a completion for shells: the `names` that an argument may be."""
    return lambda: list(names)


Host = Annotated[
    str | None,
    Option(
        "--host",
        metavar="NAME",
        help="Kind of importer: reads_again, jacobi or sequential.",
        autocompletion=among("reads_again", "jacobi", "sequential"),
    ),
]

Fmi = Annotated[
    str, Option(metavar="2|3", help="Version of the standard: FMI 2.0 or 3.0.", autocompletion=among("2", "3"))
]
Platform = Annotated[
    str,
    Option(
        metavar="host|all|NAME,..",
        help="Whose binaries the FMUs carry, e.g. win64,linux64.",
        autocompletion=among("host", "all", "win64", "linux64"),
    ),
]

Output = Annotated[Path | None, Option("-o", "--output", metavar="HTML", help="Report page.")]
Picture = Annotated[Path | None, Option("--picture", metavar="FILE", help="Its charts as a picture (png, svg, pdf).")]
RunsFolder = Annotated[
    Path | None,
    Option("-o", "--output", metavar="DIR", help="Folder for report, pictures, CSV files and metrics.json."),
]
RunsPicture = Annotated[
    Path | None, Option("--picture", metavar="FILE", help="All signals as a picture (png, svg, pdf).")
]

Erlang = Annotated[
    tuple[float, int] | None,
    Option("--erlang", metavar="MEAN ORDER", help="Latency that varies: mean in macro steps, order."),
]
Least = Annotated[float, Option("--least", metavar="STEPS", help="Shortest latency, with --erlang.")]

_ALIKE = (
    "algorithm algorithms anywhere backend bond certificate command dask decimal delimiter drop_signatures effort "
    "effort_received elsewhere federate flow flow_received fresh host jitter key latency listen loss macro_step method "
    "micro_step network order peak peer platform receives recording seed seeds sends signals states steps threads time "
    "time_unit timing transport workers"
).split()
"""Quantities whose options have their names."""

OPTIONS = {name: f"--{name.replace('_', '-')}" for name in _ALIKE} | {
    "assignment": "--set",
    "assignments": "--set",
    "inputs": "--input",
    "jitter_steps": "--jitter",
    "outputs": "--output",
    "patience": "--wait",
    "settings": "--map",
}
"""Quantities as sentences name them, ``macro_step = 0`` or ``macro_step is missing``, and their options."""

_NAMED = re.compile(r"(?<![\w.])(\w+)(?= = | is missing| are missing| and \w+ are missing)")
_STARTS = {quantity.replace("_", " "): quantity for quantity in ("macro_step", "latency")}
"""How lines on what was assumed begin."""


def refuse_both(steps: object, latency: object) -> None:
    """Raise `UsageError` if two options tell the latency: neither is None."""
    if steps is not None and latency is not None:
        raise UsageError("--latency and --steps are given, allowed is one of the two")


def late(steps: int | None, latency: float | None) -> int | Seconds | None:
    """Return the latency that is given, in macro steps or as a time; raise `UsageError` if both are."""
    found = lates(None if steps is None else [steps], None if latency is None else [latency])
    return found[0] if found else None


def lates(steps: Sequence[int] | None, latencies: Sequence[float] | None) -> list[int | Seconds]:
    """Return the latencies that are given, in macro steps or as times; raise `UsageError` if there are both."""
    refuse_both(steps or None, latencies or None)
    if not latencies:
        return [*(steps or ())]
    from couplant.config.network import Seconds  # takes long to load

    return [*map(Seconds, latencies)]


def steps_of(steps: Sequence[int] | None, latencies: Sequence[float] | None, macro_step: float | None) -> list[int]:
    """Return the latencies that are given in macro steps [s], each once; raise `UsageError` as `lates`."""
    found = lates(steps, latencies)
    if latencies:
        from couplant.config.network import steps_in

        found = [steps_in(one, macro_step) for one in found]
    return [*dict.fromkeys(map(int, found))]


def with_options(message: str, offered: Collection[str]) -> str:
    """Return an error's sentences, a line each, with the options of its quantities that a command has, `offered`."""
    return "\n".join(_with_options(line, offered) for line in message.splitlines())


def assumption_with_option(line: str) -> str:
    """Return a `line` on what was assumed of a recording with the option that says otherwise."""
    quantity = next((name for words, name in _STARTS.items() if line.startswith(f"{words} ")), None)
    return line if quantity is None else f"{line} ({OPTIONS[quantity]})"


def _with_options(line: str, offered: Collection[str]) -> str:
    named = [OPTIONS[name] for name in _NAMED.findall(line) if OPTIONS.get(name) in offered]
    missing = [option for option in dict.fromkeys(named) if option not in line]
    if not missing:
        return line
    sentence = line.rstrip(".")
    return f"{sentence} ({', '.join(missing)}){line[len(sentence) :]}"


def offered_by(command: Any, words: Sequence[str]) -> set[str]:
    """Return the options of the verb that `words` of a command line begin with, such as ``ssp insert``."""
    for word in words:
        inner = getattr(command, "commands", {}).get(word)
        if inner is None:
            break
        command = inner
    return {option for parameter in command.params for option in parameter.opts}


def erlang_latency(erlang: tuple[float, int] | None, least: float) -> ErlangLatency | None:
    """Return the latency that the options describe, or None."""
    from couplant.analysis import ErlangLatency

    return ErlangLatency(*erlang, least) if erlang else None


def with_host(assignments: Sequence[str] | None, host: str | None, key: str) -> list[str]:
    """Return the `assignments`, before them that of the option ``--host`` to `key` if it is given."""
    return [*([] if host is None else [f"{key}={json.dumps(host)}"]), *(assignments or ())]


def scenario_with_host(assignments: Sequence[str] | None, host: str | None) -> list[str]:
    """Return the `assignments` to a scenario in a `host`: in step timing, unless it reads again, for no other fits."""
    found = with_host(assignments, host, "host")
    return found if host in (None, "reads_again") else ['timing=["step"]', *found]
