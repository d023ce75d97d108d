"""The probe and its partner: two FMUs that measure what an importer does, and what their recorded outputs say."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

from couplant.base.errors import CouplantError, UsageError
from couplant.pack.describe.model_sheet import read_sheet
from couplant.pack.models import build_model_fmu
from couplant.tables import Table, number_in, open_table

PROBE, PARTNER = "probe", "probe_partner"
WIRING = (
    ((PROBE, "signal"), (PARTNER, "in")),
    ((PARTNER, "plain"), (PROBE, "back")),
    ((PARTNER, "feedthrough"), (PROBE, "through")),
)
"""Connections, from output to input, each as (FMU, variable)."""

_RESULT, _COMPLETE = "result", "complete"
_LEADS = ("host_lead.receiver", "host_lead.sender", "host_lead.feedthrough")
_STEP_SIZE = "step.size"
_DIGITS = 6  # importers add up their time
_TRUE = ("true", "1", "1.0")


@dataclass(frozen=True)
class HostReport:
    """Findings of a probe about an importer; leads in macro steps."""

    host: str  # reads_again, jacobi or sequential
    receiver: float  # what the connection from a coupling FMU to its receiver adds
    sender: float  # what the connection from a sender to a coupling FMU adds
    feedthrough: float  # what is added where an output of the receiver depends directly on the signal
    step_size: float | None = None  # communication step, if it is known [s]

    @property
    def plain(self) -> float:
        """Return `latency.host_lead` of a signal that no output of its receiver depends on directly [macro steps]."""
        return self.receiver + self.sender

    @property
    def direct(self) -> float:
        """Return `latency.host_lead` of a signal that an output of its receiver depends on directly [macro steps]."""
        return self.plain + self.feedthrough

    @property
    def follows(self) -> bool:
        """True if all leads follow from the name of the host; else connections have delays of their own."""
        early = -self.feedthrough if self.host == "sequential" else 0.0
        return sorted((self.receiver, self.sender)) == [early, 0.0] and self.feedthrough <= 1.0


def build_probe(
    directory: Path, *, fmi: str = "2", platform: str = "host", sources: bool = False, macro_step: float | None = None
) -> list[Path]:
    """Build the probe and its partner into a folder and return the two files.

    `macro_step` is that of the coupling FMUs [s], by default the communication step of the importer; all else is as for
    `build_model_fmu`, with `sources` too. Raise `UsageError` if version or platform is unknown, `CouplantError` if a
    binary must be compiled and cannot be.
    """
    return [
        build_model_fmu(name, directory, fmi=fmi, platform=platform, sources=sources, macro_step=macro_step)
        for name in (PROBE, PARTNER)
    ]


def read_probe(path: Path) -> HostReport:
    """Return the findings in the last row of a CSV file with outputs of the probe.

    Columns are known by the end of their names, whatever stands before and between the words: `host_lead.receiver`,
    `model.probe.host_lead_receiver` and `host_lead.receiver [1 real output]` are the same. Raise `UsageError` if the
    file cannot be read or a column is missing, `CouplantError` if the probe had no result; the message says why and
    what to do.
    """
    table = open_table(path)
    rows = [cells for _, cells in table.rows()]
    if not rows:
        raise UsageError(f"{table.origin}: needs a row of headings and rows of numbers.")
    reason = _reason(table, rows[-1])
    if reason:
        raise CouplantError(f"{table.origin}: {reason}.")
    receiver, sender, feedthrough = (round(_number(table, rows[-1], name), _DIGITS) for name in _LEADS)
    early = receiver < 0.0 or sender < 0.0
    host = "reads_again" if feedthrough <= 0.0 else "sequential" if early else "jacobi"
    step_size = _number(table, rows[-1], _STEP_SIZE) if _places(table, _STEP_SIZE) else None
    return HostReport(host, receiver, sender, feedthrough, step_size)


def _reason(table: Table, row: list[str]) -> str:
    """Return why there is no result, or an empty text; `result` is a number or a word, whichever the tool writes."""
    enumeration = next(v.enum for v in read_sheet(PROBE).variables if v.name == _RESULT)
    assert enumeration is not None
    texts = {key: text for name, value, text in enumeration.items for key in (name, str(value))}
    if not _places(table, _RESULT):
        done = _cell(table, row, _COMPLETE).lower() in _TRUE
        return "" if done else f"{_COMPLETE} is false, {_RESULT} of the probe says why"
    cell = _cell(table, row, _RESULT)
    number = number_in(cell)
    key = cell if number is None else f"{number:g}"
    if key not in texts:
        raise UsageError(f'{table.origin}: {_RESULT} = "{cell[:40]}", allowed {", ".join(texts)}')
    return "" if texts[key] == texts[_COMPLETE] else texts[key]


def _number(table: Table, row: list[str], name: str) -> float:
    cell = _cell(table, row, name)
    number = number_in(cell)
    if number is None or not math.isfinite(number):
        raise UsageError(f'{table.origin}: {name} = "{cell[:40]}", allowed a number')
    return number


def _cell(table: Table, row: list[str], name: str) -> str:
    places = _places(table, name)
    if len(places) != 1:
        known = ", ".join(table.names)
        raise UsageError(f"{table.origin}: {len(places)} columns {name}, allowed 1; there are: {known}")
    return row[places[0]].strip()


def _places(table: Table, name: str) -> list[int]:
    return [i for i, column in enumerate(table.names) if f"_{_key(column)}".endswith(f"_{_key(name)}")]


def _key(name: str) -> str:
    """Return the words of a name; a bracket behind it, as for units and value references, does not count."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"\s*[\[({].*", "", name.strip().lower())).strip("_")
