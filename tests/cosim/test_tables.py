"""Tables of docs about example 01 are what the runs give, the plain wire in each timing and host."""

import json

import numpy as np
import pytest

from couplant.analysis.system_file import read_system
from couplant.cosim.judgement.verdict import BORDERLINE, STABLE, UNSTABLE
from couplant.design.request import Request, answer
from couplant.design.settings import write_settings
from tests.analysis.conftest import OSCILLATOR
from tests.cosim.conftest import simulated
from tests.pages.markdown import rows, shows

OSCILLATOR_1, STEP = "01_two_mass_oscillator", 0.02
QUARTER = "coupling.latency.hold_lead=0.25"
WORDS = {UNSTABLE: "unstable", BORDERLINE: "grows slowly", STABLE: "stable"}


def runs(*words, algorithms=("wire",)):
    found = simulated(OSCILLATOR_1, *words, f"algorithms={json.dumps(algorithms)}").runs
    return {(run.algorithm, run.timing): run for run in found}


@pytest.fixture(scope="module")
def designed(tmp_path_factory):
    """Return what gives all signals the weights of a design for step timing, of a loop in a Jacobi host or of none."""

    def weights(host="", timing="step"):
        path = tmp_path_factory.mktemp("design") / "bench.toml"
        path.write_text('[interface]\nname = "b"\nmacro_step = 0.02\n[signals.s]\nlatency = { constant_steps = 3 }\n')
        plant = read_system(OSCILLATOR, ['timing="step"', f'host="{host}"']) if host else None
        found = answer(Request(STEP, [3], timing, (0.5, 12.0), system=plant))
        write_settings(path, "s", {k: one.design for k, one in found.items()})
        return f'coupling={{configuration="{path}",signal="s"}}'

    return weights


@pytest.mark.landing("long closed loops: 5 s of CPU")
@pytest.mark.parametrize(
    ("page", "head", "keys"),
    [
        ("docs/reference.md", "| | event: MAE | C |", ("mae", "C")),
        (f"examples/{OSCILLATOR_1}/README.md", "| algorithm | error, event | growth, event |", ("error", "growth")),
    ],
)
def test_published_algorithms_and_the_wire(page, head, keys):
    found = {(run.label, run.timing): run.metrics for run in simulated(OSCILLATOR_1, "wire=true").runs}
    for name, cells in rows(page, head).items():
        told = [found[name, timing][key] for timing in ("event", "step") for key in keys]
        assert all(shows(cell, value) for cell, value in zip(cells, told, strict=True)), (name, told)


@pytest.mark.landing("long closed loops: 18 s of CPU")
def test_what_you_get(designed):
    table = rows("docs/results.md", "| algorithm | what it does | step timing |")
    names = {name.strip("`").partition("`")[0]: cells for name, cells in table.items() if name.startswith("`")}
    whole = runs(algorithms=(*(name for name in names if name != "linear"),))
    whole |= {("linear", "step"): runs(designed(), 'timing=["step"]', algorithms=("configured",))["configured", "step"]}
    for name, (_, step, verdict, event) in names.items():
        run = whole[name, "step"]
        assert shows(step, run.metrics["error"]) and WORDS[run.verdict] in verdict, name
        assert ("this run" in verdict) == (run.radius is None), name
        if event:
            assert shows(event.partition(" ")[0], whole[name, "event"].metrics["error"]), name
    led = runs(QUARTER, 'timing=["step"]', algorithms=("auto",))["auto", "step"]
    assert shows(table["the same, `hold_lead`"][1], led.metrics["error"])


JACOBI = ('host="jacobi"', 'timing=["step"]')
IMPORTED = [
    ("the plain wire", "wire", *JACOBI),
    ("built for `reads_again`", "eros3", *JACOBI, *(
        f"signals.{x}.coupling.latency.host_lead=0.0" for x in ("x1", "v1"))),
    ("built for `jacobi`", "eros3", *JACOBI),
    ("and `hold_lead = 0.25` on x1 and v1", "eros3", *JACOBI, *(
        f"signals.{x}.coupling.latency.hold_lead=0.25" for x in ("x1", "v1"))),
    ("the same in a host that reads again, built for it", "eros3", 'timing=["step"]'),
]  # fmt: skip
"""Rows of the table of hosts: name, algorithm, and what is set."""


