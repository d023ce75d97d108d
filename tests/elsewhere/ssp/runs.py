"""Run an SSP in an importer: ``python -m tests.elsewhere.ssp.runs TOOL FILE STEPS NAME..`` prints the values."""

import json
import sys

from tests.elsewhere.ssp.systems import STEP

NANOSECONDS = 1_000_000_000


def fmpy(path, steps, names):
    """Return rows of values; names of elements in systems have dots."""
    from fmpy.ssp.simulation import simulate_ssp

    found = simulate_ssp(path, stop_time=(steps - 0.5) * STEP, step_size=STEP)
    return [[float(row[name]) for name in names] for row in found]


def ecos(path, steps, names):
    """Return rows of values, by the API."""
    from ecospy.EcosSimulation import EcosSimulation

    tool = EcosSimulation(ssp_path=path, step_size=STEP)
    assert tool.init()
    rows = []
    for _ in range(steps):
        tool.step()
        rows.append([tool.get_real("::".join(name.split(".", 1))) for name in names])
    tool.terminate()
    tool.free()
    return rows


def libcosim(path, steps, names):
    """Return rows of values, by the API."""
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver

    log_output_level(CosimLogLevel.ERROR)
    tool = CosimExecution.from_ssp_file(path, round(STEP * NANOSECONDS))
    observer = CosimObserver.create_last_value()
    assert tool.add_observer(observer)
    places = []
    for name in names:
        part, variable = name.split(".", 1)
        index = tool.slave_index_from_instance_name(part)
        references = {v.name.decode(): v.reference for v in tool.slave_variables(index)}
        places.append((index, references[variable]))
    rows = []
    for _ in range(steps):
        assert tool.step()
        rows.append([observer.last_real_values(index, [reference])[0] for index, reference in places])
    return rows


def sequential(path, steps, names):
    """Return rows of values of an importer that steps one component after the other, in the order of the file.

    Those of inputs are what the step was carried out with.
    """
    from fmpy import extract
    from fmpy.ssp.simulation import do_step, free_fmu, instantiate_fmu
    from fmpy.ssp.ssd import get_connections, read_ssd

    top, folder = read_ssd(path).system, extract(path)
    for component in top.elements:
        for connector in component.connectors:
            connector.value = 0.0
        instantiate_fmu(component, folder, 0.0)
    ways, rows = get_connections(top), []
    found = {f"{c.parent.name}.{c.name}": c for component in top.elements for c in component.connectors}
    for i in range(steps):
        for component in top.elements:
            for source, target in ways:
                if target.parent is component:
                    target.value = source.value
            do_step(component, i * STEP, STEP)
        rows.append([float(found[name].value) for name in names])
    for component in top.elements:
        free_fmu(component)
    return rows


TOOLS = {"fmpy": fmpy, "ecos": ecos, "libcosim": libcosim, "sequential": sequential}

if __name__ == "__main__":
    kind, file, count, *wanted = sys.argv[1:]
    print(json.dumps(TOOLS[kind](file, int(count), wanted)))
