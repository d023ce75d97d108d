"""Gather all sections and write the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from couplant.report.html import write_html
from couplant.report.page import scripts
from examples.published import correction, early, frequency, oscillator, quarter_car, vehicle
from examples.published.section import COUNTED, VERDICTS, Section

MISPRINTS = (
    (
        "D (3-36)",
        "The recursion of the sliding-mode observer misplaces an index. Right: ŷ_n = ŷ_{n-1} + y_{n-k} - y_{n-k-1} - "
        "λΔT (ŷ_{n-k} - y_{n-k}). It gives tables 3.2 and 4.2; the transfer function (0-5), another observer, which "
        "acts one step later, gives table 4.1.",
    ),
    (
        "D, E, metric M",
        "√(Σy²/Σŷ² - 1) is printed, which is not real where the estimate is too large, as FOH's and SMB's in table 3.3 "
        "are said to be. Sprague and Geers divide the other way round and take 1 from the root: M = |√(Σŷ²/Σy²) - 1|.",
    ),
    ("D, table 4.1, SMB", "At k = 1 with λ = 0.70 λ̄, all other columns with 0.85 λ̄ as the text says."),
    (
        "D, table 4.1, EROS4",
        "At k = 6 the limit of the gain skips a dip that is only just deep enough.",
    ),
    ("D (4-30) to (4-33)", "The cost does not have the published optima, see Optimal design."),
    (
        "D, table 4.3",
        "m = 7: the figure for x1 is more than the sum of all three; a tenth of it adds up.",
    ),
    ("D (5-11), table 5.1", "ω is missing, and Hz are taken for rad/s, see Extrapolation tolerance."),
    (
        "E, figure 9",
        "What is given as the largest gain of EROS is a local maximum; the largest lies further up.",
    ),
    ("A, remark on v", "v = 1/(2r) is printed; the weights (20) fit v = r/2, as in D (4-33), and no other."),
    ("A, on leaky ReLU", "n neurons switch between 2^n sets of weights, not n²; for the two used both are four."),
    (
        "S (20) with (8b)",
        "Both sides have the same force, so that the energy created has the wrong sign, -6.35 J in table 3. Right: the "
        "force on one side is minus that on the other.",
    ),
    (
        "R (8), (9) with (18)",
        "The sum over both sides is twice the power, for the same reason; of the motion the velocity counts alone.",
    ),
    (
        "R (9) to (13)",
        "The force is the one before correction; with the one given out 1.206 of the energy are left, not 0.992.",
    ),
)
"""Where the printed formulas or cells do not hold, and what is used instead."""

OPEN = (
    (
        "D, section 6.2; E, section 3",
        "No parameter of engine, vehicle and driver, no profile, no level of the disturbance: orders, signs and "
        "changes relative to ZOH are compared. When the torque peaks follows from the driver; why the detector of "
        "discontinuities fired often cannot be told.",
    ),
    ("A, figures 9 to 12", "The training set and the learnt weights of the network with leaky ReLU are not published."),
    ("S, tables 9 to 12", "Predictor and corrector: it is not said what the first prediction is made from."),
    ("S, section IV.3", "58.5 ms as the longest stable step was found by eye; by spectral radius it is 53.20 ms."),
    ("S, tables 5 to 8", "Many cells have one digit only: ours differ by up to 12 % and round to it."),
    ("R, tables 1 to 5", "They are pictures: parameters are those of an author's repository, or guessed."),
    ("R, figure 10", "With the repository's damping the energy grows without correction; shown is one that falls."),
    (
        "R, section 4.3",
        "Coupled pendula: two rods of 2 m, 10.5 m apart and turned inwards, would fit 8.756 m, but so would others; "
        "masses and stiffness are not known. The prototype pendulum has the equations.",
    ),
    ("R, figures 27 to 29", "Root springs with ν = 0.25: the energy is 7 % too high, and the phase is lost."),
    ("R, figure 35", "The correction said to improve the crane does so with the opposite sign only, else it harms."),
)
"""What cannot be recomputed from what is printed, and why."""


Told = Callable[[float, str], None]
"""What hears the share that is done, 0 to 1, and what is computed next."""


def parts(examples: Path, quick: bool = False) -> list[tuple[str, Callable[[], Sequence[Section]]]]:
    """Return the steps of the page: words, and what computes one or more sections; `quick` as for `sections`."""
    steps = [
        ("limit frequencies", lambda: [frequency.limits(), frequency.bode()]),
        ("oscillator", lambda: oscillator.linear(examples)),
        ("oscillator with a stop", lambda: [oscillator.stop(examples)]),
        ("stability", lambda: oscillator.loop(examples)),
        ("optimal designs", lambda: oscillator.optimal(examples)),
        ("shaft torque, tolerances", lambda: [frequency.torque(examples), frequency.quality()]),
        ("hybrid vehicle", lambda: vehicle.vehicle(examples)),
        ("masses of 2019", lambda: [early.early(examples)]),
        ("steps by residual energy", lambda: [quarter_car.step_control(examples)]),
        ("steps by a predictor", lambda: [quarter_car.predictor(examples), quarter_car.step_limits()]),
        ("correction of energies", lambda: [correction.single_rate(), correction.exact_sides(examples)]),
        ("crane", lambda: [correction.crane(examples)]),
    ]
    return [one for one in steps if not quick or one[0] in _QUICK]


_QUICK = ("limit frequencies", "oscillator", "stability", "shaft torque, tolerances")


def sections(examples: Path, quick: bool = False, told: Told = lambda share, text: None) -> list[Section]:
    """Return all sections, computed; the scenarios of the folder `examples` are simulated.

    If `quick`, without the oscillator with a stop, the optimal designs, the hybrid vehicle, the masses of 2019 and all
    about energies. `told` hears the share that is done, 0 to 1, and what comes next.

    Raises
    ------
    CouplantError
        If an example is missing or does not run.
    """
    found: list[Section] = []
    steps = parts(examples, quick)
    for done, (text, compute) in enumerate(steps):
        told(done / len(steps), text)
        found += compute()
    told(1.0, "done")
    return found


def headline(found: Sequence[Section]) -> str:
    """Return how many rows have each verdict, in words."""
    verdicts = [row.verdict for section in found for row in section.rows]
    counts = ", ".join(f"{verdicts.count(one)} {words}" for one, words in COUNTED.items())
    return f"{len(verdicts)} published rows: {counts}"


def write_paper(found: Sequence[Section], path: Path) -> Path:
    """Write the page of what `sections` returned; it needs no other file.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    return write_html(
        path,
        Path(__file__).with_name("paper.html.j2"),
        kind="published tables and figures",
        title="Published and recomputed",
        headline=headline(found),
        sections=found,
        verdicts=VERDICTS,
        misprints=MISPRINTS,
        open=OPEN,
        **scripts([chart for section in found for chart in section.charts]),
    )
