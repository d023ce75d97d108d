"""Names of variables by the structured naming convention (FMI 2.0.4, section 2.2.9).

FMPy parses each name with a general grammar, which takes milliseconds a name and more than in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fmpy.model_description import ModelDescription

_PLAIN = r"[A-Za-z_][A-Za-z0-9_]*"
_QUOTED = r"'(?:[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ ]|\\['\"?\\abfnrtv])+'"
_INDICES = r"(?:\[[0-9]+(?:,[0-9]+)*\])?"
_PART = rf"(?:{_PLAIN}|{_QUOTED}){_INDICES}"
_IDENTIFIER = rf"{_PART}(?:\.{_PART})*"
_STRUCTURED = re.compile(rf"{_IDENTIFIER}|der\({_IDENTIFIER}(?:,[0-9]+)?\)")
_FLAT = re.compile(r"[^\r\n\t]*")


def wrong_names(description: ModelDescription) -> Iterator[str]:
    """Yield a sentence for each name that does not keep to the convention that the model description names."""
    convention = "flat" if description.variableNamingConvention == "flat" else "structured"
    allowed = _FLAT if convention == "flat" else _STRUCTURED
    for variable in description.modelVariables:
        if not allowed.fullmatch(variable.name):
            yield f'"{variable.name}" is no name of the naming convention "{convention}".'
