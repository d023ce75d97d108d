"""``couplant limits``: limit frequencies of coupling algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.base.style import plain
from couplant.cli import options
from couplant.cli.output import print_json, print_table

if TYPE_CHECKING:
    from couplant.analysis import ErlangLatency


def command(
    algorithm: Annotated[
        list[str] | None, typer.Option("--algorithm", metavar="NAME", help="Algorithm; may be given many times.")
    ] = None,
    latency: options.Latencies = None,
    steps: options.ManySteps = None,
    timing: Annotated[str, typer.Option(metavar="NAME", help="event or step.")] = "event",
    macro_step: Annotated[
        float | None, typer.Option("--macro-step", help="Adds the limits in rad/s: 20ms.", **options.TIME)
    ] = None,
    erlang: options.Erlang = None,
    least: options.Least = 0.0,
    as_json: options.AsJson = False,
) -> None:
    """Print up to which frequency an algorithm is neutral: gain within 3 %, phase within 3 degrees."""
    from couplant_runtime.algorithms import GENERIC

    varying = options.erlang_latency(erlang, least)
    sizes = options.steps_of(steps, latency, macro_step) or (0, 1, 3, 6)
    rows = [_row(name, k, timing, macro_step, varying) for name in algorithm or GENERIC for k in sizes]
    if as_json:
        print_json(rows[0] if len(rows) == 1 else rows)
        return
    names = ["algorithm", "steps", "timing", "gain", "phase", "limit"]
    names += ["gain_rad_s", "phase_rad_s", "limit_rad_s"] if macro_step else []
    print_table(names, [[_text(row[name]) for name in names] for row in rows])
    typer.echo("gain, phase, limit in percent of the Nyquist frequency")


def _row(name: str, k: int, timing: str, macro_step: float | None, latency: ErlangLatency | None) -> dict[str, Any]:
    from couplant.analysis import generic, limit_frequencies
    from couplant.base.errors import UsageError

    if macro_step is not None and not macro_step > 0:
        raise UsageError(f"--macro-step = {macro_step}, allowed above 0 s")
    found = limit_frequencies(generic(name, k), timing, latency)
    row: dict[str, Any] = {"algorithm": name, "steps": k, "timing": timing}
    shares = {key: getattr(found, key) for key in ("gain", "phase", "limit")}
    row |= {key: None if share is None else 100.0 * share for key, share in shares.items()}
    if macro_step is not None:
        absolute = found.in_rad_per_s(macro_step)
        row |= {f"{key}_rad_s": getattr(absolute, key) for key in ("gain", "phase", "limit")}
    return row


def _text(value: Any) -> str:
    return plain(value) if value is None or isinstance(value, float) else str(value)
