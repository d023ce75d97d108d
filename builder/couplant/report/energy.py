"""Energy of a power bond in words and tables."""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from couplant.analysis.signal.balance import Balance, Passage, Span
from couplant.analysis.signal.energy import Convention
from couplant.base.arrays import Vector
from couplant.base.style import label, plain
from couplant.base.units import unit_of
from couplant.config.bonds import DISPLACEMENT
from couplant.config.rules.bonds import unit_advice
from couplant.design.ask_signals import Energy
from couplant.report.page import Page, Table
from couplant.tables.bonds import BondRecording

OPEN_LOOP = (
    "Open loop: this is what estimates of these signals would do if nothing answered to them. It predicts ZOH and FOH, "
    "but not a fast mode that is hardly in the recording, such as EROS3's from k = 6 on in example 01."
)

_COARSE = 0.5  # phase from row to row above which signals are hardly sampled [rad]
_UNLIKE = 30.0  # size of a received signal over that of the sent one that looks like another unit [-]
_OFFSET = 3.0  # mean deviation of a received signal over the standard deviation of it that looks like an offset [-]
_PRELOAD = 3.0  # mean of an effort over the standard deviation of it that looks like a preload [-]
_WRAPPED = 0.9  # change from row to row that looks like an angle that wraps round, share of the range [-]
_VERDICTS = {
    "creates": "The coupling creates energy",
    "loses": "The coupling loses energy",
    "neutral": "The coupling is neutral",
}


def describe(found: Energy) -> Page:
    """Describe the energy of a recorded coupling."""
    signals, convention, k = found.recording, found.convention, found.steps
    if found.balance is not None:
        return describe_balance(signals, convention, found.balance, k)
    return describe_open_loop(signals, convention, found.sent, found.open_loop, k)


def describe_balance(recording: BondRecording, convention: Convention, found: Balance, k: int) -> Page:
    """Describe the energy that the coupling of a recording has created or lost; the budget is for `k` macro steps."""
    spans = {"whole recording": found.whole, "last window": found.last, "most created in": found.largest}
    effort, flow = recording.columns.signals
    columns = ("", "from / s", "to / s", *(f"{what} / J" for what in ("transmitted", "created")), "share / %")
    rows = [[name, *_figures(one)] for name, one in spans.items()]
    table = Table("Energy", (*columns, f"by {effort} / J", f"by {flow} / J"), rows)
    lines = [*_verdict(recording, found), _budget(found.passage, k)]
    if found.grade == "creates":
        lines[-1] += " Measure it without latency, or where no energy is created: signals that grow make it too large."
    warnings = [*doubts(recording, convention, found.passage), *_signs(recording, found)]
    bond, verdict = f"Bond of {effort} and {flow}", _VERDICTS.get(found.grade)
    share = "" if found.grade == "neutral" else f", {_percent(found.last.share or 0.0)[1:]} % of what is transmitted"
    title = f"{bond}: {verdict[0].lower()}{verdict[1:]}{share}" if verdict else f"{bond}: too short to tell"
    return Page("energy", title, lines, warnings, [table])


def describe_open_loop(
    recording: BondRecording, convention: Convention, passage: Passage, table: Mapping[str, Balance], k: int
) -> Page:
    """Describe the energy that algorithms would make of a recording without latency, at `k` macro steps."""
    effort, flow = recording.columns.signals
    rows = [[label(name), *_shares(one.whole), one.whole.grade] for name, one in table.items()]
    title = f"Open loop, k = {k}, {convention.timing} timing: share of the transmitted energy"
    columns = ("algorithm", "created / %", f"by {effort} / %", f"by {flow} / %", "energy")
    most = float(np.abs(passage.power).max())
    text = f"{effort} and {flow} transmit {plain(float(passage.passed[-1]))} J to and fro, at most {plain(most)} W."
    lines = [OPEN_LOOP, text, _budget(passage, k)]
    made = {name: one.whole.created / one.whole.transmitted for name, one in table.items() if one.whole.transmitted}
    bond = f"Bond of {effort} and {flow}"
    if made:
        order = sorted(made, key=lambda name: made[name])
        ends = dict.fromkeys((order[0], order[-1]))
        told = ", ".join(f"{label(name)} would create {_percent(made[name])} %" for name in ends)
        bond = f"{bond}: {told} of what is transmitted"
    return Page("energy", bond, lines, [*doubts(recording, convention, passage)], [Table(title, columns, rows)])


def _figures(one: Span) -> list[str]:
    share = "-" if one.share is None else _percent(one.share)
    return [*map(plain, (one.start, one.end, one.transmitted, one.created)), share, plain(one.effort), plain(one.flow)]


def _shares(one: Span) -> list[str]:
    if not one.transmitted:
        return ["-"] * 3
    return [_percent(energy / one.transmitted) for energy in (one.created, one.effort, one.flow)]


def _percent(share: float) -> str:
    """Write a share with three digits, and at most four after the point, in %."""
    size = abs(100.0 * share)
    return f"{100.0 * share:+.{min(4, max(0, 2 - math.floor(math.log10(size)))) if 0.0 < size < math.inf else 0}f}"


