"""``couplant limits``, ``eros``: limit frequencies of algorithms, and algorithms by extrapolation in error space."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Option

from couplant.cli import options
from couplant.cli.output import named_signal, print_json, print_shown
from couplant.cli.signals.target import target_of


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
    from couplant.design.ask_theory import USUAL_STEPS, limits

    varying = options.erlang_latency(erlang, least)
    sizes = options.steps_of(steps, latency, macro_step) or USUAL_STEPS
    found = limits(algorithm, steps=sizes, timing=timing, macro_step=macro_step, latency=varying)
    if as_json:
        print_json(found.to_dict()[0] if len(found.rows) == 1 else found.to_dict())
    else:
        print_shown(found)


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
    import tomlkit

    from couplant.config.network import steps_in
    from couplant.design.ask_theory import eros as make
    from couplant.design.settings import write_weights

    late = options.lates(steps, latency)
    macro_step, timing, k, *_ = target_of(config, signal, macro_step, timing, late[0] if len(late) == 1 else None)
    sizes = options.steps_of(steps, latency, macro_step) or [3 if k is None else steps_in(k, macro_step)]
    found = make(
        steps=sizes, order=order, family=family, frequency=frequency, ends=ends, extrapolation=extrapolation,
        errors=errors, timing=timing or "event", macro_step=macro_step,
    )  # fmt: skip
    if config is not None:
        write_weights(config, named_signal(signal), found.algorithms)
    if as_json:
        return print_json({"arima": found.arima, "algorithms": found.to_dict()})
    print_shown(found)
    typer.echo(tomlkit.dumps({"signals": {signal or "signal": {"algorithm": found.settings()}}}))
    return None
