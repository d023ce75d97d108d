"""What tuning a bench comes to: every loop of tests/loops.toml on a clock that waits, and a picture of one of them.

python benchmarks/tune.py [LOOP ..] [--hand] [--unknown] [--picture FILE]
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

from couplant.bench.session import solve_reference
from couplant.bench.tune.dry import run_plain
from couplant.cosim.fmu.load import FmuLibrary
from couplant.sweep.for_bench import known_loop, proposals
from tests.bench.tune.benches import HAND, errors_by_hand, errors_of, tuned, windows_of, write_bench
from tests.sweep.loops import LOOPS


def measure(
    name: str, folder: Path, hand: bool, known: bool
) -> tuple[np.ndarray, np.ndarray, object, dict[str, float]]:
    """Return the errors of a tuned bench and of the plain wire in windows, the run, and errors of hand settings.

    Where its sides are not `known` they are identified; by hand there are then models of the true ones too.
    """
    loaded, run, _ = tuned(write_bench(name, folder), folder / "tuned", known=known)
    reference, h = solve_reference(loaded), loaded.scenario.macro_step
    with FmuLibrary() as library:
        wire, _ = run_plain(loaded, "wire", library, folder / "wire")
    ours, theirs = (windows_of(errors_of(loaded, reference, records), h) for records in (run.records, wire))
    settings = [(one, one, {}) for one in HAND]
    settings += [(one.name, one.algorithm, one.models) for one in run.candidates.values() if one.models]
    if hand and not known:
        true, _ = proposals(loaded, known_loop(loaded), {"latency_steps": 3})
        settings += [(f"true {one.name}", one.algorithm, one.models) for one in true if one.models]
    return ours, theirs, run, errors_by_hand(loaded, settings, folder / "hand") if hand else {}


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
    asked = reader.parse_args()
    for name in asked.loops:
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs, run, hand = measure(name, Path(folder), asked.hand, not asked.unknown)
        chosen = run.leader.names.get(run.leader.tuner.force, "")
        row = [name, chosen, f"{hand[chosen]:.3g}" if chosen in hand else "-"]
        row += [f"{key} {value:.3g}" for key, value in sorted(hand.items(), key=lambda one: one[1])[:2]]
        worse = np.flatnonzero(ours > 1.0001 * theirs)
        ratio = (ours[worse] / theirs[worse]).max() if worse.size else 1.0
        back = sum(len(tuner.taken_back) for tuner in run.tuners)
        print(" | ".join([*row, f"{len(worse)} of {len(ours)}, {ratio:.3g}", f"{back} taken back"]), flush=True)
        if asked.picture:
            draw(name, ours, theirs, run, asked.picture)


if __name__ == "__main__":
    main()