def _verdict(recording: BondRecording, found: Balance) -> Iterator[str]:
    last, largest, grade = found.last, found.largest, found.grade
    if grade not in _VERDICTS:
        yield "Whether the coupling creates energy is unknown: too few macro steps, or hardly any energy at the end."
        return
    share = _percent(last.share or 0.0)
    text = f"{_VERDICTS[grade]}: {share if grade == 'neutral' else share[1:]} % of what is transmitted"
    yield f"{text} in the last {last.end - last.start:.3g} s{_whose(recording, found)}."
    if grade != "neutral" and found.growth is not None and found.swing is not None:
        yield (
            f"Growth that it explains: {found.growth:+.3g} 1/s for energy, half of it for amplitudes, over the "
            f"{plain(found.swing)} J that go to and fro through the bond. Energy stored beside and friction make it "
            "less, and above 2 over the length of the window it is a lower bound."
        )
    if largest.created > 0.0:
        yield f"Most is created from {largest.start:.4g} to {largest.end:.4g} s: {plain(largest.created)} J."


def _whose(recording: BondRecording, found: Balance) -> str:
    last = found.last
    if found.grade == "neutral":
        return ""
    shares = dict(zip(recording.columns.signals, (last.effort / last.created, last.flow / last.created), strict=True))
    name = max(shares, key=lambda one: shares[one])
    return f", {min(100.0 * shares[name], 100.0):.0f} % of it by the estimates of {name}"


def _budget(passage: Passage, k: int) -> str:
    energy = f"four times the largest energy that passes in {k + 1} macro steps of {passage.macro_step:g} s"
    return f"Budget for k = {k}: {plain(passage.budget(k))} J, {energy}."


def doubts(recording: BondRecording, convention: Convention, passage: Passage) -> Iterator[str]:
    """Name properties of a recording that make its energies doubtful, by the energy that it transmits."""
    columns, units = recording.columns.names, recording.units
    if recording.gaps:
        longest = f"the longest {recording.longest_gap:.3g} s"
        yield f"{recording.gaps} gaps were bridged by straight lines, {longest}: what passed in them is a guess."
    if all(units):
        yield from unit_advice(f"{columns[0]} and {columns[1]}", *units, convention.flow_is)
        if _has_mass(units[1]) and not _has_mass(units[0]):
            yield f"{columns[0]} in {units[0]} and {columns[1]} in {units[1]} look swapped: which one is the effort?"
    for name, y in zip(columns, (recording.effort, recording.flow), strict=False):
        # the rms phase from row to row, as if the signal were a sine
        rate = float(np.sqrt(np.mean(np.diff(y) ** 2) / np.var(y)))
        if rate > _COARSE:
            yield (
                f"{name} is noisy, or sampled too slowly: about {max(2 * np.pi / rate, 2):.0f} rows a period; energies "
                f"are off by some {100 * min(rate**2 / 6, 1):.0f} %."
            )
    if passage.noisy:
        yield (
            f"What passes in {passage.macro_step:g} s is mostly noise, counts as transmitted and makes shares small: "
            "give a macro step of many rows."
        )
    mean, moved = float(recording.effort.mean()), _speed(recording, convention)
    if abs(mean) > _PRELOAD * np.std(recording.effort) and abs(moved.mean()) < np.std(moved):
        yield (
            f"{columns[0]} swings about {mean:.3g}, a preload whose to and fro counts as transmitted and makes shares "
            "small: take it off what was sent and what was received to judge the rest."
        )
    if convention.flow_is == DISPLACEMENT and _wraps(recording.flow):
        yield f"{columns[1]} jumps through its whole range, as an angle that wraps round: unwrap it, or give its speed."
    yield from _received_doubts(recording, convention)


def _received_doubts(recording: BondRecording, convention: Convention) -> Iterator[str]:
    if recording.received is None:
        return
    columns, sent = recording.columns.names, (recording.effort, recording.flow)
    for i, (one, y) in enumerate(zip(recording.received, sent, strict=True)):
        name, origin, error = columns[2 + i], columns[i], one.value - y
        ratio = float(np.std(one.value) / np.std(y))
        offset, spread = float(np.mean(error)), float(np.std(error))
        if not 1.0 / _UNLIKE < ratio < _UNLIKE:
            yield f"{name} is {ratio:.3g} times as large as {origin}: are both in one unit, or does it run away?"
        elif abs(offset) > _OFFSET * spread and (i == 0 or convention.flow_is != DISPLACEMENT):
            yield f"{name} is {offset:+.3g} off {origin} throughout: the energy of an offset counts as created."


def _signs(recording: BondRecording, found: Balance) -> Iterator[str]:
    names, reversed_ends = recording.columns.names, found.reversed_ends()
    for sent, name, wrong in zip(names, names[2:], reversed_ends, strict=False):
        if wrong:
            yield f"{name} has the opposite sign of {sent}: energy grows like what is transmitted; give it as -{name}."
    if found.grade == "loses" and not any(reversed_ends):
        yield f"If {names[0]} is the force on its receiver, `couplant energy --sign` turns it: what is lost is created."


def _has_mass(unit: str) -> bool:
    known = unit_of(unit)
    return known is not None and "kg" in dict(known.exponents)


def _speed(recording: BondRecording, convention: Convention) -> Vector:
    return np.diff(recording.flow) if convention.flow_is == DISPLACEMENT else recording.flow


def _wraps(y: Vector) -> bool:
    return int(np.count_nonzero(np.abs(np.diff(y)) > _WRAPPED * np.ptp(y))) >= 2
