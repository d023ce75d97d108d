"""Run an exported system in a host: ``python -m tests.importers.closed_loop HOST FOLDER STEPS STEP_SIZE``.

Prints, for each signal, what was passed on after every step, as JSON: the prototypes' outputs and the estimates.
"""

import json
import shutil
import sys
from pathlib import Path

from fmpy import extract, read_model_description

from tests import commands

SENT = {"x1": ("mass_1", "x1"), "v1": ("mass_1", "v1"), "f": ("mass_2", "f")}
"""Where the prototypes send each signal."""
WATCHED = {
    **{f"sent.{signal}": end for signal, end in SENT.items()},
    **{f"estimated.{signal}": (f"{signal}_coupling", "y_hat") for signal in SENT},
}
TARGETS = {
    **{f"sent.{signal}": (f"{signal}_network", "value") for signal in SENT},
    "estimated.x1": ("mass_2", "x1"),
    "estimated.v1": ("mass_2", "v1"),
    "estimated.f": ("mass_1", "f"),
}
"""Inputs that the watched outputs go to."""
DIRECT = {(f"{signal}_network", "value"): (f"{signal}_coupling", "y") for signal in SENT}
"""The same where there is no network."""


def libcosim(folder, steps, step_size):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver

    log_output_level(CosimLogLevel.ERROR)
    file = folder / "OspSystemStructure.xml"
    text = file.read_text(encoding="utf-8")
    start, end = (text.index(tag) for tag in ("<BaseStepSize>", "</BaseStepSize>"))
    file.write_text(f"{text[:start]}<BaseStepSize>{step_size}{text[end:]}", encoding="utf-8")
    execution = CosimExecution.from_osp_config_file(str(file))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    places = []
    for part, variable in WATCHED.values():
        described = read_model_description(str(folder / "fmus" / f"{part}.fmu")).modelVariables
        (reference,) = (v.valueReference for v in described if v.name == variable)
        places.append((execution.slave_index_from_instance_name(part), [reference]))
    for _ in range(steps):
        assert execution.step()
        yield [observer.last_real_values(*place)[0] for place in places]


def ecos(folder, steps, step_size):
    """Read what receivers are given: outputs are read once more after the next inputs were set, for display only."""
    from ecospy.EcosSimulation import EcosSimulation

    simulation = EcosSimulation(ssp_path=str(folder / "system.ssp"), step_size=step_size)
    assert simulation.init(parameter_set="scenario")
    ends = [TARGETS[name] for name in WATCHED]
    networked = (folder / "fmus" / "f_network.fmu").is_file()
    places = ["::".join(end if networked else DIRECT.get(end, end)) for end in ends]
    for _ in range(steps):
        simulation.step()
        yield [simulation.get_real(place) for place in places]
    simulation.terminate()
    simulation.free()


def fmucontainer(folder, steps, step_size, *options):
    from fmpy.fmi2 import FMU2Slave

    file = folder / "container.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**content, "step_size": step_size}), encoding="utf-8")
    tool = Path(sys.executable).with_name("fmucontainer")
    command = [tool, "-fmu-directory", str(folder), "-container", file.name, *options]
    commands.run(command, check=True, stdout=sys.stderr)
    path = folder / content["name"]
    description, unpacked = read_model_description(str(path), validate=False), extract(str(path))
    references = {v.name: v.valueReference for v in description.modelVariables}
    identifier = description.coSimulation.modelIdentifier
    fmu = FMU2Slave(
        guid=description.guid, unzipDirectory=unpacked, modelIdentifier=identifier, instanceName="container"
    )
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    for n in range(steps):
        fmu.doStep(n * step_size, step_size)
        yield fmu.getReal([references[".".join(end)] for end in WATCHED.values()])
    fmu.terminate()
    fmu.freeInstance()
    shutil.rmtree(unpacked)


def fmpy_ssp(folder, steps, step_size):
    """A row is what a step has given, with the time of its beginning."""
    from fmpy.ssp.simulation import simulate_ssp

    end = (steps - 0.5) * step_size
    result = simulate_ssp(str(folder / "system.ssp"), stop_time=end, step_size=step_size)
    for row in result:
        yield [float(row[".".join(end)]) for end in WATCHED.values()]


HOSTS = {
    "libcosim": libcosim,
    "ecos": ecos,
    "fmucontainer": fmucontainer,
    "fmucontainer -mt": lambda *arguments: fmucontainer(*arguments, "-mt"),
    "fmucontainer -sequential": lambda *arguments: fmucontainer(*arguments, "-sequential"),
    "fmpy": fmpy_ssp,
}


if __name__ == "__main__":
    host, place, count, size = sys.argv[1:]
    rows = list(HOSTS[host](Path(place), int(count), float(size)))
    print(json.dumps(dict(zip(WATCHED, zip(*rows, strict=True), strict=True))))
