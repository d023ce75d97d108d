"""Variables of components, as settings files write them."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from couplant.frame import allowed

_WRITTEN = r"[A-Za-z][A-Za-z0-9_]*\..+"


class Ref(NamedTuple):
    """A variable of a component."""

    component: str
    variable: str

    def __str__(self) -> str:
        """Return the name as it is written in a file."""
        return f"{self.component}.{self.variable}"

    @classmethod
    def parse(cls, text: str) -> Ref:
        """Return the reference for `text` = ``component.variable``; the variable may contain dots."""
        component, _, variable = text.partition(".")
        return cls(component, variable)


def _ref(value: object) -> Ref:
    if not isinstance(value, str) or not re.fullmatch(_WRITTEN, value):
        raise ValueError("not a variable of a component")
    return Ref.parse(value)


WrittenRef = Annotated[
    Ref,
    PlainValidator(_ref),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": f"^{_WRITTEN}$"}),
    allowed('"component.variable"'),
]
"""The type of a key that names a variable of a component."""
