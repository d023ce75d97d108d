"""Questions of notebooks, `couplant inspect` and `couplant design` to a recording: which algorithm fits, and a design.

>>> import couplant
>>> couplant.inspect("recording.csv", steps=3).recommended               # doctest: +SKIP
>>> couplant.design("recording.csv", steps=[3])[3].design.algorithm.a    # doctest: +SKIP
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from couplant.analysis.algorithms import check_timing, generic
from couplant.analysis.signal.way import Way
from couplant.analysis.system import System
from couplant.analysis.system_file import read_system
from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.base.filenames import name_of_signal
from couplant.config.frame.read import Source as SettingsSource
from couplant.config.interface import USUAL_TIMING, Interface
from couplant.config.network import Seconds, jitter_in, network_of, steps_in
from couplant.design.inspection import Inspection, Told, inspect_recording
from couplant.design.request import Answers, Request, answer
from couplant.design.start import read_for
from couplant.design.task import DesignTask
from couplant.pack.trial import channels_beside
from couplant.tables import PLAIN, Reading, Recording, read, read_recording
from couplant.tables.channels import Source

_SETTINGS = tuple(one.name for one in fields(DesignTask) if one.name not in ("macro_step", "k", "band", "timing"))


def inspect(
    recording: Source | Recording,
    *,
    steps: int | Seconds = 3,
    macro_step: float | None = None,
    column: str | None = None,
    how: Reading = PLAIN,
    timing: str = USUAL_TIMING,
    judge: Source | Recording | None = None,
    network: bool = False,
    configured: tuple[Interface, str] | None = None,
    micro_step: float | None = None,
    jitter: int | Seconds = 0,
    loss: float = 0.0,
    seed: int = 1,
    told: Told = lambda share, text: None,
) -> Inspection:
    """Inspect a recording of a signal for its coupling, and recommend an algorithm.

    Parameters
    ----------
    recording : str, Path, mapping, DataFrame, Channels or Recording
        A file or what is in memory; see `couplant.read`.
    steps : int
        Latency, 0 to 64 [macro steps].
    macro_step : float, optional
        ΔT, by default the median step of the recording [s].
    column : str, optional
        Channel of the signal, by default the first.
    how : Reading
        What a file does not tell itself.
    timing : {"step", "event"}
        When estimates take effect.
    judge : str, Path, mapping, DataFrame, Channels or Recording, optional
        Another recording to judge by; by default the last two fifths of the first, and the design is made of the rest.
    network : bool
        Judge the algorithm `network` too, which learns as it runs.
    configured : (Interface, str), optional
        Settings and the name of a signal in them, whose algorithm is judged too.
    micro_step : float, optional
        Communication step of the tool, by default a tenth of the macro step in step timing [s].
    jitter : int
        Largest extra latency, which varies from value to value [macro steps].
    loss : float
        Share of the values that are lost [-].
    seed : int
        Of both.
    told : callable, optional
        Hears the share that is done, 0 to 1, and what is being done.

    Returns
    -------
    Inspection
        Spectrum, bands [rad/s], jumps, errors of the algorithms [signal unit], a recommendation with its settings.

    Raises
    ------
    UsageError
        If the recording cannot be read or is too short, or an argument is out of range.
    """
    check_timing(timing)
    if not isinstance(steps, Seconds):
        generic("zoh", steps)
    found = read_for(steps, recording, column=column, how=how, macro_step=macro_step)
    k, more = steps_in(steps, found.macro_step), jitter_in(jitter, steps, found.macro_step)
    passed = network_of({"latency_steps": k, "jitter_steps": more, "loss": loss, "seed": seed})
    way = Way(passed, name_of_signal(found.name, found.unit))
    other = _judging(judge, found, column, how)
    beside = _beside(recording if judge is None else judge, other[1] if other else found, configured, how)
    return inspect_recording(
        found, k, timing, judge=other, network=network, configured=configured, beside=beside,
        micro_step=micro_step, way=way, told=told,
    )  # fmt: skip


def _beside(
    source: Source | Recording, found: Recording, configured: tuple[Interface, str] | None, how: Reading
) -> dict[str, Vector]:
    """Return the channels that settings need besides the one `found`, on its macro steps, of those that there are."""
    if configured is None or isinstance(source, Recording):
        return {}
    file, needed = read(source, how), channels_beside(*configured)
    known = [name for name in needed if name in tuple(file)]
    values = [read_recording(file, column=name, how=how, macro_step=found.macro_step).value for name in known]
    return {name: one for name, one in zip(known, values, strict=True) if one.size == found.value.size}


def _judging(
    judge: Source | Recording | None, used: Recording | None, column: str | None, how: Reading
) -> tuple[str, Recording] | None:
    """Return the recording that judges what is made of the one `used`, with its name; None without one."""
    if judge is None:
        return None
    if used is None:
        raise UsageError("recording is missing: what judges is allowed beside one only")
    found = read_recording(judge, column=column, how=how, macro_step=used.macro_step)
    return (Path(judge).name if isinstance(judge, (str, Path)) else found.name), found


def design(
    recording: Source | Recording | None = None,
    *,
    steps: Sequence[int] | int | None = None,
    macro_step: float | None = None,
    band: tuple[float, float] | None = None,
    system: SettingsSource | System | None = None,
    timing: str | None = None,
    column: str | None = None,
    how: Reading = PLAIN,
    judge: Source | Recording | None = None,
    **settings: Any,
) -> Answers:
    """Design optimal linear algorithms for a recording, a band or a plant, one for each latency.

    Parameters
    ----------
    recording : str, Path, mapping, DataFrame, Channels or Recording, optional
        A file or what is in memory; see `couplant.read`.
    steps : sequence of int or int, optional
        Latencies, 0 to 64; by default the longest one of the system [macro steps].
    macro_step : float, optional
        ΔT, by default that of system or recording [s].
    band : (float, float), optional
        Band of the useful signal; needed without a recording [rad/s].
    system : str, Path, mapping or System, optional
        The plant; see `couplant.stability`.
    timing : {"event", "step"}, optional
        When estimates take effect, by default as the system says, else step.
    column : str, optional
        Channel of the signal, by default the first.
    how : Reading
        What a file does not tell itself.
    judge : str, Path, mapping, DataFrame, Channels or Recording, optional
        Another recording to judge by; by default the last two fifths of the first, and designs are made of the rest.
    **settings
        Of `couplant.design.DesignTask`: m, degree, peak, slope, gain_band, gain_limit, lead, noise.

    Returns
    -------
    Answers
        By latency [macro steps] the design, its errors on the recording and its robustness for the plant.

    Raises
    ------
    UsageError
        If something is missing or out of range.
    """
    one = [steps] if isinstance(steps, int) else steps
    return answer(request_for(recording, one, macro_step, band, system, timing, column, how, settings, judge))


def request_for(
    recording: Source | Recording | None, steps: Sequence[int | Seconds] | None, macro_step: float | None,
    band: tuple[float, float] | None, system: SettingsSource | System | None, timing: str | None,
    column: str | None, how: Reading, settings: dict[str, Any], judge: Source | Recording | None = None,
) -> Request:  # fmt: skip
    """Return a complete request, with all that follows from the rest; the arguments are those of `design`.

    `steps` are numbers of macro steps or times, `macro_step` [s], `band` [rad/s], `settings` of a `DesignTask`.

    Raises
    ------
    UsageError
        If something is missing, unknown or out of range.
    """
    unknown = next((name for name in settings if name not in _SETTINGS), None)
    if unknown is not None:
        raise UsageError(f"{unknown} is no setting of a design: allowed are {', '.join(_SETTINGS)}")
    plant = system if isinstance(system, System) or system is None else read_system(system)
    if plant is not None and macro_step is not None:
        plant = replace(plant, macro_step=macro_step)
    step = macro_step or (plant.macro_step if plant else None)
    longest = max(steps or (), default=None)
    found = None if recording is None else read_for(longest, recording, column=column, how=how, macro_step=step)
    step = step or (found.macro_step if found else None)
    if step is None:
        raise UsageError("macro_step is missing: give it, a recording or a system")
    if not steps:
        if plant is None:
            raise UsageError("steps are missing: the latency in macro steps")
        steps = [max(c.algorithm.k for c in plant.connections)]
    whole = [*dict.fromkeys(steps_in(k, step) for k in steps)]
    other, timing = _judging(judge, found, column, how), timing or (plant.timing if plant else USUAL_TIMING)
    return Request(step, whole, timing, band, found, plant, settings, other)
