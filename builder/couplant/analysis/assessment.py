"""Everything that is known of the stability of one coupled system: scatter, latencies, margins."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from couplant.analysis.model_map import senders_of
from couplant.analysis.open_loop import Margins, margins
from couplant.analysis.stability import LatencyRange, Stability, latency_ranges, stability, stable_share
from couplant.analysis.system import System
from couplant.analysis.system_file import read_system
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.base.style import plain, radius
from couplant.config.frame.read import Source

if TYPE_CHECKING:
    import pandas

_MARGINS = {
    "rise": "gain up to",
    "fall": "down to",
    "phase": "phase / deg",
    "delay": "delay / s",
    "distance": "distance",
}


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Shows):
    """Assessment of the stability of a coupled system, with all that is known of it.

    Attributes
    ----------
    system : System
        The system.
    dominating : Stability
        What its dominating mode does.
    share : float or None
        Share of stable plants among scattered ones, 0 to 1; None where none was tried.
    ranges : list of LatencyRange
        Up to which latency each algorithm keeps it stable.
    """

    system: System
    dominating: Stability
    share: float | None
    ranges: list[LatencyRange]

    @property
    def stable(self) -> bool:
        """True if every mode dies out."""
        return self.dominating.stable

    @cached_property
    def margins(self) -> dict[str, Margins]:
        """Margins of gain, phase and delay of the loop cut at an input, by ``prototype.signal``."""
        return {c.target: margins(self.system, c.target) for c in self.system.connections}

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON, without margins."""
        return {
            "timing": self.system.timing,
            "macro_step": self.system.macro_step,
            "stable": self.stable,
            "radius": self.dominating.radius,
            "frequency": self.dominating.frequency,
            "growth_rate": self.dominating.growth_rate,
            "stable_share": self.share,
            "largest_stable_steps": {r.algorithm: r.largest for r in self.ranges},
            "instability_frequency": {r.algorithm: r.frequency for r in self.ranges},
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return the margins, a row for each input at which the loop is cut (docs/system.md); needs pandas."""
        cuts = {} if senders_of(self.system) else self.margins
        return data_frame([{"cut": cut} | {key: getattr(m, key).value for key in _MARGINS} for cut, m in cuts.items()])

    def _summary(self) -> Summary:
        """Return verdict and margins, as it is shown."""
        found = self.dominating
        verdict = "stable" if self.stable else "unstable"
        title = f"{verdict}: spectral radius {radius(found.radius, 9)}, mode at {found.frequency:.4g} rad/s"
        cuts = {} if senders_of(self.system) else self.margins
        rows = [[cut, *(plain(getattr(one, key).value) for key in _MARGINS)] for cut, one in cuts.items()]
        most = ", ".join(f"{r.algorithm} {'none' if r.largest is None else r.largest}" for r in self.ranges)
        notes = [f"Largest latency in macro steps with all smaller ones stable: {most}."]
        if self.share is not None:
            notes.append(f"{100 * self.share:.0f} % of the scattered plants are stable.")
        return Summary(title, ("margins, cut at", *_MARGINS.values()), rows, notes)


def assess(
    system: Source | System, *, plants: int = 100, spread: float = 0.05, seed: int = 0, assignments: Sequence[str] = ()
) -> Assessment:
    """Tell whether a coupled system is stable, with what margins, and up to which latency with each algorithm.

    Parameters
    ----------
    system : str, Path, mapping or System
        Its file (docs/system.md), or what that would contain, or what `read_system` returns.
    plants : int
        Number of plants with scattered parameters; 0: none.
    spread : float
        Relative scatter of the parameters, evenly spread to both sides [-].
    seed : int
        Of the scatter.
    assignments : sequence of str
        Changes of the file in the form ``key=TOML value``, for instance ``latency_steps=4``.

    Returns
    -------
    Assessment
        Spectral radius, modes [rad/s], shares [-], latencies [macro steps]; margins are worked out when asked for.

    Raises
    ------
    UsageError
        If the file is wrong.
    CouplantError
        If the system has an algebraic loop without a unique solution.
    """
    one = system if isinstance(system, System) else read_system(system, assignments)
    share = stable_share(one, plants, spread, seed) if plants > 0 else None
    return Assessment(one, stability(one), share, latency_ranges(one))
