"""Designs, of observers too, and lessons in words, tables and charts."""

from collections.abc import Mapping

import numpy as np
import tomlkit

from couplant.analysis.certify import Certificate
from couplant.base.style import PLAIN_WIRE, WIRE, macro_steps, radius
from couplant.config.network import NetworkTable
from couplant.design.from_recording import parts
from couplant.design.judged import Judged
from couplant.design.models import Candidate, ModelDesign, model_tables
from couplant.design.neural.offline import Lesson
from couplant.design.neural.offline import settings_text as lesson_text
from couplant.design.recommendation import DESIGNED, LEARNT
from couplant.design.request import Answer, Request
from couplant.design.settings import algorithm_settings, settings_text
from couplant.report.chart import Chart, Line, Panel
from couplant.report.inspection import judged_by, sampling
from couplant.report.page import Page, Table, error_table

_SHOWN = 8


def describe(
    answers: Mapping[int, Answer], request: Request, name: str, proof: Certificate | None = None
) -> Page:
    """Return the page of the `answers` for a signal, by latency; the first table has the figures of all.

    A `proof` says for which messages the loop is stable.
    """
    designs = {k: one.design for k, one in answers.items()}
    first, recording = next(iter(designs.values())), request.recording
    rows = [one.figures() for one in answers.values()]
    tables = [Table("Designs", list(rows[0]), [[f"{value:.4g}" for value in row.values()] for row in rows])]
    tables += [error_table(f"On the recording, k = {k}", one.table) for k, one in answers.items() if one.table]
    tables += [_plant(k, one) for k, one in answers.items() if one.robustness]
    algorithm, network = algorithm_settings(designs), NetworkTable(latency_steps=first.task.k)
    return Page(
        "design",
        _headline(answers, name),
        [f"Macro step {request.macro_step:g} s, {request.timing} timing.", *_judged_by(answers, request),
         *_proof_line(proof)],
        [*(line for one in answers.values() for line in one.warnings()), *(sampling(recording) if recording else [])],
        tables,
        toml=settings_text(name, algorithm, network, lead=first.task.lead, protection=request.protection,
                           burst=proof.rules.burst if proof else 0),
    )  # fmt: skip


def _proof_line(proof: Certificate | None) -> list[str]:
    """Say for which messages the loop is proven stable."""
    if proof is None:
        return []
    one = proof.rules
    lost = one.loss or "none"
    return [f"Latencies of {one.least} to {macro_steps(one.most)}, {lost} lost in a row, {one.burst} values "
            f"in a message: {proof.words()}."]  # fmt: skip


def _headline(answers: Mapping[int, Answer], name: str) -> str:
    """Say how much less the designs err on the recording than the plain wire, else how many plants bear them."""
    found = {k: one.judged.rows for k, one in answers.items() if one.judged}
    shares = {k: rows[DESIGNED].mae / rows[WIRE].mae for k, rows in found.items() if rows[WIRE].mae > 0.0}
    if shares:
        texts = [f"{100.0 * (1.0 - one):.0f} % less error" if one < 1.0 else "no gain" for one in shares.values()]
        gains = ", ".join(f"{text} at k = {k}" for k, text in zip(shares, texts, strict=True))
        return f"Design for {name}: {gains}, than the plain wire" if max(shares.values()) < 1.0 else (
            f"Design for {name}: {gains}; leave the FMU out where there is none")  # fmt: skip
    borne = [one.robustness.stable_share for one in answers.values() if one.robustness]
    return f"Design for {name}: {100.0 * min(borne):.0f} % of the plants are stable" if borne else f"Design for {name}"


def _judged_by(answers: Mapping[int, Answer], request: Request) -> list[str]:
    found = next((one.judged for one in answers.values() if one.judged), None)
    if found is None or request.recording is None:
        return []
    used = parts(request.recording, 0, request.timing, request.judge)[0]
    return [judged_by(found, used.seconds)]


def _plant(k: int, answer: Answer) -> Table:
    found = answer.robustness
    assert found is not None
    row = [f"{100 * found.stable_share:.0f} %", f"{found.mode_error:.3g}", radius(found.radius, 9)]
    heads = ["stable plants", "mode error", "spectral radius"]
    if answer.design.task.noise:
        heads, row = [*heads, "noise of estimates"], [*row, f"{found.noise:.3g}"]
    return Table(f"On the plant, k = {k}", heads, [row])


def describe_lesson(lesson: Lesson, name: str) -> Page:
    """Return the page of what was learnt for a signal."""
    where = f"Latency {lesson.steps} macro steps, {lesson.timing} timing."
    text = [where, *worse_than_nothing(lesson), _choice_sentence(lesson), _loop_sentence(lesson)]
    tables = [error_table(f"{name}, {_seconds(one)}", one.table) for name, one in lesson.judged.items()]
    warnings, share = [], lesson.loop.stable_share
    if share is not None and share < 1.0:
        warnings = [f"only {100 * share:.0f} % of the scattered plants are stable with what was learnt"]
    return Page("learn", f"Learnt for {name}", text, warnings, tables, toml=lesson_text(name, lesson))


