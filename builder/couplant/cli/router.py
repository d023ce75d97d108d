"""``couplant router``: where the two sides of a bench meet that have no way to each other."""

from __future__ import annotations

from typing import Annotated

import typer

from couplant.cli import options


def command(
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
