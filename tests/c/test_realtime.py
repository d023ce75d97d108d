"""The real-time contract: no allocation, no lock, no system call in a step; many instances."""

import re
import shutil
from dataclasses import replace

import pytest

from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.compile import FLAGS, SMALL
from couplant.pack.binaries.platforms import host
from couplant.pack.binaries.sources import coupling_unit
from tests import commands
from tests.c.programs import CACHE, HERE, missing, program, run
from tests.c.signals import APART, SIGNALS, interface_of, references
from tests.c.test_loader import Unpacked

pytestmark = pytest.mark.skipif("linux" not in host().name, reason="counts system calls with seccomp")
WRAPPED = [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "realloc", "free")]
ALGORITHMS = ("zoh", "foh", "eros3", "eros4", "linear", "smb", "irregular", "auto")


def interface(algorithm, timing="step"):
    if algorithm in SIGNALS:
        return interface_of(algorithm, timing)
    detection = {"enabled": algorithm != "smb", "sensitivity": 5.0}
    signal = {"algorithm": algorithm, "latency": {"constant_steps": 6}, "discontinuity": detection}
    if algorithm == "linear":
        signal["algorithm"] = {"selected": "linear", "a": [2.0, -1.0, 0.5, -0.5], "A": [0.5, -0.5, 0.25, -0.25]}
    if algorithm == "auto":
        signal |= {"latency": {"mode": "stamps", "clock": "free", "minimum": 0.01}}
        detection["detector"] = "residual"
    signal |= {"quality": {"action": "warn"}, "output": {"min": -1e3, "max": 1e3, "rate_max": 1e6}}
    return interface_of(signal, timing)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("realtime")

    def build(algorithm, timing="step"):
        place = folder / f"{algorithm}-{timing}"
        if not place.exists():
            fmu = build_coupling_fmu(interface(algorithm, timing), "s", place, backend="native")
            Unpacked(fmu, place / "unpacked")
        where = Unpacked(next(place.glob("*.fmu")), place / "unpacked").arguments(host())[2:]
        return [*where, *shape(algorithm)]

    return build


def shape(algorithm):
    """Return the values in a message and the reference of a count that tells that the run was worth it."""
    if algorithm not in SIGNALS:
        return ()
    counts = {"everything": "quality.grade", "learning": "learning.accepted", "following": "latency.steps"}
    counts |= dict.fromkeys(("modelled", "periodic"), "latency.steps")
    count = references(interface(algorithm))[counts.get(algorithm, "energy.grade")]
    return str(SIGNALS[algorithm].get("burst", 1)), str(count)


def harness(model=None, signal="", source=HERE / "realtime.c"):
    """Compile a program around the coupling, or around another model, with the flags of the binaries."""
    unit = coupling_unit("2", signal == "learning", signal in APART)
    if model is not None:
        unit = replace(unit, generated={"model.c": f'#include "{model}"\n'})
    folder = CACHE / f"generated-{unit.digest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in unit.generated.items():
        (folder / name).write_text(text)
    flags = [flag for flag in (*FLAGS, *SMALL) if flag not in ("-shared", "-std=c99")]
    flags += [*(WRAPPED if source.parent == HERE else ()), *(f"-D{define}" for define in unit.defines)]
    includes = [f"-I{path}" for path in (folder, *unit.folders, HERE)]
    return program(source, *flags, *includes, more=[*unit.files(), HERE / "idle.c"])


@pytest.mark.sample(2)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("algorithm", [*ALGORITHMS, *SIGNALS])
def test_a_step_allocates_nothing_and_makes_no_system_call(built, algorithm, timing):
    command = [harness(signal=algorithm), "contract", *built(algorithm, timing)]
    done = commands.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        missing(f"seccomp ({done.stdout.strip()})")
    assert done.returncode >= 0, "a system call in a step"
    assert done.returncode == 0, ("an allocation in a step", "nothing happened in the run")[done.returncode - 1]


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_nothing_that_locks_is_even_there(tmp_path, fmi):
    nm = shutil.which("nm") or missing("nm")
    unpacked = Unpacked(
        build_coupling_fmu(interface("eros4"), "s", tmp_path, backend="native", fmi=fmi), tmp_path / "u"
    )
    text = run([nm, "-D", "--undefined-only", unpacked.arguments(host())[1]])
    needed = {line.split()[-1].split("@")[0] for line in text.splitlines() if " U " in line}
    files = {"fopen", "fclose", "fread", "fseek", "ftell", "vsnprintf", "snprintf", "calloc", "free"}
    assert needed <= files | {
        "memcpy",
        "memset",
        "memmove",
        "memcmp",
        "strlen",
        "strcmp",
        "strncmp",
        "strchr",
        "strcspn",
    }
    assert not any(re.search("pthread|mtx|sem_|futex", name) for name in needed)


def test_a_thousand_instances_step_in_turn_without_growth(built):
    run([harness(), "many", *built("eros4")])
