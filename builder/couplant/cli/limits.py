"""``couplant limits``, ``eros``: limit frequencies of algorithms, and algorithms by extrapolation in error space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from couplant.base.style import plain
from couplant.cli import options
from couplant.cli.output import named_signal, print_json, print_table
from couplant.cli.signals.target import target_of

if TYPE_CHECKING:
    from couplant.analysis import ErlangLatency, LinearAlgorithm
    from couplant.design.error_space import ErrorSpace


def command(
    algorithm: Annotated[
        list[str] | None, Option("--algorithm", metavar="NAME", help="Algorithm; may be given many times.")
    ] = None,
    latency: options.Latencies = None,
    steps: options.ManySteps = None,
    timing: Annotated[str, Option(metavar="NAME", help="event or step.")] = "event",
    macro_step: Annotated[
        float | None, Option("--macro-step", help="Adds the limits in rad/s: 20ms.", **options.TIME)
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


def eros(
    latency: options.Latencies = None,
    steps: options.ManySteps = None,
    macro_step: options.StepOfLatency = None,
    order: Annotated[int, Option(metavar="N", help="Order of the extrapolation: 1 is EROS3, 2 is EROS4.")] = 1,
    family: Annotated[str, Option(metavar="NAME", help="Curves: line, parabola, sine or tone.")] = "line",
    frequency: Annotated[float | None, Option(metavar="W", help="Of sine and tone, in rad per macro step.")] = None,
    ends: Annotated[str, Option(metavar="NAME", help="Least error at the last end of the step, or both.")] = "last",
    extrapolation: Annotated[
        str, Option(metavar="NAME", help="Of errors: taylor, or fit, a polynomial through them.")
    ] = "taylor",
    errors: Annotated[int | None, Option(metavar="Q", help="Past errors of a fit; more make it smooth.")] = None,
    timing: Annotated[str | None, Option(metavar="NAME", help="event or step, for the limit frequencies.")] = None,
    config: options.WeightsInto = None,
    signal: options.Signal = None,
    as_json: options.AsJson = False,
) -> None:
    """Make a coupling algorithm by the procedure that EROS3 and EROS4 come from, and print its weights."""
    from couplant.config.network import steps_in
    from couplant.design.error_space import ErrorSpace
    from couplant.design.settings import write_weights

    late = options.lates(steps, latency)
    macro_step, timing, k, *_ = target_of(config, signal, macro_step, timing, late[0] if len(late) == 1 else None)
    sizes = options.steps_of(steps, latency, macro_step) or [3 if k is None else steps_in(k, macro_step)]
    one = ErrorSpace(order, family, ends, extrapolation, errors, frequency)
    made = {k: one.algorithm(k) for k in sizes}
    if config is not None:
        write_weights(config, named_signal(signal), made)
    rows = [_made_row(algorithm, timing or "event", macro_step) for algorithm in made.values()]
    if as_json:
        return print_json({"arima": _arima_of(one), "algorithms": rows})
    return _show_made(one, made, rows, signal or "signal")


def _made_row(one: LinearAlgorithm, timing: str, macro_step: float | None) -> dict[str, Any]:
    import numpy as np

    from couplant.analysis import frequency_response, limit_frequencies

    found = limit_frequencies(one, timing)
    limits = {key: None if (share := getattr(found, key)) is None else 100.0 * share for key in ("gain", "phase")}
    peak = float(np.abs(frequency_response(one, np.linspace(0.0, 1.0, 2000), timing)).max())
    noise = max(float(np.square(h).sum()) for h in (one.a, np.add(one.a, one.A)))
    row = {"steps": one.k, "m": one.m, "exact_degree": one.degree, **limits, "peak_gain": peak, "noise_gain": noise}
    if macro_step is not None:
        in_rad = np.pi / macro_step / 100.0
        row |= {f"{key}_rad_s": None if share is None else share * in_rad for key, share in limits.items()}
    return row | {"a": list(one.a), "A": list(one.A)}


def _arima_of(one: ErrorSpace) -> str | None:
    """Return the ARIMA model by which a family predicts one step; none where it needs a latency."""
    from couplant.analysis.arima import arima
    from couplant.base.errors import UsageError

    try:
        return arima(one.algorithm(0)).name
    except UsageError:
        return None


def _show_made(one: ErrorSpace, made: dict[int, LinearAlgorithm], rows: list[dict[str, Any]], signal: str) -> None:
    import tomlkit

    from couplant.design.settings import weight_settings

    names = [name for name in rows[0] if name not in ("a", "A")]
    print_table(names, [[plain(row[n]) if isinstance(row[n], float) or row[n] is None else str(row[n]) for n in names]
                        for row in rows])  # fmt: skip
    typer.echo("gain, phase: limit frequencies in percent of the Nyquist frequency")
    if model := _arima_of(one):
        typer.echo(f"one step is predicted by an {model} model")
    typer.echo(tomlkit.dumps({"signals": {signal: {"algorithm": weight_settings(made)}}}))
