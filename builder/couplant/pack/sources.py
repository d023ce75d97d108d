"""The C sources of a coupling FMU, for targets that compile FMUs themselves.

Settings are compiled in, and `all.c` is the one file to compile. Every function is static but those of the standard,
which carry the model identifier as a prefix, so that several FMUs link into one program.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from couplant.pack.compile import Unit
from couplant_runtime.config import Settings

_ALL = """/* The one file to compile: a whole coupling FMU. */
{defines}
#define CP_BUILT_IN_HEADER "built_in.h"
#ifndef FMI{fmi}_OVERRIDE_FUNCTION_PREFIX
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
SOURCE = "all.c"


def source_files(settings: Settings, name: str, token: str, fingerprint: int, code: Unit) -> dict[str, bytes]:
    """Return the source files of an FMU.

    Parameters
    ----------
    settings : Settings
        Settings of the FMU.
    name : str
        Model identifier.
    token : str
        GUID or instantiation token.
    fingerprint : int
        64 bits; states of FMUs that differ in it do not fit each other.
    code : Unit
        What the binaries are compiled from.

    Returns
    -------
    dict of str to bytes
        Contents by name inside the FMU, below `sources`.
    """
    files = {f"sources/{_place(path.parent.name)}{path.name}": path.read_bytes() for path in code.files()}
    files |= {f"sources/fmi/{key}": text.encode() for key, text in code.generated.items()}
    files["sources/fmi/built_in.h"] = built_in(settings, token, fingerprint).encode()
    files[f"sources/{SOURCE}"] = _ALL.format(fmi=_version(code), name=name, defines=_defines(code)).encode()
    return files


def build_description(name: str) -> bytes:
    """Return `buildDescription.xml` of FMI 3 for the model identifier `name`."""
    return _BUILD.format(name=name).encode()


def built_in(settings: Settings, token: str, fingerprint: int) -> str:
    """Return a C header with the settings as data.

    Parameters
    ----------
    settings : Settings
        Settings of the FMU.
    token : str
        GUID or instantiation token.
    fingerprint : int
        64 bits of the settings.
    """
    lists = settings.lists()
    arrays = [f"static const double cp_list_{i}[] = {{{_numbers(values)}}};" for i, values in enumerate(lists.values())]
    rows = [f'    {{"{key}", cp_list_{i}, {len(values)}}},' for i, (key, values) in enumerate(lists.items())]
    whole = f'{{"{token}", 0x{fingerprint:016x}u, cp_built_in_lists, {len(rows)}}}'
    return "\n".join(
        [
            "/* Settings of this FMU, as resources/settings.txt has them. */",
            *arrays,
            "static const cp_list cp_built_in_lists[] = {",
            *rows,
            "};",
            f"static const cp_settings cp_built_in = {whole};",
            "",
        ]
    )


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(float(value).hex() for value in values)


def _defines(code: Unit) -> str:
    return "\n".join(f"#define {define.replace('=', ' ')}" for define in code.defines)


def _version(code: Unit) -> str:
    return next(re.fullmatch(r"CP_FMI=(\d)", define)[1] for define in code.defines if define.startswith("CP_FMI="))


def _place(folder: str) -> str:
    """Return where a folder of sources goes: headers of the standard lie beside the face that includes them."""
    places = {"fmi": "fmi/", "kernel": "kernel/", "algorithms": "kernel/algorithms/", "learning": "kernel/learning/"}
    return places.get(folder, "fmi/")
