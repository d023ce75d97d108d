"""``couplant tune``: the settings that measure best on a bench, found while it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.base.errors import UsageError
from couplant.base.files import scratch_folder, write_atomic
from couplant.cli import options
from couplant.cli.output import free_folder, print_json, print_tables, progress_bar, show, warn, without_threads

if TYPE_CHECKING:
    from couplant.bench.tune.result import Tuned
    from couplant.bench.tune.sides import Candidate
    from couplant.config.frame.read import Content
    from couplant.config.scenario import Loaded
    from couplant.sweep.for_bench import Identified

_PAGE, _FIGURES = "report.html", "metrics.json"


def command(
    scenario: Annotated[Path, typer.Argument(metavar="BENCH", help="Bench file; with --dry-run any scenario.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="On a clock that waits for nobody, without sockets.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder; else as the file.")
    ] = None,
    force: options.Force = False,
    side: Annotated[str | None, typer.Option(metavar="NAME", help="Run only the left or right side here.")] = None,
    listen: Annotated[str, typer.Option(metavar="HOST:PORT", help="With --side: address of this end.")] = "127.0.0.1:0",
    peer: Annotated[str | None, typer.Option(metavar="HOST:PORT", help="With --side: relay or other side.")] = None,
    anywhere: options.Anywhere = False,
    assignments: options.Assignments = None,
    browser: options.Open = True,
    as_json: options.AsJson = False,
) -> None:
    """Find the settings that measure best on a running bench; what is worse is taken back within a second."""
    without_threads()
    folder = free_folder(output or Path(f"{scenario.stem}_tuned"), force)
    if side is not None and dry_run:
        raise UsageError(f"--side = {side}: allowed without --dry-run, which runs both sides")
    with progress_bar(wanted=not as_json) as bar, scratch_folder() as scratch:
        told = bar or (lambda share, text: None)
        if dry_run:
            found: Tuned | None = _dry(scenario, assignments or (), scratch, told)
        else:
            found = _live(scenario, assignments or (), scratch, (side, listen, peer, anywhere), told)
    if found is None:  # the right side: the left one writes
        return
    write_tuned(found, folder, as_json)
    show(folder / _PAGE, browser)


def _dry(path: Path, assignments: Sequence[str], scratch: Path, told: Any) -> Tuned:
    from couplant.base.isolation import call_isolated
    from couplant.cosim.fmu.foreign import has_foreign

    work = path, tuple(assignments), scratch
    if has_foreign(_load_dry(path, assignments)[1]):
        found: Tuned = call_isolated(tune_dry, *work, told=told)
        return found
    return tune_dry(*work, told)


def tune_dry(path: Path, assignments: Sequence[str], scratch: Path, told: Any) -> Tuned:
    """Return the settings that a dry run finds for the scenario at a `path`; FMUs go to `scratch`, `told` hears it."""
    from couplant.bench.tune.dry import tune_bench
    from couplant.bench.tune.scenario import tune_scenario

    bench, loaded = _load_dry(path, assignments)
    loop, models = _sides(loaded)
    if not bench:
        return tune_scenario(loaded, models, proposer(loaded, loop), scratch, told, loop is not None)
    models, identify = identifier(loaded, loop, models)
    return tune_bench(loaded, models, proposer(loaded, loop), scratch, told, loop is not None, identify)


def _load_dry(path: Path, assignments: Sequence[str]) -> tuple[bool, Any]:
    """Return the scenario at a `path`, behind a flag that tells whether it is a bench."""
    from couplant.config.frame.read import read_source

    bench = {"left", "right"} == set(read_source(path, assignments).get("components", {}))
    return bench, _load(path, assignments) if bench else _load_scenario(path, assignments)


def _live(path: Path, assignments: Sequence[str], scratch: Path, reach: Any, told: Any) -> Tuned | None:
    from couplant.bench.tune.live import tune_live
    from couplant.sweep.for_bench import shells

    loaded = _load(path, assignments)
    loop, models = _sides(loaded)
    how = loaded, models, proposer(loaded, loop), scratch, told, loop is not None, reach
    if reach[0] is None:
        models, identify = identifier(loaded, loop, models)
        return tune_live(loaded, models, *how[2:], identify)
    # two machines measure different things: both go through one list, and each has models of its own
    listed = proposer(loaded, None)
    if loop is not None:
        # figures that depend on the machine are no part of what both must agree on
        models = loaded.scenario.models or shells(loaded, models)
        return tune_live(loaded, models, listed, *how[3:], lambda rows: proposer(loaded, loop), longer=False)
    models, identify = identifier(loaded, loop, models)
    return tune_live(loaded, models, listed, *how[3:], identify)


def _load(path: Path, assignments: Sequence[str]) -> Any:
    """Return a bench that runs as long as finding settings takes."""
    from couplant.bench import load_bench
    from couplant.bench.tune.tuner import Budget

    loaded = load_bench(path, assignments)
    h = loaded.scenario.macro_step
    return load_bench(path, [*assignments, f"duration={Budget.of(h).total * h!r}"])


def _load_scenario(path: Path, assignments: Sequence[str]) -> Any:
    from couplant.config.scenario import load_scenario

    return load_scenario(path, assignments)


def _sides(loaded: Loaded) -> tuple[Content | None, Any]:
    from couplant.sweep.for_bench import first_models, known_loop

    loop = known_loop(loaded)
    return loop, loaded.scenario.models or (first_models(loaded, loop) if loop else {})


def identifier(loaded: Loaded, loop: Content | None, models: Any) -> tuple[Any, Callable[[Any], Any] | None]:
    """Return the `models` that messages carry, and a function that identifies both sides by what they sent.

    None in its place where the `loop` is known or the file has models.
    """
    from couplant.sweep.for_bench import identify_bench, shells

    if loop is not None or models or not (carried := shells(loaded)):
        return models, None

    def identify(rows: Any) -> Callable[[Any, float], list[Candidate]] | None:
        found = identify_bench(loaded, rows)
        return None if found is None else proposer(loaded, found.loop, found)

    return carried, identify


def proposer(
    loaded: Loaded, loop: Content | None, found: Identified | None = None
) -> Callable[[Any, float], list[Candidate]]:
    """Return a function that tells the candidates of a bench by the ages of its values and its losses.

    The `loop` is known, or it was `found` in what was recorded; None where it is neither.
    """
    from couplant.bench.tune.sides import Candidate
    from couplant.sweep.for_bench import network_of_steps, proposals

    repeat = getattr(getattr(loaded.scenario, "bench", None), "repeat", 1)

    def propose(ages: Any, lost: float) -> list[Candidate]:
        rows, _ = proposals(loaded, loop, network_of_steps(ages, lost, repeat), found=found)
        return [Candidate(one.name, one.algorithm, one.models, one.expected) for one in rows]

    return propose


def write_tuned(found: Tuned, folder: Path, as_json: bool) -> None:
    """Write settings, page and figures into a folder, and print them; raise `OSError` if that fails."""
    from couplant.report.page import write_page
    from couplant.report.tune import describe_tuned, tuned_charts

    page = describe_tuned(found)
    texts = found.files(folder) | {_FIGURES: found.to_json() + "\n"}
    write_page(page, folder / _PAGE, tuned_charts(found))
    for name, text in texts.items():
        write_atomic(folder / name, text)
    if as_json:
        print_json(found.to_dict() | {"folder": str(folder)})
        return
    typer.echo(page.title)
    warn(*page.warnings)
    print_tables(page.tables, titled=True)
    typer.echo("\n".join(page.paragraphs))
    typer.echo(f"wrote {', '.join([*texts, _PAGE])} to {folder}")
