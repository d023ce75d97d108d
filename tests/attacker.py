"""An FMU that does harm (tests/c/attacker.c), and a scenario with it.

The environment says what it does and when: ATTACK = "DoStep 5 segv" is due at the fifth call of that function in a
process. In the FMU is what it does `late`: in the third step if no value has arrived by then, as the latency decides.
"""

import os
import zipfile
from pathlib import Path

import pytest

from couplant.base.paths import resource
from couplant.pack.binaries.compile import host_compiler
from couplant.pack.binaries.platforms import host
from tests import commands

SOURCE = Path(__file__).with_name("c") / "attacker.c"
NAME = "attacker.fmu"
POSIX = pytest.mark.skipif(os.name == "nt", reason="the attacker knows POSIX only")
DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="attacker" guid="attacker">
  <CoSimulation modelIdentifier="attacker" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="1" causality="input"><Real start="0.0"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="2" causality="output"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="2" dependencies=""/></Outputs></ModelStructure>
</fmiModelDescription>
"""
SCENARIO = f"""
name = "attacked"
macro_step = 0.1
duration = 1.0
algorithms = ["zoh"]
wire = false
components.bad.fmu = "{NAME}"
network.latency_steps = 2
coupling.start = 0.0  # by which the FMU knows that no value has arrived
[signals.y]
from = "bad.y"
to = ["bad.u"]
"""


def build(folder, late=""):
    """Write the FMU and a scenario with it into a folder; return the path of the scenario."""
    library = folder / f"attacker{host().suffix}"
    flags = ["-shared", "-fPIC", "-O1", "-pthread", f"-I{resource('headers/fmi2')}"]
    commands.run([*host_compiler(), *flags, "-o", str(library), str(SOURCE)], check=True)
    with zipfile.ZipFile(folder / NAME, "w") as fmu:
        fmu.writestr("modelDescription.xml", DESCRIPTION)
        fmu.write(library, f"binaries/{host().folder('2')}/{library.name}")
        fmu.writestr("resources/late", late)
    library.unlink()
    path = folder / "scenario.toml"
    path.write_text(SCENARIO, encoding="utf-8")
    return path
