"""What tuning a bench comes to: every loop of tests/loops.toml on a clock that waits, and a picture of one of them.

python benchmarks/tune.py [LOOP ..] [--hand] [--unknown] [--picture FILE]
python benchmarks/tune.py --scenarios
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

from couplant.base.style import WIRE
from couplant.bench.session import solve_reference
from couplant.sweep.for_bench import known_loop, proposals
from tests.bench.tune.benches import HAND, courses_by_hand, errors_of, rms_of, tuned, windows_of, write_bench
from tests.bench.tune.scenarios import FRAMES, VEHICLES, measured_scenario
from tests.sweep.loops import LOOPS


def measure(
    name: str, folder: Path, hand: bool, known: bool
) -> tuple[np.ndarray, object, dict[str, dict[str, np.ndarray]], float]:
    """Return the errors of a tuned bench in windows, the run, and the courses of hand settings, or of the wire only.

    Where its sides are not `known` they are identified; by hand there are then models of the true ones too. Last is the
    macro step [s].
    """
    loaded, run, _ = tuned(write_bench(name, folder), folder / "tuned", known=known)
    h, settings = loaded.scenario.macro_step, [(one, one, {}) for one in HAND if hand or one == WIRE]
    if hand:
        settings += [(one.name, one.algorithm, one.models) for one in run.candidates.values() if one.models]
    if hand and not known:
        true, _ = proposals(loaded, known_loop(loaded), {"latency_steps": 3})
        settings += [(f"true {one.name}", one.algorithm, one.models) for one in true if one.models]
    ours = windows_of(errors_of(loaded, solve_reference(loaded), run.records), h)
    return ours, run, courses_by_hand(loaded, settings, folder / "hand"), h


def worse_than(theirs: np.ndarray, ours: np.ndarray) -> str:
    """Return in how many windows our errors are larger than theirs, and how many times at most."""
    ratio = ours / theirs
    return f"{np.sum(ratio > 1.0001)} of {len(ours)}, {max(ratio.max(), 1.0):.3g}"


def show_scenarios() -> None:
    """Print a row for each scenario that is no bench."""
    for name, one in (VEHICLES | FRAMES).items():
        with tempfile.TemporaryDirectory() as folder:
            found, errors, wire, ours = measured_scenario(one, Path(folder))
        over = errors[found] / np.nanmin([*errors.values()])
        worse = worse_than(np.tile(wire, len(ours)), np.concatenate(ours))
        print(f"{name} | {found} | {over:.3f} | {worse}", flush=True)


def draw(name: str, ours: np.ndarray, theirs: np.ndarray, run: object, path: Path) -> None:
    """Draw the errors in windows of one second, with the times at which candidates were given and taken back."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    axes = figure.subplots()
    time = np.arange(len(ours)) + 0.5
    axes.semilogy(time, theirs, color="#888888", label="plain wire, same bench")
    axes.semilogy(time, ours, color="#0b5fa5", linewidth=2.0, label="bench that is tuned")
    for trial in run.leader.trials:
        axes.axvline(trial.given, color="#0b5fa5", linewidth=0.8, linestyle=":")
        if trial.verdict.startswith("taken back"):
            axes.plot([trial.ended], [axes.get_ylim()[1] * 0.7], "v", color="#b03020")
        elif trial.verdict.startswith("in force"):
            axes.annotate(trial.name, (trial.given + 0.4, theirs.max()), fontsize=8, color="#0b5fa5", va="top")
    axes.set(xlabel="time of the bench in s", ylabel="error / size, windows of 1 s", title=LOOPS[name]["title"])
    axes.legend(loc="center right", frameon=False)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Print a row for each loop."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("loops", nargs="*", default=[*LOOPS])
    reader.add_argument("--hand", action="store_true")
    reader.add_argument("--unknown", action="store_true")
    reader.add_argument("--picture", type=Path)
    reader.add_argument("--scenarios", action="store_true")
    asked = reader.parse_args()
    if asked.scenarios:
        show_scenarios()
        return
    for name in asked.loops:
        with tempfile.TemporaryDirectory() as folder:
            ours, run, courses, h = measure(name, Path(folder), asked.hand, not asked.unknown)
        theirs, hand = windows_of(courses[WIRE], h), {key: rms_of(one) for key, one in courses.items()}
        chosen = run.leader.names.get(run.leader.tuner.force, "")
        row = [name, chosen, f"{hand[chosen]:.3g}" if chosen in hand else "-"]
        row += [f"{key} {value:.3g}" for key, value in sorted(hand.items(), key=lambda one: one[1])[:2]]
        row += [f"worse {worse_than(theirs, ours)}"]
        if chosen in courses:
            row += [f"by hand from the start {worse_than(theirs, windows_of(courses[chosen], h))}"]
        back = sum(len(tuner.taken_back) for tuner in run.tuners)
        print(" | ".join([*row, f"{back} taken back"]), flush=True)
        if asked.picture:
            draw(name, ours, theirs, run, asked.picture)


if __name__ == "__main__":
    main()
