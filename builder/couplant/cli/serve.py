"""``couplant serve``: the server that trains neural networks for FMUs."""

import os
from contextlib import suppress
from typing import Annotated

import typer

from couplant.cli import options
from couplant.cli.output import hint, without_threads


def command(
    address: Annotated[
        str, typer.Option("--address", metavar="ADDRESS", help="Address to listen on, of this machine.")
    ] = "127.0.0.1",
    host: Annotated[str | None, typer.Option("--host", hidden=True, help="Old name of --address.")] = None,
    port: Annotated[int, typer.Option(metavar="N", help="Port; 0: any free one.")] = 47110,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="Secret shared with the FMUs, in lists of processes too; else COUPLANT_TOKEN, or new."
        ),
    ] = None,
    anywhere: options.Anywhere = False,
) -> None:
    """Train the neural networks of running FMUs until interrupted."""
    import logging
    import secrets

    without_threads()
    from couplant.base.errors import UsageError
    from couplant.design.neural.server import LearningServer

    if not 0 <= port <= 65535:
        raise UsageError(f"--port = {port}, allowed 0 to 65535")
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    given = token or os.environ.get("COUPLANT_TOKEN")
    secret = given or secrets.token_urlsafe(24)
    if host is not None:
        hint("serve --host", "serve --address")
        address = host
    server = LearningServer(address, port, secret, anywhere)
    _give_way()
    typer.echo(f"listening on {address}:{server.port}" + ("" if given else f", token {secret}"))
    try:
        server.serve()
    except KeyboardInterrupt:
        typer.echo(f"{server.served} requests answered")
    finally:
        server.close()


def _give_way() -> None:
    """Give way to processes in real time on this machine; SCHED_BATCH interrupts nobody when it wakes."""
    with suppress(OSError, AttributeError):
        os.nice(5)
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