@pytest.mark.landing("long closed loops: 10 s of CPU")
def test_what_the_wire_does_in_the_tables_on_hosts():
    """A communication step changes nothing for it where outputs are read again; ZOH is one later."""
    table = rows("docs/importing.md", "| | one force | both forces |")
    jacobi = ('host="jacobi"', 'timing=["step"]')
    for column, words in enumerate(((), ("force_on_mass_2=1.0",))):
        found = {name: runs(*more, *words, algorithms=(algorithm,)) for name, algorithm, *more in IMPORTED}
        for name, (run,) in ((name, one.values()) for name, one in found.items()):
            cell, figures = table[name][column], [run.metrics[key] for key in ("error", "mae", "growth")]
            assert shows(cell, *figures), name
            assert ("unstable" in cell) == (run.verdict == UNSTABLE), name
    x = np.abs(runs(*jacobi)["wire", "step"].traces["x1"].sent[1:])
    assert (x[750:1000].max(), x[1000:].max()) == pytest.approx((1.316, 2.077), abs=6e-4), "as in docs/fmpy.md"
    fine = runs('timing=["step"]', "micro_step=0.002", algorithms=("wire", "zoh"))
    figures = [fine[name, "step"].metrics[key] for name in ("wire", "zoh") for key in ("mae", "growth")]
    assert figures == pytest.approx([1.202, 1.61, 1.80, 1.78], abs=6e-3)


@pytest.mark.landing("long closed loops: 10 s of CPU")
def test_what_you_get_in_a_host_that_does_not_read_again(designed):
    """FMUs that are built as if it did, for it, and with the lead that is proposed."""
    names = ("wire", "zoh", "foh", "eros3", "design", "auto")
    table = rows("docs/results.md", "| in those tools, 25 s, steps of 20 ms |")
    host = ('host="jacobi"', 'timing=["step"]')
    bare = [f"signals.{name}.coupling.latency={{host_lead=0.0,hold_lead=0.0}}" for name in ("x1", "v1")]
    led = [f"signals.{name}.coupling.latency.hold_lead=0.25" for name in ("x1", "v1")]
    four = ("zoh", "foh", "eros3", "auto")
    whole = {"built as if outputs were read again": runs(*host, *bare, algorithms=four)}
    whole["built for the host"] = runs(*host, algorithms=("wire", *four))
    own = runs(*host, designed("jacobi"), algorithms=("configured",))
    whole["built for the host"]["design", "step"] = own["configured", "step"]
    whole["and the lead for the receiver's hold that `build` proposes"] = runs(*host, *led, algorithms=("eros3",))
    for row, found in whole.items():
        cells = dict(zip(names, table[row], strict=True))
        assert {name for name, cell in cells.items() if cell} == {name for name, _ in found}
        for (name, _), run in found.items():
            assert shows(cells[name].partition(" ")[0], run.metrics["error"]), (row, name)
            assert ("unstable" in cells[name]) == (run.verdict == UNSTABLE), (row, name)


_BOND = 'bonds.shaft={effort="f",flow="x1",take_back=0.02'
TAKEN = ("", f"{_BOND}}}", f'{_BOND},source="bond"}}')
"""Columns of the table of what is taken back: nothing, what an end knows alone, what both know."""


@pytest.mark.night("42 closed loops: 40 s of CPU")
@pytest.mark.parametrize("timing", ["step", "event"])
def test_what_taking_back_does(designed, timing):
    table = rows("docs/energy.md", "| | step: without | own | bond |")
    names = tuple(name for name in table if name not in ("wire", "designed"))
    for column, bond in enumerate(TAKEN, start=3 * (timing == "event")):
        changes = [f'timing=["{timing}"]', *filter(None, [bond])]
        found = {name: run for (name, _), run in runs(*changes, algorithms=names if bond else ("wire", *names)).items()}
        own = runs(*changes, designed("", timing), algorithms=("configured",))
        found["designed"] = own["configured", timing]
        for name, run in found.items():
            cell = table[name][column]
            assert shows(cell, run.metrics["error"], run.metrics["mae"]), (name, column)
            assert ("unstable" in cell) == (run.verdict == UNSTABLE), (name, column)
