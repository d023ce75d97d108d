"""``couplant bench`` and ``couplant router``: two prototypes in real time over a network, and where they meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.base.style import plain
from couplant.cli import options
from couplant.cli.output import check_picture, output_folder, print_json, print_table, progress_bar, warn

if TYPE_CHECKING:
    from couplant.bench.live.tap import Viewing
    from couplant.bench.record import Pace, SideRecord, StepTime
    from couplant.bench.result import BenchResult
    from couplant.bench.runner import Ends
    from couplant.config.bench import LoadedBench

_NETWORK = ("algorithm", "direction", "set / ms", "measured", "lost", "overtaken", "doubled")
_REASONS = ("foreign", "truncated", "version", "not_finite")
_FILES = ("report.html", "report.png", "metrics.json")
_LIVE = "live.html"
_ACCEPTABLE = 0.01


def command(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="Bench file, TOML.")],
    output: options.RunsFolder = None,
    picture: options.RunsPicture = None,
    duration: Annotated[float | None, typer.Option(help="Length of each run.", **options.TIME)] = None,
    side: Annotated[
        str | None, typer.Option(metavar="NAME", help="Run only the left or right side, or the relay, on this machine.")
    ] = None,
    listen: Annotated[str, typer.Option(metavar="HOST:PORT", help="With --side: address of this end.")] = "127.0.0.1:0",
    peer: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="With --side: relay or other side; router or broker.")
    ] = None,
    anywhere: options.Anywhere = False,
    transport: Annotated[
        str | None, typer.Option(metavar="NAME", help="What carries the messages: its name, or MODULE:CLASS.")
    ] = None,
    join: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Report on left.npz and right.npz, which two machines wrote.")
    ] = None,
    live: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Show the runs on a page meanwhile; port 0: any free one.")
    ] = None,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Couple two prototypes in real time over UDP and judge the estimates."""
    from couplant.bench import join_bench, load_bench, run_bench

    check_picture(picture)
    folder = None if output is None else output_folder(output)
    loaded = load_bench(scenario, [*(assignments or ()), *([] if duration is None else [f"duration={duration}"])])
    ends = _ends(loaded, transport, (side, listen, peer), anywhere)
    with _viewing(loaded, live, join is None and side != "relay", anywhere, folder) as viewing:
        if side is not None:
            _one_side(loaded, replace(ends, viewing=viewing), folder, as_json)
            return
        with progress_bar(wanted=not as_json) as told:
            how = folder, told, ends.transport, viewing
            result = join_bench(loaded, join, told) if join else run_bench(loaded, *how)
    _write(result, folder, picture)
    _show(result, folder, as_json)


@contextmanager
def _viewing(
    loaded: LoadedBench, live: str | None, runs: bool, anywhere: bool, folder: Path | None
) -> Iterator[Viewing | None]:
    """Yield where the runs are shown, nothing if nowhere; what was seen is written into the folder."""
    if live is None:
        yield None
        return
    if not runs:
        raise UsageError(f"--live = {live}: allowed where a side of the bench runs.")
    from couplant.bench.carriers.addresses import check_addresses
    from couplant.bench.live.hub import Live, Showing
    from couplant.config.bench import SIDES
    from couplant.report.bench import live_page, write_live

    check_addresses({"--live": live}, anywhere, least=0)
    host, _, port = live.rpartition(":")
    sources = [signal.source.component for signal in loaded.scenario.signals.values()]
    widths = {side: (sources.count(side), len(sources) - sources.count(side)) for side in SIDES}
    cases, bonds = len(loaded.scenario.cases), len(loaded.bonds)
    with Live(Showing(live_page(loaded), host.strip("[]"), int(port), widths, cases, bonds)) as page:
        typer.echo(f"live: {page.url}", err=True)
        try:
            yield page.viewing
        finally:  # of a bench that fails too
            seen = page.finish()
            if folder is not None:
                write_live(loaded, seen, folder / _LIVE)
                typer.echo(f"wrote {_LIVE} to {folder}, the page with what it showed", err=True)


