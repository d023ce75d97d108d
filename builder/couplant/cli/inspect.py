"""``couplant inspect``: what a recording of a signal or of latencies says about the coupling."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from couplant.cli.output import AsJson, print_json, print_table


def command(
    recording: Annotated[Path, typer.Argument(metavar="CSV", help="Recording, or latencies with --latencies.")],
    steps: Annotated[int, typer.Option(metavar="K", help="Latency in macro steps.")] = 3,
    macro_step: Annotated[
        float | None, typer.Option("--macro-step", metavar="S", help="Macro step in s; else that of the recording.")
    ] = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the signal; else the second.")] = None,
    time: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the time in s; else the first.")] = None,
    timing: Annotated[str, typer.Option(metavar="NAME", help="event or step.")] = "event",
    latencies: Annotated[bool, typer.Option("--latencies", help="The file holds measured latencies.")] = False,
    micro_step: Annotated[
        float | None, typer.Option("--micro-step", metavar="S", help="Smallest step of the prototypes in s.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="HTML", help="Report page.")] = None,
    as_json: AsJson = False,
) -> None:
    """Inspect a recording: spectrum, bands, jumps, algorithms compared, and what to use."""
    if latencies:
        _latencies(recording, micro_step or macro_step, output, as_json)
        return
    from couplant.analysis.algorithms import check_timing, generic
    from couplant.analysis.recording import read_recording
    from couplant.design.from_recording import inspect_recording

    generic("zoh", steps), check_timing(timing)
    found = inspect_recording(read_recording(recording, column=column, time=time, macro_step=macro_step), steps, timing)
    if output is not None:
        _write_page(found, output)
    print_json(_json(found)) if as_json else _show(found)


def _json(found: Any) -> dict[str, Any]:
    from dataclasses import asdict

    recording = found.recording
    return {
        "signal": recording.name,
        "macro_step": recording.macro_step,
        "macro_steps": int(recording.value.size),
        "steps": found.k,
        "timing": found.timing,
        "gaps": recording.gaps,
        "longest_gap": recording.longest_gap,
        "useful_band": found.bands.useful,
        "disturbances": [list(pair) for pair in found.bands.disturbances],
        "limits": _limits(found),
        "jumps": (found.jumps * recording.macro_step).tolist(),
        "errors": [asdict(row) for row in found.table],
        "recommended": found.recommended,
        "reason": found.reason,
        "ladder": found.ladder,
        "toml": _toml(found),
    }


def _limits(found: Any) -> dict[str, float | None]:
    from couplant.analysis import GENERIC, generic, limit_frequencies

    limits = {name: limit_frequencies(generic(name, found.k), found.timing) for name in GENERIC}
    return {name: one.in_rad_per_s(found.recording.macro_step).limit for name, one in limits.items()}


def _toml(found: Any) -> str:
    from couplant.design.settings import settings_text

    designed = found.recommended == "designed"
    algorithm = {found.k: found.design} if designed else found.recommended
    name = "".join(c if c.isalnum() and c.isascii() else "_" for c in found.recording.name).strip("_")
    name = name if name[:1].isalpha() else "signal"
    jumps = bool(found.jumps.size) and not designed
    return settings_text(name, algorithm, found.k, ladder=found.ladder, jumps=jumps)


_ERRORS = ("algorithm", "mae", "rms", "worst", "C")


def _rows(found: Any) -> list[list[str]]:
    return [[r.algorithm, *(f"{v:.4g}" for v in (r.mae, r.rms, r.worst, r.combined))] for r in found.table]


def _sentences(found: Any) -> list[str]:
    from couplant.style import label

    recording, bands = found.recording, found.bands
    lines = [f"{recording.name}: {recording.value.size} macro steps of {recording.macro_step:g} s, k = {found.k}."]
    if recording.gaps:
        lines.append(
            f"{recording.gaps} gaps were bridged by straight lines, the longest {recording.longest_gap:.3g} s."
        )
    text = f"Useful band up to {bands.useful:.4g} rad/s"
    if bands.disturbances:
        text += "; disturbances " + ", ".join(f"{low:.4g} to {high:.4g} rad/s" for low, high in bands.disturbances)
    use = "the design" if found.recommended == "designed" else label(found.recommended)
    lines += [text + f"; {found.jumps.size} jumps.", f"Use {use}. {found.reason}"]
    after = "FOH (the ladder): the band lies inside its limit" if found.ladder else "hold: the band exceeds FOH's limit"
    return [*lines, f"After a jump: {after}."]


def _show(found: Any) -> None:
    print_table(_ERRORS, _rows(found))
    for line in _sentences(found):
        typer.echo(line)
    typer.echo("\n" + _toml(found))


def _write_page(found: Any, path: Path) -> None:
    from couplant.analysis import GENERIC, generic
    from couplant.report.curves import bode_figure, spectrum_figure
    from couplant.report.page import Page, Table, write_page

    generics = [generic(name, found.k) for name in GENERIC]
    designed = [found.design.algorithm] if found.design else []
    spectrum = spectrum_figure(found.spectrum, found.bands, found.recording.macro_step, generics, found.timing)
    bode = bode_figure([*generics, *designed], found.timing)
    tables = [Table("Algorithms on the recording", _ERRORS, _rows(found))]
    pictures = [("Spectrum", spectrum), ("Coupling process", bode)]
    title = f"Signal {found.recording.name}"
    write_page(Page("inspect", title, _sentences(found), (), tables, pictures, _toml(found)), path)


def _latencies(path: Path, micro_step: float | None, output: Path | None, as_json: bool) -> None:
    from couplant.analysis.latencies import choose_macro_step, read_latencies, statistics, step_choice
    from couplant.errors import UsageError

    if micro_step is None or not micro_step > 0:
        raise UsageError("--micro-step is missing: the smallest step of the prototypes in s, above 0")
    measured = read_latencies(path)
    figures, finest, chosen = (
        statistics(measured),
        step_choice(measured, micro_step),
        choose_macro_step(measured, micro_step),
    )
    lines = _advice(figures, finest, chosen)
    if output is not None:
        _write_latency_page(measured, chosen, lines, output)
    if as_json:
        from dataclasses import asdict

        print_json({**asdict(figures), "finest": _choice(finest), "choice": _choice(chosen), "advice": lines})
        return
    for line in lines:
        typer.echo(line)


def _choice(one: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(one) | {"constant": one.constant, "alignment_gain": one.gain}


def _advice(figures: Any, finest: Any, chosen: Any) -> list[str]:
    from couplant.analysis.latencies import round_trip_steps

    span = f"{1e3 * figures.minimum:.4g} to {1e3 * figures.maximum:.4g} ms, median {1e3 * figures.median:.4g} ms"
    lines = [
        f"{figures.messages} messages: latency {span}; {figures.lost} lost ({100 * figures.loss:.3g} %), "
        f"{figures.reordered} overtaken, drift {1e6 * figures.drift:.3g} µs/s.",
        f"At the smallest step, {1e3 * finest.macro_step:.4g} ms, k is {finest.smallest} to {finest.largest}.",
    ]
    step = f"macro step {1e3 * chosen.macro_step:.4g} ms"
    if chosen.constant:
        lines.append(f"Use {step}: k = {chosen.largest} is constant.")
    else:
        lines.append(
            f"No macro step keeps k constant: {step} and stamps, k {chosen.smallest} to {chosen.largest}; algorithm "
            "auto or irregular, and messages that repeat their last values (burst)."
        )
    lines.append(
        f"Start at the same time (synchronised clocks): k = {chosen.largest} in this direction; one after the "
        f"other: k = 0 here and k = {round_trip_steps(chosen)} in the other direction, if that is alike."
    )
    if chosen.aligned is not None:
        effective = f"{1e3 * (chosen.aligned * chosen.macro_step + chosen.shift):.4g} ms"
        lines.append(
            f"Aligned time grids (receiver {1e3 * chosen.shift:.4g} ms later) give a constant latency of {effective}, "
            f"{1e3 * chosen.gain:.4g} ms less to compensate."
        )
    if abs(figures.drift) > 1e-5:
        lines.append("The latency drifts: the clocks run apart; synchronise them (PTP) or use round-trip stamps.")
    return lines


def _write_latency_page(measured: Any, chosen: Any, lines: list[str], path: Path) -> None:
    from couplant.report.curves import latencies_figure
    from couplant.report.page import Page, write_page

    pictures = [("Latencies", latencies_figure(measured, chosen))]
    write_page(Page("inspect", "Latencies", lines, pictures=pictures), path)
