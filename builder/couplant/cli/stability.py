"""``couplant stability``, ``certify``: exact stability of coupled linear prototypes, and proofs for all patterns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, BadParameter, Option

from couplant.base.errors import UsageError
from couplant.base.style import plain, radius
from couplant.cli import options
from couplant.cli.output import print_json, print_table, warn

if TYPE_CHECKING:
    from collections.abc import Callable

    from couplant.analysis.algorithms import Recursive
    from couplant.analysis.assessment import Assessment
    from couplant.analysis.system import System


def command(
    system: Annotated[Path, Argument(metavar="SYSTEM", help="Prototypes and connections, a TOML file.")],
    latency: Annotated[float | None, Option(help="Latency of all connections: 45ms.", **options.TIME)] = None,
    steps: options.Steps = None,
    plants: Annotated[int, Option(metavar="N", help="Number of plants with scattered parameters.")] = 100,
    spread: Annotated[float, Option(metavar="SHARE", help="Relative scatter of the parameters.")] = 0.05,
    seed: Annotated[int, Option(metavar="N", help="Seed of everything random.")] = 0,
    latencies: Annotated[
        str | None, Option(metavar="K,K,..", help="That vary by value (Monte Carlo): 2,3,4 or 40ms,60ms.")
    ] = None,
    loss: Annotated[float, Option(metavar="SHARE", help="Share of lost values, with --latencies.")] = 0.0,
    weights: Annotated[Path | None, Option(metavar="CONFIG", help="With --latencies: settings of a design.")] = None,
    bode: Annotated[Path | None, Option(metavar="FILE", help="Draw gain and phase of the open loop at --cut.")] = None,
    nyquist: Annotated[Path | None, Option(metavar="FILE", help="Draw the Nyquist plot at --cut.")] = None,
    cut: Annotated[str | None, Option(metavar="INPUT", help="Input where the loop is cut; else the last one.")] = None,
    margins: Annotated[bool, Option("--margins", help="Margins of gain, phase, delay at --cut; else at all.")] = False,
    host: options.Host = None,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Print whether a coupled system is stable, and up to which latency with each algorithm."""
    from couplant.analysis.assessment import assess
    from couplant.analysis.system_file import read_system

    read = read_system(system, options.with_host(assignments, host, "host"), options.late(steps, latency))
    found = assess(read, plants=plants, spread=spread, seed=seed)
    one, figures = found.system, found.to_dict()
    if latencies is not None:
        figures["random_latencies"] = _random(one, latencies, loss, seed, weights)
    if margins:
        figures["margins"] = _margins(found, cut)
    _draw(one, cut or one.connections[-1].target, bode, nyquist)
    if figures["stable"] and figures["stable_share"] is not None and figures["stable_share"] < 1.0:
        warn("stable with nominal parameters, but not with all scattered ones")
    print_json(figures) if as_json else _show(figures, one, plants, spread)


