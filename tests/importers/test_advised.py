"""Loops as `couplant advise` writes them, in hosts of other makers: stable, better than the wire, and as promised.

Coupling FMUs are those that `couplant build` makes of the settings, stepped at `micro_step`. Before the first message
settings have 0, a scenario what its senders begin with; so the scenario is told `START`.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import tomlkit
import tomllib

from couplant.analysis.system import System
from couplant.cosim import simulate
from couplant.cosim.fmu.prototype import Scene
from couplant.elsewhere.export import export
from couplant.pack.build import build
from couplant.sweep.advice import advise, errors_of
from couplant.sweep.advised import INTERFACE, SCENARIO, Setup, files_of
from tests.importers.conftest import NEEDED, require
from tests.importers.linear_prototype import write_prototype
from tests.isolated import isolated
from tests.sweep.loops import document, system

ADVISED = [("shaft3", 3), ("driveline", 3), ("dcmotor", 1), ("cylinder", 3), ("servo", 3)]
HOSTS = ["fmpy", "libcosim", "ecos"]
START = "coupling.start=0.0"
SAME = 1e-9
"""Largest difference of two runs over the size of a signal. [-]"""


@dataclass(frozen=True)
class Loop:
    """A loop in a folder, its FMUs in folders with coupling FMUs and without, and what couplant simulates of both."""

    folder: Path
    system: System
    runs: dict

    def errors(self, host, algorithm):
        """Return the mean error in a host and of couplant; their trajectories are the same."""
        expected = self.runs[algorithm]
        found = self._run(host, algorithm, expected.traces)
        for name, trace in expected.traces.items():
            for part in ("sent", "estimate"):
                values = getattr(trace, part)[1:]
                assert np.abs(getattr(found.traces[name], part) - values).max() < SAME * np.abs(values).max(), name
        return [sum(one.values()) / len(one) for one in (errors_of(run, self.system) for run in (found, expected))]

    def _run(self, host, algorithm, traces):
        if host in NEEDED:
            require(*NEEDED[host])
        one = self.system
        points = {name: {"time": trace.time[1:], "reference": trace.reference[1:]} for name, trace in traces.items()}
        steps, h = str(len(next(iter(traces.values())).reference) - 1), repr(one.macro_step / one.micro_steps)
        report = json.loads(isolated("tests.importers.sides", host, self.folder / algorithm, steps, h)[-1])
        found = {name: np.array(values) for name, values in report.items()}
        parts = {name: {"sent": found[f"sent.{name}"], "estimate": found[f"estimated.{name}"]} for name in traces}
        shown = {name: SimpleNamespace(**own, **points[name]) for name, own in parts.items()}
        return SimpleNamespace(traces=shown)


def assemble(folder, texts, one):
    """Write the files of a loop of the system `one` by their `texts`, and its FMUs, into `folder`; run it."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    runs = {run.algorithm: run for run in simulate(folder / SCENARIO, [START]).runs}
    scenario = tomllib.loads(texts[SCENARIO])
    scene = Scene(one, round(scenario["duration"] / scenario["macro_step"]))
    for prototype in one.prototypes:
        write_prototype(folder / "sources", prototype, scene, one.macro_step / one.micro_steps)
        scenario["components"][prototype.name] = {"source": f"sources/{prototype.name}"}
    (folder / "elsewhere.toml").write_text(tomlkit.dumps(scenario), encoding="utf-8")
    export(folder / "elsewhere.toml", folder, [START])
    wires = json.loads((folder / "container.json").read_text(encoding="utf-8"))["link"]
    links = [(Path(a).stem, name, Path(b).stem, target) for a, name, b, target in wires]
    sent = {name: table["from"].split(".") for name, table in scenario["signals"].items()}
    for name, path in build(folder / INTERFACE, folder / "built").files.items():
        shutil.copy(path, folder / "fmus" / f"{name}_coupling.fmu")
    (folder / "fmus").rename(folder / "configured")
    describe(folder / "configured", links, sent, {name: (f"{name}_coupling", "y_hat") for name in sent})
    leave_out_couplings(folder, links, sent)
    return Loop(folder, one, runs)


def leave_out_couplings(folder, links, sent):
    """Write the loop in which receivers take what comes out of the network."""
    shutil.copytree(folder / "configured", folder / "wire", ignore=shutil.ignore_patterns("*_coupling.fmu"))
    arrived = {f"{name}_coupling": (f"{name}_network", "received") for name in sent}
    kept = [link for link in links if not {link[0], link[2]} & arrived.keys()]
    receivers = {part for part, _ in sent.values()}
    given = [(*arrived[a], b, target) for a, name, b, target in links if name == "y_hat" and b in receivers]
    describe(folder / "wire", kept + given, sent, {name: arrived[f"{name}_coupling"] for name in sent})


def describe(folder, links, sent, estimated):
    """Write what `tests.importers.sides` connects and shows."""
    watched = {f"sent.{name}": end for name, end in sent.items()}
    watched |= {f"estimated.{name}": end for name, end in estimated.items()}
    (folder / "system.json").write_text(json.dumps({"links": links, "watched": watched}), encoding="utf-8")


@pytest.fixture(scope="module")
def advised(tmp_path_factory):
    """Return a function that writes and runs what is advised for a loop, once."""
    known = {}

    def once(*case):
        if case not in known:
            found = advise(document(*case, "step"))
            assert found.is_worth_it
            known[case] = found, assemble(tmp_path_factory.mktemp(case[0]), found.files(), found.system)
        return known[case]

    return once


@pytest.mark.night("advice tries every algorithm on many plants: 20 s for each loop")
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(("name", "k"), ADVISED)
def test_what_is_advised_is_stable_and_better_than_the_wire_elsewhere_too(advised, name, k, host):
    """`errors_of` is infinite for a run whose error grows."""
    found, loop = advised(name, k)
    wire, _ = loop.errors(host, "wire")
    error, own = loop.errors(host, "configured")
    assert error < wire
    assert error == pytest.approx(own, rel=1e-4)  # of one communication point more
    print(f"{name}, k = {k}, {host}: {found.chosen.name} {found.chosen.detail} {error:.4f}, wire {wire:.4f}")


@pytest.mark.landing("builds eight FMUs and runs them in processes of their own")
@pytest.mark.sample(2, rest="night")
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("algorithm", ["auto", "model", "eros3", "eros4"])
def test_settings_and_scenario_are_the_same_loop_elsewhere_too(tmp_path, algorithm, host):
    """The receiver of w follows it at once: settings say so by a table, scenarios by the FMU."""
    one = system("dcmotor", 1, "step")
    tables = {side: {"order": 1} for side in "ab"} if algorithm == "model" else {}
    loop = assemble(tmp_path, files_of(Setup(one, algorithm, tables), 100), one)
    loop.errors(host, "configured")
