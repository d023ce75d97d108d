"""``couplant latency``: measure the latency to another machine before a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.cli import options
from couplant.cli.output import output_folder, print_json, print_table, progress_bar

if TYPE_CHECKING:
    from couplant.bench.measure import Measurement

_HEADINGS = ("direction", "least / ms", "median", "99 %", "most", "lost", "overtaken", "macro steps")
_FIGURES = ("minimum", "median", "percentile_99", "maximum")
_MOST = 1_000_000


def command(
    peer: Annotated[
        str | None, typer.Argument(metavar="[HOST:PORT]", help="Machine to ask; without it this one answers.")
    ] = None,
    listen: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Address of this end; to answer port 47113 of loopback.")
    ] = None,
    anywhere: options.Anywhere = False,
    duration: Annotated[float, typer.Option(help="Length of the measurement.", **options.TIME)] = 10.0,
    macro_step: Annotated[float, typer.Option(help="Between two messages.", **options.TIME)] = 0.01,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder for there.csv and back.csv.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure the latency to another machine, there and back, or answer such a measurement."""
    from couplant.base.errors import UsageError
    from couplant.bench.carriers.addresses import check_addresses

    here = listen or ("127.0.0.1:47113" if peer is None else "127.0.0.1:0")
    check_addresses({"listen": here, "peer": peer}, anywhere)
    if peer is None:
        from couplant.bench.carriers.udp import udp_socket
        from couplant.bench.measure import serve_answers
        from couplant.bench.transport import urgent

        with udp_socket(here) as link, urgent():
            host, port = link.getsockname()[:2]
            typer.echo(f"answering at {host}:{port}; Ctrl-C ends it")
            try:
                serve_answers(link, lambda: False)
            except KeyboardInterrupt:
                typer.echo("stopped")
        return
    folder = None if output is None else output_folder(output)
    if not (macro_step > 0.0 and 1 <= duration / macro_step <= _MOST):
        text = f"--duration {duration:g} s, --macro-step {macro_step:g} s"
        raise UsageError(f"{text}: allowed are 1 to {_MOST} messages.")
    with progress_bar(wanted=not as_json) as progress:
        found = _measure(here, peer, round(duration / macro_step), macro_step, progress)
    _show(found, macro_step, folder, as_json)


def _measure(listen: str, peer: str, count: int, period: float, progress: Any) -> Measurement:
    import time

    from couplant.bench.carriers.udp import UdpTransport
    from couplant.bench.measure import Prober
    from couplant.bench.transport import urgent

    transport = UdpTransport("left", listen, peer)
    try:
        with urgent():
            return Prober(transport, time.perf_counter, count, period).measure(progress or (lambda share: None))
    finally:
        transport.close()


def _show(found: Measurement, macro_step: float, folder: Path | None, as_json: bool) -> None:
    import numpy as np

    from couplant.analysis.signal.latencies import statistics, step_choice

    directions = {"there": found.there, "back": found.back}
    figures = {name: statistics(one).__dict__ for name, one in directions.items()}
    steps = {name: step_choice(one, macro_step, 0.999) for name, one in directions.items()}
    shortest = float(np.nanmin(found.round_trip))
    if folder is not None:
        _write(found, folder)
    if as_json:
        choices = {name: {**figures[name], "steps": steps[name].to_dict()} for name in directions}
        print_json({"round_trip_min": shortest, "round_trip_median": float(np.nanmedian(found.round_trip)), **choices})
        return
    rows = [
        [
            name,
            *(f"{1e3 * one[figure]:.3f}" for figure in _FIGURES),
            *(str(one[count]) for count in ("lost", "reordered")),
            "-".join(dict.fromkeys((str(steps[name].smallest), str(steps[name].largest)))),
        ]
        for name, one in figures.items()
    ]
    print_table(_HEADINGS, rows)
    typer.echo(
        f"Round trips, at least {1e3 * shortest:.3f} ms, are measured. Each direction by itself takes clocks to\n"
        f"differ by what makes the shortest round trips even: it is wrong by {500.0 * shortest:.3f} ms at most."
    )
    if folder is not None:
        typer.echo(f"wrote there.csv and back.csv to {folder}")


def _write(found: Measurement, folder: Path) -> None:
    """Write a row for each message that came; `sequence` tells those that did not."""
    import numpy as np

    from couplant.cosim.judgement.output import write_columns

    for name in ("there", "back"):
        one = getattr(found, name)
        came = np.isfinite(one.latency)
        columns = {"sequence": np.arange(len(came)), "sent_s": one.sent, "latency_s": one.latency}
        write_columns(folder / f"{name}.csv", {key: values[came] for key, values in columns.items()})