def certify_command(
    system: Annotated[Path, Argument(metavar="SYSTEM", help="Prototypes and connections, a TOML file.")],
    latencies: Annotated[str, Option(metavar="K..K", help="Least and largest latency: 1..4, or 20ms..60ms.")],
    loss: Annotated[int, Option(metavar="N", help="Messages that may get lost in a row.")] = 0,
    messages: Annotated[str, Option(metavar="NAME", help="What comes in one message: way, signal, or all.")] = "way",
    burst: Annotated[int, Option(metavar="N", help="Values in a message, as the FMUs have it.")] = 1,
    coast_steps: Annotated[int, Option(metavar="N", help="Steps without news that the FMUs bridge.")] = 3,
    in_order: Annotated[bool, Option("--in-order", help="No message overtakes another one.")] = False,
    no_stamps: Annotated[bool, Option("--no-stamps", help="FMUs see no stamps: constant latency.")] = False,
    weights: Annotated[Path | None, Option(metavar="CONFIG", help="Settings of a design.")] = None,
    seconds: Annotated[float, Option(metavar="S", help="CPU time to search and to prove, about.")] = 60.0,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="FILE", help="Proof as JSON, with its checker; or the pattern.")
    ] = None,
    host: options.Host = None,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Prove that a coupled system is stable whatever its messages do, or find a pattern for which it is not."""
    from couplant.analysis.certify import certify
    from couplant.analysis.system_file import read_system

    one = read_system(system, options.with_host(assignments, host, "host"))
    least, _, most = latencies.partition("..")
    found = certify(
        one, (_steps(least, one, latencies), _steps(most or least, one, latencies)), loss=loss, messages=messages,
        burst=burst, coast_steps=coast_steps, in_order=in_order, stamps=not no_stamps, seconds=seconds,
        by_k=None if weights is None else _algorithm_by_k(weights),
    )  # fmt: skip
    written = found.save(output) if output is not None and found.verdict != "undecided" else []
    if as_json:
        print_json(found.to_dict() | {"files": [str(path) for path in written]})
    else:
        typer.echo("\n".join([found.words(), *(f"written: {path}" for path in written)]))
    raise typer.Exit(0 if found.verdict == "proven" else 1)


def _steps(text: str, one: System, whole: str) -> int:
    from couplant.config.network import steps_in

    try:
        return steps_in(options.steps_or_time(text), one.macro_step)
    except BadParameter:
        allowed = "allowed whole numbers or times, for instance 1..4 or 2,3,4 or 40ms,60ms"
        raise UsageError(f"--latencies = {whole!r}, {allowed}") from None


def _margins(found: Assessment, cut: str | None) -> dict[str, Any]:
    from dataclasses import asdict

    from couplant.analysis.open_loop import margins

    chosen = {cut: margins(found.system, cut)} if cut else found.margins
    return {name: asdict(one) for name, one in chosen.items()}


def _draw(one: System, cut: str, bode: Path | None, nyquist: Path | None) -> None:
    if bode is None and nyquist is None:
        return
    from couplant.report.curves import open_loop_chart
    from couplant.report.drawing import nyquist_figure, write_charts
    from couplant.report.pictures import write_figure

    if bode is not None:
        write_charts([open_loop_chart([one], cut)], bode)
    if nyquist is not None:
        write_figure(nyquist_figure(one, cut), nyquist)


def _random(one: System, latencies: str, loss: float, seed: int, weights: Path | None) -> dict[str, Any]:
    from couplant.analysis.model_map import senders_of
    from couplant.analysis.monte_carlo import time_varying, time_varying_models

    pool = [_steps(part, one, latencies) for part in latencies.split(",")]
    if senders_of(one) and weights is None:
        found = time_varying_models(one, pool, loss=loss, seed=seed)
        return {"stable_share": found.stable_share, "growth_rates": sorted(found.growth_rates.tolist())}
    names = {c.algorithm.name for c in one.connections}
    if weights is None and (len(names) > 1 or "linear" in names):
        raise UsageError("--latencies needs one generic algorithm on all connections, or --weights")
    found = time_varying(one, names.pop() if weights is None else _algorithm_by_k(weights), pool, loss=loss, seed=seed)
    return {"stable_share": found.stable_share, "growth_rates": sorted(found.growth_rates.tolist())}


def _algorithm_by_k(path: Path) -> Callable[[int], Recursive]:
    """Return a function from k to the algorithm: weights of a settings file, FOH outside its table as in the FMU."""
    from couplant.analysis import LinearAlgorithm, generic
    from couplant.config import load_interface
    from couplant.config.latency import latency_steps, own_weights

    interface = load_interface(path)
    linear = [(name, signal) for name, signal in interface.signals.items() if signal.algorithm.selected == "linear"]
    if len(linear) != 1:
        raise UsageError(f"{path}: {len(linear)} signals with own weights, exactly one is needed")
    ((name, signal),) = linear
    table = own_weights(signal, latency_steps(signal.latency, interface.macro_step))
    return lambda k: LinearAlgorithm(k, *table[k], name) if k in table else generic("foh", k)


def _show(figures: dict[str, Any], one: System, plants: int, spread: float) -> None:
    verdict = "stable" if figures["stable"] else "unstable"
    typer.echo(f"{verdict}: spectral radius {radius(figures['radius'], 9)}, mode at {figures['frequency']:.4g} rad/s")
    if figures["stable_share"] is not None:
        typer.echo(f"{100 * figures['stable_share']:.0f} % of {plants} plants within {100 * spread:g} % are stable")
    if "random_latencies" in figures:
        share = 100 * figures["random_latencies"]["stable_share"]
        typer.echo(
            f"{share:.0f} % of runs with random latencies are stable; for every pattern: couplant certify"
        )
    rows = [
        [name, "none" if most is None else str(most), plain(figures["instability_frequency"][name])]
        for name, most in figures["largest_stable_steps"].items()
    ]
    typer.echo(f"largest latency with all smaller ones stable, {one.timing} timing:")
    print_table(["algorithm", "macro steps", "then unstable at rad/s"], rows)
    if "margins" in figures:
        _show_margins(figures["margins"])


def _show_margins(found: dict[str, Any]) -> None:
    names = {"rise": "gain up to", "fall": "down to", "phase": "phase deg", "delay": "delay s", "distance": "distance"}
    typer.echo("margins of the open loop cut at an input, each with its frequency in rad/s:")
    rows = [[cut, *(plain(row[key][part]) for key in names for part in ("value", "frequency"))]
            for cut, row in found.items()]  # fmt: skip
    print_table(["cut", *(head for name in names.values() for head in (name, "at"))], rows)
