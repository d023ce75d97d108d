"""Plants as FMUs 2.0 with the Python backend: how they go on, their settings, and the file of the user's."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import couplant_runtime
from couplant.base.errors import UsageError
from couplant.base.filenames import is_device
from couplant.lab import dynamics, plant_slave
from couplant.lab.carried import check_imports
from couplant.lab.component import SLOPE, PlantLike
from couplant.lab.source import Source, source_of
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.archive.zipped import Packed
from couplant.pack.binaries.python import PythonRuntime, loader_files
from couplant.pack.describe.shown import Shown
from couplant.pack.describe.xml import Capabilities, ModelDescription, Variable
from couplant.pack.fmu import build_fmu
from couplant.pack.plan import Plan

_MODULE = '''"""Module of one plant."""

from {package}.loader import retain
from {package}.plant_slave import PlantSlave

retain(globals())  # the loader runs this module at every instantiation and then releases its dictionary


class {module}(PlantSlave):
    """The slave class that the loader finds here."""
'''
_FROM_RUNTIME = ("errors.py", "loader.py", "stand_in.py")
_CATEGORIES = (
    ("logStatusDiscard", "steps that a function of the plant fails in"),
    ("logStatusError", "other failures"),
)


def write_plant(plant: PlantLike, path: Path, step: float) -> Path:
    """Write a plant as an FMU; `step` is the communication step of its default experiment, 0: none [s].

    Raises UsageError if the text of a function cannot go along, or the file cannot be called so.
    """
    name = path.stem
    if path.suffix != ".fmu" or not name.isidentifier() or is_device(name):
        raise UsageError(f"path = {path}, allowed a name of letters, digits and underscores that ends in .fmu")
    if plant.fmu is not None:
        raise UsageError(f"the plant is an FMU already: {plant.fmu}")
    variables = _variables(plant)
    source, settings = _settings(plant, variables)
    description = ModelDescription(
        name=name,
        variables=tuple(variables),
        description=f"Plant with {len(plant.start)} states, in Python",
        step_size=step or None,
        log_categories=_CATEGORIES,
        capabilities=Capabilities(needs_execution_tool=True, states="kept"),
    )
    facts = {"states": str(len(plant.start)), "Python": "needs numpy", "kind": _kind(plant)}
    words = f"`NAME{SLOPE}` tells how an input goes on in a communication step, in its unit per s; 0: it is held."
    shown = Shown(kind="plant in Python", facts=facts, connect={} if plant.dt > 0.0 else {"slopes": words})
    return build_fmu(path, Plan(description, {"start": plant.start}, shown=shown), _PlantRuntime(source, settings))


@dataclass(frozen=True)
class _PlantRuntime:
    """Backend of a plant: its slave in the importer's Python interpreter."""

    source: Source | None  # the file with its functions, None of a linear one
    settings: Mapping[str, Any]
    fmi: str = "2"
    source_files: tuple[str, ...] = ()

    def licences(self) -> list[str]:
        """Return the licences of the loaders and of the headers that they are compiled with."""
        return PythonRuntime().licences()

    def digest(self) -> str:
        """Return a hash of all that runs."""
        whole = self.source, sorted(_modules("x").items()), self._text("x")
        return hashlib.sha256(repr(whole).encode()).hexdigest()

    def files(self, name: str, settings: SettingsFile) -> dict[str, bytes | Packed]:
        """Return slave module, what it stands on, the user's file and loaders."""
        module, package = f"Plant_{settings.fingerprint}", f"couplant_plant_{settings.fingerprint}"
        files: dict[str, bytes | Packed] = {
            "resources/slavemodule.txt": module.encode(),
            f"resources/{module}.py": _MODULE.format(module=module, package=package).encode(),
            "resources/plant.json": self._text(f"{package}_own").encode(),
        }
        files |= {f"resources/{package}/{file}": text.encode() for file, text in _modules(package).items()}
        if self.source is not None:
            files[f"resources/{self.source.file}"] = self.source.text.encode()
        return files | loader_files(self.fmi, name)

    def _text(self, module: str) -> str:
        return json.dumps({**self.settings, "module": module}, indent=1)


def _modules(package: str) -> dict[str, str]:
    """Return the modules of the slave in their `package`, by file name."""
    runtime = Path(couplant_runtime.__file__).parent
    texts = {file: (runtime / file).read_text(encoding="utf-8") for file in _FROM_RUNTIME}
    texts["__init__.py"] = ""
    for one in (dynamics, plant_slave):
        place = Path(str(one.__file__))
        texts[place.name] = place.read_text(encoding="utf-8")
    for word in ("couplant.lab.", "couplant_runtime."):
        texts = {file: text.replace(f"from {word}", f"from {package}.") for file, text in texts.items()}
    return texts


def _variables(plant: PlantLike) -> list[Variable]:
    """Return inputs, their slopes, outputs and parameters, with references from 1."""
    slopes = [] if plant.dt > 0.0 else plant.inputs
    names = [*plant.inputs, *(one + SLOPE for one in slopes)]
    made: list[Variable] = []
    for name in names:
        unit = plant.units.get(name.removesuffix(SLOPE))
        sloped = name.endswith(SLOPE) and name not in plant.inputs
        unit = f"{unit}/s" if unit and sloped else unit
        words = "Change of the input in a communication step" if sloped else "Input"
        made.append(Variable(name, len(made) + 1, "Real", "input", "continuous", words, start=0.0, unit=unit))
    acting = plant.feedthrough
    for name in plant.outputs:
        depends = tuple(names.index(one) + 1 for one in acting[name])
        unit = plant.units.get(name)
        made.append(
            Variable(name, len(made) + 1, "Real", "output", "continuous", "Output", unit=unit, dependencies=depends)
        )
    for name, value in plant.parameters.items():
        made.append(Variable(name, len(made) + 1, "Real", "parameter", "fixed", "Parameter", start=float(value)))
    return made


def _settings(plant: PlantLike, variables: list[Variable]) -> tuple[Source | None, dict[str, Any]]:
    """Return the file of the user's and what the slave reads of the plant."""
    places: dict[str, tuple[str, Any]] = {one: ("input", i) for i, one in enumerate(plant.inputs)}
    if plant.dt == 0.0:
        places |= {one + SLOPE: ("slope", i) for i, one in enumerate(plant.inputs)}
    places |= {one: ("output", i) for i, one in enumerate(plant.outputs)}
    places |= {one: ("parameter", one) for one in plant.parameters}
    common = {
        "variables": [places[v.name] for v in variables], "start": list(plant.start), "parameters": plant.parameters,
        "counts": [len(plant.inputs), len(plant.outputs)], **plant.settings,
    }  # fmt: skip
    if plant.matrices is not None:
        return None, {**common, "matrices": [one.tolist() for one in plant.matrices]}
    assert plant.functions is not None
    f, g = plant.functions
    who = f"plant of {getattr(f, '__name__', 'a function')}"
    source = source_of(f, who, *([] if g is None else [g]))
    check_imports(source, who)
    return source, {**common, "file": source.file, "f": f.__name__, "g": None if g is None else g.__name__}


def _kind(plant: PlantLike) -> str:
    if plant.dt > 0.0:
        return f"discrete, every {plant.dt:g} s"
    return "linear, stepped exactly" if plant.matrices is not None else f"integrated to {plant.settings['rtol']:g}"
