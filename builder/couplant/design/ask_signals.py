"""Questions of notebooks and commands to recordings: an algorithm learnt, a model identified, the energy of a bond.

>>> import couplant
>>> couplant.learn(["monday.csv", "tuesday.csv"], steps=3).algorithm.a               # doctest: +SKIP
>>> couplant.identify("loop.csv", inputs=["u"], outputs=["w"], steps=3).settings()    # doctest: +SKIP
>>> couplant.energy("run.csv", bond="f:x1").share                                     # doctest: +SKIP
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from couplant.analysis.algorithms import check_timing, generic
from couplant.analysis.signal.balance import Balance, Passage
from couplant.analysis.signal.energy import Convention, balance, passage
from couplant.analysis.signal.pieces import pieces
from couplant.analysis.signal.recording import span_with_news, split
from couplant.analysis.system import System
from couplant.analysis.system_file import read_system
from couplant.base.errors import UsageError
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.style import number
from couplant.config.frame.read import Content
from couplant.config.frame.read import Source as SettingsSource
from couplant.config.interface import MAX_STEPS, METHODS, STARTS, USUAL_TIMING, WEIGHTINGS
from couplant.config.network import Seconds, steps_in
from couplant.design.from_recording import energy_table
from couplant.design.identify import Identification, check_wanted
from couplant.design.identify import identify as choose_model
from couplant.design.identify import learn as learn_models
from couplant.design.neural.adam import Adam
from couplant.design.neural.offline import Lesson
from couplant.design.neural.offline import learn as learn_weights
from couplant.design.start import read_for
from couplant.tables import PLAIN, Reading, Recording, read_recording, read_together
from couplant.tables.bonds import BondColumns, BondRecording, read_bond
from couplant.tables.channels import Source

if TYPE_CHECKING:
    import pandas

Sources = Source | Recording | Sequence[Source | Recording]
_USUAL_STEPS = 3


def learn(
    recordings: Sources,
    *,
    steps: int | Seconds,
    judge: Sources | None = None,
    timing: str = USUAL_TIMING,
    macro_step: float | None = None,
    column: str | None = None,
    how: Reading = PLAIN,
    network: str | None = None,
    method: str = "least_squares",
    errors: str = "absolute",
    rate: float = 0.005,
    epochs: int = 30,
    batch: int = 128,
    peak: float | None = None,
    system: SettingsSource | System | None = None,
    protection: Content | None = None,
    check: Callable[[Recording], None] = lambda one: None,
) -> Lesson:
    """Learn a coupling algorithm from recordings and judge it on others.

    Parameters
    ----------
    recordings : str, Path, mapping, DataFrame, Channels, Recording or sequence of them
        To learn from.
    steps : int
        Latency, 0 to 64 [macro steps].
    judge : like recordings, optional
        To judge on, by default the last two fifths of each, and the rest is learnt from.
    timing : {"step", "event"}
        When estimates take effect.
    macro_step : float, optional
        ΔT, by default the median step of the first recording [s].
    column : str, optional
        Channel of the signal, by default the first.
    how : Reading
        What files do not tell themselves.
    network : {"zoh", "foh", "eros3", "eros4", "linear"}, optional
        Train a neural network that starts so; by default linear weights.
    method : {"least_squares", "adam"}
        How a network is trained; `errors` ("absolute", "relative"), `rate`, `epochs`, `batch` are settings of Adam.
    peak : float, optional
        Largest gain of linear weights, at least 1 [-].
    system : str, Path, mapping or System, optional
        The plant whose loop has to bear the weights.
    protection : mapping, optional
        Tables of the signal that gets the weights: with them they are judged.
    check : callable, optional
        Told each recording, to refuse it.

    Returns
    -------
    Lesson
        The algorithm, its settings, and the errors of all algorithms by recording [signal unit].

    Raises
    ------
    UsageError
        If a recording cannot be read or is too short, or an argument is out of range.
    """
    check_timing(timing)
    _check_lesson(network, method, errors, peak)
    adam = Adam(rate, epochs, batch, errors == "relative") if method == "adam" else None
    plant = system if isinstance(system, System) or system is None else read_system(system)
    named, other = _several(recordings), _several(judge) if judge is not None else []
    used, others, k = _read(named, other, steps, {"column": column, "how": how}, macro_step)
    for one in (*used, *others):
        check(one)
    if others:
        names = [_name(source, one) for source, one in zip(other, others, strict=True)]
        judged = [(name, one, span_with_news(one, k, timing)) for name, one in zip(names, others, strict=True)]
    else:
        halves = [split(one) for one in used]
        names = [_name(source, one) for source, one in zip(named, used, strict=True)]
        judged = [(name, one, span) for name, one, (_, span) in zip(names, used, halves, strict=True)]
        used = [train for train, _ in halves]
    return learn_weights(used, judged, k, timing, network, adam, peak, plant, protection)


def _check_lesson(network: str | None, method: str, errors: str, peak: float | None) -> None:
    if network not in (None, *STARTS):
        raise UsageError(f"network = {network}, allowed {', '.join(STARTS)}")
    for name, value, allowed in (("method", method, METHODS), ("errors", errors, WEIGHTINGS)):
        if value not in allowed:
            raise UsageError(f"{name} = {value}, allowed {', '.join(allowed)}")
    if method == "adam" and network is None:
        raise UsageError("network is missing: method = adam trains one")
    if peak is not None and not peak >= 1.0:
        raise UsageError(f"peak = {peak}, allowed at least 1")


def _several(sources: Sources) -> list[Any]:
    found: list[Any] = list(sources) if isinstance(sources, (list, tuple)) else [sources]
    if not found:
        raise UsageError("recordings are missing: at least one")
    return found


def _name(source: Source | Recording, one: Recording) -> str:
    return Path(source).name if isinstance(source, (str, Path)) else one.name


def _read(
    named: Sequence[Source | Recording], others: Sequence[Source | Recording], late: int | Seconds,
    given: Mapping[str, Any], macro_step: float | None,
) -> tuple[list[Recording], list[Recording], int]:  # fmt: skip
    """Return the recordings to learn from and to judge on, with one macro step, and the latency [macro steps]."""
    first = read_for(late, named[0], macro_step=macro_step, **given)
    k = steps_in(late, first.macro_step)
    if not 0 <= k <= MAX_STEPS:
        raise UsageError(f"steps = {k}, allowed 0 to {MAX_STEPS}")
    step = first.macro_step if isinstance(late, Seconds) else macro_step
    used = [first, *(read_recording(one, macro_step=step, **given) for one in named[1:])]
    return used, [read_recording(one, macro_step=step, **given) for one in others], k


def identify(
    recordings: Source | Sequence[Source],
    *,
    inputs: Sequence[str],
    outputs: Sequence[str],
    steps: int | Seconds = _USUAL_STEPS,
    states: Sequence[int] = (),
    macro_step: float | None = None,
    how: Reading = PLAIN,
    progress: Callable[[float], None] | None = None,
) -> Identification:
    """Identify the model of a prototype from recordings of what goes to it and what it sends.

    Parameters
    ----------
    recordings : str, Path, mapping, DataFrame, Channels or sequence of them
        With all the signals.
    inputs, outputs : sequence of str
        Channels of what goes to the prototype, and of what it sends; up to 4 each.
    steps : int
        Latency at which the model is judged [macro steps].
    states : sequence of int
        Numbers of states to try, 1 to 7; by default 1 to 4.
    macro_step : float, optional
        ΔT, by default the median step of the first recording [s].
    how : Reading
        What files do not tell themselves.
    progress : callable, optional
        Told the share that is done, 0 to 1.

    Returns
    -------
    Identification
        `chosen` of the `candidates`; `refused` tells why it must not be used, `settings()` is its table.

    Raises
    ------
    UsageError
        If a recording cannot be read, lacks a signal or is too short, or an argument is out of range.
    CouplantError
        If no model is found.
    """
    check_wanted(inputs, outputs, states, steps if isinstance(steps, int) else 1)
    values, step, said = read_together(_several(recordings), [*outputs, *inputs], how, macro_step)
    count = len(outputs)
    data = pieces([(one[:, :count], one[:, count:]) for one in values], step)
    found = choose_model(learn_models(data, inputs, outputs, states, progress), steps_in(steps, step))
    return replace(found, assumed=tuple(dict.fromkeys(line for line in said if line)))


@dataclass(frozen=True, eq=False, repr=False)
class Energy(Shows):
    """Energy that a recorded coupling transmits and creates."""

    recording: BondRecording
    convention: Convention
    steps: int  # latency k, for the budget and for what is estimated [macro steps]
    sent: Passage  # what is transmitted
    # with what was received: the balance; else, by algorithm, that of estimates in an open loop
    balance: Balance | None
    open_loop: Mapping[str, Balance]

    @property
    def share(self) -> float:
        """Return the largest share of the transmitted energy that is created, of all and of the last window [-]."""
        if self.balance is None:
            return 0.0
        one = self.balance
        judged = (one.whole,) if one.grade == "unknown" else (one.whole, one.last)
        return max(span.share or 0.0 for span in judged)

    @property
    def budget(self) -> float:
        """Return the budget to set at this latency [J]."""
        return self.sent.budget(self.steps)

    def rows(self) -> list[dict[str, Any]]:
        """Return the balance, or the balances of all algorithms in an open loop, by name."""
        if self.balance is not None:
            spans = {"all": self.balance.whole, "last window": self.balance.last, "largest": self.balance.largest}
            return [{"part": name, "grade": one.grade, **one.to_dict()} for name, one in spans.items()]
        found = self.open_loop.items()
        return [{"algorithm": name, "grade": one.whole.grade, **one.whole.to_dict()} for name, one in found]

    def to_dict(self) -> dict[str, Any]:
        """Return settings and figures for JSON [s, J]."""
        one = self.recording
        rows = {"rows": int(one.time.size), "gaps": one.gaps, "longest_gap": one.longest_gap}
        head = {**asdict(one.columns), **asdict(self.convention), **rows, "steps": self.steps}
        figures = {"open_loop": self.rows()} if self.balance is None else self.balance.to_dict()
        return head | {"macro_step": self.sent.macro_step, **figures, "budget": self.budget}

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a row for each part, or for each algorithm in an open loop [s, J]; needs pandas."""
        return data_frame(self.rows())

    def _summary(self) -> Summary:
        rows = self.rows()
        names = [next(iter(rows[0])), "grade", "transmitted", "created", "share"]
        title = f"Energy of {' and '.join(self.recording.columns.signals)}"
        texts = [[_text(row[name]) for name in names] for row in rows]
        return Summary(title, names, texts, [f"budget {self.budget:.4g} J"])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else number(value)


