"""``couplant design --derivatives``: weights of signals and their derivatives for the loop of a plant."""

from __future__ import annotations

from pathlib import Path

import typer

from couplant.cli.output import named_signal, print_json, print_table


def design_derivatives(
    path: Path | None,
    changes: list[str],
    timing: str | None,
    steps: list[int],
    config: Path | None,
    signal: str | None,
    as_json: bool,
) -> None:
    """Design weights for the loop of the system at `path` and print them, or write them into the file `config`.

    `changes` to the system are ``key=TOML value``; `timing` and the latencies `steps`, not given, are the system's;
    `signal` names the one of the settings that gets the weights.

    Raises
    ------
    UsageError
        If there is no system, or it has no connections with a derivative at one latency.
    """
    from dataclasses import asdict

    from couplant.analysis.system_file import read_system
    from couplant.base.errors import UsageError
    from couplant.design.joint import joint_designs
    from couplant.design.settings import weight_settings, weights_text, write_weights

    if path is None:
        raise UsageError("--derivatives is allowed with --system")
    changes = [*changes, *([f'timing="{timing}"'] if timing else [])]
    own = [[*changes, f"latency_steps={k}"] for k in steps] or [changes]
    found = joint_designs([read_system(path, words) for words in own])
    weights, lead = {one.algorithm.k: one.algorithm for one in found}, found[0].lead
    if config is not None:
        write_weights(config, named_signal(signal), weights, lead)
    if as_json:
        designs = [{"steps": one.algorithm.k, "prior": asdict(one.prior), **asdict(one.robustness)} for one in found]
        return print_json({**weight_settings(weights), "hold_lead": lead, "designs": designs})
    names = ("steps", "stable within 5 %", "mode error", "radius")
    rows = [(str(one.algorithm.k), one.robustness) for one in found]
    print_table(names, [[k, f"{r.stable_share:.0%}", f"{r.mode_error:.2g}", f"{r.radius:.6f}"] for k, r in rows])
    return typer.echo(weights_text(signal or "signal", weights, lead))
