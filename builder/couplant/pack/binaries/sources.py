"""C sources: those of all coupling FMUs, and those that an FMU carries for targets that compile FMUs themselves.

In an FMU settings are compiled in, and `all.c` is the one file to compile. Every function is static but those of the
standard, which carry the model identifier as a prefix, so that several FMUs link into one program.
"""

from couplant.base import paths
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.binaries.compile import Unit, face_unit, in_page, in_process

_MODEL = {"model.c": '#include "coupling.c"\n'}

SOURCE = "all.c"
_ALL = """/* The one file to compile: a whole FMU. */
{defines}
#define CP_BUILT_IN_HEADER "built_in.h"
/* no prefix in a library of its own: FMI{fmi}_OVERRIDE_FUNCTION_PREFIX or DISABLE_PREFIX asks for that, CMake tells */
#if !defined(DISABLE_PREFIX) && !defined({name}_EXPORTS) && !defined(FMI{fmi}_FUNCTION_PREFIX)
#define FMI{fmi}_FUNCTION_PREFIX {name}_
#endif
#include "fmi/all.c"
"""
_BUILD = """<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier="{name}">
    <SourceFileSet language="C99">
      <SourceFile name="all.c"/>
    </SourceFileSet>
  </BuildConfiguration>
</fmiBuildDescription>
"""


def coupling_unit(fmi: str, neural: bool = True, energy: bool = True) -> Unit:
    """Return the sources of all coupling FMUs of version `fmi`.

    The code of what learns is in it if `neural`, that of power bonds and of a lag that is learnt if `energy`.
    """
    defines = [name for name, has in (("CP_WITHOUT_NEURAL", neural), ("CP_WITHOUT_ENERGY", energy)) if not has]
    return face_unit(fmi, _MODEL, trees=_kernel(neural), defines=defines, small=not (neural or energy))


def coupling_module() -> Unit:
    """Return the sources of all coupling FMUs in a page."""
    return in_page(_MODEL, trees=_kernel())


def kernel_unit() -> Unit:
    """Return the sources of the kernel for a process: all that coupling FMUs can do, for speed."""
    return in_process(_MODEL, trees=_kernel())


def _kernel(neural: bool = True) -> list[str]:
    inner = sorted(path.name for path in paths.fmu_source("kernel").iterdir() if path.is_dir())
    return ["kernel", *(f"kernel/{name}" for name in inner if neural or name != "learning")]


def units(fmi: str) -> list[Unit]:
    """Return the units of coupling FMUs of version `fmi`."""
    return [coupling_unit(fmi, neural, energy) for neural in (False, True) for energy in (False, True)]


def source_files(name: str, settings: SettingsFile, code: Unit, fmi: str) -> dict[str, bytes]:
    """Return the files below `sources` of the FMU `name`, compiled from `code` for version `fmi`, by their names."""
    texts = {f"fmi/{key}": text for key, text in code.generated.items()}
    defines = "\n".join(f"#define {define.replace('=', ' ')}" for define in code.defines)
    texts |= {"fmi/built_in.h": settings.header(), SOURCE: _ALL.format(fmi=fmi, name=name, defines=defines)}
    if fmi == "3":
        texts["buildDescription.xml"] = _BUILD.format(name=name)
    root = paths.fmu_source("fmi").parent
    places = {tree: tree.relative_to(root).as_posix() for tree in code.trees}  # all else lies beside the frame
    files = {f"sources/{places.get(path.parent, 'fmi')}/{path.name}": path.read_bytes() for path in code.files()}
    return files | {f"sources/{key}": text.encode() for key, text in texts.items()}
