"""Probe FMUs as an importer gets them: one connected with itself, one with its partner.

``python -m tests.importers.probes HOST FOLDER FMI FIRST`` prints what the probe measures in a host as JSON; `FIRST` is
the first in its list of components.
"""

import json
import sys
import zipfile
from pathlib import Path

from couplant.pack.probe import PARTNER, PROBE, WIRING, build_probe
from tests import commands
from tests.importers.oscillator import MACRO_STEP, Connection

NAMES = ("alone", "coupling")
MODELS = {"alone": PROBE, "coupling": PROBE, "prototype": PARTNER}
OUTPUTS = ("delay.steps", "delay.min", "delay.max", "step.size")
LEADS = ("host_lead.receiver", "host_lead.sender", "host_lead.feedthrough")
STEPS = 20
_EXPLICIT = ("-no-auto-link", "-no-auto-input", "-no-auto-output")


def build(folder, fmi="2", first="alone"):
    """Return the FMUs by the names of their instances, `first` as the first one."""
    files = dict(zip((PROBE, PARTNER), build_probe(folder, fmi=fmi, macro_step=MACRO_STEP), strict=True))
    return {name: files[MODELS[name]] for name in sorted(MODELS, key=lambda name: name != first)}


def connections():
    """Return the connections."""
    instances = {PROBE: "coupling", PARTNER: "prototype"}
    pairs = [((instances[a], output), (instances[b], target)) for (a, output), (b, target) in WIRING]
    return [Connection(*pair) for pair in [(("alone", "signal"), ("alone", "back")), *pairs]]


def libcosim(models):
    from tests.importers.libcosim import Osp

    return _read(Osp(models, connections()))


def ecos(models):
    from tests.importers.ecos import Ecos

    return _read(Ecos(models, connections()))


def _read(tool):
    for _ in range(STEPS):
        tool.step()
    return {name: tool.read(name, (*OUTPUTS, *LEADS)) for name in NAMES}


def fmucontainer(models, *options):
    """Let a container step; it is told nothing but which FMUs there are and how they are connected."""
    from fmpy import simulate_fmu

    folder = next(iter(models.values())).parent
    for name, path in models.items():
        (folder / f"{name}.fmu").write_bytes(path.read_bytes())
    ends = [(*connection.source, *connection.target) for connection in connections()]
    content = {
        "name": "container.fmu",
        "step_size": MACRO_STEP,
        "fmu": [f"{name}.fmu" for name in models],
        "link": [[f"{a}.fmu", output, f"{b}.fmu", target] for a, output, b, target in ends],
        "output": [[f"{name}.fmu", output, f"{name}.{output}"] for name in NAMES for output in (*OUTPUTS, *LEADS)],
    }
    (folder / "container.json").write_text(json.dumps(content), encoding="utf-8")
    tool = Path(sys.executable).with_name("fmucontainer")
    command = [tool, "-fmu-directory", str(folder), "-container", "container.json", *_EXPLICIT, *options]
    commands.run(command, check=True, stdout=sys.stderr)
    end = STEPS * MACRO_STEP
    rows = simulate_fmu(str(folder / "container.fmu"), stop_time=end, output_interval=MACRO_STEP, validate=False)
    return _last(rows)


def fmpy(models):
    """Let the loop of FMPy for systems step (SSP)."""
    from fmpy.ssp.simulation import simulate_ssp

    path = next(iter(models.values())).parent / "system.ssp"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("SystemStructure.ssd", _system(models))
        for name, file in models.items():
            archive.write(file, f"resources/{name}.fmu")
    return _last(simulate_ssp(str(path), stop_time=(STEPS - 0.5) * MACRO_STEP, step_size=MACRO_STEP))


def _system(models):
    ends = {(connection.source, "output") for connection in connections()}
    ends |= {(connection.target, "input") for connection in connections()}
    ends |= {((name, output), "output") for name in NAMES for output in (*OUTPUTS, *LEADS)}
    parts = []
    for name in models:
        connectors = "".join(
            f'<ssd:Connector name="{variable}" kind="{kind}"><ssc:Real/></ssd:Connector>'
            for (instance, variable), kind in sorted(ends)
            if instance == name
        )
        head = f'<ssd:Component name="{name}" type="application/x-fmu-sharedlibrary" source="resources/{name}.fmu">'
        parts.append(f"{head}<ssd:Connectors>{connectors}</ssd:Connectors></ssd:Component>")
    links = "".join(
        f'<ssd:Connection startElement="{a}" startConnector="{output}" endElement="{b}" endConnector="{target}"/>'
        for (a, output), (b, target) in connections()
    )
    spaces = " ".join(
        f'xmlns:{short}="http://ssp-standard.org/SSP1/SystemStructure{long}"'
        for short, long in (("ssc", "Common"), ("ssd", "Description"))
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><ssd:SystemStructureDescription {spaces} version="1.0" name="probes">'
        f'<ssd:System name="probes"><ssd:Elements>{"".join(parts)}</ssd:Elements>'
        f"<ssd:Connections>{links}</ssd:Connections></ssd:System></ssd:SystemStructureDescription>"
    )


def _last(rows):
    return {name: {output: float(rows[f"{name}.{output}"][-1]) for output in (*OUTPUTS, *LEADS)} for name in NAMES}


def couplant(models):
    """Let the project's own master step."""
    from couplant.config.scenario import Ref
    from couplant.cosim.fmu.load import FmuLibrary
    from couplant.cosim.run.master import Grid, Wiring, run
    from couplant.cosim.wiring.order import Link, Value

    with FmuLibrary() as library:
        components = {name: library.open(path, name) for name, path in models.items()}
        links = [Link(Value(Ref(*connection.source)), Ref(*connection.target)) for connection in connections()]
        outputs = [Ref(name, output) for name in NAMES for output in (*OUTPUTS, *LEADS)]
        found = run(Wiring(components, links, logged=outputs), Grid(MACRO_STEP, STEPS)).logged
    return {name: {o: float(found[Ref(name, o)][-1]) for o in (*OUTPUTS, *LEADS)} for name in NAMES}


HOSTS = {
    "libcosim": libcosim,
    "ecos": ecos,
    "fmucontainer": fmucontainer,
    "fmucontainer -mt": lambda models: fmucontainer(models, "-mt"),
    "fmucontainer -sequential": lambda models: fmucontainer(models, "-sequential"),
    "fmpy": fmpy,
    "couplant": couplant,
}


if __name__ == "__main__":
    host, place, version, one = sys.argv[1:]
    print(json.dumps(HOSTS[host](build(Path(place), version, one))))
