"""A settings file and a scenario from a recording: all that is needed to look, to build and to simulate."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import tomlkit

from couplant.analysis.signal.lag import measure_lag
from couplant.analysis.signal.way import Way
from couplant.base.errors import UsageError
from couplant.base.filenames import fitting_name, name_of_signal, signal_name
from couplant.base.grid import latency_in_steps
from couplant.base.units import known_symbol
from couplant.config.hosts import JACOBI
from couplant.config.network import NetworkTable, Seconds, jitter_in, network_of, rounding_of, steps_in
from couplant.config.scenario import CONFIGURED
from couplant.design.inspection import Inspection, Told, inspect_recording
from couplant.design.judged import MICRO_STEPS
from couplant.design.recommendation import EVERY, PHASOR
from couplant.tables import PLAIN, Channel, Reading, Recording, read, read_recording, read_samples, resample, usual_step
from couplant.tables.channels import Source, doubtful

STEPS = 3  # latency where none is told [macro steps]
LONGEST = 100_000  # macro steps that are looked at: what a simulation does in a minute

_TIMING = "step"
_MOST_STEPS = 10


@dataclass(frozen=True, eq=False)
class Start:
    """Start of a project from a recording."""

    path: Path  # the recording
    how: Reading  # what the user told about it
    macro_step: float  # ΔT, s
    network: NetworkTable  # what all signals pass, with their latency
    found: dict[str, Inspection]  # what each channel tells, by the name of its signal
    units: dict[str, str]  # by signal, as settings files write them
    left_out: dict[str, str]  # channels that cannot be used, with the reason
    assumed: tuple[str, ...]  # what was assumed, a line for each
    # what is known of the machine that follows a signal, in words
    answers: dict[str, str] = field(default_factory=dict)

    @property
    def micro_step(self) -> float:
        """Return the communication step that is proposed, s."""
        return float(f"{self.macro_step / MICRO_STEPS:.9g}")

    def interface(self) -> str:
        """Return a settings file for all signals, with limits and the recommended algorithms."""
        head = {"name": fitting_name(signal_name(self.path.stem)), "macro_step": self.macro_step}
        head |= {"timing": _TIMING, "host": JACOBI, "micro_step": self.micro_step}
        common = tomlkit.dumps({"interface": head})
        return "\n".join([_HEAD.format(name=self.path.name), common, *map(self._signal, self.found)])

    def _signal(self, name: str) -> str:
        one = self.found[name]
        (table,) = tomlkit.parse(one.settings()).unwrap()["signals"].values()
        value = one.recording.value
        first = {"unit": self.units[name], "start": float(value[0])}
        said = f"{one.recording.name}, {value.min():.6g} to {value.max():.6g}. {one.reason}"
        said += f"\n# {self.answers[name]}" if name in self.answers else ""
        return f"# {said}\n{tomlkit.dumps({'signals': {name: first | table}})}"

    def _rows(self) -> list[str]:
        """Return the algorithms of the scenario: phasors too where signals are to have them, by the name of the run."""
        periodic = [one.recommended == PHASOR for one in self.found.values()]
        return [*EVERY, *([PHASOR] if all(periodic) else [CONFIGURED] if any(periodic) else [])]

    def scenario(self, folder: Path) -> str:
        """Return a scenario, to be written into a `folder`, that sends all signals as they were recorded."""
        told = {key: value for key, value in vars(self.how).items() if value is not None}
        first, last = zip(*(one.judged.seconds for one in self.found.values()), strict=True)
        document: dict[str, Any] = {"name": self.path.name, "macro_step": self.macro_step}
        document |= {"duration": min(last), "judge_from": max(first)}
        document |= {"timing": [_TIMING], "host": JACOBI, "algorithms": self._rows(), "micro_step": self.micro_step}
        document["components"] = {"recording": {"recording": _relative(self.path, folder)} | told}
        document["network"] = self.network.model_dump(exclude_defaults=True)
        signals = document["signals"] = {}
        for name, one in self.found.items():
            chosen = {"selected": one.algorithm} if isinstance(one.algorithm, str) else one.algorithm
            own = {k: v for k, v in chosen.items() if k != "selected" or CONFIGURED in document["algorithms"]}
            coupling = ({"algorithm": own} if own else {}) | one.protection
            sent = {"from": f"recording.{one.recording.name}", "unit": self.units[name]}
            signals[name] = sent | {"coupling": coupling}
        return f"{_SCENARIO}\n{tomlkit.dumps(document)}"


_HEAD = """\
# The signals of {name}, each with limits around what was recorded and the algorithm that is recommended for it.
#   couplant simulate scenario.toml -o result      all algorithms on the recording: a report
#   couplant build interface.toml -o fmus          one FMU for each signal
# micro_step: let the tool step the FMU so, for it foresees its own communication step besides the latency.
"""
_SCENARIO = """\
# Signals are sent through the network as they were recorded: no prototype answers (open loop).
#   couplant simulate scenario.toml -o result
# The first row is the plain wire, auto has the weights of interface.toml where that has some; all have its limits.
# A row phasor is there where all signals are periodic, configured where some are: each signal as in interface.toml.
# With the FMUs of interface.toml:
#   couplant simulate scenario.toml --set 'algorithms=["configured"]' \\
#     --set 'coupling.configuration="interface.toml"'
"""


def start_from(
    path: Path, how: Reading = PLAIN, *, columns: Sequence[str] = (), macro_step: float | None = None,
    steps: int | Seconds | None = None, jitter: int | Seconds = 0, loss: float = 0.0, seed: int = 1,
    told: Told = lambda share, text: None,
) -> Start:  # fmt: skip
    """Return the start that a recording gives: a signal for each channel of numbers, or of `columns`.

    `path` has the recording, in any format, read as `how` says. The `macro_step` ΔT [s] is the finest step that was
    recorded unless given, or a multiple where the latency needs it: `steps`, a number of macro steps or a time, three
    unless given. `jitter`, `loss` [-], `seed` and `told` are those of `couplant.inspect`. Raises UsageError if no
    channel can be used, or the latency is too many macro steps.
    """
    file = read(path, how)
    channels = file.select([file.named(one) for one in columns] or file.numeric() or list(file)[:1])
    if not channels:
        raise UsageError(f"{path}: no channel of numbers, at least one is needed.")
    step = macro_step or _step(channels, steps, str(path))
    late = STEPS if steps is None else steps
    k, more = steps_in(late, step), jitter_in(jitter, late, step)
    network = network_of({"latency_steps": k, "jitter_steps": more, "loss": loss, "seed": seed})
    recordings, left_out = _recordings(channels, step, str(path))
    found = {}
    for done, (name, one) in enumerate(recordings.items()):
        heard = _share(told, done, len(recordings), one.name)
        found[name] = inspect_recording(one, k, _TIMING, way=Way(network, name), told=heard)
    units = {name: written_unit(one.unit) for name, one in recordings.items()}
    made = Start(path, how, step, network, found, units, left_out, ())
    said = (file.assumed, doubtful(channels[0].time), *_assumptions(made, macro_step, steps, jitter))
    return replace(made, assumed=tuple(filter(None, said)))


def _share(told: Told, done: int, count: int, name: str) -> Told:
    """Return a listener to the inspection of one signal, which tells of all `count` that are inspected."""
    return lambda share, text: told((done + share) / count, f"{name}: {text}")


def answering(start: Start, command: str, response: str) -> Start:
    """Return a start that knows how far the channel `response` lags behind the channel `command`, which it answers.

    Raises UsageError if there is no such signal, or the one is no response to the other.
    """
    named = {one.recording.name: name for name, one in start.found.items()}
    if command not in named:
        raise UsageError(f"command = {command}, allowed {', '.join(named)}")
    sent, answer = (read_samples(start.path, column=one, how=start.how) for one in (command, response))
    lag = measure_lag(sent, answer)
    said = f"{response} lags {1e3 * lag.lag:.4g} ms behind it: latency.offset = {lag.offset!r} makes up for that."
    return replace(start, answers={named[command]: f"{said} {lag.following(response)}".rstrip()})


def _assumptions(
    start: Start, macro_step: float | None, steps: int | Seconds | None, jitter: int | Seconds
) -> Iterator[str]:
    if macro_step is None:
        yield f"macro step {start.macro_step:g} s, by the samples of the recording"
    yield from rounding_of(STEPS if steps is None else steps, jitter, start.macro_step)
    if steps is None:
        yield f"latency {STEPS * start.macro_step:g} s, {STEPS} macro steps"
    yield from dict.fromkeys(one.recording.assumed for one in start.found.values() if one.recording.assumed)
    if any(one.recording.value.size == LONGEST for one in start.found.values()):
        yield f"the first {LONGEST * start.macro_step:g} s tell enough"
    if start.left_out:
        yield f"left out: {'; '.join(start.left_out.values())}"


def _step(channels: Sequence[Channel], latency: int | Seconds | None, origin: str) -> float:
    """Return the finest step that was recorded [s], or a multiple as `step_for` returns it."""
    times = [one.time[np.isfinite(one.time) & np.isfinite(one.value)] for one in channels]
    steps = [step for one in times if one.size > 1 and (step := usual_step(one)) > 0.0]
    if not steps:
        raise UsageError(f"{origin}: times must increase, over at least two samples of a channel.")
    return step_for(min(steps), latency)


def step_for(finest: float, latency: int | Seconds | None) -> float:
    """Return a `finest` step [s], or 1, 2, 5, 10 .. times it, so that a `latency` that is a time takes few of them."""
    if not isinstance(latency, Seconds) or not 0.0 < latency < np.inf:
        return finest
    # 1, 2, 5, 10 ..: steps that people write
    factors = (m * 10**n for n in range(12) for m in (1, 2, 5))
    # ten macro steps at most: beyond, algorithms foresee little
    fits = (finest * m for m in factors if latency_in_steps(latency / (finest * m)) <= _MOST_STEPS)
    return float(f"{next(fits, finest):.9g}")


def read_for(
    latency: int | Seconds | None, source: Source | Recording, *, column: str | None, how: Reading,
    macro_step: float | None,
) -> Recording:  # fmt: skip
    """Return a signal of `source` on macro steps of which a `latency` that is a time takes few, unless one is given.

    The `macro_step` is ΔT [s], everything else as `read_recording` takes it. Raises UsageError as that.
    """
    found = read_recording(source, column=column, how=how, macro_step=macro_step)
    step = found.macro_step if macro_step else step_for(found.macro_step, latency)
    return found if step == found.macro_step else read_recording(source, column=column, how=how, macro_step=step)


def _recordings(channels: Sequence[Channel], step: float, origin: str) -> tuple[dict[str, Recording], dict[str, str]]:
    """Return the channels on the grid of the macro steps by the name of their signal, and why others are not."""
    found: dict[str, Recording] = {}
    left_out: dict[str, str] = {}
    for one in channels:
        try:
            made = resample(one.time, one.value, step, name=one.name, origin=f"{origin}, {one.name}")
        except UsageError as error:
            left_out[one.name] = str(error)
            continue
        name = _unique(name_of_signal(one.name, one.unit), found)
        found[name] = replace(made, value=made.value[:LONGEST], unit=one.unit)
    if not found:
        raise UsageError(next(iter(left_out.values())))
    return found, left_out


def _unique(name: str, taken: Iterable[str]) -> str:
    """Return a name that is not `taken`."""
    # files of Windows: names that differ in case are one
    known = {one.lower() for one in taken}
    numbered = (name if n == 1 else f"{name}_{n}" for n in range(1, len(known) + 2))
    return next(one for one in numbered if one.lower() not in known)


def written_unit(text: str) -> str:
    """Return a unit as settings files write it, for one as tools write it: N·m, Nm, °C; ``1`` where it is not known."""
    return known_symbol(text) or "1"


def _relative(path: Path, folder: Path) -> str:
    """Return the way from a folder to a file, whole where there is none, as from one drive to another."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return path.resolve().as_posix()
