"""The loop that advice is wanted for: from a system file, a scenario, or recordings of the signals both ways."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from couplant.analysis.loop_likelihood import Loop
from couplant.analysis.signal.periodic import Periodic, periodic
from couplant.analysis.signal.pieces import Pieces, pieces
from couplant.analysis.signal.recording import split
from couplant.analysis.system_file import with_latency
from couplant.base.errors import UsageError
from couplant.base.filenames import signal_name
from couplant.config.frame.read import Content, read_source
from couplant.config.hosts import JACOBI
from couplant.config.network import Seconds, steps_in
from couplant.cosim.wiring.loops import loop_of
from couplant.design.both_sides import identify_sides
from couplant.design.identify import check_data, check_wanted, round_matrix, use_beginnings
from couplant.design.judged import MICRO_STEPS
from couplant.sweep.advised import system_document
from couplant.tables import Reading, read_recording, read_together

USUAL_STEPS = 3
"""Latency of recorded signals where none is told [macro steps]."""

End = tuple[str, Sequence[str], Sequence[str]]
"""What a prototype is called, what it sends, and what it receives."""

SIDES = ("a", "b")
"""What the prototypes are called that are identified: the one that sends, and the one that it receives from."""


_UNTOLD = (
    "the recordings do not show that {0} answers to {1} at all, so that the model of that side may be wrong: compare "
    "with the wire before it counts, or record with a test signal on {1}"
)

_PERIODIC = (
    "all signals are periodic, {:g} Hz: they tell both sides at a few frequencies only, and what drives them is not "
    "known, so that phasor is not tried; couplant advise tries it in a scenario whose recordings drive the loop"
)


@dataclass(frozen=True, eq=False)
class Recorded:
    """Recordings of a loop, and which of their columns go which way."""

    paths: Sequence[Path]  # recordings with the columns of both sides, as they were there and then
    # sends, receives: columns that one side sends, and that it receives
    sends: Sequence[str]
    receives: Sequence[str]
    how: Reading  # what the user tells about the files
    macro_step: float | None = None  # ΔT; else as recorded [s]
    latency: float | None = None  # of all signals, in place of steps [s]

    def steps(self, macro_step: float) -> Content:
        """Return the latency in macro steps of `macro_step` ΔT [s] as a system file has it; nothing if none is told.

        Raises UsageError if it is not above 0, or too many of them.
        """
        return {} if self.latency is None else {"latency_steps": steps_in(Seconds(self.latency), macro_step)}


def read_loop(path: Path, changes: Content) -> tuple[Content, Content, Content]:
    """Return the loop in a system file or a scenario as the content of a system file, and what its network does.

    Last come recordings that drive a scenario, as parts of one. FMUs of a scenario are linearised at their start;
    `changes` take the place of top-level keys of the file.

    Raises UsageError if the file is wrong, or has components that no linear prototype can be made of.
    """
    document = read_source(path)
    network: Content = {}
    drive: Content = {}
    if "prototypes" in document:
        found = dict(document)
    else:
        loop = loop_of(path, timing=changes.get("timing"), driven=True)
        if loop.network is None:
            raise UsageError(f"{path}: signals differ in jitter or loss, allowed are the same for all")
        found, network, drive = system_document(loop.system), loop.network, loop.drive
        # theory has the longest latency, runs have all of them
        for one in found["connections"]:
            one["latency_steps"] -= int(network.get("jitter_steps", 0))
    steps = {key: value for key, value in changes.items() if key == "latency_steps"}
    drive |= {key: changes[key] for key in ("micro_step",) if key in changes and drive}
    return {**with_latency(found, steps), **changes}, network, drive


def wave_of(drive: Content, macro_step: float) -> Periodic | None:
    """Return the wave of the recordings that drive a loop, by their first part; None where not all have the same.

    `drive` has them as parts of a scenario, `macro_step` is ΔT [s].
    """
    found = []
    for source in drive.get("connections", {}).values():
        name, _, column = source.partition(".")
        table = dict(drive["components"][name])
        one = read_recording(table.pop("recording"), column=column, how=Reading(**table), macro_step=macro_step)
        found.append(None if one.constant else periodic(split(one)[0].value, macro_step))
    waves = [one for one in found if one is not None]
    alike = len(waves) == len(found) and len({one.nominal for one in waves}) == 1
    return max(waves, key=lambda one: one.harmonics) if alike else None


def identify_loop(asked: Recorded, changes: Content) -> tuple[Content, tuple[Content, ...], tuple[str, ...], bool]:
    """Return the loop of two prototypes that recordings show, what else it may be, and what was assumed.

    Last is whether it is doubtful that both sides answer to each other.
    What else it may be are top-level keys in place of those of the loop. Where nothing else is said it is that of most
    tools: step timing in a Jacobi host with ten communication steps in a macro step, and a latency of `USUAL_STEPS`.

    `changes` are top-level keys of the system file. Raises UsageError if a column is missing or named twice,
    CouplantError if no model is found.
    """
    sends, receives = list(asked.sends), list(asked.receives)
    check_wanted(receives, sends, (), 1)
    values, macro_step, assumed = read_together(asked.paths, [*sends, *receives], asked.how, asked.macro_step)
    cut, names = len(sends), (", ".join(sends), ", ".join(receives))
    data = use_beginnings(pieces([(one[:, :cut], one[:, cut:]) for one in values], macro_step))
    check_data(data, receives, sends)
    ends = (SIDES[0], sends, receives), (SIDES[1], receives, sends)
    loop, others, doubtful = document_of(data, ends)
    waves = [periodic(column, macro_step) for column in np.concatenate(values[:1]).T]
    assumed = [*assumed, *([_PERIODIC.format(waves[0].nominal)] if waves[0] and all(waves) else [])]
    said = [*assumed, *(_UNTOLD.format(names[i], names[1 - i]) for i in range(2) if doubtful[i])]
    usual = {"timing": "step", "host": JACOBI, "micro_step": float(f"{macro_step / MICRO_STEPS:.9g}")}
    loop |= {} if changes.get("timing") == "event" else usual
    found = loop | {"latency_steps": USUAL_STEPS} | changes | asked.steps(macro_step)
    return found, others, tuple(said), any(doubtful)


def document_of(data: Pieces, ends: tuple[End, End]) -> tuple[Content, tuple[Content, ...], tuple[bool, bool]]:
    """Return the loop that recordings show as a system file has it, without latency, and what else it may be.

    In `data` y is what the first side sends, u what the second one does; `ends` tell what both are called. Last is of
    which side it is doubtful that it answers to the other.

    Raises CouplantError if no model is found.
    """
    both = identify_sides(data)
    loop, *more = (_document(one, data, ends) for one in both.loops)
    others = tuple({key: one[key] for key in ("prototypes", "excitation")} for one in more)
    ways = [(one, other[0]) for one, other in zip(ends, ends[::-1], strict=True)]
    names = [(name, to, signal_name(sent)) for (name, sends, _), to in ways for sent in sends]
    loop["connections"] = [{"from": f"{name}.{one}", "to": f"{to}.{one}"} for name, to, one in names]
    return loop, others, both.doubtful


def _document(loop: Loop, data: Pieces, ends: tuple[End, End]) -> dict[str, Any]:
    """Return the prototypes of a `loop`, what excites them, and the noise of what is sent, as a system file has them.

    `ends` are those of `document_of`, `data` the recordings.
    """
    found: dict[str, Any] = {"macro_step": data.macro_step, "prototypes": {}, "excitation": {}, "noise": {}}
    for (name, *signals), model, sent in zip(ends, loop.sides, (data.y, data.u), strict=True):
        outputs, inputs = ([signal_name(one) for one in names] for names in signals)
        matrices = {part: round_matrix(getattr(model, part)) for part in "ABCD"}
        found["prototypes"][name] = matrices | {"inputs": inputs, "outputs": outputs}
        # w has the deviation 1
        acting = {"deviation": 1.0, "bandwidth": float(f"{model.drive:.9g}")}
        found["excitation"][name] = {"states": round_matrix(model.disturbance)} | acting
        sizes = np.maximum(np.sqrt(np.mean(sent[data.counts] ** 2, axis=0)), np.finfo(float).tiny)
        noise = np.minimum(model.noise / sizes, 0.9).tolist()
        found["noise"] |= {f"{name}.{one}": size for one, size in zip(outputs, noise, strict=True)}
    return found


def loop_in(
    files: Sequence[Path], asked: Recorded, changes: Content
) -> tuple[Content, Content, Content, tuple[Content, ...], tuple[str, ...], bool]:  # fmt: skip
    """Return the loop that `files` describe, what its network does besides, and recordings that drive it.

    Then come what else it may be and what was assumed, last whether it is doubtful that both sides answer to each
    other.
    These are a system file or a scenario alone, or the recordings of `asked`; `changes` are top-level keys of the
    system file in place of what they say.

    Raises UsageError if files and columns do not fit together, or `read_loop` or `identify_loop` refuses them.
    """
    if files[0].suffix.lower() == ".toml":
        if len(files) > 1 or asked.sends or asked.receives:
            raise UsageError(f"{files[0]}: a system or scenario comes alone, without columns sent and received")
        found, network, drive = read_loop(files[0], changes)
        return with_latency(found, asked.steps(found["macro_step"])), network, drive, (), (), False
    if not (asked.sends and asked.receives):
        missing = [name for name, given in (("sends", asked.sends), ("receives", asked.receives)) if not given]
        raise UsageError(
            f"{' and '.join(missing)} {'are' if missing[1:] else 'is'} missing: a loop has signals both ways, what one "
            "side sends and what it receives; of one direction alone couplant inspect judges without a loop"
        )
    found, others, said, doubtful = identify_loop(asked, changes)
    return found, {}, {}, others, said, doubtful