def energy(
    recording: Source,
    *,
    effort: str | None = None,
    flow: str | None = None,
    effort_received: str | None = None,
    flow_received: str | None = None,
    bond: str | None = None,
    flow_is: str = "displacement",
    sign: int = 1,
    steps: int | Seconds | None = None,
    macro_step: float | None = None,
    timing: str = "event",
    host: str = "reads_again",
    how: Reading = PLAIN,
) -> Energy:
    """Follow the energy of a recorded coupling: what it transmits and creates, when, by which signal.

    Parameters
    ----------
    recording : str, Path, mapping, DataFrame or Channels
        With effort and flow over time.
    effort, flow, effort_received, flow_received : str, optional
        Channels as sent, and as the other end received them.
    bond : str, optional
        ``EFFORT:FLOW``: all four in a file of `simulate`, in place of single channels.
    flow_is : {"displacement", "velocity"}
        What the flow is.
    sign : {1, -1}
        1: effort times flow is power into the receiver of the effort, -1: out of it.
    steps : int, optional
        Latency, by default that of the recording, else 3 [macro steps].
    macro_step : float, optional
        ΔT, by default that of the rows [s].
    timing : {"event", "step"}
        Whether what was received runs as a line from row to row, or is held.
    host : str
        The importer: reads_again, jacobi or sequential.
    how : Reading
        What a file does not tell itself.

    Returns
    -------
    Energy
        `balance` with what was received, else `open_loop` by algorithm; `budget` [J], `share` [-].

    Raises
    ------
    UsageError
        If the recording cannot be read, lacks a channel or is too short, or an argument is out of range.
    """
    convention = Convention(flow_is, sign, timing, host)
    columns = bond_columns(bond, (effort, flow, effort_received, flow_received))
    signals = read_bond(recording, columns, how)
    sent = passage(signals, convention, macro_step)
    k = (signals.k or _USUAL_STEPS) if steps is None else steps_in(steps, sent.macro_step)
    generic("zoh", k)
    if signals.received is not None:
        return Energy(signals, convention, k, sent, balance(signals, convention, macro_step), {})
    return Energy(signals, convention, k, sent, None, energy_table(signals, convention, k, macro_step))


def bond_columns(bond: str | None, names: Sequence[str | None]) -> BondColumns:
    """Return the columns of a `bond`, or of effort and flow, sent and received, by their `names`.

    Raises UsageError if both are given, or one is missing.
    """
    effort, flow, *received = names
    if bond is not None:
        if any(names):
            raise UsageError(f"bond = {bond} and names of single columns are given, allowed one of the two")
        return BondColumns.of_run(bond)
    if not (effort and flow):
        missing = "flow" if effort else "effort"
        raise UsageError(f"{missing} is missing: the column of the {missing}")
    return BondColumns(effort, flow, *received)
