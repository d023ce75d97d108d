"""Variables of components, as settings files write them."""

from __future__ import annotations

from typing import NamedTuple


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
