"""What is said of Python that has no translation."""

from __future__ import annotations

import ast

from couplant.base.errors import CouplantError


class Untranslatable(CouplantError, ValueError):
    """A module says something outside of what can be translated."""


def refused(path: str, node: ast.AST, what: str) -> Untranslatable:
    """Return the sentence that names file, line and construct: `what` stands in the file `path`."""
    return Untranslatable(f"{path}, line {getattr(node, 'lineno', 1)}: {what} cannot be translated to JavaScript.")