def _ends(
    loaded: LoadedBench, transport: str | None, reach: tuple[str | None, str, str | None], anywhere: bool
) -> Ends:
    """Return how what runs here reaches the rest; without a side all runs on this machine."""
    from couplant.bench.runner import Ends
    from couplant.bench.transport import load_transport

    side, listen, peer = reach
    table = loaded.scenario.bench.transport
    carrier = load_transport(transport) if transport else load_transport(table.name, "bench.transport")
    ends = Ends(side or "left", listen if side else "", (side and peer) or "", carrier, False, table.relayed)
    carrier.check(ends.end(loaded), anywhere)
    return ends


def _one_side(loaded: LoadedBench, ends: Ends, folder: Path | None, as_json: bool) -> None:
    from couplant.bench.carriers.meeting import Meeting
    from couplant.bench.record import write_records
    from couplant.bench.runner import carry_out

    side = ends.side

    def say(text: str) -> None:
        if not as_json:
            typer.echo(text)

    if side == "relay":
        _relay(loaded, ends)
        return
    if side not in ("left", "right"):
        raise UsageError(f"--side = {side}, allowed left, right, relay")
    if not ends.peer and not issubclass(ends.transport, Meeting):
        raise UsageError(f"--side {side}: needs --peer HOST:PORT, the address of the relay or of the other side")
    names = [f"{algorithm}, {timing}" for timing, algorithm in loaded.scenario.cases]
    records: list[SideRecord] = []

    def show(kind: str, content: Any) -> None:
        if kind == "begun":
            index, takes = content
            say(f"{side}: {names[index]} begins{_pace_words(takes, loaded.scenario.macro_step)}")
            return
        records.append(content)
        say(f"{side}: {len(content.messages)} messages arrived, {content.counts['lost']} lost")

    carry_out(loaded, ends, folder, show)
    if folder is not None:
        write_records(folder / f"{side}.npz", loaded.scenario.fingerprint(), records)
        say(f"wrote {folder / f'{side}.npz'}; with that of the other side in one folder: couplant bench --join DIR")
    if as_json:
        runs = [{"algorithm": r.algorithm, "timing": r.timing, "arrived": len(r.messages), **r.counts} for r in records]
        print_json({"side": side, "runs": runs})


def _relay(loaded: LoadedBench, ends: Ends) -> None:
    from couplant.bench.runner import run_relay

    try:
        run_relay(loaded, ends, lambda address: typer.echo(f"relay: listening on {address}"), lambda: False)
    except KeyboardInterrupt:
        typer.echo("relay: stopped")


def _write(result: BenchResult, folder: Path | None, drawn: Path | None) -> None:
    from couplant.cosim.judgement.output import write_run
    from couplant.report.bench import write_page, write_picture

    if drawn is not None:
        write_picture(result, drawn)
    if folder is None:
        return
    page, picture, figures = (folder / name for name in _FILES)
    write_page(result, page)
    write_picture(result, picture)
    write_atomic(figures, result.to_json() + "\n")
    for run in result.result.runs:
        write_run(run, folder / "runs")


def _show(result: BenchResult, folder: Path | None, as_json: bool) -> None:
    for text in remarks(result):
        warn(text)
    if as_json:
        print_json(result.to_dict())
        return
    from couplant.cli.simulate import say_bonds

    typer.echo(f"{result.result.scenario_name}: macro step {1e3 * result.result.macro_step:g} ms, in real time")
    figures = result.to_dict()["runs"]
    print_table((*result.result.headings, "late steps"), [_row(run, result.result.shown) for run in figures])
    say_bonds(result.result)
    typer.echo("")
    print_table(_NETWORK, [_network(run, direction) for run in figures for direction in run["network"]])
    paces = {pace.side: pace for paces in result.paces for pace in paces if pace.takes}
    for side, pace in paces.items():
        typer.echo(f"{side}{_pace_words(pace.takes, pace.macro_step)}, as measured before the last run.")
    late = 1e3 * result.paces[0][0].late
    typer.echo(f"late: values left more than {late:g} ms after they were due; latencies: 5 to 95 % of the messages.")
    if result.shift_text:
        typer.echo(result.shift_text)
    dropped = sum(d["counts"][reason] for run in figures for d in run["network"] for reason in _REASONS)
    if dropped:
        typer.echo(f"{dropped} datagrams were dropped: not from the other side, or not as they should be.")
    if folder is not None:
        typer.echo(f"wrote {', '.join(_FILES)} and runs to {folder}")


