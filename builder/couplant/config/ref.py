"""Variables of components, as settings files write them; `ref_of` is translated for the page, which calls it too."""

import re
from typing import NamedTuple

WRITTEN_REF = re.compile(r"[A-Za-z][A-Za-z0-9_]*\..+")  # a variable of a component


class Ref(NamedTuple):
    """A variable of a component."""

    component: str
    variable: str

    def __str__(self) -> str:
        """Return the name as it is written in a file."""
        return f"{self.component}.{self.variable}"

    @classmethod
    def parse(cls, text: str) -> "Ref":
        """Return the reference for `text` = ``component.variable``; the variable may contain dots."""
        component, _, variable = text.partition(".")
        return cls(component, variable)


def ref_of(value: object) -> Ref:
    """Return the variable of a component that a text names."""
    if not isinstance(value, str) or not WRITTEN_REF.fullmatch(value):
        raise ValueError("not a variable of a component")
    return Ref.parse(value)
