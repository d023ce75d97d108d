"""``couplant bode``: gain and phase of coupling processes, as a picture or as figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.cli.output import AsJson, Erlang, Least, erlang_latency, print_json

if TYPE_CHECKING:
    from couplant.analysis import Algorithm, ErlangLatency, LinearAlgorithm


def command(
    algorithm: Annotated[
        list[str] | None, typer.Option("--algorithm", metavar="NAME", help="Algorithm; may be given many times.")
    ] = None,
    steps: Annotated[list[int] | None, typer.Option("--steps", metavar="K", help="Latency in macro steps.")] = None,
    timing: Annotated[str, typer.Option(metavar="NAME", help="event or step.")] = "event",
    weights: Annotated[
        list[Path] | None,
        typer.Option("--weights", metavar="CONFIG", help="Settings file: draws the weights of its signals too."),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Picture (png, svg, pdf).")] = Path(
        "bode.png"
    ),
    erlang: Erlang = None,
    least: Least = 0.0,
    as_json: AsJson = False,
) -> None:
    """Draw gain and phase of the coupling process of one or several algorithms, with the tolerance band."""
    from couplant.analysis import GENERIC, generic

    names = algorithm or ([] if weights else list(GENERIC))
    chosen = [generic(name, k) for name in names for k in steps or (3,)]
    chosen += [one for path in weights or () for one in _weights_of(path)]
    latency = erlang_latency(erlang, least)
    if as_json:
        print_json(_figures(chosen, timing, latency))
        return
    from couplant.report.curves import bode_figure
    from couplant.report.pictures import write_figure

    typer.echo(f"wrote {write_figure(bode_figure(chosen, timing, latency=latency), output)}")


def _weights_of(path: Path) -> list[LinearAlgorithm]:
    from couplant.analysis import LinearAlgorithm
    from couplant.config import load_interface
    from couplant.config.latency import latency_steps, own_weights
    from couplant.errors import UsageError

    interface = load_interface(path)
    found = [
        LinearAlgorithm(k, a, A, name)
        for name, signal in interface.signals.items()
        for k, (a, A) in own_weights(signal, latency_steps(signal.latency, interface.macro_step)).items()
    ]
    if not found:
        raise UsageError(f"{path}: no signal has weights of its own")
    return found


def _figures(chosen: Sequence[Algorithm], timing: str, latency: ErlangLatency | None) -> list[dict[str, Any]]:
    import numpy as np

    from couplant.analysis import frequency_response

    share = np.geomspace(1e-3, 1.0, 200)
    rows = []
    for one in chosen:
        response = frequency_response(one, share, timing, latency)
        row = {"algorithm": one.name, "steps": one.k, "timing": timing, "frequency": (100 * share).tolist()}
        phase = np.rad2deg(np.unwrap(np.angle(response)))
        rows.append(row | {"gain": np.abs(response).tolist(), "phase": phase.tolist()})
    return rows