def _pace_words(takes: StepTime | None, macro_step: float) -> str:
    """Return in words how long a step takes, next to its period [s]."""
    return "" if takes is None else f", {takes} of {1e3 * macro_step:g} ms"


def remarks(result: BenchResult) -> list[str]:
    """Return a sentence for each side of each run with many late steps, or without much time to spare."""
    found = []
    for run, paces in zip(result.result.runs, result.paces, strict=True):
        for pace in paces:
            if text := _remark(pace):
                found.append(f"{run.algorithm}, {pace.side}: {text}")
    return found


def _remark(pace: Pace) -> str:
    from couplant.bench.record import NEARLY

    if pace.share > _ACCEPTABLE:
        causes, taken = {cause: f"{100 * share:.1f} %" for cause, share in pace.causes.items() if share}, pace.taken
        words = {
            "own": "need too long themselves",
            "held": "were begun late or interrupted by this machine, which is busy with something else",
            "never": "did not take place",
        }
        told = ", ".join(f"{causes[cause]} {text}" for cause, text in words.items() if cause in causes)
        return f"{100 * pace.share:.1f} % of the steps were late: {told}; {taken} of {1e3 * pace.macro_step:g} ms."
    if pace.takes is not None and (text := pace.takes.shortage(pace.macro_step, pace.late, NEARLY)):
        return f"steps {text}: there is little time to spare."
    return ""


def _row(run: Any, shown: Sequence[str]) -> list[str]:
    figures = [plain(run[name]) for name in shown]
    return [run["algorithm"], run["timing"], *figures, f"{100 * run['late_share']:.2f} %"]


def _network(run: Any, direction: Any) -> list[str]:
    counts = direction["counts"]
    ranges = [_range(direction["latency_set"]), _range(direction["latency_measured"])]
    numbers = [counts["lost"], counts["overtaken"], counts["doubled"]]
    return [run["algorithm"], f"{direction['from']}-{direction['to']}", *ranges, *map(str, numbers)]


def _range(spread: Any) -> str:
    return "-" if spread is None else f"{1e3 * spread['q05']:.1f}-{1e3 * spread['q95']:.1f}"


def router(
    listen: Annotated[
        list[str] | None,
        typer.Option(metavar="ENDPOINT", help="tcp/HOST:PORT, udp/.. or tls/..; may be given more than once."),
    ] = None,
    certificate: Annotated[str | None, typer.Option(metavar="FILE", help="For tls: certificate of the router.")] = None,
    key: Annotated[str | None, typer.Option(metavar="FILE", help="For tls: its private key.")] = None,
    ca: Annotated[
        str | None, typer.Option(metavar="FILE", help="For tls: let in only sides with a certificate of these.")
    ] = None,
    anywhere: options.Anywhere = False,
) -> None:
    """Route the messages of benches over zenoh until interrupted."""
    from couplant.bench.carriers.router import Identity, run_router

    endpoints = listen or ["tcp/127.0.0.1:7447"]
    identity = Identity(certificate, key, ca)
    try:
        run_router(endpoints, identity, anywhere, lambda text: typer.echo(f"router: listening on {text}"))
    except KeyboardInterrupt:
        typer.echo("router: stopped")
