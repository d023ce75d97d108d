"""Any call in any order with any value: no crash, no hang, no report of a sanitizer."""

import os
import re

import pytest
from fmpy import read_model_description

from couplant.pack import build_coupling_fmu
from couplant.pack.coupling import coupling_unit
from couplant.pack.models import build_model_fmu, model_unit
from couplant.pack.platforms import host
from tests.c.programs import CACHE, HERE, program, run
from tests.c.signals import SIGNALS, interface_of
from tests.c.test_loader import Unpacked, coupling  # noqa: F401

SECONDS = int(os.environ.get("COUPLANT_FUZZ_SECONDS", "3"))
"""For each of the twenty subjects."""
SANITIZERS = (
    "-O1",
    "-g",
    "-fno-omit-frame-pointer",
    "-fno-sanitize-recover=all",
    "-ffp-contract=off",
    "-fno-math-errno",
)
CHECKS = "-fsanitize=address,undefined,float-cast-overflow"

pytestmark = pytest.mark.skipif("linux" not in host().name, reason="sanitizers of gcc")


def fuzzer(unit):
    """Compile the fuzzer around one translation unit of an FMU."""
    folder = CACHE / f"generated-{unit.digest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in unit.generated.items():
        (folder / name).write_text(text)
    flags = [*SANITIZERS, CHECKS, *(f"-D{define}" for define in unit.defines)]
    includes = [f"-I{path}" for path in (folder, *unit.folders)]
    return program(HERE / "fuzz.c", *flags, *includes, more=[*unit.files(), *sorted(HERE.glob("fuzz*.h"))])


def fuzz(executable, unpacked, burst=1):
    _, _, resources, token = unpacked.arguments(host())
    variables = len(read_model_description(str(unpacked.path)).modelVariables)
    command = [executable, SECONDS, 20260101, resources, token, variables, burst]
    calls, messages = map(int, re.findall(r"\d+", run(command, timeout=60 + 3 * SECONDS)))
    assert calls > 500 and messages > 100


@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("name", ["mass_1", "mass_1_stop", "mass_2", "network"])
def test_models(tmp_path, name, fmi):
    unpacked = Unpacked(build_model_fmu(name, tmp_path, fmi=fmi), tmp_path / "unpacked")
    fuzz(fuzzer(model_unit(name, fmi)), unpacked)


@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("timing", ["step", "event"])
def test_coupling(coupling, fmi, timing):  # noqa: F811
    fuzz(fuzzer(coupling_unit(fmi, neural=False)), coupling(fmi, timing))


@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("signal", SIGNALS)
def test_coupling_with_every_feature(tmp_path, signal, fmi, timing):
    fmu = build_coupling_fmu(interface_of(signal, timing), "s", tmp_path, backend="native", fmi=fmi)
    unit = coupling_unit(fmi, neural=signal == "learning")
    fuzz(fuzzer(unit), Unpacked(fmu, tmp_path / "unpacked"), SIGNALS[signal].get("burst", 1))
