"""Any call in any order with any value: no crash, no hang, no report of a sanitizer, and what has to hold holds.

For hours: docs/architecture.md, Fuzzing.
"""

import os
import re
import shutil
from dataclasses import replace

import pytest

from couplant.base.paths import fmu_source
from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import host
from couplant.pack.binaries.sources import coupling_unit
from couplant.pack.models import build_model_fmu, model_unit
from tests import commands
from tests.c.programs import CACHE, HERE, program, run
from tests.c.signals import APART, SIGNALS, interface_of
from tests.c.test_loader import Unpacked, coupling  # noqa: F401
from tests.prototypes import model

RUNS = int(os.environ.get("COUPLANT_FUZZ_RUNS", "40"))
"""Of up to two thousand calls each, for each of the twenty subjects."""
SLOWER = {"mass_1_stop": 10}
MODELS = (
    "mass_1", "mass_1_stop", "mass_2", "network", "power_bonds", "crane_cylinder", "engine_bench", "hybrid_vehicle",
    "frame_bench", "shaft_engine",
)
"""Models whose steps take longer, by about how much."""
SEED = int(os.environ.get("COUPLANT_FUZZ_SEED", "20260101"))
REPORTED = 60000013
"""Seed of a run that failed."""
SANITIZERS = (
    "-O1",
    "-g1",
    "-fno-omit-frame-pointer",
    "-fno-sanitize-recover=all",
    "-ffp-contract=off",
    "-fno-math-errno",
)
CHECKS = "-fsanitize=address,undefined,float-cast-overflow"

pytestmark = pytest.mark.skipif("linux" not in host().name, reason="sanitizers of gcc")


# mistakes that the target has to find: file, what stands there, what would be wrong, how it is found
PLANTED = {
    "finite": (
        "kernel/stages/latency.c",
        "if (!cp_finite(s->input.y)) {",
        "if (s->input.y != s->input.y) {",
        "an output is not finite",
    ),
    "limits": (
        "kernel/stages/reconstruction.c",
        "return value > s->parameter.output_max ? s->parameter.output_max : value;",
        "return value;",
        "y_hat is outside its limits",
    ),
    "rate": (
        "kernel/stages/reconstruction.c",
        "s->parameter.rate_max * (time - s->reconstruction.given_time)",
        "s->parameter.rate_max * (time - s->reconstruction.given_time + 0.5 * s->grid.period)",
        "y_hat changed faster than its rate",
    ),
    "read": (
        "fmi/values.c",
        "refresh(self->preview, self->binding, cp_time(self)",
        "refresh(self->state, self->binding, cp_time(self)",
        "a read changed something",
    ),
    "refused": (
        "fmi/values.c",
        "i = 0; i < which.n; i++) {\n        if (cp_is_tuned",
        "i = 1; i < which.n; i++) {\n        if (cp_is_tuned",
        "a refused set changed something",
    ),
    "empty": (
        "fmi/run.c",
        "if (step->h == 0.0) {",
        "if (step->h == 0.0) {\n        self->stale = !self->stale;",
        "a step of no length changed something",
    ),
}
PLANTED_RUNS = 200


def fuzzer(unit, *checks):
    """Compile the fuzzer around one translation unit of an FMU."""
    folder = CACHE / f"generated-{unit.digest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in unit.generated.items():
        (folder / name).write_text(text)
    flags = [*SANITIZERS, *checks, *(f"-D{define}" for define in unit.defines)]
    includes = [f"-I{path}" for path in (folder, *unit.folders)]
    return program(HERE / "fuzz.c", *flags, *includes, more=[*unit.files(), *sorted(HERE.glob("fuzz*.h"))])


def arguments(unpacked, runs, seed, burst=1):
    _, _, resources, token = unpacked.arguments(host())
    return [str(word) for word in (runs, seed, resources, token, burst)]


def fuzz(executable, unpacked, burst=1, runs=RUNS):
    text = run([executable, *arguments(unpacked, runs, SEED, burst)], timeout=100 + 5 * RUNS)
    calls, messages = map(int, re.findall(r"\d+", text))
    assert calls > runs and messages > runs


@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("name", MODELS)
def test_models(tmp_path, name, fmi):
    unpacked = Unpacked(build_model_fmu(model(name), tmp_path, fmi=fmi), tmp_path / "unpacked")
    fuzz(fuzzer(model_unit(model(name), fmi), CHECKS), unpacked, runs=-(-RUNS // SLOWER.get(name, 1)))


@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("timing", ["step", "event"])
def test_coupling(coupling, fmi, timing):  # noqa: F811
    fuzz(fuzzer(coupling_unit(fmi, neural=False, energy=False), CHECKS), coupling(fmi, timing))


@pytest.mark.landing("a program with sanitizers")
@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("signal", SIGNALS)
def test_coupling_with_every_feature(tmp_path, signal, fmi, timing):
    fmu = build_coupling_fmu(interface_of(signal, timing), "s", tmp_path, backend="native", fmi=fmi)
    unit = coupling_unit(fmi, signal == "learning", signal in APART)
    fuzz(fuzzer(unit, CHECKS), Unpacked(fmu, tmp_path / "unpacked"), SIGNALS[signal].get("burst", 1))


@pytest.mark.landing("a program with sanitizers")
@pytest.mark.parametrize("signal", ["effort", "flow"])
def test_what_was_once_reported(tmp_path, signal):
    """Steps that ended before the last one's end, with a huge macro step: time went back, the state was refused."""
    fmu = build_coupling_fmu(interface_of(signal, "event"), "s", tmp_path, backend="native", fmi="3")
    words = arguments(Unpacked(fmu, tmp_path / "unpacked"), 1, REPORTED)
    assert "calls" in run([fuzzer(coupling_unit("3", neural=False, energy=True), CHECKS), *words])


def copied(unit, folder):
    """Copy the sources of a unit, so that mistakes can be made in them."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("base", "fmi", "kernel"):
        shutil.copytree(fmu_source(name), folder / name)
    source = folder / "fmi" / unit.source.name
    return replace(unit, source=source, folders=(source.parent,), trees=(folder / "kernel",))


@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize(("name", "timing"), [*((name, "step") for name in PLANTED), ("rate", "event")])
def test_planted_mistakes_are_found(coupling, name, timing):  # noqa: F811
    file, there, instead, found = PLANTED[name]
    unit = copied(coupling_unit("2", neural=False), CACHE / f"planted-{name}-{timing}")
    path = unit.folders[0].parent / file
    text = path.read_text()
    assert text.count(there) == 1
    path.write_text(text.replace(there, instead))
    command = [fuzzer(unit), *arguments(coupling("2", timing), PLANTED_RUNS, SEED)]
    done = commands.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode != 0 and found in done.stderr, done.stdout + done.stderr


@pytest.mark.landing("a program with sanitizers")
@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("timing", ["step", "event"])
def test_nothing_is_found_where_no_mistake_is(coupling, timing):  # noqa: F811
    program = fuzzer(copied(coupling_unit("2", neural=False), CACHE / f"planted-none-{timing}"))
    assert "calls" in run([program, *arguments(coupling("2", timing), PLANTED_RUNS, SEED)])
