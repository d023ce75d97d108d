"""``couplant bode``: gain and phase of coupling processes, as a picture or as figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.cli import options
from couplant.cli.output import print_json

if TYPE_CHECKING:
    from couplant.analysis import Algorithm, LinearAlgorithm
    from couplant.config.interface import Interface, Signal
    from couplant_runtime.learning.neural import Neural


def command(
    algorithm: Annotated[
        list[str] | None, typer.Option("--algorithm", metavar="NAME", help="Algorithm; may be given many times.")
    ] = None,
    latency: options.Latencies = None, steps: options.ManySteps = None, macro_step: options.StepOfLatency = None,
    timing: Annotated[
        str | None, typer.Option(metavar="NAME", help="event or step; else that of --weights, or event.")
    ] = None,
    weights: Annotated[
        list[Path] | None,
        typer.Option("--weights", metavar="CONFIG", help="Settings file: draws weights and phasors of it too."),
    ] = None,
    recording: Annotated[
        Path | None,
        typer.Option(metavar="CSV", help="With --weights: signal that visits the linear pieces of networks."),
    ] = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Column; else the second one.")] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", "--picture", metavar="FILE", help="Picture (png, svg, pdf).")
    ] = Path("bode.png"),
    erlang: options.Erlang = None, least: options.Least = 0.0,
    as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Draw gain and phase of the coupling process of one or several algorithms, with the tolerance band."""
    from couplant.analysis import GENERIC
    from couplant.config import load_interface
    from couplant.design.ask_theory import bode

    written = load_interface(weights[0]) if weights else None
    timing = timing or (written.timing if written else "event")
    sizes = options.steps_of(steps, latency, macro_step or (written.macro_step if written else None)) or (3,)
    names = algorithm or ([] if weights else list(GENERIC))
    own = [one for path in weights or () for one in _weights_of(path, recording, column)]
    found = bode([*names, *own], steps=sizes, timing=timing, latency=options.erlang_latency(erlang, least))
    if as_json:
        print_json(found.to_dict())
        return
    from couplant.report.curves import bode_chart
    from couplant.report.drawing import write_charts

    typer.echo(f"wrote {write_charts([bode_chart(found.algorithms, timing, latency=found.latency)], output)}")


def _weights_of(path: Path, recording: Path | None, column: str | None) -> list[Algorithm]:
    """Return the algorithms of a settings file: own weights, phasors, and the pieces of networks in a recording."""
    from couplant.analysis import LinearAlgorithm, Phasor
    from couplant.analysis.phasor import ONLY_FIXED
    from couplant.base.errors import UsageError
    from couplant.config import load_interface
    from couplant.config.latency import latency_steps, own_weights
    from couplant.config.models import PHASOR
    from couplant.config.rules.neural import neural_of

    interface = load_interface(path)
    found: list[Algorithm] = []
    for name, signal in interface.signals.items():
        k = latency_steps(signal.latency, interface.macro_step)
        net = neural_of(signal, k)
        if net is not None:
            found += _pieces(net, signal, interface, recording, column)
        elif signal.algorithm.selected == PHASOR:
            if signal.algorithm.follow != "off":
                raise UsageError(f"{path}: signals.{name}.{ONLY_FIXED}")
            turns = signal.algorithm.frequency * interface.macro_step
            found.append(Phasor(k, turns, signal.algorithm.harmonics, name=name))
        else:
            found += [LinearAlgorithm(at, a, A, name) for at, (a, A) in own_weights(signal, k).items()]
    if not found:
        raise UsageError(f"{path}: no signal has weights of its own or phasors")
    return found


def _pieces(
    net: Neural, signal: Signal, interface: Interface, recording: Path | None, column: str | None
) -> list[LinearAlgorithm]:
    import numpy as np

    from couplant.analysis.morphism import neural_weights
    from couplant.base.errors import UsageError
    from couplant.design.neural.pieces import pieces
    from couplant.tables import read_recording

    if recording is None:
        raise UsageError("--recording is missing: which linear pieces of a network are drawn depends on the signal")
    value = read_recording(recording, column=column, macro_step=interface.macro_step).value
    weights = np.array(neural_weights(signal, net, interface.timing))
    return [piece.algorithm for piece in pieces(net, weights, value, interface.timing)]