def _loop_sentence(lesson: Lesson) -> str:
    found = lesson.loop
    if found.radius is not None and found.stable_share is not None:
        share = f"{100 * found.stable_share:.0f} % of 100 plants within 5 % are stable"
        return f"In its loop {share}, spectral radius {radius(found.radius, 9)}; largest gain {found.gain:.3g}."
    bound = "" if lesson.neural else ", kept low, for a loop may feed it back"
    text = f"Nothing is known of the loop that the signal is part of: largest gain {found.gain:.3g}{bound}, white noise"
    more = "`couplant learn --system` takes a plant, and a simulation shows the rest."
    return f"{text} {found.noise_gain:.3g} times its variance; {more}"


def worse_than_nothing(lesson: Lesson) -> list[str]:
    """Say on which recordings what was learnt is worse than the plain wire."""
    lines = []
    for name, one in lesson.judged.items():
        if one.worse(LEARNT):
            learnt, wire = one.rows[LEARNT].mae, one.rows[WIRE].mae
            figures = f"mean absolute errors {learnt:.4g} and {wire:.4g}"
            lines.append(f"what was learnt is no better than the plain wire on {name}: {figures}: do not use it")
    return lines


def _seconds(found: Judged) -> str:
    first, last = found.seconds
    return f"{first:g} to {last:g} s"


def _choice_sentence(lesson: Lesson) -> str:
    neural, choice = lesson.neural, lesson.choice
    if neural is not None:
        trained = "trained by Adam" if neural.prior is None else f"expected change of a weight {neural.prior:g}"
        return f"A network started as {neural.start}, {trained}."
    assert choice is not None
    return (
        f"{choice.m} past values, penalty {choice.penalty:.3g}: on what was left out the error is "
        f"{100 * choice.error:.0f} % of that without compensation."
    )


def describe_models(found: ModelDesign, signals: Mapping[str, str]) -> Page:
    """Return the page of a design; `signals` has the names of signals by ``prototype.output``."""
    one, asked, share = found.chosen, found.asked, found.stable_share
    latencies = sorted({c.algorithm.k for c in found.system.connections})
    excited = ", ".join(f"{name} {level:g}" for name, level in asked.excited.items())
    text = [
        f"Latency {', '.join(map(str, latencies))} macro steps of {found.system.macro_step:g} s, "
        f"{found.system.timing} timing.",
        f"Judged by noise up to {asked.corner:.3g} rad/s and pushes, effect on the signals: {excited}.",
        f"Chosen: order {one.order}, leak {one.leak:g} 1/s; {100 * share:.0f} % of the scattered plants are stable, "
        f"spectral radius {radius(found.radius, 9)}.",
    ]
    columns = ("signal", "noise", "error", WIRE)
    rows = [[signals[name], f"{asked.noise[name]:g}", f"{found.errors[name]:.3g}", f"{found.wire[name]:.3g}"]
            for name in found.errors]  # fmt: skip
    trials = [[f"{t.order}", f"{t.leak:g}", f"1e{t.decade}", f"{t.error:.4g}"] for t in found.tried[:_SHOWN]]
    tables = [
        Table("Errors over the size of the signals", columns, rows),
        Table("Best of what was tried", ("order", "leak 1/s", "drive over that stated", "error"), trials),
    ]
    warnings = [f"only {100 * share:.0f} % of the scattered plants are stable"] if share < 1.0 else []
    worse = [signals[name] for name, error in found.errors.items() if error >= found.wire[name]]
    warnings += [f"estimates of {', '.join(worse)} are no better than {PLAIN_WIRE}"] if worse else []
    toml = tomlkit.dumps({"models": model_tables(found.system, found.chosen.weights, signals)})
    return Page("design", "Observers for models", text, warnings, tables, toml=toml)


def model_charts(found: ModelDesign) -> list[Chart]:
    """Return the error of all observers over how fast they follow."""
    shades = {(1, 0): "foh", (1, 1): "eros3", (1, 2): "eros4", (2, 0): "smb", (2, 1): "auto", (2, 2): "model"}
    leaks = sorted({t.leak for t in found.tried})
    lines = [
        _line(order, leak, [t for t in found.tried if (t.order, t.leak) == (order, leak)], shades[order, i])
        for order in (1, 2)
        for i, leak in enumerate(leaks)
    ]
    panel = Panel("error over the size of the signals", [one for one in lines if len(one.x)], log=True)
    return [Chart("What was tried", "power of ten of the drive over that of the stated excitation", [panel])]


def _line(order: int, leak: float, tried: list[Candidate], shade: str) -> Line:
    tried = sorted(tried, key=lambda one: one.decade)
    x, y = np.array([[t.decade, t.error] for t in tried]).reshape(-1, 2).T
    return Line(f"order {order}, leak {leak:g} 1/s", x, y, shade)
