"""Python backend: the runtime, the settings and PythonFMU's loader in one FMU; the reference result by that runtime.

PythonFMU imports the modules of all FMUs of a process into one interpreter, so module, class and package carry a
name that no other FMU has.
"""

import hashlib
import importlib.metadata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import couplant_runtime
from couplant.base.modules import load_extra
from couplant.config.interface import Interface
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.archive.write import pack
from couplant.pack.archive.zipped import Packed
from couplant.pack.fmu import header_licence
from couplant.pack.reference import Row
from couplant.pack.settings import runtime_settings
from couplant_runtime import step as runtime
from couplant_runtime.algorithms import ROWS
from couplant_runtime.algorithms.rows import PLACE
from couplant_runtime.checks import get_value, put_value
from couplant_runtime.config import Settings
from couplant_runtime.generated.numbers import HORIZONS
from couplant_runtime.state import State
from couplant_runtime.variable import Variable

_RUNTIME = Path(couplant_runtime.__file__).parent
_HEAD = '''"""Module of one coupling FMU."""

from {package}.loader import retain
'''
_RETAIN = '''
retain(globals())  # the loader runs this module at every instantiation and then releases its dictionary


'''
_CLASS = '''    """The slave class that the loader finds here."""
'''
_OWN = '''
    def own_algorithm(self, macro_step):
        """Return a new instance of the algorithm in the file beside this one."""
        return make_own(Path(__file__).parent / "{file}", "{package}_own", "{name}", macro_step)
'''
_SLAVES = {"2": ("slave", "CouplingSlave", ""), "3": ("slave3", "CouplingSlave3", ", Fmi3Slave")}
"""By version of the standard: module and name of the slave class, and the mark that the loader looks for."""

_NO_LOADER = "fmi = 3: the python backend needs pythonfmu3, which pip install couplant[fmi3python] brings"


def _modules() -> dict[str, bytes]:
    return {path.relative_to(_RUNTIME).as_posix(): path.read_bytes() for path in _RUNTIME.rglob("*.py")}


@dataclass(frozen=True)
class OwnFile:
    """A Python file of the user's that goes along."""

    file: str  # its name
    text: str
    name: str  # of the algorithm in it


@dataclass(frozen=True)
class PythonRuntime:
    """Runtime of an FMU of version `fmi` in the host's Python interpreter; a `couplant.pack.fmu.Backend`."""

    fmi: str = "2"
    source_files: tuple[str, ...] = ()
    modules: dict[str, bytes] = field(default_factory=_modules)
    own: OwnFile | None = None  # an algorithm of the user's

    def licences(self) -> list[str]:
        """Return the licences of the loaders and of the headers that they are compiled with."""
        name = _LOADERS[self.fmi][0]
        loaders = importlib.metadata.distribution(name.lower())
        (licence,) = (path for path in loaders.files or () if path.name == "LICENSE")
        text = Path(str(loaders.locate_file(licence))).read_text(encoding="utf-8")
        return [f"{name} {loaders.version}\n\n{text}", header_licence(self.fmi)]

    def digest(self) -> str:
        """Return the hash of the runtime, and of the algorithm of the user's if there is one."""
        whole = repr(sorted(self.modules.items())) + (repr(self.own) if self.own else "")
        return hashlib.sha256(whole.encode()).hexdigest()

    def files(self, name: str, settings: SettingsFile) -> dict[str, bytes | Packed]:
        """Return slave module, runtime and loaders."""
        module, package = f"Coupling_{settings.fingerprint}", f"couplant_runtime_{settings.fingerprint}"
        files: dict[str, bytes | Packed] = {
            "resources/slavemodule.txt": module.encode(),
            f"resources/{module}.py": self._module(module, package).encode(),
        }
        files |= {f"resources/{package}/{path}": content for path, content in self.modules.items()}
        if self.own is not None:
            files[f"resources/{self.own.file}"] = self.own.text.encode()
        return files | loader_files(self.fmi, name)

    def _module(self, module: str, package: str) -> str:
        """Return the text of the module that has the slave class `module`, over the runtime in a `package`."""
        where, base, mark = _SLAVES[self.fmi]
        imports = f"from {package}.{where} import {base}{mark}\n"
        own = ""
        if self.own is not None:
            imports = f"from pathlib import Path\n\n{imports}from {package}.own import make_own\n"
            own = _OWN.format(package=package, file=self.own.file, name=self.own.name)
        text = _HEAD.format(package=package) + imports + _RETAIN
        return f"{text}class {module}({base}{mark}):\n{_CLASS}{own}"


_LOADERS = {"2": ("PythonFMU", "pythonfmu"), "3": ("PythonFMU3", "pythonfmu3")}
"""By version of the standard: the name of the package with the loaders, and that of its module."""


def own_settings(interface: Interface, signal: str) -> Settings:
    """Return the settings of the FMU of a `signal` that runs an algorithm of the user's in place of another one.

    It is judged by the tolerance of Stettinger 2017, as all are that have no limit frequency.
    """
    settings, name = runtime_settings(interface, signal), ROWS[PLACE].name
    zeta, delta = (0.0,) * HORIZONS, (0.1,) * HORIZONS
    return replace(settings, zeta={**settings.zeta, name: zeta}, delta={**settings.delta, name: delta})


def check_loader(fmi: str) -> None:
    """Raise `UsageError` if the loaders for version `fmi` of the standard are not installed."""
    load_extra(_LOADERS[fmi][1], _NO_LOADER)


def loader_files(fmi: str, name: str) -> dict[str, bytes | Packed]:
    """Return the loaders for version `fmi` of the standard, of an FMU with the model identifier `name`.

    Raise `UsageError` if they are not installed.
    """
    folder = Path(load_extra(_LOADERS[fmi][1], _NO_LOADER).__file__).parent / "resources" / "binaries"
    loaders = [path for suffix in ("so", "dll", "dylib") for path in sorted(folder.rglob(f"*.{suffix}"))]
    return {f"binaries/{path.parent.name}/{name}{path.suffix}": _loader(path) for path in loaders}


@cache
def _loader(path: Path) -> Packed:
    """Return a loader, which all FMUs of a process have alike, packed once."""
    return pack(path.read_bytes())


def python_run(settings: Settings, rows: list[Row]) -> list[list[float]]:
    """Return the outputs at each row, as `couplant.pack.reference.Run` says."""
    state = runtime.reset(settings)
    runtime.init(settings, state, 0.0)
    return list(run_rows(settings, state, rows, [v.name for v in settings.variables() if v.causality == "output"]))


def put_inputs(state: State, variables: Mapping[str, Variable], inputs: Mapping[str, float]) -> None:
    """Set `inputs`, values by name, in the `state` of a runtime with these `variables`."""
    for name, value in inputs.items():
        put_value(state, variables[name], value if variables[name].kind == "real" else int(value))


def run_rows(settings: Settings, state: State, rows: Iterable[Row], names: Sequence[str]) -> Iterator[list[float]]:
    """Yield variables by `names` at each of some `rows` up to that in which the run ends itself, after `init`."""
    variables = {variable.name: variable for variable in settings.variables()}
    outputs = [variables[name] for name in names]
    for row in rows:
        put_inputs(state, variables, row.inputs)
        if settings.event:
            ahead = runtime.preview(settings, state, True)
            yield [get_value(ahead, variable) for variable in outputs]
        runtime.step(settings, state, row.time, row.step_size)
        if state.quality.stopped:
            return
        if not settings.event:
            yield [get_value(state, variable) for variable in outputs]
