"""The page of a bench while it runs, served by ``--live``, and of what it showed then, a file that needs no server."""

from pathlib import Path
from typing import Any

from couplant.base.files import write_atomic
from couplant.base.style import family, label, palette
from couplant.config.bench import SIDES, LoadedBench
from couplant.report.html import charts_script, render


def live_page(loaded: LoadedBench, seen: list[dict[str, Any]] | None = None) -> str:
    """Return the page of a bench as text.

    Without what was `seen`, as `couplant.bench.live.history.History` tells it, the page asks the server that it comes
    from, again and again; else it shows that and asks nobody.
    """
    scenario = loaded.scenario
    signals = [
        {"name": name, "unit": table.unit, "from": table.source.component}
        for name, table in scenario.signals.items()
    ]  # fmt: skip
    cases = [
        {"name": f"{label(algorithm)}, {timing}", "colour": family(algorithm)} for timing, algorithm in scenario.cases
    ]
    data = {"palette": palette(), "sides": SIDES, "signals": signals, "cases": cases, "seen": seen, "charts": []}
    shown = {"macro step": f"{1e3 * scenario.macro_step:g} ms", "each run": f"{scenario.duration:g} s"}
    content: dict[str, Any] = {"live": True} if seen is None else {}
    return render(
        "live.html.j2", kind="bench", title=scenario.name, headline=f"{scenario.name}, as it runs", facts=shown.items(),
        script=charts_script("live"), data=data, **content,
    )  # fmt: skip


def write_live(loaded: LoadedBench, seen: list[dict[str, Any]], path: Path) -> Path:
    """Write the page with what was `seen` to a file; raise `OSError` if it cannot be written."""
    return write_atomic(path, live_page(loaded, seen))
