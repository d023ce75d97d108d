"""Settings that a bench may have: those that `advise` tries in its loop where both sides are known, else a list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tomllib

from couplant.analysis.signal.pieces import Pieces
from couplant.analysis.system_file import parse_system, with_latency
from couplant.base.errors import CouplantError, UsageError
from couplant.base.style import WIRE
from couplant.config.frame.read import Content, read_source
from couplant.config.models import AUTO, MODEL, Model
from couplant.config.scenario import Loaded
from couplant.cosim.simulate import Progress
from couplant.cosim.wiring.loops import loop_of_scenario, signal_names
from couplant.design.identify import check_data
from couplant.design.observers import observers, with_usual_excitation
from couplant.sweep.advice import advise
from couplant.sweep.advised import INTERFACE, STEPS, Setup, files_of, system_document
from couplant.sweep.candidates import IN_DOUBT, NEEDED, Advice, rank
from couplant.sweep.candidates import Candidate as Advised
from couplant.sweep.loop_source import document_of
from couplant_runtime.algorithms import GENERIC
from couplant_runtime.generated.numbers import COMPANIONS, PLANT_INPUTS

NAMED = (WIRE, *GENERIC, "irregular", AUTO)
"""What may stand in any loop."""


_FEW = 3  # loops that may be the truth as well by which candidates are judged where the network varies


@dataclass(frozen=True, eq=False)
class Proposal:
    """Settings of all signals of a bench."""

    algorithm: str  # or ``wire``
    detail: str = ""  # what observer a model has, in words
    models: Mapping[str, Model] = field(default_factory=dict)  # ``[models.NAME]``, by the signals of the bench
    expected: float = (
        np.inf
    )  # error over the size of the signals by theory or simulation; infinite: unknown or unstable

    @property
    def name(self) -> str:
        """Return its name in tables."""
        return f"{self.algorithm}, {self.detail}" if self.detail else self.algorithm


@dataclass(frozen=True, eq=False)
class Identified:
    """A loop that recordings of a bench show."""

    loop: Content  # as a system file has it
    others: tuple[Content, ...]  # what else it may be
    doubtful: bool  # whether it is doubtful that both sides answer to each other


def identify_bench(loaded: Loaded, rows: Mapping[str, np.ndarray]) -> Identified | None:
    """Return the loop of a bench from what its sides sent and were given, None where no model of them is found.

    The `rows` are by side, shape (N, numbers), as blocks of messages have them: what it sent, then value and slope
    [per s] of what it was given, at successive macro points.
    """
    scenario, (left, right), parts = loaded.scenario, rows, []
    for name in rows:
        count = sum(table.source.component == name for table in scenario.signals.values())
        own = rows[name][:, None]
        parts.append((own[..., :count], own[..., count::2], own[..., count + 1 :: 2] * scenario.macro_step))
    (y, *_), (u, *_) = parts
    given, changes = (tuple(one[i] for one in parts) for i in (1, 2))
    counts = np.ones(y.shape[:2], dtype=bool)
    data = Pieces(y, u, counts, scenario.macro_step, (given[0], given[1]), (changes[0], changes[1]))
    here, there = (
        [t.source.variable for t in scenario.signals.values() if t.source.component == name] for name in rows
    )
    try:
        check_data(data, there, here)
        loop, others, doubtful = document_of(data, ((left, here, there), (right, there, here)))
    except (CouplantError, np.linalg.LinAlgError):
        return None
    loop |= {"timing": scenario.timing[0], "macro_step": scenario.macro_step}
    return Identified(loop, others, any(doubtful)) if _names(loop, loaded) else None


def known_loop(loaded: Loaded) -> Content | None:
    """Return the loop of a bench or scenario as a system file has it; None where the sides are not known."""
    scenario, tables = loaded.scenario, loaded.scenario.components.values()
    files = {table.system for table in tables}
    if len(files) == 1 and None not in files:
        found = dict(read_source(loaded.file(str(files.pop()))))
        found |= {"macro_step": scenario.macro_step, "timing": scenario.timing[0]}
        return found if set(_names(found, loaded)) else None
    try:
        return system_document(loop_of_scenario(loaded, scenario.timing[0]).system)
    except UsageError:
        return None


def proposals(
    loaded: Loaded, loop: Content | None, network: Content | None = None,
    told: Progress = lambda share, text: None, found: Identified | None = None,
) -> tuple[list[Proposal], Advice | None]:  # fmt: skip
    """Return settings to try on a bench, the best first where its `loop` is known, and the advice that tells so.

    The `network` is measured: `latency_steps`, and what it does besides, as a scenario has it. `told` hears the share
    that is done, 0 to 1, and what is being done. Where the loop is one that was `found` in recordings models bear all
    that it may be, and what theory cannot judge is tried last; where it takes even the plain wire for unstable so is
    all that it does not take for stable.
    """
    given = [Proposal(MODEL, "of the file", loaded.scenario.models)] if loaded.scenario.models else []
    if loop is None:
        return [*map(Proposal, NAMED), *given], None
    more = dict(network or {})
    late = {"latency_steps": max(int(more.pop("latency_steps", 1)), 1)}
    others, doubtful = (found.others, found.doubtful) if found else ((), False)
    others = others[:_FEW] if more else others  # each is a run then
    advice = advise(with_latency(loop, late), others, doubtful=doubtful, network=more, told=told)
    names, least = _names(loop, loaded), IN_DOUBT if doubtful else NEEDED
    rows = [
        Proposal(one.name, one.detail, _models(advice, one.models, names) if one.models else {}, one.error)
        for one in sorted(advice.candidates, key=rank)
        if one.stable and _is_borne(one, advice, least if found else 0.0)
    ]
    rows = [one for one in rows if one.algorithm != MODEL or one.models]
    judged = {one.name: one.stable for one in advice.candidates}
    unknown = {*NAMED} - ({*judged} if judged.get(WIRE) else {one.algorithm for one in rows})
    rest = [name for name in NAMED if name in unknown] if found else []
    return [*rows, *map(Proposal, rest), *given], advice


def _is_borne(one: Advised, advice: Advice, least: float) -> bool:
    """Tell whether a candidate of an `advice` is to be tried; models bear parameters that are `least` off [-]."""
    if one.name == MODEL and one.margin < least:
        return False
    return one.margin >= min(NEEDED, advice.chosen.margin) or one.margin == 0.0


def shells(loaded: Loaded, like: Mapping[str, Model] | None = None) -> Mapping[str, Model]:
    """Return models of both sides of a bench with nothing right but their inputs and outputs; none if it has too many.

    Messages that carry them carry all that identification needs. Signals are in the order of the models that they are
    `like`, else in that of the file.
    """
    ends = {name: (one.outputs, one.inputs) for name, one in (like or {}).items()}
    signals = loaded.scenario.signals.items()
    for name in () if ends else loaded.scenario.components:
        sent = tuple(signal for signal, table in signals if table.source.component == name)
        ends[name] = sent, tuple(signal for signal, table in signals if any(to.component == name for to in table.to))
    found = {}
    for name, (sent, back) in ends.items():
        if not (1 <= len(sent) <= COMPANIONS + 1 and 1 <= len(back) <= PLANT_INPUTS):
            return {}
        A, B, C = [[-1.0]], [[1.0] * len(back)], [[1.0]] * len(sent)
        found[name] = Model.model_validate({"A": A, "B": B, "C": C, "inputs": back, "outputs": sent})
    return found


def first_models(loaded: Loaded, loop: Content) -> Mapping[str, Model]:
    """Return models of both sides of a `loop` that have the inputs of all that `proposals` may return."""
    system = with_usual_excitation(
        parse_system({**with_latency(loop, {"latency_steps": 1}), "algorithm": "zoh"}, "the bench"), 1.0
    )
    sizes = {c.source: 1.0 for c in system.connections}
    for _, tables in observers(system, sizes):
        try:
            return _tables(Setup(system, MODEL, tables), _names(loop, loaded))
        except UsageError:  # too large, or nothing follows it
            continue
    return {}


def _models(advice: Advice, tables: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Model]:
    return _tables(Setup(advice.system, MODEL, dict(tables), advice.network, advice.fallback), names)


def _tables(setup: Setup, names: Mapping[str, str]) -> dict[str, Model]:
    """Return the tables ``[models.NAME]`` of a `setup`, with the `names` that signals have in the bench."""
    written = tomllib.loads(files_of(setup, STEPS)[INTERFACE])["models"]
    own = {signal: names[source] for source, signal in signal_names(setup.system).items()}

    def rename(table: Content) -> Content:
        return table | {key: [own[one] for one in table[key]] for key in ("inputs", "outputs")}

    return {name: Model.model_validate(rename(table)) for name, table in written.items()}


def _names(loop: Content, loaded: Loaded) -> dict[str, str]:
    """Return the names of the signals of a bench by ``prototype.output``; nothing where the `loop` has others."""
    signals = {str(table.source): name for name, table in loaded.scenario.signals.items() if table.to}
    sources = {one["from"] for one in loop["connections"]}
    return signals if sources == set(signals) else {}


def network_of_steps(steps: Sequence[np.ndarray], lost: float, repeat: int) -> Content:
    """Return a network as a scenario has it, from the age of values when they are there, in macro steps.

    `steps` has a list for each direction, of which the longer one counts; of the messages the share `lost` never came,
    and each repeats `repeat` values.
    """
    usual = [np.quantile(one, (0.02, 0.98)) for one in steps if one.size]
    if not usual:
        return {"latency_steps": 1}
    least, most = max(int(low) for low, _ in usual), max(int(high) for _, high in usual)
    least = max(min(least, most), 1)
    late = most - least + (lost > 0.002 and repeat > 1)
    found: Content = {"latency_steps": least}
    found |= {"jitter_steps": int(late)} if late else {}
    return found | ({"loss": round(lost, 4)} if lost > 0.0 and repeat == 1 else {})
